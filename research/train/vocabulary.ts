/** Learns a WordPiece vocabulary: frequent words whole, and for the rest the pieces that byte-pair merging finds. */

export const SPECIAL = ["[PAD]", "[UNK]"] as const;
/** Longer words are unknown, as in the library's WordPiece. */
export const MAX_WORD_CHARACTERS = 100;

/**
 * @param size tokens in all, special ones and single characters included
 * @param wholeWords how many of the most frequent words stay whole
 * @returns tokens; their place is their id
 */
export function learnVocabulary(
  words: readonly string[],
  weights: Float64Array,
  { size, wholeWords }: { readonly size: number; readonly wholeWords: number },
): string[] {
  const order = words
    .map((_, id) => id)
    .filter((id) => words[id]!.length <= 40)
    .sort((a, b) => weights[b]! - weights[a]! || a - b);
  const tokens = new Set<string>(SPECIAL);
  for (const symbol of frequentCharacters(words, weights)) tokens.add(symbol).add(`##${symbol}`);
  for (const id of order.slice(0, wholeWords)) tokens.add(words[id]!);
  const rare = order.slice(wholeWords).filter((id) => weights[id]! >= 2 && [...words[id]!].every((c) => tokens.has(c)));
  const wanted = size - tokens.size;
  for (const piece of mergedPieces(
    rare.map((id) => words[id]!),
    rare.map((id) => weights[id]!),
    tokens,
    wanted,
  ))
    tokens.add(piece);
  return [...tokens];
}

function frequentCharacters(words: readonly string[], weights: Float64Array): string[] {
  const counts = new Map<string, number>();
  for (const [id, word] of words.entries())
    for (const symbol of word) counts.set(symbol, (counts.get(symbol) ?? 0) + weights[id]!);
  return [...counts]
    .filter(([, count]) => count >= 200)
    .map(([symbol]) => symbol)
    .sort();
}

/** Byte-pair merging over words that are not whole: the pieces that are made are the ones that many words share. */
function mergedPieces(words: string[], weights: number[], known: ReadonlySet<string>, wanted: number): string[] {
  const made = new Set<string>();
  const split = words.map((word) => [...word].map((symbol, at) => (at === 0 ? symbol : `##${symbol}`)));
  const counts = new Map<string, number>();
  const holders = new Map<string, Set<number>>();
  const note = (id: number, sign: 1 | -1) => {
    const pieces = split[id]!;
    for (let at = 1; at < pieces.length; at += 1) {
      const pair = `${pieces[at - 1]} ${pieces[at]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + sign * weights[id]!);
      if (sign > 0) (holders.get(pair) ?? holders.set(pair, new Set()).get(pair)!).add(id);
    }
  };
  for (const id of words.keys()) note(id, 1);
  let candidates: [string, number][] = [];
  while (made.size < wanted) {
    // The best few hundred candidates are used until their order is stale: a full sort at each merge is too slow.
    if (candidates.length === 0)
      candidates = [...counts]
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .slice(0, 50)
        .reverse();
    const [pair, was] = candidates.pop() ?? ["", 0];
    if (was <= 1) break;
    if ((counts.get(pair) ?? 0) < was * 0.9) continue;
    const [left = "", right = ""] = pair.split(" ");
    const merged = left + right.slice(2);
    for (const id of holders.get(pair) ?? []) {
      note(id, -1);
      split[id] = mergePair(split[id]!, left, right, merged);
      note(id, 1);
    }
    counts.delete(pair);
    holders.delete(pair);
    if (!known.has(merged)) made.add(merged);
  }
  return [...made];
}

function mergePair(pieces: readonly string[], left: string, right: string, merged: string): string[] {
  const out: string[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    if (pieces[at] === left && pieces[at + 1] === right) {
      out.push(merged);
      at += 1;
    } else out.push(pieces[at]!);
  }
  return out;
}

/** Ids of one word by longest match, as WordPiece does; the unknown token's when a part has no piece. */
export function pieceIds(word: string, ids: ReadonlyMap<string, number>): number[] {
  const unknown = [SPECIAL.indexOf("[UNK]")];
  if (word.length > MAX_WORD_CHARACTERS) return unknown;
  const out: number[] = [];
  for (let from = 0; from < word.length; ) {
    let to = word.length;
    let id: number | undefined;
    for (; to > from; to -= 1) {
      id = ids.get(from === 0 ? word.slice(0, to) : `##${word.slice(from, to)}`);
      if (id !== undefined) break;
    }
    if (id === undefined) return unknown;
    out.push(id);
    from = to;
  }
  return out;
}

/** The `tokenizer.json` that the usual libraries read. No special token is added around a text. */
export function tokenizerJson(tokens: readonly string[]): string {
  const special = SPECIAL.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return JSON.stringify({
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: MAX_WORD_CHARACTERS,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  });
}
