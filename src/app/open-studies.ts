import { join } from "node:path";
import { openBuiltInEncoder } from "../embed/built-in.ts";
import type { Encoder } from "../embed/encoder.ts";
import { takeLock } from "../store/directory-lock.ts";
import { findPointer } from "../store/lance/pointer.ts";
import type { PassageIndex } from "../store/passage-index.ts";
import type { Store } from "../store/store.ts";
import { createWriterLock } from "../store/writer-lock.ts";
import { createIndexer } from "../studies/indexer.ts";
import { createStudyTools, type StudyTools } from "../studies/record.ts";
import type { Industries } from "../studies/taxonomy/industries.ts";
import { loadBuiltInOutcomeMetrics } from "../studies/taxonomy/packed.ts";
import { startUpkeep, type Upkeep } from "../studies/upkeep.ts";
import { openAnswering } from "./models/answering.ts";
import { knownModels } from "./models/known.ts";
import { chosenNameIn, createSwitching } from "./models/switching.ts";
import { createModels, type ModelVerbs } from "./models.ts";
import { once } from "./once.ts";
import { createStudies, type StudyVerbs, UPKEEP } from "./studies.ts";

export interface StudiesOptions {
  readonly store: Store;
  readonly industries: Industries;
  readonly dataDir: string;
  readonly inMemory: boolean;
  readonly clock: () => Date;
  readonly onError: (what: string, error: unknown) => void;
  /** Told once of each alarm of the models, when a service notices it. */
  readonly onAlarm: (alarm: string) => void;
}

/**
 * The case studies' verbs over a model and the search index, which are opened when they are first needed: both load
 * native libraries of some hundred megabytes, and who only enriches needs neither.
 */
export function openStudies(options: StudiesOptions): {
  readonly studies: StudyVerbs;
  readonly models: ModelVerbs;
  readonly tools: StudyTools;
  /** The built-in model, whatever searches use. */
  readonly encoder: () => Promise<Encoder>;
  /** What searches use. */
  readonly answering: { readonly encoder: () => Promise<Encoder>; readonly index: () => Promise<PassageIndex> };
  /** Case studies were changed: a running upkeep looks at once. */
  readonly changed: () => void;
  readonly close: () => Promise<void>;
} {
  const { store, industries, dataDir, inMemory } = options;
  const unpackDir = join(dataDir, "native");
  const shelf = join(dataDir, "models");
  const known = knownModels(shelf, unpackDir);
  const encoder = once(() => openBuiltInEncoder({ unpackDir }));
  const answering = openAnswering({
    dataDir,
    unpackDir,
    inMemory,
    known,
    builtIn: encoder.get,
    async chosen() {
      try {
        const model = await known.get(await chosenNameIn(store.settings));
        await model.check();
        return model;
      } catch {
        // After a restore the user's models are not there: what comes with the program does until they are.
        return known.builtIn;
      }
    },
    requeue: () => store.outbox.requeueAll(),
    clock: options.clock,
  });
  const lock = createWriterLock(join(dataDir, "index-writer.sqlite"));
  const indexer = createIndexer({
    lock,
    outbox: store.outbox,
    studies: store.caseStudies,
    encoder: async () => (await answering.get()).encoder(),
    index: async () => (await answering.get()).index,
    onError: options.onError,
  });
  const switching = createSwitching({
    store,
    known,
    answering,
    indexer,
    lock,
    builtIn: encoder.get,
    onError: options.onError,
  });
  const tools = createStudyTools({ industries, metrics: loadBuiltInOutcomeMetrics() });
  let upkeep: Upkeep | undefined;
  const studies = createStudies({
    store,
    indexer,
    lend: answering.lend,
    industries,
    tools,
    onError: options.onError,
  });
  // After a restore nothing waits for an index that is not there: what is to be indexed is told before anybody opens it.
  const queueLost = once(async () => {
    if (inMemory || (await findPointer(join(dataDir, "index")))) return 0;
    return await store.outbox.requeueAll();
  });
  const takeUpkeep = () => (inMemory ? undefined : takeLock(join(dataDir, "upkeep.sqlite")));
  return {
    studies: {
      ...studies,
      startUpkeep() {
        // Held as long as a service does by itself what was chosen: a command then leaves it to the service.
        let held = takeUpkeep();
        const isShared = !inMemory && held === undefined;
        let alarms: readonly string[] = [];
        const started = startUpkeep(
          {
            ...indexer,
            async drain(work = {}) {
              // The service that held it may have ended.
              held ??= takeUpkeep();
              await switching.keepFollowing(work);
              const before = alarms;
              alarms = switching.alarms();
              for (const alarm of alarms) if (!before.includes(alarm)) options.onAlarm(alarm);
              return await indexer.drain(work);
            },
          },
          { ...UPKEEP, onError: options.onError },
        );
        upkeep = started;
        queueLost.get().then(
          () => started.wake(),
          (error) => options.onError("upkeep of the index", error),
        );
        return {
          isShared,
          wake: started.wake,
          async stop() {
            upkeep = undefined;
            await started.stop();
            held?.release();
          },
        };
      },
      async indexStudies(work) {
        await queueLost.get();
        if (!inMemory) await switching.followIfNeeded(work);
        return await studies.indexStudies(work);
      },
      reindex: async (work) => (await switching.follow(work)) ?? (await studies.reindex(work)),
      async searchStudies(questions, signal) {
        // A command that no upkeep helps makes a lost index first, or it would find nothing.
        const isAlone = upkeep === undefined && (await queueLost.get()) > 0;
        if (isAlone) await studies.indexStudies(signal ? { signal } : {});
        return await studies.searchStudies(questions, signal);
      },
    },
    models: createModels({
      store,
      known,
      switching,
      answering,
      shelf,
      unpackDir,
      inMemory,
      builtIn: encoder.get,
      /** Tells a service, this one or another, and answers whether there is one. */
      leave() {
        if (upkeep) {
          upkeep.wake();
          return true;
        }
        const free = takeUpkeep();
        free?.release();
        return free === undefined;
      },
    }),
    tools,
    encoder: encoder.get,
    answering: {
      encoder: async () => (await answering.get()).encoder(),
      index: async () => (await answering.get()).index,
    },
    changed: () => upkeep?.wake(),
    async close() {
      await answering.close();
      const open: Encoder | undefined = await encoder.opened();
      await open?.close();
    },
  };
}
