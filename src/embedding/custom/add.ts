import { open, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { InferenceSession } from "onnxruntime-node";
import { errorCode, Failure } from "../../core/errors.ts";
import { makeFolder, syncFolder } from "../../core/files.ts";
import { openEncoder } from "../encoder.ts";
import { emptyComparison } from "../interaction.ts";
import { FILE_NAME, type Manifest, type ModelFile, parseManifest, sha256 } from "../manifest.ts";
import { openSession } from "../model.ts";
import { loadRuntime, type Runtime } from "../native.ts";
import {
  externalFiles,
  findGraph,
  highestIdOf,
  MAX_BYTES,
  MAX_TOKENIZER_BYTES,
  readSentenceSettings,
  regularFileSize,
} from "./model-folder.ts";
import { newCopy, removeAbandoned } from "./unfinished.ts";

/** How to run a graph, determined by a test run. */
type GraphShape = Pick<Manifest, "output" | "pooling" | "dimensions" | "late_interaction"> & {
  readonly inputs: readonly string[];
};

const TEXTS = 2;
const TOKENS = 7;
const INPUT = /^(?:input_?ids|.*ids?|.*mask.*|.*(?:type|segment).*)$/i;
/** Graphs that need position ids are not supported. */
const POSITIONS = /position/i;
/** Output names of sentence vectors; other outputs of that shape belong to classifiers. */
const SENTENCE = /sentence|embed/i;
const TOKEN = /last_hidden|token|hidden_state/i;

/**
 * Runs a graph once on two texts of arbitrary tokens and determines which output has the text vectors.
 *
 * @param highestId highest token id of the tokenizer; a graph with a smaller vocabulary fails on it
 * @param pooling from the settings
 * @throws Failure `model.invalid` with the reason when the graph is not a sentence encoder
 */
async function inspectGraph(
  model: Uint8Array | string,
  { highestId, pooling, unpackDir }: { highestId: number; pooling: "mean" | "cls" | undefined; unpackDir: string },
): Promise<GraphShape> {
  const runtime = await loadRuntime(unpackDir);
  const session = await openSession(runtime, model, 1).catch((error: unknown) => {
    throw notEncoder("It cannot be opened", error);
  });
  try {
    const late_interaction = comparesTokens(session);
    const inputs = session.inputNames.filter((name) => !COMPARED.has(name));
    const unsupported = inputs.filter((name) => !INPUT.test(name) || POSITIONS.test(name));
    if (unsupported.length > 0 || inputs.length === 0 || inputs.length > 3)
      throw notEncoder(
        `Its inputs are ${inputs.slice(0, 5).join(", ") || "none"}; a text encoder has token ids and masks`,
      );
    const outputs = await session
      .run({ ...(late_interaction ? emptyComparison(runtime) : {}), ...feedsFor(runtime, inputs, highestId) })
      .catch((error: unknown) => {
        throw notEncoder(`It does not run with the ${highestId + 1} tokens of its tokenizer`, error);
      });
    const shaped = Object.entries(outputs).flatMap(([name, { data, dims }]) => {
      const dimensions = dims.at(-1) ?? 0;
      if (!(data instanceof Float32Array) || dimensions < 2) return [];
      if (dims.join() === [TEXTS, dimensions].join()) return [{ name, dimensions, isText: true }];
      return dims.join() === [TEXTS, TOKENS, dimensions].join() ? [{ name, dimensions, isText: false }] : [];
    });
    const texts = shaped.filter(({ isText }) => isText);
    const tokens = shaped.filter(({ isText }) => !isText);
    const sentence = texts.find(({ name }) => SENTENCE.test(name));
    const perToken = tokens.find(({ name }) => TOKEN.test(name)) ?? tokens[0];
    const chosen = sentence ?? perToken ?? (texts.length === 1 ? texts[0] : undefined);
    if (!chosen) throw notEncoder("No output has one vector per text or per token, in 32-bit floats");
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

const notEncoder = (what: string, cause?: unknown) =>
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
  /** Folder of the custom models; created if it does not exist. */
  readonly store: string;
  readonly unpackDir: string;
  /** Consists of a–z, digits, dashes and dots; derived from the folder by default. */
  readonly name?: string | undefined;
  /** File name of the graph, if the folder has several. */
  readonly file?: string | undefined;
  readonly queryPrefix?: string | undefined;
  readonly passagePrefix?: string | undefined;
}

/** At most 48 characters, so that a hash can be appended. */
export const MODEL_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,46}[a-z0-9])?$/;
const MANIFEST = "manifest.json";

/**
 * Adds a sentence encoder to the store: copies its files, inspects and runs the copy, and writes the manifest. All or
 * nothing.
 *
 * @throws Failure `model.invalid` with the reason when it cannot be run, `model.conflict` when the name is taken,
 *   `store.unusable` when it cannot be written
 */
export async function addModel(dir: string, options: AddOptions): Promise<Manifest> {
  const { store, unpackDir } = options;
  const name = nameOf(dir, options.name);
  const target = join(store, name);
  if (await stat(target).catch(() => undefined)) throw taken(name);
  const graph = await findGraph(dir, options.file);
  const settings = await readSentenceSettings(dir);
  const copy = newCopy(store);
  const part = copy.path;
  await writing(async () => {
    await makeFolder(part);
    await removeAbandoned(store);
  });
  try {
    const budget = { left: MAX_BYTES };
    const files: ModelFile[] = [await copyFile(dir, graph, part, "model.onnx", budget)];
    const content = await Bun.file(join(part, "model.onnx")).bytes();
    for (const location of externalFiles(content)) {
      if (!FILE_NAME.test(location) || RESERVED.has(location))
        throw new Failure("model.invalid", "The model keeps weights outside its folder; export it to one folder.");
      files.push(await copyFile(join(dir, dirname(graph)), location, part, location, budget));
    }
    const hasExternalFiles = files.length > 1;
    budget.left = Math.min(budget.left, MAX_TOKENIZER_BYTES);
    files.push(await copyFile(dir, "tokenizer.json", part, "tokenizer.json", budget));
    const shape = await inspectGraph(hasExternalFiles ? join(part, "model.onnx") : content, {
      highestId: highestIdOf(await Bun.file(join(part, "tokenizer.json")).text()),
      pooling: settings.pooling,
      unpackDir,
    });
    if (settings.furtherLayers.length > 0 && shape.pooling !== "none")
      throw new Failure(
        "model.invalid",
        `The graph lacks the layer ${settings.furtherLayers[0]} of the model; export it with the sentence embedding as output.`,
      );
    const identity = {
      ...shape,
      normalise: true,
      query_prefix: options.queryPrefix ?? settings.queryPrefix,
      passage_prefix: options.passagePrefix ?? settings.passagePrefix,
      max_tokens: settings.maxTokens,
      files,
    };
    const manifest = {
      // A hash of everything that determines the vectors: the same model added again gets the same id.
      id: `${name}-${sha256(new TextEncoder().encode(JSON.stringify(identity))).slice(0, 12)}`,
      name,
      description: descriptionOf(shape.pooling, basename(graph)),
      kind: "transformer",
      ...identity,
      licence: settings.licence,
      source: settings.source,
    };
    const parsed = parseManifest(manifest);
    await testModel(parsed, part, unpackDir);
    await writing(async () => {
      await Bun.write(join(part, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
      await syncFile(join(part, MANIFEST));
      await syncFolder(part);
      await rename(part, target);
      await syncFolder(store);
    });
    return parsed;
  } catch (error) {
    throw /^(ENOTEMPTY|EEXIST)$/.test(errorCode(error)) ? taken(name) : error;
  } finally {
    await copy.remove();
  }
}

const POOLED = { none: "Vectors of the graph", mean: "Mean pooling", cls: "CLS pooling" };
const descriptionOf = (pooling: Manifest["pooling"], graph: string) => `${POOLED[pooling]}, from ${graph}.`;

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
  throw new Failure("model.invalid", "A model's name consists of a–z, digits, dashes and dots; set one with --name.");
}

/** Copies one file and hashes it. @throws Failure `model.invalid` when the size budget is exceeded */
async function copyFile(
  dir: string,
  from: string,
  part: string,
  to: string,
  budget: { left: number },
): Promise<ModelFile> {
  if ((await regularFileSize(dir, from)) > budget.left) throw tooLarge();
  const source = await open(join(dir, from));
  const hash = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  try {
    await writing(async () => {
      const target = await open(join(part, to), "wx", 0o600);
      try {
        for await (const chunk of source.createReadStream({ autoClose: false, highWaterMark: 1_024 ** 2 })) {
          bytes += chunk.length;
          budget.left -= chunk.length;
          if (budget.left < 0) throw tooLarge();
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
  if (bytes === 0) throw new Failure("model.invalid", `The model's ${from} is empty; download it again.`);
  return { name: to, bytes, sha256: hash.digest("hex") };
}

const TEST_TEXTS = [
  "A bank moved its payments to another platform.",
  "Nurses spend less time on paperwork.",
  // Longer than the token limit, to test truncation.
  "case studies ".repeat(1_500),
] as const;

/** Runs the model on short and long texts, as searches do. */
async function testModel(manifest: Manifest, dir: string, unpackDir: string): Promise<void> {
  const files = { model: join(dir, "model.onnx"), tokenizer: join(dir, "tokenizer.json") };
  const encoder = await openEncoder({ manifest, files, unpackDir });
  try {
    const [first, second, ...rest] = await encoder.encode(TEST_TEXTS, "passage");
    const lengths = [first, second, ...rest].map((vector) => Math.hypot(...(vector ?? [])));
    const isUnit = lengths.every((length) => Math.abs(length - 1) < 1e-3);
    if (!isUnit || first?.every((value, at) => value === second?.[at]))
      throw new Failure("model.invalid", "The model returns the same vector for different texts; choose another.");
  } finally {
    await encoder.close();
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.sync();
  await file.close();
}

/** Turns a disk error into a failure. */
async function writing<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!/^(EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|ENOTDIR)$/.test(errorCode(error))) throw error;
    throw new Failure(
      "store.unusable",
      "The model cannot be copied into the data directory; check its permissions and free space.",
    );
  }
}

const taken = (name: string) =>
  new Failure(
    "model.conflict",
    `A model named ${name} already exists; set another name with --name, or remove that one.`,
  );

const tooLarge = () =>
  new Failure("model.invalid", "The model is larger than 2 GiB, or its tokenizer than 64 MiB; choose a smaller one.");
