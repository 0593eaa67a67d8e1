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
  {
    failing = (_: readonly IndexedPassage[]) => false as boolean,
    others = () => false as boolean,
    encode = (texts: readonly string[]) => texts.map(() => new Float32Array([1, 0])),
  } = {},
) {
  const rows = new Map<number, IndexedPassage>();
  const log: string[] = [];
  const waiting = [...entries];
  let optimiseFails = false;
  let held = 0;
  const indexer = createIndexer({
    lock: {
      acquire: async () => {
        held = others() ? 0 : 1;
        return held === 1;
      },
      release() {
        held = 0;
      },
    },
    outbox: {
      release: async (ids) => void log.push(`leases of ${ids.join()} end`),
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
      async failedForGood(id, error) {
        log.push(`failed for good ${id} ${error}`);
        waiting.splice(
          waiting.findIndex((entry) => entry.id === id),
          1,
        );
      },
      async replaceFailures(failures) {
        log.push(`failures ${failures.map(({ case_study_id, error }) => `${case_study_id} ${error}`).join()}`);
      },
      depth: async () => waiting.length,
      isEmpty: async () => waiting.length === 0,
      async requeueAll(model) {
        log.push(`requeue for ${model}`);
        return 0;
      },
      async settle() {},
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
      dimensions: 2,
      async encode(texts) {
        log.push(`encode ${texts[0]}`);
        return encode(texts);
      },
    }),
    index: async () => ({
      async upsert(batch) {
        if (failing(batch)) throw new Error("the disk is full");
        log.push("upsert");
        for (const row of batch) rows.set(row.passage, row);
      },
      async remove(studies) {
        log.push(`remove ${studies.join()}`);
      },
      async rebuild(fill) {
        await fill(async (batch) => {
          log.push(`add ${batch.map(({ study }) => study).join()}`);
          for (const row of batch) rows.set(row.passage, row);
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
      "failures ",
    ]);
  });

  describe("with a passage that the model cannot embed", () => {
    const bad = "Story of s2";
    const throwing = (texts: readonly string[]) => {
      if (texts.some((text) => text.startsWith(bad))) throw new Error("no such token");
      return texts.map(() => new Float32Array([1, 0]));
    };
    const invalid = (texts: readonly string[]) =>
      texts.map((text) => new Float32Array(text.startsWith(bad) ? [Number.NaN, 0] : [1, 0]));
    const faults = [
      ["throws", throwing, "no such token"],
      ["returns no number", invalid, "The model model-1 returned a vector of length NaN instead of 1."],
    ] as const;

    test.each(faults)(
      "indexes all others, and that one without a vector, when the model %s",
      async (_, encode, error) => {
        const { indexer, rows, log } = opened([upsert(1), upsert(2), upsert(3)], { encode });
        expect(await indexer.drain()).toBe(3);
        expect(log.filter((line) => !line.startsWith("encode"))).toEqual([
          "error embedding case study s2",
          "upsert",
          "marked s1@1,s3@1 model-1",
          `failed for good 2 ${error}`,
          "done 1,3",
        ]);
        expect([...rows.values()].map(({ vector }) => [...vector])).toEqual([
          [1, 0],
          [0, 0],
          [1, 0],
        ]);
      },
    );

    test.each(faults)("completes a rebuild when the model %s", async (_, encode, error) => {
      const { indexer, rows, log } = opened([], { encode });
      expect(await indexer.rebuild()).toBe(1);
      expect(log.slice(-3)).toEqual(["swapped", "marked s1@3 model-1", `failures s2 ${error}`]);
      expect([...rows.keys()]).toEqual([1, 2]);
    });

    test("fails no case study for good when the model cannot embed anything", async () => {
      const encode = () => {
        throw new Error("the session ended");
      };
      const { indexer, log } = opened([upsert(1), upsert(2)], { encode });
      await indexer.drain();
      expect(log.filter((line) => line.startsWith("failed"))).toEqual([
        "failed 1 the session ended",
        "failed 2 the session ended",
      ]);
    });
  });

  test("retries only the case study that cannot be written", async () => {
    const failing = (rows: readonly IndexedPassage[]) => rows.some(({ study }) => study === "s3");
    const { indexer, rows, log } = opened(
      [1, 2, 3, 4, 5].map((id) => upsert(id)),
      { failing },
    );
    await indexer.drain();
    expect([...rows.keys()].sort()).toEqual([1, 2, 4, 5]);
    expect(log.filter((line) => line.startsWith("failed") || line.startsWith("error"))).toEqual([
      "error indexing",
      "failed 3 the disk is full",
    ]);
    expect(indexer.state().indexError).toBe("the disk is full");
  });

  test("does not attempt a whole batch one by one when nothing can be written", async () => {
    let attempts = 0;
    const failing = () => {
      attempts += 1;
      return true;
    };
    const many = Array.from({ length: 200 }, (_, at) => upsert(at + 1));
    const { indexer, log } = opened(many, { failing });
    await indexer.drain();
    expect(attempts).toBeLessThan(20);
    expect(log.filter((line) => line.startsWith("failed"))).toHaveLength(200);
  });

  test("an interrupted batch gives its leases back", async () => {
    const control = new AbortController();
    const encode = () => {
      control.abort(new Error("stopping"));
      throw new Error("interrupted");
    };
    const { indexer, log } = opened([upsert(1), upsert(2)], { encode });
    await expect(indexer.drain({ signal: control.signal })).rejects.toThrow();
    expect(log.at(-1)).toBe("leases of 1,2 end");
  });

  describe("under another model", () => {
    const nextOf = (log: string[], updatesCurrent: boolean) => ({
      updatesCurrent,
      encoder: {
        id: "model-2",
        dimensions: 3,
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

  test("indexes what a writer that ended left, and counts each case study once", async () => {
    let polls = 0;
    const { indexer, log, waiting } = opened([upsert(1), upsert(2), upsert(3)], {
      others() {
        polls += 1;
        // The other process indexes one case study and ends.
        if (polls === 2) waiting.shift();
        return polls < 3;
      },
    });
    expect(await indexer.drain()).toBe(3);
    expect(log.at(-1)).toBe("done 2,3");
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
