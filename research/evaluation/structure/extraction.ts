import { extractPage } from "../../../src/casestudies/extract/extract-child.ts";
import type { PageText } from "../../../src/casestudies/types.ts";
import { type CorpusPage, type StructureCorpus, vendorsKeptApart } from "./corpus.ts";
import { wordOverlap, wordsOf } from "./word-overlap.ts";

interface TextFigures {
  readonly pages: number;
  readonly word_f1_median: number;
  readonly word_f1_mean: number;
  readonly word_f1_lowest: number;
  readonly precision: number;
  readonly recall: number;
}

export interface ExtractionFigures {
  readonly rendered: TextFigures;
  readonly content: TextFigures;
  readonly record: TextFigures;
  readonly titles: { readonly pages: number; readonly right: number };
  readonly dates: {
    /** Pages with a date, and the share of them that was read correctly. */
    readonly told: number;
    readonly right: number;
    readonly by_sign: Readonly<Record<string, number>>;
    /** Pages without a date, and the share of them for which one was reported. */
    readonly untold: number;
    readonly invented: number;
  };
  readonly ms_median: number;
  /** Of a rendered page of 30 to 130 KB. */
  readonly ms_median_rendered: number;
}

/** Compares text, title and date of every page of the corpus with its record. */
export async function measureExtraction(
  { pages, records }: StructureCorpus,
  { misses }: { misses: boolean },
): Promise<ExtractionFigures> {
  const keptApart = vendorsKeptApart(records);
  const isShown = ({ record }: CorpusPage) => misses && !keptApart.has(record.vendor_slug);
  const read: { page: CorpusPage; found: PageText; ms: number; score: ReturnType<typeof wordOverlap> }[] = [];
  // The first pages pay for compiling.
  for (const { page } of pages.slice(0, 20)) await extractPage(page);
  for (const page of pages) {
    const found = await extractPage(page.page);
    const ms = await fastest(page);
    const score = wordOverlap(wordsOf(found.markdown), wordsOf(page.text));
    read.push({ page, found, ms, score });
    if (score.f1 < 0.97 && isShown(page)) console.log(`${page.name}: word-F1 ${score.f1.toFixed(3)}`);
  }
  const text = (kind: CorpusPage["kind"]): TextFigures => {
    const scores = read.filter(({ page }) => page.kind === kind).map(({ score }) => score);
    const f1 = scores.map((score) => score.f1);
    return {
      pages: scores.length,
      word_f1_median: median(f1),
      word_f1_mean: mean(f1),
      word_f1_lowest: round(Math.min(...f1)),
      precision: mean(scores.map(({ precision }) => precision)),
      recall: mean(scores.map(({ recall }) => recall)),
    };
  };
  const figures: ExtractionFigures = {
    rendered: text("rendered"),
    content: text("content"),
    record: text("record"),
    titles: {
      pages: read.length,
      right: mean(read.map(({ page, found }) => (isTitle(page, found) ? 1 : 0))),
    },
    dates: dates(read, isShown),
    ms_median: median(read.map(({ ms }) => ms)),
    ms_median_rendered: median(
      read
        .filter(({ page }) => page.kind === "rendered" && between(String(page.page.content).length, 30_000, 130_000))
        .map(({ ms }) => ms),
    ),
  };
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(20)} ${JSON.stringify(value)}`);
  return figures;

  function isTitle(page: CorpusPage, { title }: PageText): boolean {
    const { name, record } = page;
    const isRight = fold(title ?? "") === fold(record.title);
    if (!isRight && isShown(page))
      console.log(`${name}: title ${JSON.stringify(title)}, not ${JSON.stringify(record.title)}`);
    return isRight;
  }
}

/** Milliseconds of the fastest of five readings: the machine may be busy with something else. */
async function fastest({ page }: CorpusPage): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    await extractPage(page);
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

function dates(
  read: readonly { page: CorpusPage; found: PageText }[],
  isShown: (page: CorpusPage) => boolean,
): ExtractionFigures["dates"] {
  const told = read.filter(({ page }) => typeof page.published_at === "string");
  const untold = read.filter(({ page }) => page.published_at === null);
  const isRight = ({ page, found }: (typeof told)[number]) => found.published_at === page.published_at;
  for (const { page, found } of [...told, ...untold].filter((one) => !isRight(one) && isShown(one.page)))
    console.log(`${page.name}: date ${found.published_at} from ${found.published_from}, not ${page.published_at}`);
  const bySign = Map.groupBy(told.filter(isRight), ({ found }) => found.published_from ?? "none");
  return {
    told: told.length,
    right: round(told.filter(isRight).length / told.length),
    by_sign: Object.fromEntries([...bySign].map(([sign, ones]) => [sign, ones.length])),
    untold: untold.length,
    invented: round(untold.filter(({ found }) => found.published_at !== null).length / untold.length),
  };
}

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
const between = (value: number, low: number, high: number) => value >= low && value <= high;
const round = (value: number) => Math.round(value * 10_000) / 10_000;
const mean = (values: readonly number[]) => round(values.reduce((sum, value) => sum + value, 0) / values.length);
const median = (values: readonly number[]) => round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0);
