import { join } from "node:path";
import { lazy } from "../../core/async.ts";
import { Failure } from "../../core/errors.ts";
import type { Encoder } from "../../embedding/encoder.ts";
import type { Manifest } from "../../embedding/manifest.ts";
import { findPointer, openPassageIndex, type PassageIndex } from "../index/passage-index.ts";

/** The index that answers searches, and the model of its vectors. */
export interface SearchBackend {
  readonly index: PassageIndex;
  /** Opens the model when first needed. @throws Failure when it cannot be used; keyword search works without it */
  readonly encoder: () => Promise<Encoder>;
}

/** A model whose vectors an index can have. */
interface SearchModel {
  readonly builtIn: boolean;
  readonly manifest: Pick<Manifest, "id" | "dimensions">;
  /** Verifies the hash of every file. @throws Failure `model.invalid` */
  check(): Promise<void>;
  /** @throws Failure `model.invalid`, `model.unavailable` */
  open(): Promise<Encoder>;
}

export interface SearchBackendOptions {
  readonly dataDir: string;
  readonly unpackDir: string;
  readonly inMemory: boolean;
  /** The model with this manifest id. @throws Failure `model.invalid` when it was removed */
  readonly modelById: (id: string) => Promise<SearchModel>;
  /** The built-in encoder, shared with other features. */
  readonly builtIn: () => Promise<Encoder>;
  /** The model for a new index. */
  readonly chosen: () => Promise<Pick<SearchModel, "manifest">>;
  /** Queues all case studies for a new index. */
  readonly requeue: () => Promise<unknown>;
  readonly clock: () => Date;
}

export interface SearchBackends {
  /** The backend for the index that is on disk now. */
  get(): Promise<SearchBackend>;
  /** Runs `work` with the current backend, which stays open meanwhile even if another model replaces it. */
  use<T>(work: (backend: SearchBackend) => Promise<T>): Promise<T>;
  /** Id of the model of the index; undefined if there is no index. */
  model(): Promise<string | undefined>;
  /** Opens a second index, for the vectors of another model. */
  openNext(encoder: Pick<Encoder, "id" | "dimensions">): Promise<PassageIndex>;
  /** Reads a little of the index; nothing where there is none. @throws what makes it unreadable */
  checkIndex(): Promise<void>;
  /** Loads the index into memory, so that the first search is as fast as later ones; nothing where there is none. */
  warm(): Promise<void>;
  /** Why the model of the index cannot be used; null if it can, or was not needed yet. */
  fault(): string | null;
  /** Verifies the files of the model of the index; a problem is reported by `fault`. */
  check(): Promise<void>;
  close(): Promise<void>;
}

interface OpenBackend extends SearchBackend {
  readonly model: string;
  users: number;
  retired: boolean;
  close(): Promise<void>;
}

/**
 * Keeps the search backend open, and replaces it when this or another process has migrated the index to another model.
 * Loads nothing before it is needed.
 */
export function openSearchBackend(parts: SearchBackendOptions): SearchBackends {
  const { dataDir, unpackDir } = parts;
  const dir = join(dataDir, "index");
  let current: OpenBackend | undefined;
  let pending: Promise<unknown> = Promise.resolve();
  let fault: string | null = null;

  const openIndex = ({ id, dimensions }: Pick<Encoder, "id" | "dimensions">) =>
    openPassageIndex({ dir, unpackDir, dimensions, model: id, clock: parts.clock });

  const encoderOf = async (id: string): Promise<{ encoder: Encoder; isShared: boolean }> => {
    try {
      const model = await parts.modelById(id);
      const opened = model.builtIn ? await parts.builtIn() : await model.open();
      fault = null;
      return { encoder: opened, isShared: model.builtIn };
    } catch (error) {
      fault = error instanceof Failure ? error.message : String(error);
      throw error;
    }
  };

  const open = async (): Promise<OpenBackend> => {
    if (parts.inMemory) throw new Failure("store.unusable", "Searches need a data directory.");
    const pointer = await findPointer(dir);
    const wanted = pointer ? { id: pointer.model, dimensions: pointer.dimensions } : (await parts.chosen()).manifest;
    const index = await openIndex(wanted);
    // The index was lost, or never existed.
    if (index.state === "new") await parts.requeue();
    const encoder = lazy(() => encoderOf(wanted.id));
    return {
      index,
      encoder: async () => (await encoder.get()).encoder,
      model: wanted.id,
      users: 0,
      retired: false,
      async close() {
        await index.close();
        const open = await encoder.opened();
        if (open && !open.isShared) await open.encoder.close();
      },
    };
  };

  const closeIfUnused = async (backend: OpenBackend) => {
    if (backend.retired && backend.users === 0) await backend.close();
  };

  /** @param checkDisk whether to look for an index that another process has put there */
  const currentBackend = (checkDisk: boolean): Promise<OpenBackend> => {
    const next = pending.then(async () => {
      // A missing pointer: the index was deleted, and a new one is filled.
      const isStale =
        current !== undefined &&
        (current.index.state === "other model" || (checkDisk && (await findPointer(dir))?.model !== current.model));
      if (current && !isStale) return current;
      const former = current;
      current = await open();
      if (former) {
        former.retired = true;
        await closeIfUnused(former);
      }
      return current;
    });
    pending = next.catch(() => {});
    return next;
  };

  return {
    get: () => currentBackend(true),
    async use(work) {
      const backend = await currentBackend(false);
      backend.users += 1;
      try {
        return await work(backend);
      } finally {
        backend.users -= 1;
        await closeIfUnused(backend);
      }
    },
    model: async () => (parts.inMemory ? undefined : (await findPointer(dir))?.model),
    openNext: openIndex,
    async checkIndex() {
      if (parts.inMemory || (!current && !(await findPointer(dir)))) return;
      await (await currentBackend(true)).index.check();
    },
    async warm() {
      if (!parts.inMemory && (await findPointer(dir))) await (await currentBackend(true)).index.warm();
    },
    fault: () => fault,
    async check() {
      const pointer = parts.inMemory ? undefined : await findPointer(dir);
      if (!pointer) return;
      try {
        await (await parts.modelById(pointer.model)).check();
      } catch (error) {
        fault = error instanceof Failure ? error.message : String(error);
      }
    },
    async close() {
      await pending;
      await current?.close();
      current = undefined;
    },
  };
}
