import { sleep } from "../../core/async.ts";
import { Failure } from "../../core/errors.ts";
import type { WriterLock } from "../../db/locks.ts";
import { passageContext } from "../text/passages.ts";
import type { CaseStudy, Passage } from "../types.ts";
import { embedEach, type PassageEncoder } from "./embed-each.ts";
import type { IndexFailure } from "./outbox.ts";
import type { IndexedPassage } from "./passage-table.ts";

export interface IndexerOptions {
  /** Held by the one process that writes the index. */
  readonly lock: WriterLock;
  readonly outbox: {
    /** Ends the leases of entries that this process does not complete. */
    release(ids: readonly number[]): Promise<void>;
    pending(
      limit: number,
    ): Promise<readonly { id: number; case_study_id: string; action: "upsert" | "delete"; revision: number | null }[]>;
    done(ids: readonly number[]): Promise<void>;
    failed(id: number, error: string): Promise<void>;
    failedForGood(id: number, error: string): Promise<void>;
    replaceFailures(failures: readonly IndexFailure[]): Promise<void>;
    depth(): Promise<number>;
    isEmpty(): Promise<boolean>;
    requeueAll(model: string): Promise<number>;
    settle(model: string): Promise<void>;
  };
  readonly caseStudies: {
    byIds(ids: readonly string[]): Promise<readonly CaseStudy[]>;
    passagesOf(
      ids: readonly string[],
    ): Promise<readonly (Passage & { readonly id: number; readonly case_study_id: string })[]>;
    markIndexed(revisions: readonly { id: string; revision: number }[], model: string): Promise<void>;
    each(): AsyncGenerator<readonly { readonly study: CaseStudy; readonly revision: number }[]>;
  };
  /** The model of the current index. */
  readonly encoder: () => Promise<PassageEncoder>;
  readonly index: () => Promise<WritableIndex>;
  readonly onError: (what: string, error: unknown) => void;
}

interface WritableIndex {
  upsert(rows: readonly IndexedPassage[]): Promise<void>;
  remove(studies: readonly string[]): Promise<void>;
  optimise(): Promise<void>;
  rebuild(fill: (add: (rows: readonly IndexedPassage[]) => Promise<void>) => Promise<void>): Promise<void>;
}

type Entry = Awaited<ReturnType<IndexerOptions["outbox"]["pending"]>>[number];

/** A model that replaces the current one, with an index opened for its vectors. */
interface NextModel {
  readonly encoder: PassageEncoder;
  readonly index: WritableIndex;
  /** Whether changes made meanwhile are added to the current index, too: its model can still be used. */
  readonly updatesCurrent: boolean;
}

export interface IndexWork {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of case studies done so far. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

export interface IndexerState {
  /** The error of the last compaction, or null. */
  readonly optimiseError: string | null;
  /** The error of the last write, or null. */
  readonly indexError: string | null;
}

export interface Indexer {
  /**
   * Indexes until nothing is left that is due; while another process writes the index, waits for it. Returns the
   * number of case studies.
   */
  drain(options?: IndexWork): Promise<number>;
  /**
   * Rebuilds the index from the store, with the model `next` if given, while searches use the old one, which still
   * receives changes. Returns the number of case studies.
   *
   * @throws Failure `store.unusable` when another process writes the index
   */
  rebuild(options?: IndexWork & { readonly next?: NextModel }): Promise<number>;
  /** Compacts the index, updates its lookup structures, and removes old versions. */
  optimise(): Promise<void>;
  /** Runs work between writes of this process. Undefined while another process writes the index. */
  betweenWrites<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
  state(): IndexerState;
}

/** Case studies after which a large import compacts the index: writes slow down with every batch not compacted. */
const OPTIMISE_EVERY = 20_000;

/** Interval of checks whether another process still writes the index. */
const POLL_MS = 250;

/** Failures after which a batch without any success is given up until the next attempt. */
const MAX_FAILURES = 3;

/** Case studies embedded and written at once: large enough to keep the number of index fragments low. */
const BATCH = 256;

/**
 * Copies committed changes from SQLite into the search index. Each batch is written before it leaves the outbox, and
 * writes are idempotent: after a crash the next run completes an unfinished batch.
 */
export function createIndexer(options: IndexerOptions): Indexer {
  let optimiseError: string | null = null;
  let indexError: string | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /**
   * Waits until this process may write the index, or until another one has indexed everything.
   *
   * @returns whether this process may write, and the number of case studies that another one indexed meanwhile
   */
  const becomeWriter = async ({ signal, onProgress }: IndexWork) => {
    let atFirst: number | undefined;
    while (!(await options.lock.acquire())) {
      const left = await options.outbox.depth();
      atFirst ??= left;
      onProgress?.(Math.max(0, atFirst - left));
      if (left === 0) return { isWriter: false, done: atFirst };
      await sleep(POLL_MS, signal);
    }
    const done = atFirst === undefined ? 0 : Math.max(0, atFirst - (await options.outbox.depth()));
    return { isWriter: true, done };
  };

  /**
   * Indexes entries. A passage that the model cannot embed gets no vector, and its case study fails for good.
   *
   * @param next the index under construction: removed case studies leave both indexes
   */
  const indexEntries = async (entries: readonly Entry[], signal: AbortSignal | undefined, next?: NextModel) => {
    const index = await options.index();
    const removed = entries.filter(({ action, revision }) => action === "delete" || revision === null);
    if (removed.length > 0) await (next?.index ?? index).remove(removed.map((entry) => entry.case_study_id));
    const changed = entries.flatMap((entry) =>
      entry.action === "upsert" && entry.revision !== null
        ? [{ entry: entry.id, id: entry.case_study_id, revision: entry.revision }]
        : [],
    );
    const failed = new Set<number>();
    if (changed.length > 0) {
      const encoder = await options.encoder();
      const { rows, faults } = await rowsOf(
        changed.map(({ id }) => id),
        encoder,
        signal,
      );
      await index.upsert(rows);
      await options.caseStudies.markIndexed(
        changed.filter(({ id }) => !faults.has(id)),
        encoder.id,
      );
      for (const { entry, id } of changed) {
        const fault = faults.get(id);
        if (fault === undefined) continue;
        failed.add(entry);
        await options.outbox.failedForGood(entry, fault);
      }
    }
    await options.outbox.done(entries.flatMap(({ id }) => (failed.has(id) ? [] : [id])));
  };

  /**
   * Indexes entries; when that fails, each half on its own, so that an entry that cannot be indexed delays no other.
   * What fails is retried later. If everything fails, the cause is the index or the disk, and the rest is not attempted.
   */
  const indexInParts = async (entries: readonly Entry[], signal: AbortSignal | undefined, next?: NextModel) => {
    let fault: unknown;
    let succeeded = 0;
    let failed = 0;
    const run = async (part: readonly Entry[]): Promise<void> => {
      const isGivenUp = succeeded === 0 && (failed >= MAX_FAILURES || fault instanceof Failure);
      try {
        if (isGivenUp) throw fault;
        await indexEntries(part, signal, next);
        succeeded += 1;
      } catch (error) {
        if (signal?.aborted) throw error;
        if (fault === undefined) options.onError("indexing", error);
        fault = error;
        if (part.length > 1 && !isGivenUp && !(error instanceof Failure)) {
          const middle = Math.ceil(part.length / 2);
          await run(part.slice(0, middle));
          return await run(part.slice(middle));
        }
        failed += 1;
        for (const { id } of part) await options.outbox.failed(id, messageOf(error));
      }
    };
    await run(entries);
    indexError = fault === undefined ? null : messageOf(fault);
  };

  const indexBatch = async (signal: AbortSignal | undefined, next?: NextModel): Promise<number> => {
    if (await options.outbox.isEmpty()) return 0;
    let entries: readonly Entry[] = [];
    try {
      // Opened before entries are leased: opening a new index queues every case study.
      await options.index();
      entries = await options.outbox.pending(BATCH);
      if (entries.length > 0) await indexInParts(entries, signal, next);
    } catch (error) {
      if (!signal?.aborted) {
        indexError = messageOf(error);
        options.onError("indexing", error);
        return 0;
      }
      // Without it the next process would wait until the leases end.
      await options.outbox.release(entries.map(({ id }) => id));
      throw error;
    }
    return entries.length;
  };

  /** @returns the rows, and why the model cannot embed a passage, by the id of its case study */
  const rowsOf = async (
    ids: readonly string[],
    encoder: PassageEncoder,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly rows: IndexedPassage[]; readonly faults: ReadonlyMap<string, string> }> => {
    const [studies, passages] = await Promise.all([
      options.caseStudies.byIds(ids),
      options.caseStudies.passagesOf(ids),
    ]);
    const studyOf = new Map(studies.map((study) => [study.id, study]));
    const found = passages.flatMap((passage) => {
      const study = studyOf.get(passage.case_study_id);
      return study ? [{ passage, study }] : [];
    });
    const vectors = await embedEach(
      encoder,
      found.map(({ passage, study }) => passageContext(study, passage)),
      signal,
    );
    const faults = new Map<string, string>();
    const rows = found.map(({ passage, study }, at) => {
      const vector = vectors[at]!;
      if (vector instanceof Error && !faults.has(study.id)) {
        faults.set(study.id, messageOf(vector));
        options.onError(`embedding case study ${study.id}`, vector);
      }
      return {
        passage: passage.id,
        study: study.id,
        company: study.company.slug,
        // The displayed name, so that industries outside the taxonomy are filtered by the source's text.
        industry: study.industry?.toLowerCase() ?? null,
        client: study.client.name,
        country: study.country,
        published_at: study.published_at,
        title: study.title,
        heading: passage.heading,
        text: passage.text,
        vector: vector instanceof Error ? new Float32Array(encoder.dimensions) : vector,
      };
    });
    return { rows, faults };
  };

  const compact = async (): Promise<void> => {
    try {
      await (await options.index()).optimise();
      optimiseError = null;
    } catch (error) {
      optimiseError = messageOf(error);
      options.onError("compaction", error);
    }
  };

  /** Runs jobs one at a time: concurrent drains would embed the same text twice. Releases the lock in between. */
  const inTurn = <T>(job: () => Promise<T>): Promise<T> => {
    const result = turn.then(job, job).finally(() => options.lock.release());
    turn = result.catch(() => {});
    return result;
  };

  return {
    drain: (work = {}) =>
      inTurn(async () => {
        const { signal, onProgress } = work;
        const { isWriter, done: before } = await becomeWriter(work);
        if (!isWriter) return before;
        let done = before;
        let sinceCompaction = 0;
        for (let worked = await indexBatch(signal); worked > 0; worked = await indexBatch(signal)) {
          done += worked;
          sinceCompaction += worked;
          onProgress?.(done);
          if (sinceCompaction >= OPTIMISE_EVERY) {
            await compact();
            sinceCompaction = 0;
          }
          signal?.throwIfAborted();
        }
        return done;
      }),

    rebuild: ({ signal, onProgress, next } = {}) =>
      inTurn(async () => {
        if (!(await options.lock.acquire())) {
          throw new Failure(
            "store.unusable",
            "Another process is writing the search index; wait until it is done, or stop it.",
          );
        }
        const encoder = next?.encoder ?? (await options.encoder());
        const index = next?.index ?? (await options.index());
        const indexed: { id: string; revision: number }[] = [];
        const failures: IndexFailure[] = [];
        const mark = async () => {
          for (let at = 0; at < indexed.length; at += BATCH)
            await options.caseStudies.markIndexed(indexed.slice(at, at + BATCH), encoder.id);
        };
        await index.rebuild(async (add) => {
          for await (const batch of options.caseStudies.each()) {
            signal?.throwIfAborted();
            const { rows, faults } = await rowsOf(
              batch.map(({ study }) => study.id),
              encoder,
              signal,
            );
            await add(rows);
            for (const { study, revision } of batch) {
              const error = faults.get(study.id);
              if (error === undefined) indexed.push({ id: study.id, revision });
              else failures.push({ case_study_id: study.id, error });
            }
            onProgress?.(indexed.length);
            if (next?.updatesCurrent !== false) await indexBatch(signal, next);
          }
          if (!next) return;
          // Marked before the new index takes over, so that whatever changed since it was read is queued again.
          await mark();
          await options.outbox.requeueAll(encoder.id);
        });
        if (!next) {
          await mark();
          await options.outbox.settle(encoder.id);
          await options.outbox.replaceFailures(failures);
        }
        return indexed.length;
      }),

    optimise: () =>
      inTurn(async () => {
        if (await options.lock.acquire()) await compact();
      }),

    betweenWrites: (work) => inTurn(async () => ((await options.lock.acquire()) ? await work() : undefined)),

    state: () => ({ optimiseError, indexError }),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);
