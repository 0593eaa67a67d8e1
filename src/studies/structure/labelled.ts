import type { PageText } from "../../vocabulary/page.ts";
import type { StorySentence } from "./story.ts";

/** What a page says of its story in the form "Industry: Retail". */
export interface Labelled {
  readonly name: string;
  readonly value: string;
  /** As the page has it, at most 300 characters. */
  readonly text: string;
}

const MAX_LABELS = 200;
const MAX_VALUE = 90;
const LINE = /^([\p{L} ]{2,30}?):\s{1,4}(\S.{0,90})$/u;

/** The page's own labels, then lines of the story with a colon, then short lines under a heading of a few words. */
export function labelledValues(page: PageText, story: readonly StorySentence[]): Labelled[] {
  const found = page.labels
    .slice(0, MAX_LABELS)
    .flatMap(({ name, value }) => (name === null ? [] : [labelled(name, value)]));
  for (const { text, place, heading } of story) {
    if (place !== "body" || text.length > MAX_VALUE + 30) continue;
    const line = LINE.exec(text);
    if (line) found.push(labelled(line[1] ?? "", line[2] ?? ""));
    else if (heading !== null && heading.length <= 30 && text.length <= MAX_VALUE && !isSentence(text))
      found.push(labelled(heading, text));
  }
  return found;
}

const labelled = (name: string, value: string): Labelled => ({
  name: name.trim().replace(/:$/, ""),
  value: value.slice(0, 200).trim(),
  text: `${name}: ${value}`.slice(0, 300),
});

const isSentence = (text: string) =>
  (/[.!?]$/.test(text) && !/\b(?:inc|ltd|co|corp|s\.a)\.$/i.test(text)) || text.split(" ").length > 8;
