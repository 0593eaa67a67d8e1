import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningService, runCommand, startService } from "../../scripts/campaign/running.ts";
import { processorSeconds } from "../../src/processes/child.ts";
import { openBox } from "../../test/box/box.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";
import { repeated, requestsTo, STUDIES, studyLine, WARM_UP_MS } from "./nodes.ts";

/** Look-ups are answered from the database, whatever their number. */
const COMPANIES = 6;

interface Figures {
  readonly milliseconds: number[];
  readonly perSecond: number[];
}

/**
 * Cached look-ups and searches on a SQLite file, of two source trees with their packages installed. Both services run at the same time, and take turns of some seconds in alternating order, so that what else the
 * machine does meets both alike.
 */
export async function benchSingleFile(
  before: string,
  after: string | undefined,
  { seconds, pairs }: { readonly seconds: number; readonly pairs: number },
): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "casefile-bench-file-"));
  const page = '<title>Company</title><script src="https://js.stripe.com/v3/"></script>';
  const names = Array.from({ length: COMPANIES }, (_, at) => `company-${at}.test`);
  const box = await openBox({ companies: names.map((domain) => ({ domain, pages: { "/": page, "www/": page } })) });
  const running: RunningService[] = [];
  try {
    const studies = join(home, "studies.jsonl");
    await Bun.write(studies, Array.from({ length: STUDIES }, (_, at) => studyLine(at)).join("\n"));
    const builds = [];
    for (const [name, tree] of [
      ["before", before],
      ["now", after ?? join(import.meta.dir, "../..")],
    ] as const) {
      const main = join(tree, "src/main.ts");
      const folder = join(home, name);
      const imported = await runCommand(["import", studies], { "data-dir": folder }, home, main);
      if (imported.code !== 0) throw new Error(`${name}: ${imported.err}`);
      const flags = {
        ...(await flagsInto(box, folder)),
        "accounts-monthly-limit": 1_000_000_000,
        "log-level": "error",
      };
      const service = await startService(flags, home, main);
      running.push(service);
      builds.push({ name, pid: service.pid, requests: await requestsTo(name, [service], names) });
    }
    const [first, second] = builds;
    if (!first || !second) throw new Error("two builds are compared");
    const lines: string[] = [];
    for (const [kind, [what]] of first.requests.entries()) {
      const figures = new Map(builds.map(({ name }): [string, Figures] => [name, { milliseconds: [], perSecond: [] }]));
      for (let pair = 0; pair <= pairs; pair++)
        for (const { name, pid, requests } of pair % 2 === 0 ? [first, second] : [second, first]) {
          const request = requests[kind]?.[1] ?? (async () => {});
          // The first turns warm up.
          const turn = pair === 0 ? WARM_UP_MS : seconds * 1_000;
          const spent = await processorSeconds(pid);
          const started = performance.now();
          const count = await repeated(request, turn);
          const took = performance.now() - started;
          if (pair === 0) continue;
          figures.get(name)?.milliseconds.push((((await processorSeconds(pid)) - spent) * 1_000) / count);
          figures.get(name)?.perSecond.push((count * 1_000) / took);
        }
      lines.push(lineOf(what, figures.get("before"), figures.get("now")));
    }
    return [
      "| request | processor ms before | now | now / before of each pair: median (lowest to highest) | a second before | now |",
      "| --- | --- | --- | --- | --- | --- |",
      ...lines,
    ].join("\n");
  } finally {
    await Promise.all(running.map((service) => service.end("SIGTERM")));
    await box.close();
    await rm(home, { recursive: true, force: true });
  }
}

function lineOf(what: string, before?: Figures, now?: Figures): string {
  const ratios = (now?.milliseconds ?? []).map((value, at) => value / (before?.milliseconds[at] ?? value));
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const of = (values: readonly number[] | undefined, digits: number) => medianOf(values ?? []).toFixed(digits);
  return `| ${what} | ${of(before?.milliseconds, 2)} | ${of(now?.milliseconds, 2)} | ${of(ratios, 2)} (${range}) | ${of(before?.perSecond, 0)} | ${of(now?.perSecond, 0)} |`;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return ((sorted[middle] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2;
}
