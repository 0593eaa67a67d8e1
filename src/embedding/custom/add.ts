import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { InferenceSession } from "onnxruntime-node";
import { Failure } from "../../core/errors.ts";
import { openEncoder } from "../encoder.ts";
import { nothingToCompare } from "../interaction.ts";
import { FILE_NAME, type Manifest, type ModelFile, parseManifest, sha256 } from "../manifest.ts";
import { openSession } from "../model.ts";
import { loadRuntime, type Runtime } from "../native.ts";
import {
  externalFiles,
  findGraph,
  highestIdOf,
  MOST_BYTES,
  MOST_TOKENIZER_BYTES,
  readSentenceSettings,
  regularFileSize,
} from "./model-folder.ts";

/** How a graph is to be run, as a run of it has shown. */
type GraphShape = Pick<Manifest, "output" | "pooling" | "dimensions" | "late_interaction"> & {
  readonly inputs: readonly string[];
};

const TEXTS = 2;
const TOKENS = 7;
const INPUT = /^(?:input_?ids|.*ids?|.*mask.*|.*(?:type|segment).*)$/i;
/** Numbers of places: this program has no use of them, and a graph that asks for them must be given right ones. */
const PLACES = /position/i;
/** What sentence encoders call the vector of a text; others of that shape are a classifier's. */
const SENTENCE = /sentence|embed/i;
const TOKEN = /last_hidden|token|hidden_state/i;

/**
 * Runs a graph once on two texts of made-up tokens and tells which output is the texts' vectors.
 *
 * @param highestId the tokenizer's: a graph that has fewer tokens refuses it
 * @param pooling what the settings say
 * @throws Failure `model.invalid` with the reason when the graph cannot be run as a sentence encoder
 */
async function tryGraph(
  model: Uint8Array | string,
  { highestId, pooling, unpackDir }: { highestId: number; pooling: "mean" | "cls" | undefined; unpackDir: string },
): Promise<GraphShape> {
  const runtime = await loadRuntime(unpackDir);
  const session = await openSession(runtime, model, 1).catch((error: unknown) => {
    throw unfit("It cannot be opened", error);
  });
  try {
    const late_interaction = comparesTokens(session);
    const inputs = session.inputNames.filter((name) => !COMPARED.has(name));
    const strange = inputs.filter((name) => !INPUT.test(name) || PLACES.test(name));
    if (strange.length > 0 || inputs.length === 0 || inputs.length > 3)
      throw unfit(`It wants ${inputs.slice(0, 5).join(", ") || "nothing"}; a text encoder takes token ids and masks`);
    const outputs = await session
      .run({ ...(late_interaction ? nothingToCompare(runtime) : {}), ...feedsFor(runtime, inputs, highestId) })
      .catch((error: unknown) => {
        throw unfit(`It does not run with the ${highestId + 1} tokens of its tokenizer`, error);
      });
    const shaped = Object.entries(outputs).flatMap(([name, { data, dims }]) => {
      const dimensions = dims.at(-1) ?? 0;
      if (!(data instanceof Float32Array) || dimensions < 2) return [];
      if (dims.join() === [TEXTS, dimensions].join()) return [{ name, dimensions, isText: true }];
      return dims.join() === [TEXTS, TOKENS, dimensions].join() ? [{ name, dimensions, isText: false }] : [];
    });
    const texts = shaped.filter(({ isText }) => isText);
    const tokens = shaped.filter(({ isText }) => !isText);
    const whole = texts.find(({ name }) => SENTENCE.test(name));
    const each = tokens.find(({ name }) => TOKEN.test(name)) ?? tokens[0];
    const chosen = whole ?? each ?? (texts.length === 1 ? texts[0] : undefined);
    if (!chosen) throw unfit("No output is one vector a text or one a token, in 32-bit floats");
    return {
      inputs,
      output: chosen.name,
      pooling: chosen.isText ? "none" : (pooling ?? "mean"),
      dimensions: chosen.dimensions,
      late_interaction,
    };
  } finally {
    await session.release();
  }
}

const COMPARED = new Set(["query_tokens", "passage_tokens"]);

const comparesTokens = ({ inputNames, outputNames }: InferenceSession) =>
  [...COMPARED].every((name) => inputNames.includes(name)) &&
  ["likeness", "share"].every((name) => outputNames.includes(name));

function feedsFor({ Tensor }: Runtime, inputs: readonly string[], highestId: number) {
  const cells = (value: (at: number) => number) =>
    new Tensor(
      "int64",
      BigInt64Array.from({ length: TEXTS * TOKENS }, (_, at) => BigInt(value(at))),
      [TEXTS, TOKENS],
    );
  return Object.fromEntries(
    inputs.map((name) => {
      if (/mask/i.test(name)) return [name, cells(() => 1)];
      if (/type|segment/i.test(name)) return [name, cells(() => 0)];
      return [name, cells((at) => (at % 2 === 0 ? highestId : Math.min(at, highestId)))];
    }),
  );
}

const unfit = (what: string, cause?: unknown) =>
  new Failure("model.invalid", "The model cannot be used as a sentence encoder; choose another.", {
    problems: [
      {
        pointer: "",
        detail:
          cause === undefined
            ? `${what}.`
            : `${what}: ${cause instanceof Error ? cause.message : String(cause)}`.slice(0, 500),
      },
    ],
  });

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
  if ((await regularFileSize(dir, from)) > room.left) throw tooLarge();
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
