import type { MatchedPassage } from "../../vocabulary/case-study.ts";
import { queryTerms, termsOf } from "./query-terms.ts";
import { splitSentences } from "./sentences.ts";

export const MAX_MATCH_CHARS = 400;
const MAX_SENTENCES = 3;

/**
 * The sentences of a passage that answer a query best: one to three in a row, with most of its terms in fewest words.
 * Where nothing matches word for word (a hit by meaning), the passage's first sentences.
 *
 * @returns at most `maxChars` characters; `highlights` are the words whose stem the query has
 */
export function matchedPassage(
  query: string,
  passageText: string,
  { maxChars = MAX_MATCH_CHARS }: { readonly maxChars?: number } = {},
): MatchedPassage {
  const wanted = new Set(queryTerms(query));
  const sentences = splitSentences(passageText).map((text) => cutAround(text, wanted, maxChars));
  const stems = sentences.map((sentence) => termsOf(sentence).map(({ stem }) => stem));
  let best = { ...opening(sentences, maxChars), score: 0 };
  for (const window of windows(sentences, maxChars)) {
    const score = scoreOf(stems.slice(window.from, window.to).flat(), wanted);
    if (score > best.score) best = { ...window, score };
  }
  const text = sentences.slice(best.from, best.to).join(" ");
  return { text, highlights: highlightsOf(text, wanted) };
}

/** A run of sentences: from the first to before the last. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** Every run of one to three sentences that is short enough. */
function windows(sentences: readonly string[], maxChars: number): Window[] {
  return sentences.flatMap((_, from) => {
    const fitting: Window[] = [];
    let length = -1;
    for (let to = from + 1; to <= Math.min(from + MAX_SENTENCES, sentences.length); to++) {
      length += 1 + (sentences[to - 1]?.length ?? 0);
      if (length <= maxChars) fitting.push({ from, to });
    }
    return fitting;
  });
}

/** As many first sentences as fit. */
const opening = (sentences: readonly string[], maxChars: number): Window =>
  windows(sentences.slice(0, MAX_SENTENCES), maxChars).findLast(({ from }) => from === 0) ?? { from: 0, to: 0 };

/** Distinct terms decide; among equals the text where they stand densest. */
function scoreOf(stems: readonly string[], wanted: ReadonlySet<string>): number {
  const found = new Set(stems.filter((stem) => wanted.has(stem)));
  return found.size === 0 ? 0 : found.size + found.size / (stems.length + 1);
}

function highlightsOf(text: string, wanted: ReadonlySet<string>): (readonly [number, number])[] {
  return termsOf(text)
    .filter(({ stem }) => wanted.has(stem))
    .map(({ start, end }) => [start, end] as const);
}

/** A sentence that is too long alone: the words around its densest run of terms. */
function cutAround(sentence: string, wanted: ReadonlySet<string>, maxChars: number): string {
  if (sentence.length <= maxChars) return sentence;
  const hits = termsOf(sentence).filter(({ stem }) => wanted.has(stem));
  const room = maxChars - 2;
  const first = hits.reduce(
    (best, hit) => {
      const near = hits.filter(({ start, end }) => start >= hit.start && end <= hit.start + room / 2).length;
      return near > best.near ? { near, start: hit.start } : best;
    },
    { near: 0, start: 0 },
  ).start;
  const from = Math.max(0, Math.min(first - Math.floor(room / 4), sentence.length - room));
  const start = from === 0 ? 0 : afterSpace(sentence, from);
  const end = Math.min(sentence.length, from + room);
  const cut = end === sentence.length ? sentence.slice(start) : beforeSpace(sentence.slice(start, end));
  return `${start > 0 ? "…" : ""}${cut.toWellFormed()}${end < sentence.length ? "…" : ""}`;
}

function afterSpace(text: string, from: number): number {
  const space = text.indexOf(" ", from);
  return space >= 0 && space - from < 40 ? space + 1 : from;
}

function beforeSpace(text: string): string {
  const space = text.lastIndexOf(" ");
  return space > text.length - 40 ? text.slice(0, space) : text;
}
