import { Failure } from "../../core/errors.ts";
import { passageContext } from "../text/passages.ts";
import type { CaseStudy, Passage } from "../types.ts";
import type { IndexedPassage } from "./passage-table.ts";

export interface IndexerOptions {
  /** Held by the one process that writes the index. */
  readonly lock: { acquire(): "acquired" | "recovered" | "busy"; release(): void };
  readonly outbox: {
    /** Ends the leases of a process that has ended. */
    release(): Promise<void>;
    pending(
      limit: number,
    ): Promise<readonly { id: number; case_study_id: string; action: "upsert" | "delete"; revision: number | null }[]>;
    done(ids: readonly number[]): Promise<void>;
    failed(id: number, error: string): Promise<void>;
    depth(): Promise<number>;
    requeueAll(model: string): Promise<number>;
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

interface PassageEncoder {
  readonly id: string;
  encode(texts: readonly string[], kind: "passage", signal?: AbortSignal): Promise<readonly Float32Array[]>;
}

interface WritableIndex {
  upsert(rows: readonly IndexedPassage[]): Promise<void>;
  remove(studies: readonly string[]): Promise<void>;
  optimise(): Promise<void>;
  rebuild(fill: (add: (rows: readonly IndexedPassage[]) => Promise<void>) => Promise<void>): Promise<void>;
}

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
  state(): IndexerState;
}

/** Case studies after which a large import compacts the index: writes slow down with every batch not compacted. */
const OPTIMISE_EVERY = 20_000;

/** Interval of checks whether another process still writes the index. */
const POLL_MS = 250;

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

  const becomeWriter = async (): Promise<boolean> => {
    const state = options.lock.acquire();
    // The previous writer ended without releasing the lock: its leases are void.
    if (state === "recovered") await options.outbox.release();
    return state !== "busy";
  };

  const waitForOtherWriter = async (
    signal: AbortSignal | undefined,
    onProgress: ((done: number) => void) | undefined,
  ): Promise<number> => {
    const atFirst = await options.outbox.depth();
    for (let left = atFirst; left > 0 && options.lock.acquire() === "busy"; left = await options.outbox.depth()) {
      signal?.throwIfAborted();
      onProgress?.(Math.max(0, atFirst - left));
      await Bun.sleep(POLL_MS);
    }
    return atFirst;
  };

  /** @param next the index under construction: removed case studies leave both indexes */
  const indexBatch = async (signal: AbortSignal | undefined, next?: NextModel): Promise<number> => {
    if ((await options.outbox.depth()) === 0) return 0;
    let entries: Awaited<ReturnType<IndexerOptions["outbox"]["pending"]>> = [];
    try {
      // Opened before entries are leased: opening a new index queues every case study.
      const index = await options.index();
      entries = await options.outbox.pending(BATCH);
      if (entries.length === 0) return 0;
      const removed = entries.filter(({ action, revision }) => action === "delete" || revision === null);
      if (removed.length > 0) await (next?.index ?? index).remove(removed.map((entry) => entry.case_study_id));
      const changed = entries.flatMap((entry) =>
        entry.action === "upsert" && entry.revision !== null
          ? [{ id: entry.case_study_id, revision: entry.revision }]
          : [],
      );
      if (changed.length > 0) {
        const encoder = await options.encoder();
        await index.upsert(
          await rowsOf(
            changed.map(({ id }) => id),
            encoder,
            signal,
          ),
        );
        await options.caseStudies.markIndexed(changed, encoder.id);
      }
      await options.outbox.done(entries.map(({ id }) => id));
      indexError = null;
    } catch (error) {
      if (signal?.aborted) throw error;
      indexError = messageOf(error);
      options.onError("indexing", error);
      for (const { id } of entries) await options.outbox.failed(id, indexError);
    }
    return entries.length;
  };

  const rowsOf = async (
    ids: readonly string[],
    encoder: PassageEncoder,
    signal: AbortSignal | undefined,
  ): Promise<IndexedPassage[]> => {
    const [studies, passages] = await Promise.all([
      options.caseStudies.byIds(ids),
      options.caseStudies.passagesOf(ids),
    ]);
    const studyOf = new Map(studies.map((study) => [study.id, study]));
    const found = passages.flatMap((passage) => {
      const study = studyOf.get(passage.case_study_id);
      return study ? [{ passage, study }] : [];
    });
    const vectors = await encoder.encode(
      found.map(({ passage, study }) => passageContext(study, passage)),
      "passage",
      signal,
    );
    return found.map(({ passage, study }, at) => ({
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
      vector: vectors[at]!,
    }));
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
    drain: ({ signal, onProgress } = {}) =>
      inTurn(async () => {
        let done = 0;
        let sinceCompaction = 0;
        while (!(await becomeWriter())) {
          done += await waitForOtherWriter(signal, onProgress);
          if ((await options.outbox.depth()) === 0) return done;
        }
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
        if (!(await becomeWriter())) {
          throw new Failure(
            "store.unusable",
            "Another process is writing the search index; wait until it is done, or stop it.",
          );
        }
        const encoder = next?.encoder ?? (await options.encoder());
        const index = next?.index ?? (await options.index());
        const indexed: { id: string; revision: number }[] = [];
        const mark = async () => {
          for (let at = 0; at < indexed.length; at += BATCH)
            await options.caseStudies.markIndexed(indexed.slice(at, at + BATCH), encoder.id);
        };
        await index.rebuild(async (add) => {
          for await (const batch of options.caseStudies.each()) {
            signal?.throwIfAborted();
            await add(
              await rowsOf(
                batch.map(({ study }) => study.id),
                encoder,
                signal,
              ),
            );
            indexed.push(...batch.map(({ study, revision }) => ({ id: study.id, revision })));
            onProgress?.(indexed.length);
            if (next?.updatesCurrent !== false) await indexBatch(signal, next);
          }
          if (!next) return;
          // Marked before the new index takes over, so that whatever changed since it was read is queued again.
          await mark();
          await options.outbox.requeueAll(encoder.id);
        });
        if (!next) await mark();
        return indexed.length;
      }),

    optimise: () =>
      inTurn(async () => {
        if (await becomeWriter()) await compact();
      }),

    state: () => ({ optimiseError, indexError }),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);
