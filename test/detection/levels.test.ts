import { afterEach, describe, expect, test } from "bun:test";
import { createEvidenceStore } from "../../src/detection/evidence.ts";
import { LEAST, levelOf, parseMinConfidence } from "../../src/detection/levels.ts";
import type { Signal, SignalKind } from "../../src/detection/signals.ts";
import { fernhill } from "../services/fernhill.ts";
import { type Boxed, idsOf, openBoxed, stepsOf } from "./boxed.ts";
import { catalogueOf, hosted } from "./catalogue-of.ts";
import { ruleOf, toolOf } from "./fingerprints/record-of.ts";

describe("a minimum confidence", () => {
  test.each([
    ["confirmed", LEAST.confirmed],
    ["likely", LEAST.likely],
    ["possible", LEAST.possible],
    ["0", 0],
    ["0.5", 0.5],
    [".25", 0.25],
    ["1", 1],
    ["1.0", 1],
  ])("may be %s", (text, value) => expect(parseMinConfidence(text)).toBe(value));
  test.each(["", "sure", "Possible", "1.1", "2", "-0.5", "50%", "1e-1", "0.", " 0.5", "0.123456", "toString"])(
    "may not be %p",
    (text) => expect(parseMinConfidence(text)).toBeUndefined(),
  );
  test.each([
    [0.99, "confirmed"],
    [0.8, "confirmed"],
    [0.79, "likely"],
    [0.5, "likely"],
    [0.49, "possible"],
    [0, "possible"],
  ] as const)("of %p is %s", (confidence, level) => expect(levelOf(confidence)).toBe(level));
});

describe("possible tools", () => {
  const signal = (kind: SignalKind, value: string): Signal => ({ kind, value, location: "page" });
  const hint = (id: string) => signal("html.hint", `https://${id}.test/`);
  const script = (id: string) => signal("html.script", `https://${id}.test/`);
  const found = (catalogue: ReturnType<typeof catalogueOf>, ...signals: Signal[]) => {
    const store = createEvidenceStore(catalogue);
    for (const each of signals) store.add("scanner", each);
    return { detections: idsOf(store.detections()), possible: store.possible() };
  };

  test("rest on hints: a preconnect, an allowed host in code, a mention", () => {
    const mention = ruleOf({ word: "Named" }, { see: "board.posting", means: "mentions", strength: "strong" });
    const catalogue = catalogueOf(hosted("hinted"), toolOf([mention], { id: "named", name: "named" }));
    const { detections, possible } = found(catalogue, hint("hinted"), signal("board.posting", "You know Named."));
    expect(detections).toEqual([]);
    expect(possible.map(({ id, confidence }) => [id, confidence])).toEqual([
      ["hinted", 0.4],
      ["named", 0.45],
    ]);
  });

  test("do not repeat what is reported", () => {
    expect(found(catalogueOf(hosted("widget")), hint("widget"), script("widget"))).toEqual({
      detections: ["widget"],
      possible: [],
    });
  });

  test("are excluded by reported tools, and are implied by possible ones", () => {
    const catalogue = catalogueOf(
      hosted("fork", { excludes: ["origin"] }),
      hosted("origin"),
      hosted("part", { implies: ["whole"] }),
      hosted("whole"),
    );
    const { detections, possible } = found(catalogue, script("fork"), hint("origin"), hint("part"));
    expect(detections).toEqual(["fork"]);
    expect(idsOf(possible)).toEqual(["part", "whole"]);
  });

  test("include one that requires a possible tool, below the minimum confidence", () => {
    const catalogue = catalogueOf(hosted("part", { requires: ["whole"] }), hosted("whole"));
    const { detections, possible } = found(catalogue, script("part"), hint("whole"));
    expect(detections).toEqual([]);
    expect(possible.map(({ id, confidence }) => [id, confidence])).toEqual([
      ["part", 0.49],
      ["whole", 0.4],
    ]);
  });
});

describe("the levels of a scan", () => {
  const DOMAIN = "fernhill.test";
  const HOME =
    '<!doctype html><title>Fernhill</title><script src="https://js.stripe.com/v3"></script><link rel="preconnect" href="https://static.hotjar.com">';
  let boxed: Boxed;
  afterEach(() => boxed.close());

  test("are filters of the stored report: nothing is scanned again, and the default has no possible tools", async () => {
    boxed = await openBoxed(fernhill(HOME));
    const first = await boxed.enrich(DOMAIN);
    expect(idsOf(first.detections)).toEqual(["google-workspace", "stripe"]);
    const asked = boxed.box.hits.length;
    const all = await boxed.enrich(DOMAIN, { minConfidence: LEAST.possible });
    expect(idsOf(all.detections)).toEqual(["google-workspace", "hotjar", "stripe"]);
    expect(all).toMatchObject({ cached: true, scanned_at: first.scanned_at });
    expect(all).not.toHaveProperty("possible");
    expect(idsOf((await boxed.enrich(DOMAIN, { minConfidence: 0.9 })).detections)).toEqual(["google-workspace"]);
    expect(boxed.box.hits).toHaveLength(asked);
    expect((await boxed.enrich(DOMAIN)).detections).toEqual(first.detections);
  });

  test("do not reach sightings and changes below the default", async () => {
    boxed = await openBoxed(fernhill(HOME));
    await boxed.enrich(DOMAIN, { minConfidence: LEAST.possible });
    expect([...(await boxed.store.scans.sightings(DOMAIN)).keys()].sort()).toEqual(["google-workspace", "stripe"]);
    expect(await boxed.recentScans(1)).toMatchObject([{ domain: DOMAIN, tools_detected: 2 }]);
  });

  test("are counted alike in every answer, without what was reported as false", async () => {
    boxed = await openBoxed(fernhill(HOME));
    const { detections } = await boxed.enrich(DOMAIN);
    const rules = detections.flatMap(({ id, evidence }) => (id === "stripe" ? evidence.map(({ rule }) => rule) : []));
    await boxed.store.feedback.save({ domain: DOMAIN, tool_id: "stripe", tool: "Stripe", rules, note: null });
    expect(idsOf((await boxed.enrich(DOMAIN)).detections)).toEqual(["google-workspace"]);
    expect(idsOf((await boxed.stored(DOMAIN))?.detections ?? [])).toEqual(["google-workspace"]);
    expect(await boxed.recentScans(1)).toMatchObject([{ domain: DOMAIN, tools_detected: 1 }]);
  });

  test("are those that a stream was asked for, from its first step to its last", async () => {
    boxed = await openBoxed(fernhill(HOME));
    const all = await stepsOf(boxed.enrichSteps(DOMAIN, { minConfidence: LEAST.possible }));
    const last = all.at(-1)?.step;
    if (last?.phase !== "complete") throw new Error("the scan ended without a result");
    expect(idsOf(last.enrichment.detections)).toEqual(["google-workspace", "hotjar", "stripe"]);
    const seen = all.map(({ step }) => idsOf(step.phase === "complete" ? step.enrichment.detections : step.detections));
    // The list only grows.
    for (const [index, ids] of seen.entries()) expect(ids).toEqual(expect.arrayContaining(seen[index - 1] ?? []));
    expect(seen.at(-2)).toContain("hotjar");
  });

  test("a reported false positive disappears from every level", async () => {
    boxed = await openBoxed(fernhill(HOME));
    await boxed.enrich(DOMAIN);
    const all = await boxed.enrich(DOMAIN, { minConfidence: LEAST.possible });
    const rules = all.detections.flatMap(({ id, evidence }) =>
      id === "hotjar" ? evidence.map(({ rule }) => rule) : [],
    );
    await boxed.store.feedback.save({ domain: DOMAIN, tool_id: "hotjar", tool: "Hotjar", rules, note: null });
    const after = await boxed.enrich(DOMAIN, { minConfidence: LEAST.possible });
    expect(idsOf(after.detections)).toEqual(["google-workspace", "stripe"]);
  });
});
