import { join } from "node:path";
import type { Precision } from "./adjudicate.ts";
import { BINS, type Bin, type Calibration } from "./calibration.ts";
import type { PageFigures } from "./pages.ts";

/**
 * `npx bun research/evaluation/calibration-chart.ts` prints the table of `docs/detection.md` and draws `docs/calibration.svg` from
 * the figures in `test/evaluation`: how often a confidence is right.
 */

const ROOT = join(import.meta.dir, "../..");

/** The bins of several parts together. */
export function merged(parts: readonly Calibration[]): Calibration {
  return Object.fromEntries(
    BINS.map(([name]): [string, Bin] => {
      const bins = parts.flatMap((part) => part[name] ?? []);
      const sum = (of: (bin: Bin) => number) => bins.reduce((total, bin) => total + of(bin), 0);
      const [detected, labelled] = [sum((bin) => bin.detected), sum((bin) => bin.labelled)];
      const confidence = sum((bin) => (bin.confidence ?? 0) * bin.detected);
      return [
        name,
        {
          detected,
          labelled,
          forbidden: sum((bin) => bin.forbidden),
          confidence: detected === 0 ? null : rounded(confidence / detected),
          labelled_share: detected === 0 ? null : rounded(labelled / detected),
        },
      ];
    }),
  );
}

/** A Markdown table: a row for each bin with detections. */
export function tableOf(calibration: Calibration, read: Precision["by_confidence"]): string {
  const rows = Object.entries(calibration).flatMap(([name, { detected, labelled, labelled_share }]) => {
    if (labelled_share === null) return [];
    const { right, of } = read[name] ?? { right: 0, of: 0 };
    const byReading = of === 0 ? "" : `${percent(right / of)} of ${of}`;
    return [`| ${name} | ${detected} | ${labelled} | ${percent(labelled_share)} | ${byReading} |`];
  });
  return [
    "| confidence | reported | labelled | share | right by reading |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

const WIDTH = 640;
const HEIGHT = 400;
const LEFT = 64;
const RIGHT = 24;
const TOP = 24;
const BOTTOM = 56;
const x = (confidence: number) => LEFT + confidence * (WIDTH - LEFT - RIGHT);
const y = (share: number) => HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);

/** Bars: the share of labelled detections by confidence. Rings: the share that is right by reading. */
export function chartOf(calibration: Calibration, read: Precision["by_confidence"]): string {
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line x1="${LEFT}" y1="${y(share)}" x2="${WIDTH - RIGHT}" y2="${y(share)}" stroke="#e3e3de"/>` +
      `<text x="${LEFT - 8}" y="${y(share) + 4}" text-anchor="end">${percent(share)}</text>` +
      `<text x="${x(share)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${percent(share)}</text>`,
  );
  const bins = Object.entries(calibration).flatMap(([name, { confidence, labelled_share, detected }]) => {
    if (confidence === null || labelled_share === null || detected < MIN_DETECTED) return [];
    const bar = `<rect x="${x(confidence) - 13}" y="${y(labelled_share)}" width="26" height="${y(0) - y(labelled_share)}" rx="2" fill="#3b6ea8"><title>${name}: ${percent(labelled_share)} of ${detected} labelled</title></rect>`;
    const { right, of } = read[name] ?? { right: 0, of: 0 };
    const ring =
      of < MIN_READ
        ? ""
        : `<circle cx="${x(confidence)}" cy="${y(right / of)}" r="6" fill="#fff" stroke="#b4531a" stroke-width="3"><title>${name}: ${right} of ${of} right by reading</title></circle>`;
    return [bar + ring];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="13" fill="#3a3a36" role="img" aria-label="Share of right detections by confidence">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${grid.join("\n")}
<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#8a8a82" stroke-dasharray="5 5"/>
${bins.join("\n")}
<text x="${x(0.5)}" y="${HEIGHT - 12}" text-anchor="middle">confidence</text>
<text x="${LEFT + 12}" y="${TOP + 20}">bar: labelled, a lower bound</text>
<text x="${LEFT + 12}" y="${TOP + 40}">ring: right by reading</text>
<text x="${LEFT + 12}" y="${TOP + 60}">dashed: ideal</text>
</svg>
`;
}

/** A bin with fewer says nothing. */
const MIN_DETECTED = 10;
const MIN_READ = 10;

const percent = (share: number) => `${Math.round(share * 100)}%`;
const rounded = (share: number) => Math.round(share * 1_000) / 1_000;

async function main(): Promise<void> {
  const pages: PageFigures = await Bun.file(join(ROOT, "test/evaluation/pages.json")).json();
  const read: Precision = await Bun.file(join(ROOT, "test/evaluation/adjudication.json")).json();
  const parts = Object.entries(pages).flatMap(([name, part]) =>
    part && name.startsWith("validation") ? [part.calibration] : [],
  );
  const calibration = merged(parts);
  await Bun.write(join(ROOT, "docs/calibration.svg"), chartOf(calibration, read.by_confidence));
  console.log(tableOf(calibration, read.by_confidence));
}

if (import.meta.main) await main();
