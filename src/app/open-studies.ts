import { join } from "node:path";
import { openBuiltInEncoder } from "../embed/built-in.ts";
import type { Encoder } from "../embed/encoder.ts";
import { findPointer } from "../store/lance/pointer.ts";
import { openPassageIndex, type PassageIndex } from "../store/passage-index.ts";
import type { Store } from "../store/store.ts";
import { createWriterLock } from "../store/writer-lock.ts";
import { createStudyTools, type StudyTools } from "../studies/record.ts";
import type { Industries } from "../studies/taxonomy/industries.ts";
import { loadBuiltInOutcomeMetrics } from "../studies/taxonomy/packed.ts";
import type { Upkeep } from "../studies/upkeep.ts";
import { Failure } from "../vocabulary/failure.ts";
import { createStudies, type StudyVerbs } from "./studies.ts";

export interface StudiesOptions {
  readonly store: Store;
  readonly industries: Industries;
  readonly dataDir: string;
  readonly inMemory: boolean;
  readonly clock: () => Date;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * The case studies' verbs over the model and the search index, which are opened when they are first needed: both load
 * native libraries of some hundred megabytes, and who only enriches needs neither.
 */
export function openStudies(options: StudiesOptions): {
  readonly studies: StudyVerbs;
  readonly tools: StudyTools;
  readonly encoder: () => Promise<Encoder>;
  readonly index: () => Promise<PassageIndex>;
  /** Case studies were changed: a running upkeep looks at once. */
  readonly changed: () => void;
  readonly close: () => Promise<void>;
} {
  const { store, industries, dataDir } = options;
  const unpackDir = join(dataDir, "native");
  const encoder = once(() => openBuiltInEncoder({ unpackDir }));
  const index = once(async (): Promise<PassageIndex> => {
    if (options.inMemory) throw new Failure("store.unusable", "Case studies are searched in a data directory only.");
    const { dimensions, id } = await encoder.get();
    const opened = await openPassageIndex({
      dir: join(dataDir, "index"),
      unpackDir,
      dimensions,
      model: id,
      clock: options.clock,
    });
    // Lost or never made: what the store acknowledged goes in again.
    if (opened.state === "new") await store.outbox.requeueAll();
    return opened;
  });
  const tools = createStudyTools({ industries, metrics: loadBuiltInOutcomeMetrics() });
  let upkeep: Upkeep | undefined;
  const studies = createStudies({
    store,
    lock: createWriterLock(join(dataDir, "index-writer.pid")),
    encoder: encoder.get,
    index: index.get,
    industries,
    tools,
    onError: options.onError,
  });
  // After a restore nothing waits for an index that is not there: what is to be indexed is told before anybody opens it.
  const queueLost = once(async () => {
    if (options.inMemory || (await findPointer(join(dataDir, "index")))) return 0;
    return await store.outbox.requeueAll();
  });
  return {
    studies: {
      ...studies,
      startUpkeep() {
        const started = studies.startUpkeep();
        upkeep = started;
        queueLost.get().then(
          () => started.wake(),
          (error) => options.onError("upkeep of the index", error),
        );
        return started;
      },
      async indexStudies(work) {
        await queueLost.get();
        return await studies.indexStudies(work);
      },
      async searchStudies(questions, signal) {
        // A command that no upkeep helps makes a lost index first, or it would find nothing.
        const isAlone = upkeep === undefined && (await queueLost.get()) > 0;
        if (isAlone) await studies.indexStudies(signal ? { signal } : {});
        return await studies.searchStudies(questions, signal);
      },
    },
    tools,
    encoder: encoder.get,
    index: index.get,
    changed: () => upkeep?.wake(),
    async close() {
      await (await index.opened())?.close();
      const open: Encoder | undefined = await encoder.opened();
      await open?.close();
    },
  };
}

/** Opens at the first call, once for all who call; a failed opening is tried again at the next call. */
function once<T>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  return {
    get: (): Promise<T> => {
      opening ??= open().catch((error) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    opened: async (): Promise<T | undefined> => opening?.catch(() => undefined),
  };
}
