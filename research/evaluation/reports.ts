import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readCapture } from "../../src/detection/captures/read-capture.ts";
import { detect } from "../../src/detection/engine.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import { SCANNERS } from "../../src/detection/scanners/registry.ts";
import { replayVisit } from "../../src/detection/visit/replay-visit.ts";

/** Of the saved pages, one in so many is read. */
const EVERY = 3;

/**
 * Whether a change of the program leaves every report as it was: reports on recordings, and on a third of the saved pages,
 * byte for byte except for durations. The first run writes them to `file`, later runs compare with it.
 *
 * @param captures has `expected.json`, see {@link evaluateDetection}
 * @param pages saved pages, each named after its host
 * @throws Error for reports that differ
 */
export async function compareReports(captures: string, pages: string, file: string): Promise<void> {
  const expected: Record<string, { readonly site: string }> = await Bun.file(join(captures, "expected.json")).json();
  const saved = (await readdir(pages)).filter((name) => name.endsWith(".html")).sort();
  const sources = [
    ...Object.entries(expected).map(([name, { site }]) => [join(captures, name), name, site] as const),
    ...saved
      .filter((_, at) => at % EVERY === 0)
      .map((name) => [join(pages, name), name, name.replace(/\.html$/, "")] as const),
  ];
  const catalogue = loadBuiltInCatalogue();
  const reports = new Map<string, string>();
  for (const [path, name, site] of sources) {
    const snapshot = readCapture(await Bun.file(path).text(), {
      name,
      // Some sets name the site by a word; their pages contain their address.
      ...(site.includes(".") ? { url: `https://${site}/` } : {}),
      capturedAt: "2026-01-01T00:00:00Z",
    });
    const report = await detect(replayVisit(snapshot), SCANNERS, catalogue, { deadlineMs: 600_000, now: () => 0 });
    const timeless = JSON.stringify(report, (key, value) => (key === "duration_ms" ? undefined : value));
    reports.set(name, timeless);
  }
  if (!(await Bun.file(file).exists())) {
    await Bun.write(file, JSON.stringify([...reports]));
    console.log(`${reports.size} reports written to ${file}; run this again after the change`);
    return;
  }
  const before = new Map<string, string>(await Bun.file(file).json());
  const names = [...new Set([...before.keys(), ...reports.keys()])];
  const different = names.filter((name) => before.get(name) !== reports.get(name));
  for (const name of different.slice(0, 10))
    console.error(`${name}: ${difference(before.get(name), reports.get(name))}`);
  if (different.length > 0) throw new Error(`${different.length} of ${names.length} reports differ`);
  console.log(`${names.length} reports are the same`);
}

/** Around the first character that differs. */
function difference(before = "", now = ""): string {
  let at = 0;
  while (at < before.length && before[at] === now[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 100);
  return `\n  before: ${around(before)}\n  now:    ${around(now)}`;
}
