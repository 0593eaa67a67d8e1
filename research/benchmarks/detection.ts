import { parseDomain } from "../../src/core/domain.ts";
import { createEvidenceStore } from "../../src/detection/evidence.ts";
import type { Catalogue } from "../../src/detection/fingerprints/catalogue.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import { pageSignals } from "../../src/detection/scanners/page-signals.ts";
import type { Signal } from "../../src/detection/signals.ts";
import { benchPage } from "./detection-page.ts";

const RUNS = 201;
const LOADS = 31;
const SOURCE = "bench";

/** Milliseconds by the clock, which others on the machine lengthen, and of the processor, which they hardly do. */
interface Time {
  readonly clock: number;
  readonly processor: number;
}

/**
 * Two pages of 300 KiB with headers: signals taken from them, and matched against the whole catalogue. Also the time to
 * load the catalogue, and what the first load and the first page of a process cost, before anything is warm.
 * Targets: 5 ms for both on the typical page, 60 ms to load.
 *
 * The pages are fixed, so that figures of different days can be compared: a page made of the catalogue's own proofs grows
 * with it.
 */
export function benchDetection(): void {
  const firstLoad = timeOf(() => void loadBuiltInCatalogue());
  const catalogue = loadBuiltInCatalogue();
  const pages = (["typical", "heavy"] as const).map((size) => ({ size, exchange: benchPage(size) }));
  const domain = parseDomain("bench.example", ["example"]);
  // The signals of an exchange are kept, so each run reads another one.
  const take = (page: number) => pageSignals({ ...pages[page]!.exchange }, domain);
  const firstPage = timeOf(() => void detectionsOf(catalogue, take(0)));
  const rules = [...catalogue.tools.values()].reduce((sum, tool) => sum + tool.rules.length, 0);
  console.log(`catalogue: ${catalogue.tools.size} tools, ${rules} rules`);
  report("first load", [firstLoad]);
  report(
    "load the catalogue",
    measure(LOADS, () => void loadBuiltInCatalogue()),
  );
  report("first page", [firstPage]);
  for (const [page, { size, exchange }] of pages.entries()) {
    const signals = take(page);
    console.log(
      `${size} page: ${Math.round(exchange.body.length / 1024)} KiB, ${exchange.headers.length} headers, ${signals.length} signals, ${detectionsOf(catalogue, signals).length} tools told`,
    );
    report(
      "take the signals",
      measure(RUNS, () => void take(page)),
    );
    report(
      "match and merge",
      measure(RUNS, () => void detectionsOf(catalogue, signals)),
    );
    report(
      "both",
      measure(RUNS, () => void detectionsOf(catalogue, take(page))),
    );
  }
}

function detectionsOf(catalogue: Catalogue, signals: readonly Signal[]) {
  const ledger = createEvidenceStore(catalogue);
  for (const signal of signals) ledger.add(SOURCE, signal);
  return ledger.detections();
}

function measure(runs: number, work: () => void): Time[] {
  for (let warm = 0; warm < runs / 5; warm++) work();
  return Array.from({ length: runs }, () => timeOf(work));
}

function timeOf(work: () => void): Time {
  const used = process.cpuUsage();
  const began = performance.now();
  work();
  const clock = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  return { clock, processor: (user + system) / 1_000 };
}

function report(name: string, times: readonly Time[]): void {
  const told = (key: keyof Time) => {
    const sorted = times.map((time) => time[key]).sort((a, b) => a - b);
    const at = (part: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(2);
    return sorted.length === 1 ? `${at(0)} ms` : `fastest ${at(0)}, median ${at(0.5)}, p95 ${at(0.95)} ms`;
  };
  console.log(`  ${name.padEnd(20)} ${told("clock")}   processor: ${told("processor")}   (${times.length})`);
}
