import type { InferenceSession, Tensor } from "onnxruntime-node";
import { Failure } from "../core/errors.ts";
import {
  createCollectionStatistics,
  emptyComparison,
  interact,
  type NumberedMessage,
  type PackedInteraction,
  type TokenIds,
} from "./interaction.ts";
import { type Manifest, type ModelFiles, readModelFiles } from "./manifest.ts";
import { loadRuntime, type Runtime } from "./native.ts";
import { openStaticSums } from "./static-sums.ts";
import { createTokenCache } from "./token-cache.ts";
import { openTokenizer, type TextTokenizer } from "./tokenizer.ts";

/**
 * Groups texts into batches by similar length. A batch has at most `maxTokens` tokens including padding, unless it is a
 * single text.
 *
 * @returns batches of indexes into `lengths`
 */
export function planBatches(lengths: readonly number[], maxTokens: number): number[][] {
  const order = [...lengths.keys()].sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  const batches: number[][] = [];
  let current: number[] = [];
  for (const index of order) {
    if (current.length > 0 && (current.length + 1) * lengths[index]! > maxTokens) {
      batches.push(current);
      current = [];
    }
    current.push(index);
  }
  if (current.length > 0) batches.push(current);
  return batches;
}

/** One vector per token of a batch: texts × tokens × dimensions, row-major. */
interface TokenVectors {
  readonly values: Float32Array;
  readonly texts: number;
  readonly tokens: number;
  readonly dimensions: number;
}

/**
 * Pools token vectors into one vector per text.
 *
 * @param lengths number of tokens of each text; the rest of its row is padding and ignored
 */
function pool(vectors: TokenVectors, lengths: readonly number[], pooling: "mean" | "cls"): Float32Array[] {
  const { values, texts, tokens, dimensions } = vectors;
  return Array.from({ length: texts }, (_, text) => {
    const start = text * tokens * dimensions;
    const length = lengths[text] ?? 0;
    if (length === 0) return new Float32Array(dimensions);
    if (pooling === "cls") return values.slice(start, start + dimensions);
    const sum = new Float64Array(dimensions);
    for (let token = 0; token < length; token += 1)
      for (let index = 0; index < dimensions; index += 1) sum[index]! += values[start + token * dimensions + index]!;
    return Float32Array.from(sum, (value) => value / length);
  });
}

/** Scales a vector to length 1; returns the zero vector unchanged. */
function normalise(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Everything needed to open a model; can be posted to a worker thread. */
export interface ModelRequest {
  readonly manifest: Manifest;
  readonly files: ModelFiles;
  /** Folder into which the executable unpacks its native libraries. */
  readonly unpackDir: string;
  /** Threads per run. */
  readonly threads: number;
}

/** An open model: tokenizer and ONNX session, in the thread that opened it. */
export interface Model {
  countTokens(text: string): number;
  encode(texts: readonly string[], kind: "query" | "passage"): Promise<Float32Array[]>;
  /** Only for models with `late_interaction` in their manifest. */
  interact(query: string, passages: readonly (string | TokenIds)[]): Promise<PackedInteraction>;
  /** The token ids of numbered texts that it has, or were given. */
  tokensOf(texts: NumberedMessage): { readonly tokens: readonly TokenIds[] } | { readonly missing: readonly number[] };
  observe(passages: readonly string[]): void;
  close(): Promise<void>;
}

/** Maximum tokens per run including padding; bounds its memory. */
const BATCH_TOKENS = 8_192;

/**
 * Reads and verifies the files, loads the runtime and encodes one word, so that a model that does not match its manifest
 * fails here.
 *
 * @throws Failure `model.invalid` or `model.unavailable`
 */
export async function openModel({ manifest, files, unpackDir, threads }: ModelRequest): Promise<Model> {
  const { model, tokenizer } = await readModelFiles(manifest, files);
  const tokens = openTokenizer(tokenizer, manifest.max_tokens);
  const runtime = await loadRuntime(unpackDir);
  const session = await openSession(runtime, model, threads).catch((error: unknown) => {
    throw mismatch(error);
  });
  const collection = createCollectionStatistics();
  const tokensOf = createTokenCache(tokens.encode);
  const throughRuntime = (ids: readonly (readonly number[])[]) => runBatches(runtime, session, manifest, ids);
  const sum = typeof model === "string" ? undefined : await openStaticSums(manifest, model, throughRuntime);
  const vectorsOf = sum ? async (ids: readonly (readonly number[])[]) => ids.map(sum) : throughRuntime;
  const opened: Model = {
    countTokens: (text) => tokens.count(text),
    encode: (texts, kind) => encodeAll(tokens, manifest, texts, kind, vectorsOf),
    interact: (query, passages) =>
      interact(
        runtime,
        session,
        Object.values(manifest.inputs).filter((name) => name !== null),
        tokens.encode(query),
        passages.map((passage) => (typeof passage === "string" ? tokens.encode(passage) : passage)),
        collection,
      ),
    tokensOf,
    observe: (passages) => collection.count(passages.map(tokens.encode)),
    close: () => session.release(),
  };
  try {
    await opened.encode(["a"], "query");
    if (manifest.late_interaction) await opened.interact("a", ["a"]);
  } catch (error) {
    throw error instanceof Failure ? error : mismatch(error);
  }
  return opened;
}

/** @param model its bytes, or a path if the graph keeps weights in further files */
export function openSession(
  { InferenceSession }: Runtime,
  model: Uint8Array | string,
  threads: number,
): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The arena would keep 25 MB after many texts; without it a run takes a third longer.
    enableCpuMemArena: false,
    enableMemPattern: false,
    executionProviders: ["cpu"],
    // Errors are reported by the failures of this module.
    logSeverityLevel: 4,
  };
  return typeof model === "string" ? InferenceSession.create(model, options) : InferenceSession.create(model, options);
}

async function encodeAll(
  tokens: TextTokenizer,
  manifest: Manifest,
  texts: readonly string[],
  kind: "query" | "passage",
  vectorsOf: (ids: readonly (readonly number[])[]) => Promise<readonly Float32Array[]>,
): Promise<Float32Array[]> {
  const prefix = kind === "query" ? manifest.query_prefix : manifest.passage_prefix;
  // A blank text gets the zero vector, without a prefix or special tokens.
  const ids = texts.map((text) => (text.trim() === "" ? [] : tokens.encode(prefix + text)));
  const filled = [...ids.keys()].filter((index) => ids[index]!.length > 0);
  const found = await vectorsOf(filled.map((index) => ids[index]!));
  const vectors: Float32Array[] = texts.map(() => new Float32Array(manifest.dimensions));
  for (const [at, index] of filled.entries()) vectors[index] = found[at]!;
  return vectors;
}

/** @param ids of texts of at least one token each */
async function runBatches(
  runtime: Runtime,
  session: InferenceSession,
  manifest: Manifest,
  ids: readonly (readonly number[])[],
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const batch of planBatches(
    ids.map(({ length }) => length),
    BATCH_TOKENS,
  )) {
    const found = await runBatch(
      runtime,
      session,
      manifest,
      batch.map((index) => ids[index]!),
    );
    for (const [at, index] of batch.entries()) vectors[index] = found[at]!;
  }
  return vectors;
}

async function runBatch(
  runtime: Runtime,
  session: InferenceSession,
  manifest: Manifest,
  ids: readonly (readonly number[])[],
): Promise<Float32Array[]> {
  const { Tensor } = runtime;
  const width = Math.max(...ids.map(({ length }) => length));
  const shape = [ids.length, width];
  const cells = () => new BigInt64Array(ids.length * width);
  const [idCells, maskCells] = [cells(), cells()];
  for (const [row, text] of ids.entries())
    for (const [column, id] of text.entries()) {
      idCells[row * width + column] = BigInt(id);
      maskCells[row * width + column] = 1n;
    }
  const feeds: Record<string, Tensor> = {
    ...(manifest.late_interaction ? emptyComparison(runtime) : {}),
    [manifest.inputs.ids]: new Tensor("int64", idCells, shape),
  };
  if (manifest.inputs.mask) feeds[manifest.inputs.mask] = new Tensor("int64", maskCells, shape);
  if (manifest.inputs.types) feeds[manifest.inputs.types] = new Tensor("int64", cells(), shape);
  const output = (await session.run(feeds, [manifest.output]))[manifest.output];
  const wanted = manifest.pooling === "none" ? [ids.length, manifest.dimensions] : [...shape, manifest.dimensions];
  if (!output || !(output.data instanceof Float32Array) || output.dims.join() !== wanted.join())
    throw mismatch(`output ${manifest.output} has the shape ${output?.dims.join(" × ")}, not ${wanted.join(" × ")}`);
  const values = output.data;
  const vectors =
    manifest.pooling === "none"
      ? ids.map((_, row) => values.slice(row * manifest.dimensions, (row + 1) * manifest.dimensions))
      : pool(
          { values, texts: ids.length, tokens: width, dimensions: manifest.dimensions },
          ids.map(({ length }) => length),
          manifest.pooling,
        );
  return manifest.normalise ? vectors.map(normalise) : vectors;
}

const mismatch = (cause: unknown) =>
  new Failure("model.invalid", "The model does not match its manifest; correct the manifest or choose another model.", {
    problems: [{ pointer: "model.onnx", detail: cause instanceof Error ? cause.message : String(cause) }],
  });
