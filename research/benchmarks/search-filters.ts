import { join, resolve } from "node:path";
import { createRandom } from "../../scripts/random.ts";
import type { PassageFilter, PassageRows } from "../../src/casestudies/index/passage-memory.ts";

/**
 * Processor time of both sides of a search in memory, by filter, over generated passages: `bun
 * research/benchmarks/search-filters.ts [TREE]`, where TREE is another checkout, so that two can be compared in the same minute.
 */

const [DIMENSIONS, BATCH, PASSAGES_OF_STUDY, TERMS] = [256, 8_192, 4, 5];
const PASSAGES = 420_000;
const VOCABULARY = 500;
const [LIMIT, WARM_UP, QUESTIONS] = [60, 10, 200];
const [INDUSTRIES, COMPANIES] = [20, 5_000];
const FILTERS: Readonly<Record<string, PassageFilter>> = {
  none: {},
  "a half": { country: "DE" },
  "a twentieth": { industries: ["industry 3"] },
  "20 case studies": { company: "company 77" },
};

const [tree = join(import.meta.dir, "../..")] = process.argv.slice(2);
const { createPassageMemory }: typeof import("../../src/casestudies/index/passage-memory.ts") = await import(
  resolve(tree, "src/casestudies/index/passage-memory.ts")
);
const random = createRandom(11);
const memory = createPassageMemory(DIMENSIONS);
for (let first = 0; first < PASSAGES; first += BATCH) memory.add(rowsFrom(first, Math.min(BATCH, PASSAGES - first)));

const vectors = Array.from({ length: QUESTIONS }, () =>
  Float32Array.from({ length: DIMENSIONS }, () => (random() - 0.5) / 4.6),
);
const queries = Array.from({ length: QUESTIONS }, () =>
  Uint32Array.from([TERMS, ...Array.from({ length: TERMS }, () => (Math.floor(random() ** 2 * VOCABULARY) << 4) | 1)]),
);
for (const [name, filter] of Object.entries(FILTERS)) {
  const nearest = measured((at) => memory.nearest(vectors[at]!, LIMIT, filter));
  const words = measured((at) => memory.keyword(queries[at]!, LIMIT, filter));
  console.log(`${name}: vectors ${nearest.toFixed(2)} ms, words ${words.toFixed(2)} ms`);
}

/** Milliseconds of processor time of one question. */
function measured(search: (question: number) => unknown): number {
  for (let at = 0; at < WARM_UP; at += 1) search(at);
  const before = process.threadCpuUsage();
  for (let at = 0; at < QUESTIONS; at += 1) search(at);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / QUESTIONS;
}

/** Rows of consecutive case studies, whose company and industry follow no order. */
function rowsFrom(first: number, count: number): PassageRows {
  const studyOf = (at: number) => Math.floor((first + at) / PASSAGES_OF_STUDY);
  const mixed = (at: number, of: number) => Math.floor(((studyOf(at) * 0.618_033_988_75) % 1) * of);
  const coded = (values: readonly (string | null)[], codeOf: (at: number) => number) => ({
    values,
    codes: Uint32Array.from({ length: count }, (_, at) => codeOf(at)),
  });
  const numbered = (name: string, most: number) => Array.from({ length: most }, (_, at) => `${name} ${at}`);
  const none = coded([null], () => 0);
  const perRow = TERMS + 1;
  const terms = new Uint32Array(count * perRow);
  for (let at = 0; at < terms.length; at += 1)
    terms[at] = at % perRow === 0 ? TERMS : (Math.floor(random() ** 2 * VOCABULARY) << 4) | 1;
  return {
    passages: Float64Array.from({ length: count }, (_, at) => first + at + 1),
    writes: new Float64Array(count).fill(1),
    names: {
      study: coded(
        Array.from({ length: Math.ceil(count / PASSAGES_OF_STUDY) }, (_, at) => `study ${studyOf(0) + at}`),
        (at) => studyOf(at) - studyOf(0),
      ),
      company: coded(numbered("company", COMPANIES), (at) => mixed(at, COMPANIES)),
      industry: coded(numbered("industry", INDUSTRIES), (at) => mixed(at, INDUSTRIES)),
      client: none,
      country: coded(["DE", "US"], (at) => studyOf(at) % 2),
      published_at: none,
    },
    vectors: Int8Array.from({ length: count * DIMENSIONS }, () => Math.floor(random() * 255) - 127),
    scales: new Float32Array(count).fill(1 / 1_180),
    terms,
    offsets: Uint32Array.from({ length: count + 1 }, (_, at) => at * perRow),
  };
}
