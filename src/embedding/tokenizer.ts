import { Tokenizer } from "@huggingface/tokenizers";
import { Failure } from "../core/errors.ts";

/** Returns the token ids of a text, without special tokens. */
type ReadText = (text: string) => readonly number[];

const CACHED_WORDS = 50_000;
/** Longer words rarely repeat and are not cached. */
const MAX_CACHED_LENGTH = 32;
const BLANK = 32;
/** Constants of the second hash, 32-bit FNV-1a. The first hash is the polynomial of the characters with base 31. */
const [FNV_OFFSET, FNV_PRIME] = [0x811c9dc5 | 0, 0x01000193];

/**
 * Returns the same ids as `read` for the whole text, many times faster: the ids of each word are cached, and most words
 * that are not cached are a cached word next to punctuation.
 *
 * @param isSplittable whether a word may be split at its punctuation
 */
export function wordwise(read: ReadText, isSplittable: (word: string) => boolean): ReadText {
  const readPart = cached(read, CACHED_WORDS);
  const readWord = (word: string) => (isSplittable(word) ? partsOf(word).flatMap(readPart) : read(word));
  const known = createWordTable(CACHED_WORDS);
  return (text) => {
    const ids: number[] = [];
    // Words end at blanks only; the library handles other white space within them.
    for (let from = 0, to = 0; from < text.length; from = to + 1) {
      let [first, second] = [0, FNV_OFFSET];
      for (to = from; to < text.length; to += 1) {
        const letter = text.charCodeAt(to);
        if (letter === BLANK) break;
        first = (Math.imul(first, 31) + letter) | 0;
        second = Math.imul(second ^ letter, FNV_PRIME);
      }
      if (to === from || known.appendTo(ids, first, second)) continue;
      const word = text.slice(from, to);
      const found = readWord(word);
      if (word.length <= MAX_CACHED_LENGTH) known.add(first, second, found);
      for (const id of found) ids.push(id);
    }
    return ids;
  };
}

const partsOf = (word: string): string[] => word.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/g) ?? [];

/** Caches ids by text. A full cache is emptied: frequent texts are soon cached again. */
function cached(read: ReadText, capacity: number): ReadText {
  const known = new Map<string, readonly number[]>();
  return (text) => {
    const hit = known.get(text);
    if (hit) return hit;
    const ids = read(text);
    if (text.length > MAX_CACHED_LENGTH) return ids;
    if (known.size >= capacity) known.clear();
    known.set(text, ids);
    return ids;
  };
}

/** Cells of an entry: two hashes, the start of its ids, and their number; 0 marks a free entry. */
const [FIRST, SECOND, START, COUNT, CELLS] = [0, 1, 2, 3, 4];

/**
 * Token ids of words, keyed by two 32-bit hashes; in a million words no two had the same pair. Typed arrays instead of a
 * `Map` of strings, which takes four times as long because of cache misses.
 */
function createWordTable(capacity: number) {
  const slots = 2 ** Math.ceil(Math.log2(capacity * 2));
  const cells = new Int32Array(slots * CELLS);
  let ids = new Int32Array(capacity * 2);
  let [size, used] = [0, 0];
  const slotOf = (first: number, second: number) => (first ^ (second >>> 11)) & (slots - 1);
  return {
    /** Appends the ids of a word; returns false when the word is not in the table. */
    appendTo(target: number[], first: number, second: number): boolean {
      for (let slot = slotOf(first, second); ; slot = (slot + 1) & (slots - 1)) {
        const cell = slot * CELLS;
        const count = cells[cell + COUNT]!;
        if (count === 0) return false;
        if (cells[cell + FIRST] !== first || cells[cell + SECOND] !== second) continue;
        const start = cells[cell + START]!;
        for (let at = start; at < start + count; at += 1) target.push(ids[at]!);
        return true;
      }
    },
    add(first: number, second: number, found: readonly number[]) {
      if (found.length === 0) return;
      if (size >= capacity) {
        cells.fill(0);
        [size, used] = [0, 0];
      }
      if (used + found.length > ids.length) {
        const more = new Int32Array(ids.length * 2);
        more.set(ids);
        ids = more;
      }
      let slot = slotOf(first, second);
      while (cells[slot * CELLS + COUNT] !== 0) slot = (slot + 1) & (slots - 1);
      cells.set([first, second, used, found.length], slot * CELLS);
      ids.set(found, used);
      used += found.length;
      size += 1;
    },
  };
}

/** Converts text to the token ids of a model. */
export interface TextTokenizer {
  /** With special tokens; text beyond the limit is cut, the closing special tokens are kept. */
  encode(text: string): readonly number[];
  /** Number of tokens of the whole text, without special tokens. */
  count(text: string): number;
}

/** Upper bound of the average token length; text beyond `maxTokens` times this is not tokenised. */
const CHARACTERS_PER_TOKEN = 32;

/**
 * @param json content of a `tokenizer.json`
 * @param maxTokens limit including special tokens
 * @throws Failure `model.invalid` when the library does not support it
 */
export function openTokenizer(json: string, maxTokens: number): TextTokenizer {
  const { tokenizer, isWordwise, isSplittable } = readTokenizer(json);
  const whole = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const idsOf = isWordwise ? wordwise(whole, isSplittable) : whole;
  const bare = whole("a");
  const complete = tokenizer.encode("a", { add_special_tokens: true }).ids;
  const extra = complete.length - bare.length;
  if (extra < 0 || extra >= maxTokens) throw unsupported();
  // The position of the text's ids among the special tokens gives the number of opening and closing ones.
  const opening = Math.max(
    complete.findIndex((_, at) => bare.every((id, offset) => complete[at + offset] === id)),
    0,
  );
  const [before, after] = [complete.slice(0, opening), complete.slice(opening + bare.length)];
  return {
    encode(text) {
      const ids = idsOf(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN));
      const kept = ids.length > maxTokens - extra ? ids.slice(0, maxTokens - extra) : ids;
      return extra === 0 ? kept : [...before, ...kept, ...after];
    },
    count: (text) => idsOf(text).length,
  };
}

/** Whether words are tokenised independently of each other, so that each can be cached. */
function isIndependentOfContext({ pre_tokenizer, model, added_tokens }: TokenizerFile): boolean {
  return (
    pre_tokenizer?.type === "BertPreTokenizer" &&
    model?.type === "WordPiece" &&
    (added_tokens ?? []).every(({ content, lstrip, rstrip }) => !lstrip && !rstrip && !/\s/.test(content ?? " "))
  );
}

/** Matches words of printable ASCII, in which this pre-tokenizer makes each punctuation character its own token. */
function splittableWords({ normalizer, added_tokens }: TokenizerFile): (word: string) => boolean {
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

function readTokenizer(json: string) {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null) throw unsupported();
    return {
      tokenizer: new Tokenizer(parsed, {}),
      isWordwise: isIndependentOfContext(parsed),
      isSplittable: splittableWords(parsed),
    };
  } catch {
    // Errors of the library describe its internals; the user can only choose another file.
    throw unsupported();
  }
}

const unsupported = () =>
  new Failure("model.invalid", "The model's tokenizer.json has an unsupported type; choose another model.");
