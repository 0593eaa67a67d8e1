import { Tokenizer } from "@huggingface/tokenizers";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { Failure } from "../core/errors.ts";
import { createCollectionStatistics, interact, nothingToCompare } from "./interaction.ts";
import { type Manifest, type ModelFiles, readModelFiles } from "./manifest.ts";
import { loadRuntime, type Runtime } from "./native.ts";

/**
 * Groups texts for one run each: texts of like length stand together, and a group has no more than `maxTokens` tokens
 * with its padding (a single text may have more).
 *
 * @returns groups of indexes into `lengths`
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

/** One vector per token of a batch: texts × tokens × dimensions, row by row. */
interface TokenVectors {
  readonly values: Float32Array;
  readonly texts: number;
  readonly tokens: number;
  readonly dimensions: number;
}

/**
 * One vector per text from its tokens'.
 *
 * @param lengths how many tokens of each text are its own; those after them are padding and never count
 */
function pool(vectors: TokenVectors, lengths: readonly number[], how: "mean" | "cls"): Float32Array[] {
  const { values, texts, tokens, dimensions } = vectors;
  return Array.from({ length: texts }, (_, text) => {
    const start = text * tokens * dimensions;
    const length = lengths[text] ?? 0;
    if (length === 0) return new Float32Array(dimensions);
    if (how === "cls") return values.slice(start, start + dimensions);
    const sum = new Float64Array(dimensions);
    for (let token = 0; token < length; token += 1)
      for (let index = 0; index < dimensions; index += 1) sum[index]! += values[start + token * dimensions + index]!;
    return Float32Array.from(sum, (value) => value / length);
  });
}

/** The vector with length 1; the zero vector stays as it is. */
function normalised(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Numbers of a text's tokens, special ones not counted. */
type ReadText = (text: string) => readonly number[];

const KNOWN_WORDS = 50_000;
/** Longer ones are seldom met again. */
const MOST_LETTERS = 32;
const BLANK = 32;
/** Of the second hash: Fowler, Noll and Vo's of 32 bits. The first is the sum of letters by powers of 31. */
const [FNV_OFFSET, FNV_PRIME] = [0x811c9dc5 | 0, 0x01000193];

/**
 * The same numbers as of the whole text, many times as fast: most words of a text have been seen before, and most of the
 * others are a known word beside punctuation.
 *
 * @param apart whether what stands between two blanks may be cut at its punctuation
 */
export function wordwise(read: ReadText, apart: (word: string) => boolean): ReadText {
  const ofPart = remembering(read, KNOWN_WORDS);
  const ofWord = (word: string) => (apart(word) ? partsOf(word).flatMap(ofPart) : read(word));
  const known = createWordTable(KNOWN_WORDS);
  return (text) => {
    const ids: number[] = [];
    // Other white space is the library's matter, as a part of what stands between two blanks.
    for (let from = 0, to = 0; from < text.length; from = to + 1) {
      let [one, other] = [0, FNV_OFFSET];
      for (to = from; to < text.length; to += 1) {
        const letter = text.charCodeAt(to);
        if (letter === BLANK) break;
        one = (Math.imul(one, 31) + letter) | 0;
        other = Math.imul(other ^ letter, FNV_PRIME);
      }
      if (to === from || known.appendTo(ids, one, other)) continue;
      const word = text.slice(from, to);
      const found = ofWord(word);
      if (word.length <= MOST_LETTERS) known.add(one, other, found);
      for (const id of found) ids.push(id);
    }
    return ids;
  };
}

const partsOf = (word: string): string[] => word.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/g) ?? [];

/** When as many are known as may be, all are forgotten: what is asked for often is soon known again. */
function remembering(read: ReadText, most: number): ReadText {
  const known = new Map<string, readonly number[]>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const ids = read(text);
    if (text.length > MOST_LETTERS) return ids;
    if (known.size >= most) known.clear();
    known.set(text, ids);
    return ids;
  };
}

/** In the table's cells of a word: two hashes, where its numbers begin, and how many there are; none marks a free place. */
const [ONE, OTHER, BEGIN, COUNT, CELLS] = [0, 1, 2, 3, 4];

/**
 * Words by two hashes of 32 bits, by which no two of a million words are ever seen to agree. Numbers side by side, since
 * the time goes into memory that is far away: with a `Map` of strings a text takes four times as long.
 */
function createWordTable(most: number) {
  const places = 2 ** Math.ceil(Math.log2(most * 2));
  const cells = new Int32Array(places * CELLS);
  let numbers = new Int32Array(most * 2);
  let [size, used] = [0, 0];
  const placeOf = (one: number, other: number) => (one ^ (other >>> 11)) & (places - 1);
  return {
    /** Whether the word was known. */
    appendTo(ids: number[], one: number, other: number): boolean {
      for (let place = placeOf(one, other); ; place = (place + 1) & (places - 1)) {
        const cell = place * CELLS;
        const count = cells[cell + COUNT]!;
        if (count === 0) return false;
        if (cells[cell + ONE] !== one || cells[cell + OTHER] !== other) continue;
        const begin = cells[cell + BEGIN]!;
        for (let at = begin; at < begin + count; at += 1) ids.push(numbers[at]!);
        return true;
      }
    },
    add(one: number, other: number, ids: readonly number[]) {
      if (ids.length === 0) return;
      if (size >= most) {
        cells.fill(0);
        [size, used] = [0, 0];
      }
      if (used + ids.length > numbers.length) {
        const more = new Int32Array(numbers.length * 2);
        more.set(numbers);
        numbers = more;
      }
      let place = placeOf(one, other);
      while (cells[place * CELLS + COUNT] !== 0) place = (place + 1) & (places - 1);
      cells.set([one, other, used, ids.length], place * CELLS);
      numbers.set(ids, used);
      used += ids.length;
      size += 1;
    },
  };
}

/** Turns text into the numbers of a model's tokens. */
interface TextTokens {
  /** Ids with the model's special tokens, cut to the limit so that the closing special tokens stay. */
  encode(text: string): readonly number[];
  /** Tokens of the whole text, special ones not counted. */
  count(text: string): number;
}

/** No token that carries meaning is longer on average; more characters than this per token are not looked at. */
const CHARACTERS_PER_TOKEN = 32;

/**
 * @param json the text of a `tokenizer.json`
 * @param maxTokens the limit, special tokens included
 * @throws Failure `model.invalid` when the library cannot read it
 */
export function openTokens(json: string, maxTokens: number): TextTokens {
  const { tokenizer, isWordwise, apart } = read(json);
  const whole = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const idsOf = isWordwise ? wordwise(whole, apart) : whole;
  const bare = whole("a");
  const dressed = tokenizer.encode("a", { add_special_tokens: true }).ids;
  const extra = dressed.length - bare.length;
  if (extra < 0 || extra >= maxTokens) throw unreadable();
  // Where the text's own ids stand among the special ones tells how many open and how many close a text.
  const opening = Math.max(
    dressed.findIndex((_, at) => bare.every((id, offset) => dressed[at + offset] === id)),
    0,
  );
  const [before, after] = [dressed.slice(0, opening), dressed.slice(opening + bare.length)];
  return {
    encode(text) {
      const ids = idsOf(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN));
      const kept = ids.length > maxTokens - extra ? ids.slice(0, maxTokens - extra) : ids;
      return extra === 0 ? kept : [...before, ...kept, ...after];
    },
    count: (text) => idsOf(text).length,
  };
}

/** A kind whose words never look beyond white space, so that each can be read alone. */
function readsWordByWord({ pre_tokenizer, model, added_tokens }: TokenizerFile): boolean {
  return (
    pre_tokenizer?.type === "BertPreTokenizer" &&
    model?.type === "WordPiece" &&
    (added_tokens ?? []).every(({ content, lstrip, rstrip }) => !lstrip && !rstrip && !/\s/.test(content ?? " "))
  );
}

/** Words of ASCII letters, digits and punctuation, which a pre-tokenizer of this kind always cuts out one by one. */
function takenApart({ normalizer, added_tokens }: TokenizerFile): (word: string) => boolean {
  if (normalizer && normalizer.type !== "BertNormalizer") return () => false;
  const whole = (added_tokens ?? []).map(({ content }) => content ?? "");
  return (word) => /^[!-~]+$/.test(word) && !whole.some((token) => word.includes(token));
}

interface TokenizerFile {
  readonly normalizer?: { readonly type?: string } | null;
  readonly pre_tokenizer?: { readonly type?: string } | null;
  readonly model?: { readonly type?: string } | null;
  readonly added_tokens?: readonly {
    readonly content?: string;
    readonly lstrip?: boolean;
    readonly rstrip?: boolean;
  }[];
}

interface Reader {
  readonly tokenizer: Tokenizer;
  readonly isWordwise: boolean;
  readonly apart: (word: string) => boolean;
}

function read(json: string): Reader {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null) throw unreadable();
    return { tokenizer: new Tokenizer(parsed, {}), isWordwise: readsWordByWord(parsed), apart: takenApart(parsed) };
  } catch {
    // The library and the parser tell of their own insides; the caller can only bring another file.
    throw unreadable();
  }
}

const unreadable = () =>
  new Failure(
    "model.invalid",
    "The model's tokenizer.json is of a kind that cannot be read here; choose another model.",
  );

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
