import { readMarkdown } from "../../../src/casestudies/text/markdown.ts";

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;

/** Words of a Markdown text in lower case, without its markup; each Han or Kana character is one. Code counts whole. */
export function wordsOf(markdown: string): string[] {
  const code: string[] = [];
  const rest = markdown.replace(/^ {0,3}(```|~~~)[^\n]*\n([\s\S]*?)^ {0,3}\1/gm, (_, __, inside: string) => {
    code.push(inside);
    return "\n\n";
  });
  const text = [...readMarkdown(rest).map((block) => block.text), ...code].join("\n");
  return text.normalize("NFKC").toLowerCase().match(WORD) ?? [];
}

/** Words that both have, each as often as the poorer has it: harmonic mean of its shares of the two. */
export function wordOverlap(found: readonly string[], wanted: readonly string[]) {
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let both = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    both += 1;
  }
  const precision = found.length === 0 ? 0 : both / found.length;
  const recall = wanted.length === 0 ? 0 : both / wanted.length;
  return { precision, recall, f1: both === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}
