import { join } from "node:path";
import type { Random } from "../../scripts/random.ts";

/** The material of generated case studies. */
export interface Wording {
  /** Where the sentences come from, as the report says it. */
  readonly source: string;
  /** Sentences of one subject each: stories that share a subject are alike. */
  readonly subjects: readonly Subject[];
  readonly queries: readonly string[];
}

export interface Subject {
  readonly title: string;
  readonly sentences: readonly string[];
}

const SENTENCE = /(?<=[.!?])\s+(?=[A-Z“"])/;
const LEAST_SENTENCES = 12;

/** Takes the sentences of `case-studies.jsonl` and the questions of `queries.jsonl` in a folder. */
export async function corpusWording(folder: string): Promise<Wording> {
  const [records, questions] = await Promise.all([
    linesOf(join(folder, "case-studies.jsonl")),
    linesOf(join(folder, "queries.jsonl")),
  ]);
  const subjects = records
    .map((line): { title: string; body_markdown?: string; body?: string } => JSON.parse(line))
    .map(({ title, body_markdown, body }) => ({ title, sentences: sentencesOf(body_markdown ?? body ?? "") }))
    .filter(({ sentences }) => sentences.length >= LEAST_SENTENCES);
  const queries = questions.map((line) => String(JSON.parse(line).query));
  return { source: `sentences of ${subjects.length} published stories, recombined`, subjects, queries };
}

/** Sentences of words that mean nothing, in subjects that share some of them, so that no corpus is needed. */
export function inventedWording(random: Random): Wording {
  const common = words(400, random);
  const subjects = Array.from({ length: 300 }, () => {
    const own = words(120, random);
    const sentence = () => {
      const length = 9 + Math.floor(random() * 14);
      const told = Array.from({ length }, () => (random() < 0.55 ? zipf(common, random) : zipf(own, random)));
      return `${capital(told.join(" "))}.`;
    };
    return {
      title: capital(Array.from({ length: 5 }, () => zipf(own, random)).join(" ")),
      sentences: Array.from({ length: 40 }, sentence),
    };
  });
  const queries = subjects
    .slice(0, 60)
    .map(({ sentences }) => (sentences[0] ?? "").toLowerCase().split(" ").slice(0, 9).join(" "));
  return { source: "invented words", subjects, queries };
}

const SYLLABLES =
  "ba be bo da de do fa fi ga go ka ke la le li lo ma me mi na ne no pa pe ra re ro sa se so ta te to va vi".split(" ");

export function inventedName(random: Random, syllables: number): string {
  return capital(Array.from({ length: syllables }, () => pick(SYLLABLES, random)).join(""));
}

export const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)]!;

const words = (count: number, random: Random) =>
  Array.from({ length: count }, () => inventedName(random, 2 + Math.floor(random() * 3)).toLowerCase());
/** The first words come far oftener than the last ones. */
const zipf = (items: readonly string[], random: Random) => items[Math.floor(items.length ** random()) - 1] ?? "";
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

async function linesOf(path: string): Promise<string[]> {
  return (await Bun.file(path).text()).split("\n").filter((line) => line.trim() !== "");
}

function sentencesOf(markdown: string): string[] {
  return markdown
    .replace(/!?\[([^\]]{0,300})\]\([^)]{0,500}\)/g, "$1")
    .split("\n")
    .filter((line) => !/^\s*(#|\||```|<|!)/.test(line))
    .flatMap((line) => line.replace(/^[\s>*-]+|[*_`]/g, "").split(SENTENCE))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 40 && sentence.length <= 400);
}
