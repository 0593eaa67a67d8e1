import type { Indexer, IndexWork } from "../casestudies/index/indexer.ts";
import type { PassageIndex } from "../casestudies/index/passage-index.ts";
import { Failure } from "../core/errors.ts";
import type { WriterLock } from "../db/locks.ts";
import type { Encoder } from "../embedding/encoder.ts";
import type { Store } from "../store.ts";
import { type AvailableModel, type AvailableModels, BUILT_IN } from "./available-models.ts";
import type { SearchBackends } from "./search-backend.ts";

export interface ModelMigrationParts {
  readonly store: Pick<Store, "settings" | "outbox">;
  readonly known: AvailableModels;
  readonly answering: SearchBackends;
  readonly indexer: Pick<Indexer, "rebuild">;
  readonly lock: Pick<WriterLock, "acquire">;
  readonly builtIn: () => Promise<Encoder>;
  readonly onError: (what: string, error: unknown) => void;
}

export interface ModelMigration {
  /** The model's name that was chosen; the built-in one's before anybody chose. */
  chosenName(): Promise<string>;
  choose(name: string): Promise<void>;
  /** The index has the vectors of the model that was chosen, or there is none yet. */
  isThere(): Promise<boolean>;
  /**
   * Embeds everything anew where the index has another model's vectors than the chosen one's. Searches go on with the
   * former model until the new index is whole; what ends before that changes nothing. While another process writes the
   * index, waits for it. Answers how many case studies, or undefined when nothing was to be done.
   *
   * @throws Failure `model.not_found`, `model.invalid`, `model.unavailable`
   */
  follow(work?: IndexWork): Promise<number | undefined>;
  /** As `follow`, where searches have no usable model otherwise. */
  followIfNeeded(work?: IndexWork): Promise<void>;
  /** As `follow`, for a service: what goes wrong is kept for `alarms`. */
  keepFollowing(work: IndexWork): Promise<void>;
  /** What is embedded anew by this process now; null when nothing is. */
  progress(): { readonly model: string; readonly embedded: number } | null;
  /** What the operator should look at. */
  alarms(): string[];
}

const SETTING = "model.current";
/** How often is looked at what another process has done. */
const OTHERS_MS = 250;

/** How long a service waits with the next attempt when one failed. */
const RETRY_MS = 60_000;

/** Name of the model that the store's owner chose. */
export const chosenNameIn = async (settings: Store["settings"]): Promise<string> =>
  (await settings.find(SETTING)) ?? BUILT_IN;

export function createModelMigration(parts: ModelMigrationParts): ModelMigration {
  const { store, known, answering, indexer } = parts;
  let fault: string | null = null;
  let progress: ReturnType<ModelMigration["progress"]> = null;
  let checked = false;
  let notBefore = 0;

  const chosenName = () => chosenNameIn(store.settings);
  const chosen = async (): Promise<AvailableModel> => await known.get(await chosenName());
  const isThere = async (wanted: AvailableModel) => [undefined, wanted.manifest.id].includes(await answering.model());

  /** Answers false when another process came to it first. */
  const becomeWriter = async (wanted: AvailableModel, signal: AbortSignal | undefined): Promise<boolean> => {
    for (let turn = parts.lock.acquire(); turn !== "acquired"; turn = parts.lock.acquire()) {
      signal?.throwIfAborted();
      // What the process before was at when it ended is free again.
      if (turn === "recovered") await store.outbox.release();
      else await Bun.sleep(OTHERS_MS);
      if (await isThere(wanted)) return false;
    }
    return true;
  };

  const keepsUp = (): Promise<boolean> =>
    answering.lend(({ encoder }) =>
      encoder().then(
        () => true,
        () => false,
      ),
    );

  const follow = async ({ signal, onProgress }: IndexWork = {}): Promise<number | undefined> => {
    const wanted = await chosen();
    if (await isThere(wanted)) return undefined;
    const encoder = wanted.builtIn ? await parts.builtIn() : await wanted.open();
    let index: PassageIndex | undefined;
    const told = (embedded: number) => {
      progress = { model: wanted.name, embedded };
      onProgress?.(embedded);
    };
    try {
      index = await answering.openNext(encoder);
      const next = { encoder, index, keepsUp: await keepsUp() };
      if (!(await becomeWriter(wanted, signal))) return undefined;
      progress = { model: wanted.name, embedded: 0 };
      return await indexer.rebuild({ next, onProgress: told, ...(signal ? { signal } : {}) });
    } finally {
      progress = null;
      await index?.close();
      if (!wanted.builtIn) await encoder.close();
      // From here on the new index answers, and its first search waits for nothing.
      await answering.get().then(
        (lent) => lent.encoder().catch(() => {}),
        () => {},
      );
    }
  };

  return {
    chosenName,
    async choose(name) {
      await store.settings.set(SETTING, name);
      notBefore = 0;
    },
    isThere: async () => await isThere(await chosen()),
    follow,
    async followIfNeeded(work) {
      if ((await answering.model()) === undefined || (await keepsUp())) return;
      await follow(work).catch((error) => {
        // The model that answers is broken and so is the chosen one: words are searched, and the alarm says why.
        if (!(error instanceof Failure) || !error.code.startsWith("model.")) throw error;
      });
    },
    async keepFollowing(work) {
      try {
        if (!checked) await answering.check();
        checked = true;
        if (performance.now() < notBefore) return;
        await follow(work);
        fault = null;
      } catch (error) {
        work.signal?.throwIfAborted();
        // What is waiting for the index is not kept waiting, and two gigabytes are not read every few seconds.
        notBefore = performance.now() + RETRY_MS;
        if (!(error instanceof Failure)) parts.onError("taking a model into use", error);
        fault = error instanceof Failure ? error.advice : "Embedding with it failed; it is tried again.";
      }
    },
    progress: () => progress,
    alarms() {
      const broken = answering.fault();
      return [
        ...(broken === null ? [] : [`Case studies are searched by words alone: ${broken}`]),
        ...(fault === null || fault === broken ? [] : [`The chosen model is not in use: ${fault}`]),
      ];
    },
  };
}
