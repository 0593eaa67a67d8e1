import { expect, test } from "bun:test";
import { createRereadJobs, findReread } from "../../../src/casestudies/intake/reread-outcomes.ts";
import type { OutcomeReader } from "../../../src/casestudies/structure/local-engine.ts";
import type { Provenance } from "../../../src/casestudies/types.ts";
import { tools } from "../examples.ts";
import { outcomeOf, storeWithClock, studyOf } from "../study-examples.ts";

const OLD = outcomeOf("availability", 88, { text: "Outages fell by 88%." });
const NEW = { ...OLD, noun: "outage time", kind: "change", better: true, sentence: OLD.text } as const;
const provenance = (engine: Provenance["engine"], pointer = "/outcomes/0"): Provenance => {
  return { pointer, engine, sentence: OLD.text, confidence: 0.5 };
};

/** A store with one case study of each kind that matters, and a worker that counts the pages it reads. */
async function migrated() {
  const store = await storeWithClock();
  const { caseStudies, corrections } = store;
  const body = "# Story\n\nOutages fell by 88%.";
  const of = (id: string, given: Parameters<typeof studyOf>[0] = {}) =>
    studyOf({ id, origin: "submitted", body, outcomes: [OLD], ...given });
  const studies = [
    of("extracted"),
    of("corrected"),
    of("by-a-model"),
    of("without-text", { body: null }),
    of("imported", { origin: "imported" }),
    of("built-in", { origin: "starter" }),
  ];
  await caseStudies.save(studies);
  for (const { id } of studies) {
    await corrections.saveProvenance(id, [
      provenance("local", "/client/name"),
      provenance(id === "by-a-model" ? "language-model" : "local"),
    ]);
  }
  await caseStudies.save([], {
    before: (transaction) => corrections.save("corrected", { outcomes: [OLD] }, transaction),
  });
  const pages: string[] = [];
  const readOutcomes: OutcomeReader = ({ markdown }) => {
    pages.push(markdown);
    return [{ outcome: NEW, sentence: OLD.text, confidence: 0.9 }];
  };
  const jobs = createRereadJobs({ ...store, parseContext: tools, readOutcomes, onChange() {} });
  const run = async () => {
    await jobs.queueDue();
    const job = await store.jobs.claim(["outcomes"], 60);
    if (!job) return false;
    await jobs.handlers.outcomes?.(job, new AbortController().signal);
    await store.jobs.done(job);
    return true;
  };
  return { store, pages, run };
}

test("only extracted outcomes are read again, and the former version is kept", async () => {
  const { store, pages, run } = await migrated();
  expect(await run()).toBe(true);
  expect(pages).toEqual(["# Story\n\nOutages fell by 88%."]);
  const all = await store.caseStudies.byIds(["extracted", "corrected", "by-a-model", "imported", "built-in"]);
  expect(all.map(({ outcomes }) => outcomes[0]?.noun)).toEqual(["outage time", null, null, null, null]);
  expect(all[0]?.outcomes).toEqual([NEW]);
  expect((await store.corrections.versionsOf("extracted")).map(({ study }) => study.outcomes)).toEqual([[OLD]]);
  const kept = await store.corrections.provenanceOf("extracted");
  expect(kept.map(({ pointer, confidence }) => [pointer, confidence])).toEqual([
    ["/client/name", 0.5],
    ["/outcomes/0", 0.9],
  ]);
  expect(await findReread(store)).toMatchObject({ seen: 6, total: 6, read: 1, changed: 1, done: true });
});

test("it is done once", async () => {
  const { store, pages, run } = await migrated();
  await run();
  expect(await run()).toBe(false);
  expect(pages.length).toBe(1);
  expect((await store.caseStudies.detail("extracted"))?.revision).toBe(2);
});
