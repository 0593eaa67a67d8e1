import { join } from "node:path";
import { findPointer, openPassageIndex, type PassageIndex } from "../casestudies/index/passage-index.ts";
import { lazy } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import type { Encoder } from "../embedding/encoder.ts";
import type { AvailableModel, AvailableModels } from "./available-models.ts";

/** What answers searches: an index, and the model of its vectors. */
export interface SearchBackend {
  readonly index: PassageIndex;
  /** Opened when it is first needed. @throws Failure when the model cannot be used; words can be searched all the same */
  readonly encoder: () => Promise<Encoder>;
}

export interface SearchBackendParts {
  readonly dataDir: string;
  readonly unpackDir: string;
  readonly inMemory: boolean;
  readonly known: AvailableModels;
  /** The built-in encoder, which others use too. */
  readonly builtIn: () => Promise<Encoder>;
  /** The model that a new index is made for. */
  readonly chosen: () => Promise<AvailableModel>;
  /** Lets every case study wait: the index is new. */
  readonly requeue: () => Promise<unknown>;
  readonly clock: () => Date;
}

export interface SearchBackends {
  /** The index as it is on the disk now. */
  get(): Promise<SearchBackend>;
  /** Lends what answers, which stays open that long though another model takes over meanwhile. */
  lend<T>(work: (lent: SearchBackend) => Promise<T>): Promise<T>;
  /** The id of the model that the index has the vectors of; undefined before there is an index. */
  model(): Promise<string | undefined>;
  /** Opens an index for the vectors of another model, beside the one that answers. */
  openNext(encoder: Pick<Encoder, "id" | "dimensions">): Promise<PassageIndex>;
  /** Why the model of the index cannot be used; null when it can, or nobody has asked for it. */
  fault(): string | null;
  /** Reads the files of the model of the index and holds them against their hashes. */
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
 * Keeps open what answers searches, and opens it anew when another model has taken over, in this process or in another.
 * Loads nothing before it is needed.
 */
export function openSearchBackend(parts: SearchBackendParts): SearchBackends {
  const { dataDir, unpackDir, known } = parts;
  const dir = join(dataDir, "index");
  let current: OpenBackend | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let fault: string | null = null;

  const openIndex = ({ id, dimensions }: Pick<Encoder, "id" | "dimensions">) =>
    openPassageIndex({ dir, unpackDir, dimensions, model: id, clock: parts.clock });

  const encoderOf = async (id: string): Promise<{ encoder: Encoder; own: boolean }> => {
    try {
      const model = await known.getById(id);
      const opened = model.builtIn ? await parts.builtIn() : await model.open();
      fault = null;
      return { encoder: opened, own: !model.builtIn };
    } catch (error) {
      fault = error instanceof Failure ? error.advice : String(error);
      throw error;
    }
  };

  const opened = async (): Promise<OpenBackend> => {
    if (parts.inMemory) throw new Failure("store.unusable", "Case studies are searched in a data directory only.");
    const pointer = await findPointer(dir);
    const wanted = pointer ? { id: pointer.model, dimensions: pointer.dimensions } : (await parts.chosen()).manifest;
    const index = await openIndex(wanted);
    // Lost or never made: what the store acknowledged goes in again.
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
        if (open?.own) await open.encoder.close();
      },
    };
  };

  const settle = async (pair: OpenBackend) => {
    if (pair.retired && pair.users === 0) await pair.close();
  };

  /** @param look at the disk, where another process may have put another model's index; else only when ours is stale */
  const pair = (look: boolean): Promise<OpenBackend> => {
    const next = turn.then(async () => {
      const isStale =
        current !== undefined &&
        (current.index.state === "other model" ||
          (look && ((await findPointer(dir))?.model ?? current.model) !== current.model));
      if (current && !isStale) return current;
      const former = current;
      current = await opened();
      if (former) {
        former.retired = true;
        await settle(former);
      }
      return current;
    });
    turn = next.catch(() => {});
    return next;
  };

  return {
    get: () => pair(true),
    async lend(work) {
      const lent = await pair(false);
      lent.users += 1;
      try {
        return await work(lent);
      } finally {
        lent.users -= 1;
        await settle(lent);
      }
    },
    model: async () => (parts.inMemory ? undefined : (await findPointer(dir))?.model),
    openNext: openIndex,
    fault: () => fault,
    async check() {
      const pointer = parts.inMemory ? undefined : await findPointer(dir);
      if (!pointer) return;
      try {
        await (await known.getById(pointer.model)).check();
      } catch (error) {
        fault = error instanceof Failure ? error.advice : String(error);
      }
    },
    async close() {
      await turn;
      await current?.close();
      current = undefined;
    },
  };
}
