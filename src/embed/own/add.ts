import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../vocabulary/failure.ts";
import { openEncoder } from "../encoder.ts";
import { FILE_NAME, type Manifest, type ModelFile, parseManifest } from "../manifest.ts";
import { sha256 } from "../model-files.ts";
import { findGraph, MOST_BYTES, MOST_TOKENIZER_BYTES, plainSize } from "./folder.ts";
import { externalFiles } from "./graph-file.ts";
import { readSentenceSettings } from "./sentence-settings.ts";
import { highestIdOf } from "./token-ids.ts";
import { tryGraph } from "./trial.ts";

export interface AddOptions {
  /** The folder that holds the user's models; made when it is absent. */
  readonly shelf: string;
  readonly unpackDir: string;
  /** Words of a–z, digits, dashes and dots; by default after the folder. */
  readonly name?: string;
  /** Which graph, where the folder has several. */
  readonly file?: string;
  readonly queryPrefix?: string;
  readonly passagePrefix?: string;
}

/** What a name on the shelf may be: 48 characters, so that a hash fits behind it. */
export const MODEL_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,46}[a-z0-9])?$/;
const MANIFEST = "manifest.json";
const PART = ".adding-";
/** A copy that was cut short by the end of its process is nobody's after this. */
const ABANDONED_MS = 3_600_000;

/**
 * Takes a sentence encoder into the shelf: copies its files, inspects the copy, runs it, and writes what was learnt as
 * its manifest. All or nothing.
 *
 * @throws Failure `model.invalid` with the reason when it cannot be run, `model.conflict` when the name is taken,
 *   `store.unusable` when it cannot be kept
 */
export async function addModel(dir: string, options: AddOptions): Promise<Manifest> {
  const { shelf, unpackDir } = options;
  const name = nameOf(dir, options.name);
  const target = join(shelf, name);
  if (await stat(target).catch(() => undefined)) throw taken(name);
  const graph = await findGraph(dir, options.file);
  const settings = await readSentenceSettings(dir);
  const part = join(shelf, `${PART}${crypto.randomUUID()}`);
  await keeping(async () => {
    await mkdir(part, { recursive: true, mode: 0o700 });
    await sweep(shelf);
  });
  try {
    const room = { left: MOST_BYTES };
    const files: ModelFile[] = [await copied(dir, graph, part, "model.onnx", room)];
    const content = await Bun.file(join(part, "model.onnx")).bytes();
    for (const location of externalFiles(content)) {
      if (!FILE_NAME.test(location) || RESERVED.has(location))
        throw new Failure("model.invalid", "The model keeps weights outside its folder; export it to one folder.");
      files.push(await copied(join(dir, dirname(graph)), location, part, location, room));
    }
    const isApart = files.length > 1;
    room.left = Math.min(room.left, MOST_TOKENIZER_BYTES);
    files.push(await copied(dir, "tokenizer.json", part, "tokenizer.json", room));
    const shape = await tryGraph(isApart ? join(part, "model.onnx") : content, {
      highestId: highestIdOf(await Bun.file(join(part, "tokenizer.json")).text()),
      pooling: settings.pooling,
      unpackDir,
    });
    if (settings.furtherLayers.length > 0 && shape.pooling !== "none")
      throw new Failure(
        "model.invalid",
        `The model has a layer that its graph lacks (${settings.furtherLayers[0]}); export it with its sentence embedding as output.`,
      );
    const decisive = {
      ...shape,
      normalise: true,
      query_prefix: options.queryPrefix ?? settings.queryPrefix,
      passage_prefix: options.passagePrefix ?? settings.passagePrefix,
      max_tokens: settings.maxTokens,
      files,
    };
    const manifest = {
      // Of all that the vectors come from: the same model added again is the same model.
      id: `${name}-${sha256(new TextEncoder().encode(JSON.stringify(decisive))).slice(0, 12)}`,
      name,
      description: descriptionOf(shape.pooling, basename(graph)),
      kind: "transformer",
      ...decisive,
      licence: settings.licence,
      source: settings.source,
    };
    const parsed = parseManifest(manifest);
    await prove(parsed, part, unpackDir);
    await keeping(async () => {
      await Bun.write(join(part, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
      await synced(join(part, MANIFEST));
      await rename(part, target);
    });
    return parsed;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "EEXIST"))
      throw taken(name);
    throw error;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

const POOLED = { none: "Vectors as the graph gives them", mean: "The mean of the tokens", cls: "The first token" };
const descriptionOf = (pooling: Manifest["pooling"], graph: string) => `${POOLED[pooling]}, read from ${graph}.`;

const RESERVED = new Set(["model.onnx", "tokenizer.json", MANIFEST]);

function nameOf(dir: string, given: string | undefined): string {
  const name =
    given ??
    basename(dir)
      .toLowerCase()
      .replace(/[^a-z0-9.]+/g, "-")
      .slice(0, 48)
      .replace(/^[-.]+|[-.]+$/g, "");
  if (MODEL_NAME.test(name)) return name;
  throw new Failure(
    "model.invalid",
    "A model's name is words of a–z and digits with dashes or dots; give one with --name.",
  );
}

/** Copies one file, hashing what was written, and never more than there is room for. */
async function copied(dir: string, from: string, part: string, to: string, room: { left: number }): Promise<ModelFile> {
  if ((await plainSize(dir, from)) > room.left) throw tooLarge();
  const source = await open(join(dir, from));
  const hash = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  try {
    await keeping(async () => {
      const target = await open(join(part, to), "wx", 0o600);
      try {
        for await (const chunk of source.createReadStream({ autoClose: false, highWaterMark: 1_024 ** 2 })) {
          bytes += chunk.length;
          room.left -= chunk.length;
          if (room.left < 0) throw tooLarge();
          hash.update(chunk);
          await target.writeFile(chunk);
        }
        await target.sync();
      } finally {
        await target.close();
      }
    });
  } finally {
    await source.close();
  }
  if (bytes === 0) throw new Failure("model.invalid", `The model's ${from} is empty; fetch it again.`);
  return { name: to, bytes, sha256: hash.digest("hex") };
}

const PROOFS = [
  "A bank moved its payments to another platform.",
  "Nurses spend less time on paperwork.",
  // Longer than any limit: what is cut must still run.
  "case studies ".repeat(1_500),
] as const;

/** Runs the model as it will be run, on texts short and long. */
async function prove(manifest: Manifest, dir: string, unpackDir: string): Promise<void> {
  const files = { model: join(dir, "model.onnx"), tokenizer: join(dir, "tokenizer.json") };
  const encoder = await openEncoder({ manifest, files, unpackDir });
  try {
    const [first, second, ...rest] = await encoder.encode(PROOFS, "passage");
    const lengths = [first, second, ...rest].map((vector) => Math.hypot(...(vector ?? [])));
    const isUnit = lengths.every((length) => Math.abs(length - 1) < 1e-3);
    if (!isUnit || first?.every((value, at) => value === second?.[at]))
      throw new Failure("model.invalid", "The model gives no vectors that tell texts apart; choose another.");
  } finally {
    await encoder.close();
  }
}

async function sweep(shelf: string): Promise<void> {
  for (const name of await readdir(shelf)) {
    const path = join(shelf, name);
    const made = name.startsWith(PART) ? await stat(path).catch(() => undefined) : undefined;
    if (made && Date.now() - made.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

async function synced(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.sync();
  await file.close();
}

/** A fault of the disk, in words. */
async function keeping<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!/^(EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|ENOTDIR)$/.test(code)) throw error;
    throw new Failure(
      "store.unusable",
      "The model cannot be copied into the data directory; see that it can be written and has room.",
    );
  }
}

const taken = (name: string) =>
  new Failure(
    "model.conflict",
    `There is a model named ${name} already; give another with --name, or remove that one.`,
  );

const tooLarge = () =>
  new Failure("model.invalid", "The model is larger than 2 GiB, or its tokenizer than 64 MiB; choose a smaller one.");
