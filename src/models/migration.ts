import type { Indexer, IndexWork } from "../casestudies/index/indexer.ts";
import type { PassageIndex } from "../casestudies/index/passage-index.ts";
import type { SearchBackends } from "../casestudies/search/search-backend.ts";
import { sleep } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import type { WriterLock } from "../db/locks.ts";
import type { SettingsRepository } from "../db/settings.ts";
import type { Encoder } from "../embedding/encoder.ts";
import { type AvailableModel, type AvailableModels, BUILT_IN } from "./available-models.ts";

export interface ModelMigrationOptions {
  readonly settings: SettingsRepository;
  readonly models: AvailableModels;
  readonly backend: SearchBackends;
  readonly indexer: Pick<Indexer, "rebuild">;
  readonly lock: WriterLock;
  readonly builtIn: () => Promise<Encoder>;
  readonly onError: (what: string, error: unknown) => void;
}

export interface ModelMigration {
  /** Name of the model that the operator chose; the built-in model by default. */
  chosenName(): Promise<string>;
  choose(name: string): Promise<void>;
  /** Whether the index has the vectors of the chosen model, or there is no index yet. */
  isComplete(): Promise<boolean>;
  /**
   * Builds a new index with the chosen model if the current index has another one. Searches use the current index until
   * the new one is complete; an interrupted migration changes nothing. Waits while another process writes the index.
   *
   * @returns number of case studies; undefined when there was nothing to do
   *
   * @throws Failure `model.not_found`, `model.invalid`, `model.unavailable`
   */
  migrate(work?: IndexWork): Promise<number | undefined>;
  /** As `migrate`, but only when the current model cannot be used. */
  migrateIfNeeded(work?: IndexWork): Promise<void>;
  /** As `migrate`, for a background worker: failures become alarms and are retried later. */
  keepMigrating(work: IndexWork): Promise<void>;
  /** The migration running in this process; null when there is none. */
  progress(): { readonly model: string; readonly embedded: number } | null;
  alarms(): string[];
}

const SETTING = "model.current";
/** Interval of checks whether another process still writes the index. */
const POLL_MS = 250;

/** Delay of a retry after a failure. */
const RETRY_MS = 60_000;

/** Name of the chosen model. */
export const chosenModelName = async (settings: SettingsRepository): Promise<string> =>
  (await settings.find(SETTING)) ?? BUILT_IN;

export function createModelMigration(parts: ModelMigrationOptions): ModelMigration {
  const { settings, models, backend, indexer, lock } = parts;
  let fault: string | null = null;
  let progress: ReturnType<ModelMigration["progress"]> = null;
  let checked = false;
  let notBefore = 0;

  const chosenName = () => chosenModelName(settings);
  const chosen = async (): Promise<AvailableModel> => await models.get(await chosenName());
  const usesModel = async (wanted: AvailableModel) => [undefined, wanted.manifest.id].includes(await backend.model());

  /** Waits for the writer lock; returns false when another process has done the migration meanwhile. */
  const acquireWriterLock = async (wanted: AvailableModel, signal: AbortSignal | undefined): Promise<boolean> => {
    while (!(await lock.acquire())) {
      await sleep(POLL_MS, signal);
      if (await usesModel(wanted)) return false;
    }
    if (!(await usesModel(wanted))) return true;
    lock.release();
    return false;
  };

  const canEncode = (): Promise<boolean> =>
    backend.use(({ encoder }) =>
      encoder().then(
        () => true,
        () => false,
      ),
    );

  const migrate = async ({ signal, onProgress }: IndexWork = {}): Promise<number | undefined> => {
    const target = await chosen();
    if (await usesModel(target)) return undefined;
    const encoder = target.builtIn ? await parts.builtIn() : await target.open();
    let index: PassageIndex | undefined;
    const report = (embedded: number) => {
      progress = { model: target.name, embedded };
      onProgress?.(embedded);
    };
    try {
      index = await backend.openNext(encoder);
      const next = { encoder, index, updatesCurrent: await canEncode() };
      if (!(await acquireWriterLock(target, signal))) return undefined;
      progress = { model: target.name, embedded: 0 };
      return await indexer.rebuild({ next, onProgress: report, signal });
    } finally {
      progress = null;
      await index?.close();
      if (!target.builtIn) await encoder.close();
      // Opens the new index and model now, so that the next search does not wait for them.
      await backend.get().then(
        (opened) => opened.encoder().catch(() => {}),
        () => {},
      );
    }
  };

  return {
    chosenName,
    async choose(name) {
      await settings.set(SETTING, name);
      notBefore = 0;
    },
    isComplete: async () => await usesModel(await chosen()),
    migrate,
    async migrateIfNeeded(work) {
      if ((await backend.model()) === undefined || (await canEncode())) return;
      await migrate(work).catch((error) => {
        // Neither model can be used: only keyword search works, and an alarm says why.
        if (!(error instanceof Failure) || !error.code.startsWith("model.")) throw error;
      });
    },
    async keepMigrating(work) {
      try {
        if (!checked) await backend.check();
        checked = true;
        if (performance.now() < notBefore) return;
        await migrate(work);
        fault = null;
      } catch (error) {
        work.signal?.throwIfAborted();
        // Indexing continues meanwhile, and a large model is not read every few seconds.
        notBefore = performance.now() + RETRY_MS;
        if (!(error instanceof Failure)) parts.onError("model migration", error);
        fault = error instanceof Failure ? error.message : "Embedding failed; the service will retry.";
      }
    },
    progress: () => progress,
    alarms() {
      const broken = backend.fault();
      return [
        ...(broken === null ? [] : [`Only keyword search works: ${broken}`]),
        ...(fault === null || fault === broken ? [] : [`The chosen model is not in use: ${fault}`]),
      ];
    },
  };
}
