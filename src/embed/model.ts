import type { InferenceSession, Tensor } from "onnxruntime-node";
import { Failure } from "../vocabulary/failure.ts";
import { planBatches } from "./batches.ts";
import { createCollectionStatistics } from "./collection-statistics.ts";
import { interact, nothingToCompare } from "./interaction.ts";
import type { Manifest } from "./manifest.ts";
import { type ModelFiles, readModelFiles } from "./model-files.ts";
import { loadRuntime, type Runtime } from "./native.ts";
import { normalised, pool } from "./pooling.ts";
import { openTokens, type TextTokens } from "./text-tokens.ts";

/** What is needed to open a model; can be sent to another thread. */
export interface ModelRequest {
  readonly manifest: Manifest;
  readonly files: ModelFiles;
  /** Folder in which the executable unpacks its native parts. */
  readonly unpackDir: string;
  /** Threads within one run. */
  readonly threads: number;
}

/** An open model: tokenizer and session, in the thread that opened it. */
export interface Model {
  countTokens(text: string): number;
  encode(texts: readonly string[], kind: "query" | "passage"): Promise<Float32Array[]>;
  /** Only where the manifest says `late_interaction`. */
  interact(query: string, passages: readonly string[]): Promise<number[]>;
  observe(passages: readonly string[]): void;
  close(): Promise<void>;
}

/** Tokens in one run, padding included: bounds its memory. */
const BATCH_TOKENS = 8_192;

/**
 * Reads and checks the files, loads the runtime and tries the model on one word, so that a model that does not fit its
 * manifest fails here.
 *
 * @throws Failure `model.invalid` or `model.unavailable`
 */
export async function openModel({ manifest, files, unpackDir, threads }: ModelRequest): Promise<Model> {
  const { model, tokenizer } = await readModelFiles(manifest, files);
  const tokens = openTokens(tokenizer, manifest.max_tokens);
  const runtime = await loadRuntime(unpackDir);
  const session = await openSession(runtime, model, threads).catch((error: unknown) => {
    throw unfit(error);
  });
  const collection = createCollectionStatistics();
  const opened: Model = {
    countTokens: (text) => tokens.count(text),
    encode: (texts, kind) => encodeAll(runtime, session, tokens, manifest, texts, kind),
    interact: (query, passages) =>
      interact(
        runtime,
        session,
        Object.values(manifest.inputs).filter((name) => name !== null),
        tokens.encode(query),
        passages.map(tokens.encode),
        collection,
      ),
    observe: (passages) => collection.count(passages.map(tokens.encode)),
    close: () => session.release(),
  };
  try {
    await opened.encode(["a"], "query");
    if (manifest.late_interaction) await opened.interact("a", ["a"]);
  } catch (error) {
    throw error instanceof Failure ? error : unfit(error);
  }
  return opened;
}

/** @param model its bytes, or the path of a graph that has files beside it */
export function openSession(
  { InferenceSession }: Runtime,
  model: Uint8Array | string,
  threads: number,
): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // What it keeps for itself after many texts, 25 MB, is worth more than a quarter less time for them.
    enableCpuMemArena: false,
    enableMemPattern: false,
    executionProviders: ["cpu"],
    // What fails is told by our own refusal.
    logSeverityLevel: 4,
  };
  return typeof model === "string" ? InferenceSession.create(model, options) : InferenceSession.create(model, options);
}

async function encodeAll(
  runtime: Runtime,
  session: InferenceSession,
  tokens: TextTokens,
  manifest: Manifest,
  texts: readonly string[],
  kind: "query" | "passage",
): Promise<Float32Array[]> {
  const prefix = kind === "query" ? manifest.query_prefix : manifest.passage_prefix;
  // A blank text has no meaning to tell, whatever a prefix or special tokens would say of it.
  const ids = texts.map((text) => (text.trim() === "" ? [] : tokens.encode(prefix + text)));
  const vectors: Float32Array[] = texts.map(() => new Float32Array(manifest.dimensions));
  const filled = [...ids.keys()].filter((index) => ids[index]!.length > 0);
  for (const batch of planBatches(
    filled.map((index) => ids[index]!.length),
    BATCH_TOKENS,
  )) {
    const indexes = batch.map((at) => filled[at]!);
    const found = await runBatch(
      runtime,
      session,
      manifest,
      indexes.map((index) => ids[index]!),
    );
    for (const [at, index] of indexes.entries()) vectors[index] = found[at]!;
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
    ...(manifest.late_interaction ? nothingToCompare(runtime) : {}),
    [manifest.inputs.ids]: new Tensor("int64", idCells, shape),
  };
  if (manifest.inputs.mask) feeds[manifest.inputs.mask] = new Tensor("int64", maskCells, shape);
  if (manifest.inputs.types) feeds[manifest.inputs.types] = new Tensor("int64", cells(), shape);
  const output = (await session.run(feeds, [manifest.output]))[manifest.output];
  const wanted = manifest.pooling === "none" ? [ids.length, manifest.dimensions] : [...shape, manifest.dimensions];
  if (!output || !(output.data instanceof Float32Array) || output.dims.join() !== wanted.join())
    throw unfit(`output ${manifest.output} has the shape ${output?.dims.join(" × ")}, not ${wanted.join(" × ")}`);
  const values = output.data;
  const vectors =
    manifest.pooling === "none"
      ? ids.map((_, row) => values.slice(row * manifest.dimensions, (row + 1) * manifest.dimensions))
      : pool(
          { values, texts: ids.length, tokens: width, dimensions: manifest.dimensions },
          ids.map(({ length }) => length),
          manifest.pooling,
        );
  return manifest.normalise ? vectors.map(normalised) : vectors;
}

const unfit = (cause: unknown) =>
  new Failure(
    "model.invalid",
    "The model does not do what its manifest says; correct the manifest or choose another.",
    {
      problems: [{ pointer: "model.onnx", detail: cause instanceof Error ? cause.message : String(cause) }],
    },
  );
