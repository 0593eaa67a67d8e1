import { folded } from "../studies/folded.ts";

const MAX_CHARACTERS = 200;

/** The letters of a word three by three, its start and end marked, so that a wrong letter leaves most of them alike. */
export function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of wordsOf(text)) {
    const letters = [" ", " ", ...word, " "];
    for (let at = 0; at + 3 <= letters.length; at++) trigrams.add(letters.slice(at, at + 3).join(""));
  }
  return trigrams;
}

export const wordsOf = (text: string): readonly string[] =>
  folded(text)
    .slice(0, MAX_CHARACTERS)
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** A domain's own part: the last label is the same for half of all companies and says nothing. */
export const ownPart = (domain: string): string => domain.replace(/\.[^.]*$/, "");

/** What a company is found by when its name is not quite right. */
export const companyTrigrams = (company: { name: string; slug: string; domain: string | null }): Set<string> =>
  trigramsOf(`${company.name.slice(0, MAX_CHARACTERS)} ${company.slug} ${ownPart(company.domain ?? "")}`);
