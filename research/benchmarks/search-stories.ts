import type { Random } from "../../scripts/random.ts";
import { inventedName, pick, type Subject, type Wording } from "./search-wording.ts";

/** A case study in the shape in which files are imported. */
export interface Story {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly company: { readonly name: string; readonly slug: string; readonly domain: string };
  readonly client: { readonly name: string };
  readonly industry: string;
  readonly country: string;
  readonly published_at: string;
  readonly licence: "generated";
  readonly body: string;
}

export interface StoryOptions {
  readonly count: number;
  readonly companies: number;
  /** Names of the taxonomy. */
  readonly industries: readonly string[];
  readonly random: Random;
}

const COUNTRIES = "US GB DE FR NL SE ES IT CH PL CA BR MX AU JP IN SG KR ZA AE".split(" ");
const SECTIONS = ["Background", "Approach", "Outcome", "Outlook"];
/** A section becomes one passage: more than a passage's least and fewer than its most tokens. */
const SECTION_WORDS = 122;
/** Sentences of a story that are its main subject's; the others are another subject's. */
const OWN = 0.7;

/**
 * Generated case studies, each marked as such: sentences of two subjects with other figures in four
 * sections. The number of stories a company has falls with its rank (Zipf); industries have between 1% and 8%.
 */
export function* generateStories(wording: Wording, options: StoryOptions): Generator<Story> {
  const { count, companies, industries, random } = options;
  const company = weighted(Array.from({ length: companies }, (_, rank) => 1 / (rank + 1)));
  const industry = weighted(industries.map((_, rank) => 1 / (rank + 5)));
  for (let number = 1; number <= count; number++) {
    const serial = String(number).padStart(6, "0");
    const vendor = String(company(random()) + 1).padStart(4, "0");
    const main = pick(wording.subjects, random);
    const other = pick(wording.subjects, random);
    const client = `${inventedName(random, 3)} ${inventedName(random, 2)}`;
    const year = 2012 + Math.floor(random() * 14);
    const day = new Date(Date.UTC(year, 0, 1 + Math.floor(random() * 365)));
    yield {
      id: `generated-${serial}`,
      title: `${mixedTitle(main.title, other.title)} (generated)`,
      url: `https://vendor-${vendor}.example/generated/${serial}`,
      company: { name: `Vendor ${vendor}`, slug: `vendor-${vendor}`, domain: `vendor-${vendor}.example` },
      client: { name: client },
      industry: industries[industry(random())] ?? "",
      country: pick(COUNTRIES, random),
      published_at: day.toISOString().slice(0, 10),
      licence: "generated",
      body: SECTIONS.map((heading) => `## ${heading}\n\n${section(main, other, client, random)}`).join("\n\n"),
    };
  }
}

function section(main: Subject, other: Subject, client: string, random: Random): string {
  const sentences: string[] = [];
  const used = new Set<string>();
  let words = 0;
  for (let tries = 0; words < SECTION_WORDS && tries < 60; tries++) {
    const sentence = pick((random() < OWN ? main : other).sentences, random);
    const length = sentence.split(" ").length;
    if (used.has(sentence) || words + length > SECTION_WORDS + 15) continue;
    used.add(sentence);
    sentences.push(sentence.replace(/\d{1,6}/g, (digits) => otherNumber(digits, random)));
    words += length;
  }
  sentences.splice(1, 0, `${client} works on it since ${2000 + Math.floor(random() * 26)}.`);
  return sentences.join(" ");
}

/** As many digits, so that figures differ from story to story as they do in life. */
const otherNumber = (digits: string, random: Random) =>
  digits.replace(/\d/g, (digit, at: number) =>
    String(at === 0 && digit !== "0" ? 1 + Math.floor(random() * 9) : Math.floor(random() * 10)),
  );

function mixedTitle(first: string, second: string): string {
  const [one, two] = [first.split(" "), second.split(" ")];
  return [...one.slice(0, Math.ceil(one.length / 2)), ...two.slice(Math.ceil(two.length / 2))].join(" ").slice(0, 200);
}

/** Draws a place with the chance that its weight gives it. */
function weighted(weights: readonly number[]): (drawn: number) => number {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let so = 0;
  const ends = weights.map((weight) => {
    so += weight / sum;
    return so;
  });
  return (drawn) => {
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 1) < drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Distinct questions: the given ones, then the first half of one with the second half of another. */
export function generateQueries(given: readonly string[], count: number, random: Random): string[] {
  const queries = new Set(given.slice(0, count));
  for (let tries = 0; queries.size < count && tries < count * 50; tries++) {
    const [one, two] = [pick(given, random).split(" "), pick(given, random).split(" ")];
    queries.add([...one.slice(0, Math.ceil(one.length / 2)), ...two.slice(Math.floor(two.length / 2))].join(" "));
  }
  return [...queries];
}
