import { expect, test } from "bun:test";
import { storeWithClock, studyOf } from "../study-examples.ts";

const idsOf = (entries: readonly { case_study_id: string }[]) => entries.map(({ case_study_id }) => case_study_id);

test("the outbox returns the oldest entries first, one per case study", async () => {
  const { caseStudies, outbox } = await storeWithClock();
  const [a, b] = [studyOf({ id: "a" }), studyOf({ id: "b" })];
  await caseStudies.save([a, b]);
  await caseStudies.save([{ ...a, title: "Changed" }]);
  const entries = await outbox.pending(10);
  expect(entries).toMatchObject([
    { case_study_id: "b", revision: 1 },
    { case_study_id: "a", revision: 2 },
  ]);
  expect(await outbox.depth()).toBe(2);
  await outbox.done(entries.map(({ id }) => id));
  expect(await outbox.depth()).toBe(0);
  expect(await outbox.pending(10)).toEqual([]);
});

test("a removal replaces earlier changes, and a restored case study replaces the removal", async () => {
  const { caseStudies, outbox } = await storeWithClock();
  const study = studyOf({ id: "a" });
  await caseStudies.save([study]);
  await caseStudies.remove(["a"]);
  await caseStudies.save([study]);
  await caseStudies.remove(["a"]);
  expect(await outbox.pending(10)).toMatchObject([{ action: "delete", revision: null }]);
});

test("at most the requested number is leased, and to one caller until the lease ends", async () => {
  const { caseStudies, outbox, after } = await storeWithClock();
  await caseStudies.save(["a", "b", "c"].map((id) => studyOf({ id })));
  expect(idsOf(await outbox.pending(2, 60))).toEqual(["a", "b"]);
  expect(idsOf(await outbox.pending(2, 60))).toEqual(["c"]);
  after(61);
  expect(idsOf(await outbox.pending(10, 60))).toEqual(["a", "b", "c"]);
});

test("a change made while its case study is being indexed stays queued", async () => {
  const { caseStudies, outbox } = await storeWithClock();
  const study = studyOf({ id: "a" });
  await caseStudies.save([study]);
  const [taken] = await outbox.pending(10);
  await caseStudies.save([{ ...study, title: "Changed" }]);
  expect(await outbox.pending(10)).toEqual([]);
  await outbox.done([taken?.id ?? 0]);
  expect(await outbox.pending(10)).toMatchObject([{ case_study_id: "a", revision: 2 }]);
});

test("a failed entry is retried with growing delays and keeps the reason", async () => {
  const { caseStudies, outbox, after } = await storeWithClock();
  await caseStudies.save([studyOf({ id: "a" })]);
  for (const wait of [10, 20, 40, 80, 160, 320, 600, 600]) {
    const [entry] = await outbox.pending(10);
    await outbox.failed(entry?.id ?? 0, `no disk ${"x".repeat(2_000)}`);
    after(wait - 1);
    expect(await outbox.pending(10)).toEqual([]);
    after(1.001);
  }
  const [entry] = await outbox.pending(10);
  expect(entry?.attempts).toBe(8);
  expect(entry?.last_error).toStartWith("no disk");
  expect(entry?.last_error?.length).toBe(500);
});

test("the age is that of the oldest queued entry", async () => {
  const { caseStudies, outbox, after } = await storeWithClock();
  expect(await outbox.oldestSeconds()).toBe(0);
  await caseStudies.save([studyOf({ id: "a" })]);
  after(30);
  await caseStudies.save([studyOf({ id: "b" })]);
  after(30);
  expect(await outbox.oldestSeconds()).toBe(60);
});

test("a new model queues every case study without a current embedding, once each", async () => {
  const { caseStudies, outbox } = await storeWithClock();
  const studies = ["a", "b", "c"].map((id) => studyOf({ id }));
  await caseStudies.save(studies);
  expect(await outbox.requeueAll("new")).toBe(0);
  await outbox.done((await outbox.pending(10)).map(({ id }) => id));
  await caseStudies.markIndexed(
    [
      { id: "a", revision: 1 },
      { id: "b", revision: 1 },
    ],
    "new",
  );
  await caseStudies.save([{ ...(studies[1] ?? studyOf()), title: "Changed" }]);
  await outbox.done((await outbox.pending(10)).map(({ id }) => id));
  expect(await outbox.requeueAll("new")).toBe(2);
  expect(idsOf(await outbox.pending(10))).toEqual(["b", "c"]);
  expect(await outbox.requeueAll()).toBe(3);
});

test("an entry that failed for good waits no longer, until its case study changes or everything is queued", async () => {
  const { caseStudies, outbox } = await storeWithClock();
  const study = studyOf({ id: "a" });
  await caseStudies.save([study]);
  await caseStudies.save([{ ...study, title: "Changed" }]);
  const [entry] = await outbox.pending(10);
  await outbox.failedForGood(entry?.id ?? 0, "no vector");
  expect([await outbox.depth(), await outbox.oldestSeconds(), await outbox.pending(10)]).toEqual([0, 0, []]);
  await outbox.release();
  expect(await outbox.pending(10)).toEqual([]);
  expect(await outbox.failures(5)).toEqual({ total: 1, first: [{ case_study_id: "a", error: "no vector" }] });
  await caseStudies.save([{ ...study, title: "Changed again" }]);
  const again = await outbox.pending(10);
  expect(again).toMatchObject([{ case_study_id: "a", revision: 3 }]);
  await outbox.done(again.map(({ id }) => id));
  expect(await outbox.failures(5)).toEqual({ total: 0, first: [] });
});

test("the failures of a rebuild replace earlier ones, except of case studies that wait", async () => {
  const { caseStudies, outbox } = await storeWithClock();
  await caseStudies.save(["a", "b", "c"].map((id) => studyOf({ id })));
  const [a, b] = await outbox.pending(10);
  await outbox.failedForGood(a?.id ?? 0, "no vector");
  await outbox.done([b?.id ?? 0]);
  await outbox.replaceFailures(["b", "c"].map((case_study_id) => ({ case_study_id, error: "no vector either" })));
  expect(await outbox.failures(5)).toEqual({
    total: 1,
    first: [{ case_study_id: "b", error: "no vector either" }],
  });
  expect(await outbox.depth()).toBe(1);
  expect(await outbox.requeueAll()).toBe(3);
  expect(await outbox.depth()).toBe(3);
});

test("leases that are given back can be taken at once", async () => {
  const { caseStudies, outbox } = await storeWithClock();
  await caseStudies.save(["a", "b"].map((id) => studyOf({ id })));
  const [a] = await outbox.pending(10);
  await outbox.release([a?.id ?? 0]);
  expect(idsOf(await outbox.pending(10))).toEqual(["a"]);
});
