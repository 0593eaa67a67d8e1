import { Failure } from "../../core/errors.ts";
import { passageContext } from "../text/passages.ts";
import type { CaseStudy, Passage } from "../types.ts";
import type { IndexedPassage } from "./passage-table.ts";

interface IndexerParts {
  /** One process writes at a time; while another one does, it does the work of all. */
  readonly lock: { acquire(): "acquired" | "recovered" | "busy"; release(): void };
  readonly outbox: {
    /** Ends the leases of a process that is gone. */
    release(): Promise<void>;
    pending(
      limit: number,
    ): Promise<readonly { id: number; case_study_id: string; action: "upsert" | "delete"; revision: number | null }[]>;
    done(ids: readonly number[]): Promise<void>;
    failed(id: number, error: string): Promise<void>;
    depth(): Promise<number>;
    requeueAll(model: string): Promise<number>;
  };
  readonly studies: {
    byIds(ids: readonly string[]): Promise<readonly CaseStudy[]>;
    passagesOf(
      ids: readonly string[],
    ): Promise<readonly (Passage & { readonly id: number; readonly case_study_id: string })[]>;
    markIndexed(revisions: readonly { id: string; revision: number }[], model: string): Promise<void>;
    each(): AsyncGenerator<readonly { readonly study: CaseStudy; readonly revision: number }[]>;
  };
  /** The model of the index that answers. */
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

/** Another model than the one that answers, with the index opened for its vectors. */
interface NextModel {
  readonly encoder: PassageEncoder;
  readonly index: WritableIndex;
  /** The model that answers until then can be used: what changes meanwhile is searched by its vectors. */
  readonly keepsUp: boolean;
}

export interface IndexWork {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

export interface IndexerState {
  /** The newest failure of compaction; null when the last one went well. Read by readiness and metrics. */
  readonly optimiseError: string | null;
  readonly indexError: string | null;
}

export interface Indexer {
  /**
   * Works until nothing waits that can be worked on; when another process does the work, waits for it to.
   * `onProgress` is told how many are done.
   */
  drain(options?: IndexWork): Promise<number>;
  /**
   * Builds the index anew from the store, while searches go on with the old one and learn what changes. With `next`,
   * under that model. Answers how many case studies.
   *
   * @throws Failure `store.unusable` when another process writes the index
   */
  rebuild(options?: IndexWork & { readonly next?: NextModel }): Promise<number>;
  /** Compacts the index, brings its look-ups up to date, and removes old versions. */
  optimise(): Promise<void>;
  state(): IndexerState;
}

/** Writing slows down with every batch that the index has not taken in: in a large import this often is worth its time. */
const OPTIMISE_EVERY = 20_000;

/** How often is looked at what another process has done. */
const OTHERS_MS = 250;

/** Case studies that are embedded and written at once: large enough that the index gets few fragments. */
const BATCH = 256;

/**
 * Brings what SQLite acknowledged into the search index. Each batch is written before it is taken from the outbox, and
 * writing it twice changes nothing: after a crash at any point the next run finishes what was half done.
 */
export function createIndexer(parts: IndexerParts): Indexer {
  let optimiseError: string | null = null;
  let indexError: string | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  const becomeWriter = async (): Promise<boolean> => {
    const turn = parts.lock.acquire();
    // What the process before was at when it ended is free again.
    if (turn === "recovered") await parts.outbox.release();
    return turn !== "busy";
  };

  const watchOthers = async (
    signal: AbortSignal | undefined,
    onProgress: ((done: number) => void) | undefined,
  ): Promise<number> => {
    const atFirst = await parts.outbox.depth();
    for (let left = atFirst; left > 0 && parts.lock.acquire() === "busy"; left = await parts.outbox.depth()) {
      signal?.throwIfAborted();
      onProgress?.(Math.max(0, atFirst - left));
      await Bun.sleep(OTHERS_MS);
    }
    return atFirst;
  };

  /** @param next what is being built beside the index: a case study that is gone leaves both */
  const work = async (signal: AbortSignal | undefined, next?: NextModel): Promise<number> => {
    if ((await parts.outbox.depth()) === 0) return 0;
    let entries: Awaited<ReturnType<IndexerParts["outbox"]["pending"]>> = [];
    try {
      // Opened before anything is taken: an index that is new lets everything wait anew.
      const index = await parts.index();
      entries = await parts.outbox.pending(BATCH);
      if (entries.length === 0) return 0;
      const gone = entries.filter(({ action, revision }) => action === "delete" || revision === null);
      if (gone.length > 0) await (next?.index ?? index).remove(gone.map((entry) => entry.case_study_id));
      const kept = entries.flatMap((entry) =>
        entry.action === "upsert" && entry.revision !== null
          ? [{ id: entry.case_study_id, revision: entry.revision }]
          : [],
      );
      if (kept.length > 0) {
        const encoder = await parts.encoder();
        await index.upsert(
          await rowsOf(
            kept.map(({ id }) => id),
            encoder,
            signal,
          ),
        );
        await parts.studies.markIndexed(kept, encoder.id);
      }
      await parts.outbox.done(entries.map(({ id }) => id));
      indexError = null;
    } catch (error) {
      if (signal?.aborted) throw error;
      indexError = messageOf(error);
      parts.onError("indexing", error);
      for (const { id } of entries) await parts.outbox.failed(id, indexError);
    }
    return entries.length;
  };

  const rowsOf = async (
    ids: readonly string[],
    encoder: PassageEncoder,
    signal: AbortSignal | undefined,
  ): Promise<IndexedPassage[]> => {
    const [studies, passages] = await Promise.all([parts.studies.byIds(ids), parts.studies.passagesOf(ids)]);
    const studyOf = new Map(studies.map((study) => [study.id, study]));
    const told = passages.flatMap((passage) => {
      const study = studyOf.get(passage.case_study_id);
      return study ? [{ passage, study }] : [];
    });
    const vectors = await encoder.encode(
      told.map(({ passage, study }) => passageContext(study, passage)),
      "passage",
      signal,
    );
    return told.map(({ passage, study }, at) => ({
      passage: passage.id,
      study: study.id,
      company: study.company.slug,
      // As it is told, so that what the taxonomy does not know is filtered by the source's own word.
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
      await (await parts.index()).optimise();
      optimiseError = null;
    } catch (error) {
      optimiseError = messageOf(error);
      parts.onError("compaction", error);
    }
  };

  /** One at a time: two drains at once would embed the same text twice. Between them another process may write. */
  const inTurn = <T>(job: () => Promise<T>): Promise<T> => {
    const result = turn.then(job, job).finally(() => parts.lock.release());
    turn = result.catch(() => {});
    return result;
  };

  return {
    drain: ({ signal, onProgress } = {}) =>
      inTurn(async () => {
        let done = 0;
        let unknown = 0;
        while (!(await becomeWriter())) {
          done += await watchOthers(signal, onProgress);
          if ((await parts.outbox.depth()) === 0) return done;
        }
        for (let worked = await work(signal); worked > 0; worked = await work(signal)) {
          done += worked;
          unknown += worked;
          onProgress?.(done);
          if (unknown >= OPTIMISE_EVERY) {
            await compact();
            unknown = 0;
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
            "Another process writes the search index; stop it, or wait until it is done.",
          );
        }
        const encoder = next?.encoder ?? (await parts.encoder());
        const index = next?.index ?? (await parts.index());
        const told: { id: string; revision: number }[] = [];
        const mark = async () => {
          for (let at = 0; at < told.length; at += BATCH)
            await parts.studies.markIndexed(told.slice(at, at + BATCH), encoder.id);
        };
        await index.rebuild(async (add) => {
          for await (const batch of parts.studies.each()) {
            signal?.throwIfAborted();
            await add(
              await rowsOf(
                batch.map(({ study }) => study.id),
                encoder,
                signal,
              ),
            );
            told.push(...batch.map(({ study, revision }) => ({ id: study.id, revision })));
            onProgress?.(told.length);
            if (next?.keepsUp !== false) await work(signal, next);
          }
          if (!next) return;
          // Said before the new index answers: what changed since it was read waits again, whatever happens now.
          await mark();
          await parts.outbox.requeueAll(encoder.id);
        });
        if (!next) await mark();
        return told.length;
      }),

    optimise: () =>
      inTurn(async () => {
        if (await becomeWriter()) await compact();
      }),

    state: () => ({ optimiseError, indexError }),
  };
}

const messageOf = (error: unknown): string =>
  (error instanceof Failure ? error.advice : error instanceof Error ? error.message : String(error)).slice(0, 300);

export interface IndexWorker {
  /** Something was changed: look at the outbox now. */
  wake(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

interface IndexWorkerOptions {
  /** Milliseconds between two looks at the outbox; other processes write to it too. */
  readonly everyMs: number;
  /** Milliseconds after which an index that was changed is compacted. */
  readonly optimiseEveryMs: number;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * After so many changed case studies the index is brought up to date: measured at 400,000 passages, each hundred that
 * it does not know yet adds about 4 ms to a search by words, and a case study has about four.
 */
export const MANY_CHANGES = 75;

/** Keeps the index up to date while a service runs: LanceDB never compacts by itself. */
export function startIndexWorker(
  indexer: Pick<Indexer, "drain" | "optimise">,
  options: IndexWorkerOptions,
): IndexWorker {
  const stopping = new AbortController();
  let changed = 0;
  let optimised = performance.now();
  let running: Promise<void> = Promise.resolve();
  let idle = true;

  const look = async () => {
    try {
      changed += await indexer.drain({ signal: stopping.signal });
      const due = performance.now() - optimised >= options.optimiseEveryMs;
      if (changed === 0 || !(due || changed >= MANY_CHANGES)) return;
      await indexer.optimise();
      changed = 0;
      optimised = performance.now();
    } catch (error) {
      if (!stopping.signal.aborted) options.onError("upkeep of the index", error);
    } finally {
      idle = true;
    }
  };
  const wake = () => {
    if (!idle || stopping.signal.aborted) return;
    idle = false;
    running = look();
  };
  const timer = setInterval(wake, options.everyMs);
  wake();

  return {
    wake,
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error("the service stops"));
      await running;
    },
  };
}
