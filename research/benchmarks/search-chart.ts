import { join } from "node:path";
import type { Growth } from "./search-growth.ts";

/**
 * `npx bun research/benchmarks/search-chart.ts` draws the pictures of searches in `docs` from `test/evaluation/search-bench.json` and
 * `search-growth.json`: the median time of a question for each engine, the time by the number of callers, and the cost by size.
 */

const NAMES: Readonly<Record<string, string>> = {
  casefile: "Casefile",
  "sqlite-vec": "sqlite-vec + FTS5",
  orama: "Orama",
  chroma: "Chroma, vectors alone",
};

interface Times {
  readonly p50: number;
  readonly p95?: number;
}

interface Row {
  readonly engine: string;
  readonly studies: number;
  readonly asked?:
    | {
        readonly alone?: { readonly none?: Times };
        readonly between?: Readonly<Record<string, Times>> | null;
        readonly together?: { readonly none?: Times } | null;
      }
    | undefined;
}

const WIDTH = 640;
const LEFT = 210;
const RIGHT = 64;
const ROW = 34;
const TOP = 12;
const DECADES = 4;
const x = (milliseconds: number) => LEFT + (Math.log10(Math.max(1, milliseconds)) / DECADES) * (WIDTH - LEFT - RIGHT);
const shown = (value: number) => Number(value.toPrecision(value < 100 ? 2 : 3)).toLocaleString("en");
const [OURS, OTHERS, GRID] = ["#2f6fde", "#8a93a3", "#c8ccd4"];

const text = (left: number, top: number, words: string, anchor: "start" | "middle" | "end") =>
  `<text x="${left.toFixed(0)}" y="${top.toFixed(0)}" text-anchor="${anchor}">${words}</text>`;

const picture = (height: number, parts: readonly string[]) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12" fill="#4a5363">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");

/** A bar for each engine and size. Rows without a measurement are omitted. */
export function chartOf(rows: readonly Row[]): string {
  const bars = rows
    .flatMap(({ engine, studies, asked }) => {
      const p50 = asked?.alone?.none?.p50;
      return p50 === undefined ? [] : [{ name: NAMES[engine] ?? engine, studies, p50 }];
    })
    .sort((a, b) => b.studies - a.studies || a.p50 - b.p50);
  const bottom = TOP + bars.length * ROW;
  const ticks = Array.from({ length: DECADES + 1 }, (_, power) => {
    const at = x(10 ** power).toFixed(0);
    const label = text(Number(at), bottom + 18, `${(10 ** power).toLocaleString("en")} ms`, "middle");
    return `<line x1="${at}" x2="${at}" y1="${TOP}" y2="${bottom}" stroke="${GRID}"/>${label}`;
  });
  const drawn = bars.map(({ name, studies, p50 }, at) => {
    const top = TOP + at * ROW + 6;
    const colour = name === NAMES.casefile ? OURS : OTHERS;
    return [
      text(LEFT - 8, top + 15, `${name}, ${studies.toLocaleString("en")}`, "end"),
      `<rect x="${LEFT}" y="${top}" width="${(x(p50) - LEFT).toFixed(1)}" height="${ROW - 12}" fill="${colour}"/>`,
      text(x(p50) + 6, top + 15, shown(p50), "start"),
    ].join("");
  });
  return picture(bottom + 28, [...ticks, ...drawn]);
}

/** A line through measurements; the last one is labelled. */
interface Line {
  readonly name: string;
  readonly colour: string;
  readonly isDashed?: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly unit: string;
  /** Of the axis below, whose values lie at equal steps. */
  readonly steps: readonly number[];
  readonly isLogarithmic?: boolean;
}

const PANEL = { title: 18, foot: 24, left: 44, right: 118, line: 13 } as const;

function panelOf(
  { title, lines, unit, steps, isLogarithmic = false }: Panel,
  box: { x: number; y: number; width: number; height: number },
): string[] {
  const values = lines.flatMap(({ points }) => points.map(([, y]) => y));
  if (values.length === 0) return [];
  const most = Math.max(...values);
  const least = isLogarithmic ? 10 ** Math.floor(Math.log10(Math.min(...values))) : 0;
  const scale = 10 ** Math.floor(Math.log10(most));
  const top = isLogarithmic ? 10 ** Math.ceil(Math.log10(most)) : Math.ceil((most / scale) * 2) * (scale / 2);
  const [start, end] = [box.y + PANEL.title, box.y + box.height - PANEL.foot];
  const left = box.x + PANEL.left;
  const width = box.width - PANEL.left - PANEL.right;
  const yOf = (value: number) => {
    const part = isLogarithmic ? Math.log(value / least) / Math.log(top / least) : value / top;
    return end - part * (end - start);
  };
  const xOf = (value: number) => left + (Math.max(0, steps.indexOf(value)) / Math.max(1, steps.length - 1)) * width;
  const marks = isLogarithmic
    ? Array.from({ length: Math.round(Math.log10(top / least)) + 1 }, (_, power) => least * 10 ** power)
    : [0, top / 2, top];
  const grid = marks.map(
    (value) =>
      `<line x1="${left}" x2="${left + width}" y1="${yOf(value).toFixed(1)}" y2="${yOf(value).toFixed(1)}" stroke="${GRID}"/>${text(left - 6, yOf(value) + 4, shown(value), "end")}`,
  );
  const below = steps.map((value) => text(xOf(value), end + 16, short(value), "middle"));
  // Labels of lines that end close to each other are set apart, the highest value first.
  const order = lines.toSorted((one, two) => (two.points.at(-1)?.[1] ?? 0) - (one.points.at(-1)?.[1] ?? 0));
  const labels = new Map<Line, number>();
  for (const line of order) {
    const before = Math.max(Number.NEGATIVE_INFINITY, ...labels.values());
    labels.set(line, Math.max(yOf(line.points.at(-1)?.[1] ?? 0), before + PANEL.line));
  }
  const drawn = lines.map((line) => {
    const { name, colour, isDashed, points } = line;
    const last = points.at(-1);
    if (!last) return "";
    const path = points.map(([at, value]) => `${xOf(at).toFixed(1)},${yOf(value).toFixed(1)}`).join(" ");
    const dots = points.map(
      ([at, value]) =>
        `<circle cx="${xOf(at).toFixed(1)}" cy="${yOf(value).toFixed(1)}" r="3" fill="${colour}"><title>${name}, ${short(at)}: ${shown(value)} ${unit}</title></circle>`,
    );
    const dashes = isDashed ? ' stroke-dasharray="4 4"' : "";
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>${dots.join("")}${text(xOf(last[0]) + 8, (labels.get(line) ?? 0) + 4, `${name} ${shown(last[1])}`, "start")}`;
  });
  return [text(box.x + 4, box.y + 10, `${title}, ${unit}`, "start"), ...grid, ...below, ...drawn];
}

const short = (value: number) =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 10_000 ? `${value / 1_000}k` : value.toLocaleString("en");

/** The median (solid) and 95th percentile (dashed) of a question by the number of callers, for engines that took several. */
export function callersChartOf(rows: readonly Row[]): string {
  const most = Math.max(0, ...rows.map(({ studies }) => studies));
  const lines = rows.flatMap(({ engine, studies, asked }): Line[] => {
    const { alone, between, together } = asked ?? {};
    if (studies !== most || !alone?.none || !between || !together?.none) return [];
    const times: [number, Times][] = [
      [1, alone.none],
      ...Object.entries(between).map(([callers, each]): [number, Times] => [Number(callers), each]),
      [16, together.none],
    ];
    const colour = engine === "casefile" ? OURS : OTHERS;
    const name = (NAMES[engine] ?? engine).split(/[ ,]/)[0] ?? engine;
    return [
      { name: `${name} p50`, colour, points: times.map(([callers, { p50 }]) => [callers, p50]) },
      {
        name: `${name} p95`,
        colour,
        isDashed: true,
        points: times.map(([callers, { p50, p95 = p50 }]) => [callers, p95]),
      },
    ];
  });
  const box = { x: 0, y: 6, width: WIDTH, height: 274 };
  const title = `One question by the number of callers, ${most.toLocaleString("en")} case studies`;
  return picture(286, panelOf({ title, unit: "ms", lines, steps: [1, 2, 4, 8, 16], isLogarithmic: true }, box));
}

/** What 10,000 to a million case studies cost. */
export function growthChartOf(rows: readonly Growth[]): string {
  const steps = rows.map(({ studies }) => studies);
  const line = (name: string, of: (row: Growth) => number, isDashed = false): Line => ({
    name,
    colour: isDashed ? OTHERS : OURS,
    isDashed,
    points: rows.map((row) => [row.studies, of(row)]),
  });
  const panels: Panel[] = [
    {
      title: "Processor time of a question",
      unit: "ms",
      steps,
      lines: [line("p50", ({ processor }) => processor.p50), line("p95", ({ processor }) => processor.p95, true)],
    },
    {
      title: "Taken in by one core",
      unit: "a second",
      steps,
      lines: [line("", ({ added, importSeconds, indexSeconds }) => added / (importSeconds + indexSeconds))],
    },
    {
      title: "Memory",
      unit: "GiB",
      steps,
      lines: [
        line("searching", ({ residentMb }) => residentMb / 1_024),
        line("indexing", ({ indexPeakMb }) => indexPeakMb / 1_024, true),
      ],
    },
    {
      title: "Disk",
      unit: "GB",
      steps,
      lines: [
        line("database", ({ databaseMb }) => databaseMb / 1_000),
        line("index", ({ indexMb }) => indexMb / 1_000, true),
      ],
    },
  ];
  const [width, height] = [WIDTH / 2, 180];
  return picture(
    height * 2 + 6,
    panels.flatMap((panel, at) =>
      panelOf(panel, { x: (at % 2) * width, y: 6 + Math.floor(at / 2) * height, width, height: height - 8 }),
    ),
  );
}

/** Draws every picture whose figures are kept. */
export async function drawSearchCharts(root: string): Promise<void> {
  const kept = (name: string) => Bun.file(join(root, "test/evaluation", name));
  const { rows }: { rows: Row[] } = await kept("search-bench.json").json();
  await Bun.write(join(root, "docs/search-latency.svg"), chartOf(rows));
  if (rows.some(({ asked }) => asked?.between))
    await Bun.write(join(root, "docs/search-callers.svg"), callersChartOf(rows));
  if (await kept("search-growth.json").exists())
    await Bun.write(join(root, "docs/search-growth.svg"), growthChartOf(await kept("search-growth.json").json()));
}

if (import.meta.main) await drawSearchCharts(join(import.meta.dir, "../.."));
