import { describe, expect, test } from "bun:test";
import { createIndexer } from "../../../src/casestudies/index/indexer.ts";
import type { IndexedPassage } from "../../../src/casestudies/index/passage-table.ts";
import type { CaseStudy } from "../../../src/casestudies/types.ts";

interface Entry {
  id: number;
  case_study_id: string;
  action: "upsert" | "delete";
  revision: number | null;
}

const record = (id: string): CaseStudy => ({
  id,
  title: `Story of ${id}`,
  url: `https://tidewell.example/${id}`,
  company: { name: "Tidewell", slug: "tidewell" },
  client: { name: "Quay Five", domain: "quayfive.example" },
  industry: "Logistics",
  country: "NO",
  summary: null,
  challenge: null,
  solution: null,
  outcomes: [],
  products: [],
  tools: [],
  quote: null,
  published_at: "2024-03-05",
  language: null,
  indexed_at: null,
  origin: "imported",
});

function opened(
  entries: Entry[],
  { failing = () => false as boolean, others = () => false as boolean, inherited = false } = {},
) {
  const rows = new Map<number, IndexedPassage>();
  const log: string[] = [];
  const waiting = [...entries];
  let optimiseFails = false;
  let held = 0;
  const indexer = createIndexer({
    lock: {
      acquire: () => {
        held = 1;
        return others() ? "busy" : inherited ? "recovered" : "acquired";
      },
      release() {
        held = 0;
      },
    },
    outbox: {
      release: async () => void log.push("leases end"),
      pending: async (limit) => waiting.slice(0, limit),
      async done(ids) {
        log.push(`done ${ids.join()}`);
        for (const id of ids) {
          const at = waiting.findIndex((entry) => entry.id === id);
          if (at >= 0) waiting.splice(at, 1);
        }
      },
      async failed(id, error) {
        log.push(`failed ${id} ${error}`);
        waiting.splice(
          waiting.findIndex((entry) => entry.id === id),
          1,
        );
      },
      depth: async () => waiting.length,
      async requeueAll(model) {
        log.push(`requeue for ${model}`);
        return 0;
      },
    },
    caseStudies: {
      async *each() {
        yield [{ study: record("s1"), revision: 3 }];
        yield [{ study: record("s2"), revision: 1 }];
      },
      byIds: async (ids) => ids.map(record),
      passagesOf: async (ids) =>
        ids.flatMap((id) => [{ id: Number(id.slice(1)), case_study_id: id, heading: "Result", text: "Faster ships." }]),
      async markIndexed(revisions, model) {
        log.push(`marked ${revisions.map(({ id, revision }) => `${id}@${revision}`).join()} ${model}`);
      },
    },
    encoder: async () => ({
      id: "model-1",
      async encode(texts) {
        log.push(`encode ${texts[0]}`);
        return texts.map(() => new Float32Array([1, 0]));
      },
    }),
    index: async () => ({
      async upsert(batch) {
        if (failing()) throw new Error("the disk is full");
        log.push("upsert");
        for (const row of batch) rows.set(row.passage, row);
      },
      async remove(studies) {
        log.push(`remove ${studies.join()}`);
      },
      async rebuild(fill) {
        await fill(async (batch) => {
          log.push(`add ${batch.map(({ study }) => study).join()}`);
        });
        log.push("swapped");
      },
      async optimise() {
        if (optimiseFails) throw new Error("fragments");
      },
    }),
    onError: (what) => log.push(`error ${what}`),
  });
  return {
    indexer,
    rows,
    log,
    waiting,
    isHeld: () => held > 0,
    failOptimise: (fails: boolean) => (optimiseFails = fails),
  };
}

const upsert = (id: number, revision: number | null = 1): Entry => ({
  id,
  case_study_id: `s${id}`,
  action: "upsert",
  revision,
});

describe("the indexer", () => {
  test("writes a passage with its filter fields before it removes the outbox entry", async () => {
    const { indexer, rows, log } = opened([upsert(1)]);
    expect(await indexer.drain()).toBe(1);
    expect(log).toEqual([
      "encode Story of s1 — Quay Five. Result. Faster ships.",
      "upsert",
      "marked s1@1 model-1",
      "done 1",
    ]);
    expect(rows.get(1)).toMatchObject({
      study: "s1",
      company: "tidewell",
      industry: "logistics",
      country: "NO",
      published_at: "2024-03-05",
    });
  });

  test("deletes removed case studies, including those removed before their turn", async () => {
    const { indexer, log } = opened([
      { id: 1, case_study_id: "s1", action: "delete", revision: null },
      upsert(2, null),
    ]);
    await indexer.drain();
    expect(log).toEqual(["remove s1,s2", "done 1,2"]);
  });

  test("keeps failed writes for a later attempt and reports the failure", async () => {
    let fails = true;
    const { indexer, log } = opened([upsert(1)], { failing: () => fails });
    await indexer.drain();
    expect(log).toContain("failed 1 the disk is full");
    expect(log).not.toContain("done 1");
    expect(indexer.state().indexError).toBe("the disk is full");
    fails = false;
  });

  test("recovers with the next successful batch", async () => {
    let fails = true;
    const { indexer, waiting } = opened([upsert(1)], { failing: () => fails });
    await indexer.drain();
    fails = false;
    waiting.push(upsert(2));
    await indexer.drain();
    expect(indexer.state().indexError).toBeNull();
  });

  test("runs one drain at a time, so that nothing is embedded twice", async () => {
    const { indexer, log } = opened([upsert(1)]);
    await Promise.all([indexer.drain(), indexer.drain()]);
    expect(log.filter((line) => line.startsWith("encode"))).toHaveLength(1);
  });

  test("rebuilds the index from the store, and updates the store only when the index is complete", async () => {
    const { indexer, log } = opened([]);
    expect(await indexer.rebuild()).toBe(2);
    expect(log.filter((line) => !line.startsWith("encode"))).toEqual([
      "add s1",
      "add s2",
      "swapped",
      "marked s1@3,s2@1 model-1",
    ]);
  });

  describe("under another model", () => {
    const nextOf = (log: string[], updatesCurrent: boolean) => ({
      updatesCurrent,
      encoder: {
        id: "model-2",
        async encode(texts: readonly string[]) {
          log.push(`embed ${texts[0]?.slice(0, 11)}`);
          return texts.map(() => new Float32Array([0, 1, 0]));
        },
      },
      index: {
        async upsert() {
          log.push("upsert beside");
        },
        async remove(studies: readonly string[]) {
          log.push(`remove ${studies.join()} from both`);
        },
        async rebuild(fill: (add: (batch: readonly IndexedPassage[]) => Promise<void>) => Promise<void>) {
          await fill(async (batch) => void log.push(`add ${batch.map(({ study }) => study).join()}`));
          log.push("swapped");
        },
        async optimise() {},
      },
    });
    const gone: Entry = { id: 5, case_study_id: "s5", action: "delete", revision: null };

    test("continues to index changes, which are queued for the new model before it is activated", async () => {
      const { indexer, log } = opened([upsert(4, 2), gone]);
      expect(await indexer.rebuild({ next: nextOf(log, true) })).toBe(2);
      expect(log).toEqual([
        "embed Story of s1",
        "add s1",
        "remove s5 from both",
        "encode Story of s4 — Quay Five. Result. Faster ships.",
        "upsert",
        "marked s4@2 model-1",
        "done 4,5",
        "embed Story of s2",
        "add s2",
        "marked s1@3,s2@1 model-2",
        "requeue for model-2",
        "swapped",
      ]);
    });

    test("leaves changes queued when the active model cannot be used", async () => {
      const { indexer, log, waiting } = opened([upsert(4, 2), gone]);
      await indexer.rebuild({ next: nextOf(log, false) });
      expect(log.filter((line) => !line.startsWith("embed"))).toEqual([
        "add s1",
        "add s2",
        "marked s1@3,s2@1 model-2",
        "requeue for model-2",
        "swapped",
      ]);
      expect(waiting).toHaveLength(2);
    });
  });

  test("leaves the index to the process that writes it, and waits until the queue is empty", async () => {
    const { indexer, log, waiting } = opened([upsert(1)], { others: () => true });
    setTimeout(() => waiting.pop(), 50);
    await indexer.drain();
    expect(log).toEqual([]);
    await expect(indexer.rebuild()).rejects.toThrow("Another process is writing");
  });

  test("takes over the leases of a process that ended at once", async () => {
    const { indexer, log } = opened([upsert(1)], { inherited: true });
    await indexer.drain();
    expect(log[0]).toBe("leases end");
  });

  test("releases the lock for other processes when it is done", async () => {
    const { indexer, isHeld } = opened([upsert(1)]);
    const draining = indexer.drain();
    await Promise.resolve();
    await draining;
    expect(isHeld()).toBe(false);
  });

  test("raises an alarm when compaction fails, and clears it when it succeeds", async () => {
    const { indexer, failOptimise } = opened([]);
    failOptimise(true);
    await indexer.optimise();
    expect(indexer.state().optimiseError).toBe("fragments");
    failOptimise(false);
    await indexer.optimise();
    expect(indexer.state().optimiseError).toBeNull();
  });
});
