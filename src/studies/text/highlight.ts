import type { MatchedPassage } from "../../vocabulary/case-study.ts";
import { queryTerms, type Term, termsOf } from "./query-terms.ts";
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
  const best = windows(sentences, maxChars).reduce<{ text: string; score: number }>(
    (most, text) => {
      const score = scoreOf(termsOf(text), wanted);
      return score > most.score ? { text, score } : most;
    },
    { text: opening(sentences, maxChars), score: 0 },
  );
  return { text: best.text, highlights: highlightsOf(best.text, wanted) };
}

function windows(sentences: readonly string[], maxChars: number): string[] {
  return sentences.flatMap((_, from) =>
    Array.from({ length: Math.min(MAX_SENTENCES, sentences.length - from) }, (_, more) =>
      sentences.slice(from, from + more + 1).join(" "),
    ).filter((text) => text.length <= maxChars),
  );
}

/** As many first sentences as fit. */
function opening(sentences: readonly string[], maxChars: number): string {
  return (
    windows(sentences.slice(0, MAX_SENTENCES), maxChars).findLast((text) => text.startsWith(sentences[0] ?? "")) ?? ""
  );
}

/** Distinct terms decide; among equals the text where they stand densest. */
function scoreOf(terms: readonly Term[], wanted: ReadonlySet<string>): number {
  const found = new Set(terms.filter(({ stem }) => wanted.has(stem)).map(({ stem }) => stem));
  return found.size === 0 ? 0 : found.size + found.size / (terms.length + 1);
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
