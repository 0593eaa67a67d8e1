import { join } from "node:path";
import { openBuiltInEncoder } from "../embed/built-in.ts";
import type { Encoder } from "../embed/encoder.ts";
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
  return {
    studies: {
      ...studies,
      startUpkeep() {
        upkeep = studies.startUpkeep();
        return upkeep;
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
