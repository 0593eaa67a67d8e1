import { createHash } from "node:crypto";
import { open, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sleep } from "../core/async.ts";
import { errorCode, Failure } from "../core/errors.ts";
import { makeFolder, syncFolder } from "../core/files.ts";
import { MODEL_NAME } from "../embedding/custom/add.ts";
import { MAX_BYTES } from "../embedding/custom/model-folder.ts";
import { getModel, modelNames, removeModel } from "../embedding/custom/model-store.ts";
import { newCopy, removeAbandoned } from "../embedding/custom/unfinished.ts";
import { type Manifest, type ModelFile, parseManifest } from "../embedding/manifest.ts";
import type { SharedModel, SharedModelRepository } from "./repository.ts";

/** Where the files of models are stored if not in the database. */
interface ModelObjects {
  put(name: string, path: string, signal: AbortSignal): Promise<Pick<ModelFile, "bytes" | "sha256">>;
  get(name: string, path: string, expected: Pick<ModelFile, "bytes" | "sha256">, signal: AbortSignal): Promise<void>;
  remove(name: string, signal: AbortSignal): Promise<void>;
  isLost(error: unknown): boolean;
}

/** Work that one node at a time does. */
interface ModelClaims {
  claim(name: string, lease: string, seconds: number): Promise<boolean>;
  renew(name: string, lease: string, seconds: number): Promise<void>;
  release(name: string, lease: string): Promise<void>;
}

export interface SharedModelsOptions {
  readonly repository: SharedModelRepository;
  readonly objects: ModelObjects | undefined;
  readonly claims: ModelClaims;
  /** Of the database: its rows may have been copied from another one. */
  readonly identity: () => Promise<string>;
  /** Folder of the custom models of this node. */
  readonly store: string;
  /** Whether searches of this node use a model, or are going to. */
  readonly isUsed: (model: { readonly name: string; readonly id: string | undefined }) => Promise<boolean>;
  /** Called when a model has arrived. */
  readonly onArrival: () => void;
  readonly onError: (what: string, error: unknown) => void;
  readonly onNote: (message: string) => void;
}

/** The custom models of all nodes of a PostgreSQL database: what one node has, the others get. */
export interface SharedModels {
  /** Shares what others lack, fetches what this node lacks, and removes what was removed. Errors are reported and retried. */
  sync(signal?: AbortSignal): Promise<void>;
  /** Shares a model of this node. Waits while another process does so. */
  publish(name: string, signal?: AbortSignal): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Removes a model from all nodes. @throws Failure `model.conflict` while a node's index uses it */
  remove(name: string, signal?: AbortSignal): Promise<void>;
  /**
   * Fetches the chosen model if this node lacks it, as long as it takes; returns when nobody shares it. Another choice
   * meanwhile counts.
   */
  join(chosenName: () => Promise<string>, signal: AbortSignal, onWait: (reason: string) => void): Promise<void>;
  /** What this node lacks or cannot share; null when that is nothing. */
  problem(): string | null;
  startWorker(): { stop(): Promise<void> };
}

/** A model of another database, or of none, has no marker of this one. */
interface Marker {
  readonly database: string;
  readonly id: string;
}

const MARKER = "shared.json";
const MANIFEST = "manifest.json";
const PART_BYTES = 1_024 ** 2;
const MAX_FILES = 100;
const MAX_MANIFEST_BYTES = 64 * 1_024;
const POLL_MS = 5_000;
const CLAIM_SECONDS = 120;
const RENEW_MS = 30_000;
const FIRST_RETRY_MS = 10_000;
const LAST_RETRY_MS = 600_000;

/** Another content than the manifest says, in the database. */
class LostPart extends Error {}

export function createSharedModels(options: SharedModelsOptions): SharedModels {
  const { repository, objects, claims, store } = options;
  const problems = new Map<string, string>();
  const retries = new Map<string, { readonly at: number; readonly pauseMs: number }>();
  let progress: string | null = null;
  let syncing: Promise<void> = Promise.resolve();

  const fail = (name: string, what: string, error: unknown) => {
    const pauseMs = Math.min(LAST_RETRY_MS, (retries.get(name)?.pauseMs ?? FIRST_RETRY_MS / 2) * 2);
    retries.set(name, { at: performance.now() + pauseMs, pauseMs });
    // Messages of the storage name its host, and `/readyz` is open to anyone.
    const reason = error instanceof Failure ? error.message : "see the log.";
    problems.set(name, `${what} the model ${name} failed: ${reason}`);
    options.onError(`${what} the model ${name}`, error);
  };

  /** @returns false while another node does it */
  const claimed = async (name: string, work: () => Promise<void>): Promise<boolean> => {
    const lease = crypto.randomUUID();
    if (!(await claims.claim(name, lease, CLAIM_SECONDS))) return false;
    const renewing = setInterval(() => {
      claims.renew(name, lease, CLAIM_SECONDS).catch((error: unknown) => options.onError(name, error));
    }, RENEW_MS);
    try {
      await work();
    } finally {
      clearInterval(renewing);
      await claims.release(name, lease);
    }
    return true;
  };

  const show = (verb: string, name: string, of: readonly ModelFile[]) => {
    const total = of.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    return (bytes: number) => {
      done += bytes;
      progress = `${verb} the model ${name}: ${megabytes(done)} of ${megabytes(total)} MB.`;
    };
  };

  /** @throws Error when a file has changed since it was added */
  const send = async (model: SharedModel, signal: AbortSignal): Promise<void> => {
    const { files } = manifestOf(model);
    const moved = show("Sharing", model.name, files);
    moved(0);
    if (model.storage === null) await repository.clear(model.id);
    for (const [number, file] of files.entries()) {
      const path = join(store, model.name, file.name);
      const sent =
        model.storage === null
          ? await sendParts(
              path,
              file,
              (part, content) => repository.writePart(model.id, number, part, content),
              signal,
            )
          : await storage().put(nameOf(model, number), path, signal);
      if (sent.sha256 !== file.sha256)
        throw new Failure(
          "model.invalid",
          `${file.name} has changed since it was added; remove the model and add it again.`,
        );
      moved(file.bytes);
    }
    if (await repository.finish(model.id)) {
      options.onNote(`The model ${model.name} was shared with the other nodes.`);
      return;
    }
    await repository.clear(model.id);
    if (model.storage !== null) await removeObjects(model, signal);
  };

  const storage = (): ModelObjects => {
    if (objects) return objects;
    throw new Failure("config.invalid", "It is in object storage; set index.snapshot_url on this node, too.");
  };

  const removeLocal = async (name: string): Promise<void> => {
    await removeModel(store, name).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
  };

  /** Fetches into a folder next to the models, and moves it there when every hash is right. */
  const fetchModel = async (model: SharedModel, replaces: boolean, signal: AbortSignal): Promise<void> => {
    const { files } = manifestOf(model);
    const copy = newCopy(store);
    const part = copy.path;
    const moved = show("Fetching", model.name, files);
    moved(0);
    try {
      await makeFolder(part);
      await removeAbandoned(store);
      for (const [number, file] of files.entries()) {
        const path = join(part, file.name);
        if (model.storage !== null) await storage().get(nameOf(model, number), path, file, signal);
        else await fetchParts(path, file, (at) => repository.readPart(model.id, number, at), signal);
        moved(file.bytes);
      }
      await writeFile(join(part, MANIFEST), model.manifest, { mode: 0o600, flush: true });
      await mark(part, model.id);
      await syncFolder(part);
      // Searches use the old one until the new one is here.
      if (replaces) await removeLocal(model.name);
      await rename(part, join(store, model.name)).catch((error: unknown) => {
        // A process of the same data directory was quicker.
        if (!/^(ENOTEMPTY|EEXIST)$/.test(errorCode(error))) throw error;
      });
      await syncFolder(store);
      options.onNote(`The model ${model.name} was fetched from the other nodes.`);
      options.onArrival();
    } catch (error) {
      if (error instanceof LostPart || objects?.isLost(error)) await repository.markLost(model.id);
      throw error;
    } finally {
      await copy.remove();
    }
  };

  const find = async (name: string) => (await repository.list()).find((each) => each.name === name && !each.isRemoved);

  const mark = async (dir: string, id: string) => {
    const marker: Marker = { database: await options.identity(), id };
    const part = join(dir, `.${MARKER}-${crypto.randomUUID()}`);
    await writeFile(part, JSON.stringify(marker), { mode: 0o600, flush: true });
    await rename(part, join(dir, MARKER));
  };

  /** The manifest of a model of this node, and the shared model that it is a copy of. */
  const localOf = async (name: string) => {
    const text = await readFile(join(store, name, MANIFEST), "utf8").catch(() => undefined);
    const found: unknown = await readFile(join(store, name, MARKER), "utf8")
      .then(JSON.parse)
      .catch(() => undefined);
    const marker = isMarker(found) && found.database === (await options.identity()) ? found.id : undefined;
    return { name, manifest: text, marker };
  };

  /** Only nodes of this database remove its objects: a copy of the database has the same rows. */
  const removeObjects = async (model: SharedModel, signal: AbortSignal): Promise<void> => {
    if (model.storage === (await options.identity()))
      for (let number = 0; number < manifestOf(model).files.length; number++)
        await storage().remove(nameOf(model, number), signal);
    await repository.emptied(model.id);
  };

  const publishOne = async (name: string, known: SharedModel | undefined, signal: AbortSignal): Promise<boolean> =>
    await claimed(claimOf(name), async () => {
      const { manifest } = await localOf(name);
      if (manifest === undefined) return;
      let model = known ?? (await find(name));
      if (!model) {
        const identity = await options.identity();
        const own = { id: crypto.randomUUID(), name, manifest, storage: objects ? identity : null };
        if (!(await repository.begin(own))) return;
        model = { ...own, isStored: false, isLost: false, isRemoved: false };
      }
      if (model.manifest !== manifest) throw differs(name);
      // First, so that a model that is removed while it is sent is not shared once more.
      await mark(join(store, name), model.id);
      const shared = model;
      if (!model.isStored || model.isLost) await claimed(contentOf(model), () => send(shared, signal));
    });

  const syncLocal = async (
    name: string,
    live: ReadonlyMap<string, SharedModel>,
    removed: ReadonlySet<string>,
    signal: AbortSignal,
  ) => {
    const { manifest, marker } = await localOf(name);
    const model = live.get(name);
    if (manifest === undefined) {
      // One that is not shared is reported by the list of models.
      if (model)
        problems.set(
          name,
          `The model ${name} is damaged on this node. Move models/${name} out of its data directory; the shared one is then fetched.`,
        );
      return;
    }
    if (model?.manifest === manifest) {
      if (!model.isStored || model.isLost) await publishOne(name, model, signal);
      else if (marker !== model.id) await mark(join(store, name), model.id);
      problems.delete(name);
    } else if (marker === undefined || !removed.has(marker)) {
      // One that the database no longer knows, as after it was restored, is kept and shared again.
      if (model) throw differs(name);
      await publishOne(name, undefined, signal);
      problems.delete(name);
    } else if (await options.isUsed({ name, id: idOf(manifest) })) {
      problems.set(name, `The model ${name} was removed, but is in use here until another one is.`);
    } else {
      await removeLocal(name);
      problems.delete(name);
      options.onNote(`The model ${name} was removed, as on the other nodes.`);
    }
  };

  /** Whether a model of this node was removed, and another one has its name. */
  const isReplaced = async (
    name: string,
    live: ReadonlyMap<string, SharedModel>,
    removed: ReadonlySet<string>,
  ): Promise<boolean> => {
    const model = live.get(name);
    if (!model) return false;
    const { manifest, marker } = await localOf(name);
    return manifest !== undefined && manifest !== model.manifest && marker !== undefined && removed.has(marker);
  };

  const syncOnce = async (signal: AbortSignal): Promise<void> => {
    const rows = await repository.list();
    const removed = new Set(rows.filter(({ isRemoved }) => isRemoved).map(({ id }) => id));
    const live = new Map(rows.filter(({ isRemoved }) => !isRemoved).map((model) => [model.name, model]));
    const replaced = new Set<string>();
    const local: string[] = [];
    for (const name of await modelNames(store))
      if (await isReplaced(name, live, removed)) replaced.add(name);
      else local.push(name);
    const work: [name: string, what: string, run: () => Promise<unknown>][] = [
      ...rows
        .filter(({ isRemoved, storage }) => isRemoved && storage !== null)
        .map((model): (typeof work)[number] => [
          model.name,
          "Removing",
          () => claimed(contentOf(model), () => removeObjects(model, signal)),
        ]),
      ...local.map((name): (typeof work)[number] => [name, "Sharing", () => syncLocal(name, live, removed, signal)]),
    ];
    for (const step of work) await attempt(step, signal);
    if (removed.size > 0) await repository.forgetOld();
    const present = new Set(await modelNames(store));
    for (const model of live.values())
      if (!present.has(model.name) || replaced.has(model.name)) {
        const lacking = "another node is still storing its files.";
        if (model.isStored && !model.isLost) {
          await attempt(
            [
              model.name,
              "Fetching",
              async () => {
                await fetchModel(model, replaced.has(model.name), signal);
                problems.delete(model.name);
              },
            ],
            signal,
          );
        } else problems.set(model.name, `The model ${model.name} is lacking: ${lacking}`);
      }
    for (const name of problems.keys()) if (!live.has(name) && !present.has(name)) problems.delete(name);
  };

  const attempt = async (
    [name, what, run]: readonly [string, string, () => Promise<unknown>],
    signal: AbortSignal,
  ): Promise<void> => {
    signal.throwIfAborted();
    if (performance.now() < (retries.get(name)?.at ?? 0)) return;
    try {
      await run();
      retries.delete(name);
    } catch (error) {
      signal.throwIfAborted();
      fail(name, what, error);
    } finally {
      progress = null;
    }
  };

  /** One pass at a time. */
  const sync = (signal: AbortSignal = new AbortController().signal): Promise<void> => {
    const next = syncing.then(() => syncOnce(signal));
    syncing = next.catch(() => {});
    return next;
  };

  return {
    sync,
    async publish(name, signal = new AbortController().signal) {
      try {
        while (!(await publishOne(name, undefined, signal))) await sleep(POLL_MS / 5, signal);
      } finally {
        progress = null;
      }
    },

    has: async (name) => (await find(name)) !== undefined,

    async remove(name, signal = new AbortController().signal) {
      const model = await find(name);
      if (!model) return;
      const users = await repository.usersOf(idOf(model.manifest) ?? "");
      if (users.length > 0)
        throw new Failure(
          "model.conflict",
          `The search index of ${users.join(", ")} still uses this model; wait until it has another.`,
        );
      await repository.remove(model.id);
      if (model.storage === null) return;
      await claimed(contentOf(model), () => removeObjects(model, signal)).catch((error: unknown) =>
        // A running node repeats it.
        options.onError(`removing the model ${name}`, error),
      );
    },

    async join(chosenName, signal, onWait) {
      for (;;) {
        const name = await chosenName();
        const has = await getModel(store, name).then(
          () => true,
          () => false,
        );
        if (has || !(await find(name))) return;
        const ticking = setInterval(() => onWait(progress ?? problems.get(name) ?? `Fetching the model ${name}.`), 250);
        try {
          await sync(signal);
        } catch (error) {
          signal.throwIfAborted();
          fail(name, "Fetching", error);
        } finally {
          clearInterval(ticking);
        }
        onWait(problems.get(name) ?? `Fetching the model ${name}.`);
        await sleep(POLL_MS / 5, signal);
      }
    },

    problem() {
      const all = [...(progress === null ? [] : [progress]), ...problems.values()];
      return all.length === 0 ? null : all.slice(0, 5).join(" ");
    },

    startWorker() {
      const stopping = new AbortController();
      let running: Promise<void> = Promise.resolve();
      let isIdle = true;
      const look = () => {
        if (!isIdle) return;
        isIdle = false;
        running = sync(stopping.signal)
          .catch((error: unknown) => {
            if (!stopping.signal.aborted) options.onError("sharing models", error);
          })
          .finally(() => {
            isIdle = true;
          });
      };
      const timer = setInterval(look, POLL_MS);
      timer.unref();
      look();
      return {
        async stop() {
          clearInterval(timer);
          stopping.abort(new Failure("service.draining", "The service is stopping."));
          await running;
        },
      };
    },
  };
}

const claimOf = (name: string) => `model ${name}`;
/** What is sent after the objects of a removed model are gone would remain. */
const contentOf = ({ id }: SharedModel) => `content of the model ${id}`;
const nameOf = ({ id }: SharedModel, number: number) => `models/${id}/${number}`;
const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
const isMarker = (value: unknown): value is Marker =>
  typeof value === "object" && value !== null && "database" in value && "id" in value;

function idOf(manifest: string): string | undefined {
  try {
    return parseManifest(JSON.parse(manifest)).id;
  } catch {
    return undefined;
  }
}

/** The row may have been written by anyone who can write the database, and its names become paths. @throws Failure */
function manifestOf({ name, manifest }: SharedModel): Manifest {
  const invalid = new Failure(
    "model.invalid",
    "its manifest in the database is invalid; remove the model and add it again.",
  );
  if (!MODEL_NAME.test(name) || manifest.length > MAX_MANIFEST_BYTES) throw invalid;
  let parsed: Manifest;
  try {
    parsed = parseManifest(JSON.parse(manifest));
  } catch {
    throw invalid;
  }
  const bytes = parsed.files.reduce((sum, file) => sum + file.bytes, 0);
  const isTaken = parsed.files.some((file) => file.name === MANIFEST || file.name === MARKER);
  if (parsed.files.length > MAX_FILES || bytes > MAX_BYTES || isTaken) throw invalid;
  return parsed;
}

const differs = (name: string) =>
  new Failure(
    "model.conflict",
    `This node has another model of that name. Move models/${name} out of its data directory; the shared one is then fetched.`,
  );

async function sendParts(
  path: string,
  { bytes }: ModelFile,
  write: (part: number, content: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<{ readonly sha256: string }> {
  const hash = createHash("sha256");
  const handle = await open(path);
  try {
    for (let part = 0; part * PART_BYTES < bytes; part++) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PART_BYTES), 0, PART_BYTES, part * PART_BYTES);
      if (bytesRead === 0) break;
      const content = buffer.subarray(0, bytesRead);
      hash.update(content);
      await write(part, content);
    }
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest("hex") };
}

/** @throws LostPart when the parts are not the file */
async function fetchParts(
  path: string,
  { name, bytes, sha256 }: ModelFile,
  read: (part: number) => Promise<Uint8Array | undefined>,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash("sha256");
  const handle = await open(path, "wx", 0o600);
  try {
    let done = 0;
    for (let part = 0; done < bytes; part++) {
      signal.throwIfAborted();
      const content = await read(part);
      if (!content || content.byteLength === 0 || content.byteLength > PART_BYTES)
        throw new LostPart(`Part ${part} of ${name} is not in the database.`);
      done += content.byteLength;
      hash.update(content);
      await handle.writeFile(content);
    }
    if (done !== bytes || hash.digest("hex") !== sha256)
      throw new LostPart(`${name} in the database has another SHA-256 than its manifest says.`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
