import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createRandom, type Random } from "../../scripts/random.ts";
import { createParseContext, isProblems, parseRecord } from "../../src/casestudies/record.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../../src/casestudies/taxonomy/packed.ts";
import { passageContext } from "../../src/casestudies/text/passages.ts";
import { openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import { generateQueries, generateStories, type Story } from "./search-stories.ts";
import type { Wording } from "./search-wording.ts";

/** One passage, the same for every engine. Its number is its line in this file and in the file of vectors. */
export interface Passage {
  readonly study: string;
  readonly company: string;
  readonly industry: string;
  readonly title: string;
  readonly text: string;
}

export interface Query {
  readonly text: string;
  /** For the run with a filter on the industry, and for the one on the company. */
  readonly industry: string;
  readonly company: string;
}

/** The content of `material.json`, which describes the folder. */
export interface Material {
  readonly source: string;
  readonly studies: number;
  readonly passages: number;
  /** Number of passages of the first N case studies, for each measured size. */
  readonly passagesUntil: Readonly<Record<number, number>>;
  readonly dimensions: number;
  readonly queries: readonly Query[];
  readonly industryShare: number;
  readonly companyStudies: number;
  readonly embedSeconds: number;
}

export const FILES = {
  studies: "studies.jsonl",
  passages: "passages.jsonl",
  vectors: "vectors.f32",
  queries: "queries.f32",
};

const COMPANIES = 2_000;
const INDUSTRIES = 40;
const QUERIES = 350;
const BATCH = 512;
const SEED = 20_261_121;

/** Case studies of as many vendors and industries as every run has. */
export function storiesOf(wording: Wording, count: number, random: Random): Generator<Story> {
  const industries = [...loadBuiltInIndustries().nameBySlug.values()].slice(0, INDUSTRIES);
  return generateStories(wording, { count, companies: COMPANIES, industries, random });
}

/** Writes the case studies, their passages as the product splits them, and their vectors, once for all engines. */
export async function writeMaterial(
  folder: string,
  wording: Wording,
  { count, sizes }: { count: number; sizes: readonly number[] },
): Promise<Material> {
  await mkdir(folder, { recursive: true });
  const random = createRandom(SEED);
  const industries = loadBuiltInIndustries();
  const tools = createParseContext({ industries, outcomeMetrics: loadBuiltInOutcomeMetrics() });
  const encoder = await openBuiltInEncoder({ unpackDir: join(folder, "native") });
  const inIndustry = new Map<string, number>();
  const inCompany = new Map<string, number>();
  const passagesUntil: Record<number, number> = {};
  let [studies, passages, embedSeconds] = [0, 0, 0];
  const stories = storiesOf(wording, count, random);
  try {
    for (let batch = take(stories, BATCH); batch.length > 0; batch = take(stories, BATCH)) {
      const read = batch.map((story) => {
        const study = parseRecord(story, tools);
        if (isProblems(study)) throw new Error(`a generated story is refused: ${JSON.stringify(study)}`);
        return study;
      });
      const began = performance.now();
      const contexts = read.flatMap((study) => study.passages.map((passage) => passageContext(study, passage)));
      const vectors = await encoder.encode(contexts, "passage");
      embedSeconds += (performance.now() - began) / 1_000;
      const rows = read.flatMap((study, at) =>
        study.passages.map(({ text }): Passage => {
          const { company, industry, title } = batch[at]!;
          return { study: study.id, company: company.slug, industry, title, text };
        }),
      );
      await appendFile(join(folder, FILES.studies), lines(batch));
      await appendFile(join(folder, FILES.passages), lines(rows));
      await appendFile(join(folder, FILES.vectors), joined(vectors, encoder.dimensions));
      for (const { industry, company } of batch) {
        inIndustry.set(industry, (inIndustry.get(industry) ?? 0) + 1);
        inCompany.set(company.slug, (inCompany.get(company.slug) ?? 0) + 1);
      }
      for (const study of read) {
        studies++;
        passages += study.passages.length;
        if (sizes.includes(studies)) passagesUntil[studies] = passages;
      }
    }
    const [industry, industryCount] = nearestTo(inIndustry, studies * 0.05)[0] ?? ["", 0];
    const some = nearestTo(inCompany, 20).slice(0, 20);
    const queries = generateQueries(wording.queries, QUERIES, random).map((text, at) => ({
      text,
      industry,
      company: some[at % some.length]?.[0] ?? "",
    }));
    const asked = await encoder.encode(
      queries.map(({ text }) => text),
      "query",
    );
    await Bun.write(join(folder, FILES.queries), joined(asked, encoder.dimensions));
    const material: Material = {
      source: wording.source,
      studies,
      passages,
      passagesUntil,
      dimensions: encoder.dimensions,
      queries,
      industryShare: industryCount / studies,
      companyStudies: some.reduce((sum, [, own]) => sum + own, 0) / Math.max(1, some.length),
      embedSeconds,
    };
    await Bun.write(join(folder, "material.json"), JSON.stringify(material));
    return material;
  } finally {
    await encoder.close();
  }
}

function take<T>(items: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const { value, done } = items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

const nearestTo = (counts: ReadonlyMap<string, number>, wanted: number) =>
  [...counts].sort((a, b) => Math.abs(a[1] - wanted) - Math.abs(b[1] - wanted));
const lines = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join("");

function joined(vectors: readonly Float32Array[], dimensions: number): Uint8Array {
  const all = new Float32Array(vectors.length * dimensions);
  vectors.forEach((vector, at) => {
    all.set(vector, at * dimensions);
  });
  return new Uint8Array(all.buffer);
}
