import { Tokenizer } from "@huggingface/tokenizers";
import { Failure } from "../vocabulary/failure.ts";

/** Turns text into the numbers of a model's tokens. */
export interface TextTokens {
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
  const { tokenizer, isWordwise } = read(json);
  const whole = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const idsOf = isWordwise ? wordwise(whole) : whole;
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
    encode: (text) => [
      ...before,
      ...idsOf(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN)).slice(0, maxTokens - extra),
      ...after,
    ],
    count: (text) => idsOf(text).length,
  };
}

const KNOWN_WORDS = { texts: 50_000, letters: 32 };

/** The same numbers as of the whole text, several times as fast: most words of a text have been seen before. */
function wordwise(idsOf: (text: string) => readonly number[]): (text: string) => readonly number[] {
  const ofWord = remembering(idsOf, KNOWN_WORDS);
  return (text) => {
    const ids: number[] = [];
    // Other white space is the library's matter, as a part of what stands between two blanks.
    for (const word of text.split(" ")) if (word !== "") for (const id of ofWord(word)) ids.push(id);
    return ids;
  };
}

/**
 * Reads each text once. When as many are known as may be, all are forgotten: what is asked for often is soon known again.
 *
 * @param letters longer texts are read each time
 */
function remembering(
  read: (text: string) => readonly number[],
  { texts, letters }: { readonly texts: number; readonly letters: number },
): (text: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const ids = read(text);
    if (text.length > letters) return ids;
    if (known.size >= texts) known.clear();
    known.set(text, ids);
    return ids;
  };
}

/**
 * As `remembering`, for long texts: of each only a hash is kept (64 bits, by which no two of a million texts are ever
 * seen to agree).
 */
export function rememberingByHash(read: (text: string) => Uint32Array, texts: number): (text: string) => Uint32Array {
  const known = new Map<number | bigint, Uint32Array>();
  return (text) => {
    const hash = Bun.hash(text);
    const before = known.get(hash);
    if (before) return before;
    const ids = read(text);
    if (known.size >= texts) known.clear();
    known.set(hash, ids);
    return ids;
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

interface TokenizerFile {
  readonly pre_tokenizer?: { readonly type?: string } | null;
  readonly model?: { readonly type?: string } | null;
  readonly added_tokens?: readonly {
    readonly content?: string;
    readonly lstrip?: boolean;
    readonly rstrip?: boolean;
  }[];
}

function read(json: string): { readonly tokenizer: Tokenizer; readonly isWordwise: boolean } {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null) throw unreadable();
    return { tokenizer: new Tokenizer(parsed, {}), isWordwise: readsWordByWord(parsed) };
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
