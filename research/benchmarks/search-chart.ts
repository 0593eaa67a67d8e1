import { join } from "node:path";

/**
 * `bun research/benchmarks/search-chart.ts` draws `docs/search-latency.svg` from `test/evaluation/search-bench.json`: the median
 * time of a question for each engine, on a logarithmic scale.
 */

const ROOT = join(import.meta.dir, "../..");
const NAMES: Readonly<Record<string, string>> = {
  casefile: "Casefile",
  "sqlite-vec": "sqlite-vec + FTS5",
  orama: "Orama",
  chroma: "Chroma, vectors alone",
};

interface Row {
  readonly engine: string;
  readonly studies: number;
  readonly asked?: { readonly alone?: { readonly none?: { readonly p50: number } } } | undefined;
}

const WIDTH = 640;
const LEFT = 210;
const RIGHT = 64;
const ROW = 34;
const TOP = 12;
const DECADES = 4;
const x = (milliseconds: number) => LEFT + (Math.log10(Math.max(1, milliseconds)) / DECADES) * (WIDTH - LEFT - RIGHT);
const shown = (milliseconds: number) =>
  Number(milliseconds.toPrecision(milliseconds < 100 ? 2 : 3)).toLocaleString("en");

/** Rows without a measurement are omitted. */
export function chartOf(rows: readonly Row[]): string {
  const bars = rows
    .flatMap(({ engine, studies, asked }) => {
      const p50 = asked?.alone?.none?.p50;
      return p50 === undefined ? [] : [{ name: NAMES[engine] ?? engine, studies, p50 }];
    })
    .sort((a, b) => b.studies - a.studies || a.p50 - b.p50);
  const bottom = TOP + bars.length * ROW;
  const text = (left: number, top: number, words: string, anchor: string) =>
    `<text x="${left.toFixed(0)}" y="${top}" text-anchor="${anchor}">${words}</text>`;
  const ticks = Array.from({ length: DECADES + 1 }, (_, power) => {
    const at = x(10 ** power).toFixed(0);
    const label = text(Number(at), bottom + 18, `${(10 ** power).toLocaleString("en")} ms`, "middle");
    return `<line x1="${at}" x2="${at}" y1="${TOP}" y2="${bottom}" stroke="#c8ccd4"/>${label}`;
  });
  const drawn = bars.map(({ name, studies, p50 }, at) => {
    const top = TOP + at * ROW + 6;
    const colour = name === NAMES.casefile ? "#2f6fde" : "#8a93a3";
    return [
      text(LEFT - 8, top + 15, `${name}, ${studies.toLocaleString("en")}`, "end"),
      `<rect x="${LEFT}" y="${top}" width="${(x(p50) - LEFT).toFixed(1)}" height="${ROW - 12}" fill="${colour}"/>`,
      text(x(p50) + 6, top + 15, shown(p50), "start"),
    ].join("");
  });
  const height = bottom + 28;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12" fill="#4a5363">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...ticks,
    ...drawn,
    "</svg>\n",
  ].join("\n");
}

if (import.meta.main) {
  const { rows }: { rows: Row[] } = await Bun.file(join(ROOT, "test/evaluation/search-bench.json")).json();
  await Bun.write(join(ROOT, "docs/search-latency.svg"), chartOf(rows));
}
