import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractPage } from "../../src/casestudies/extract/extract-child.ts";
import { createParseContext, parseRecord } from "../../src/casestudies/record.ts";
import { createLocalEngine } from "../../src/casestudies/structure/local-engine.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../../src/casestudies/taxonomy/packed.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import { openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import { loadStructureCorpus } from "../evaluation/structure/corpus.ts";
import { vendorOf } from "../evaluation/structure/record-page.ts";

const RUNS = 3;

/**
 * The pages of a corpus, one after the other: text taken out, fields read, made ready for the store.
 * Target: 50 case studies a second. Time on the wall is what users see; processor time is what the machine's other
 * work does not change.
 */
export async function benchStructure(folder: string): Promise<void> {
  const corpus = await loadStructureCorpus(folder);
  const pages = corpus.pages.map(({ page, record }) => ({ page, vendor: vendorOf(record) }));
  const unpackDir = await mkdtemp(join(tmpdir(), "casefile-bench-"));
  const encoder = await openBuiltInEncoder({ unpackDir });
  const tools = createParseContext({
    industries: loadBuiltInIndustries(),
    outcomeMetrics: loadBuiltInOutcomeMetrics(),
  });
  const engine = createLocalEngine({
    ...tools,
    embed: (texts) => encoder.encode(texts, "passage"),
    toolNames: [...loadBuiltInCatalogue().tools.values()].map(({ name, aliases = [] }) => ({ name, aliases })),
  });
  const words = corpus.pages.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  console.log(`${pages.length} case studies, ${Math.round(words / pages.length)} words on average`);
  const rates: { wall: number; processor: number }[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const started = performance.now();
    const before = process.cpuUsage();
    for (const { page, vendor } of pages) {
      const text = await extractPage(page);
      const { fields } = await engine.structure(text, vendor);
      parseRecord({ ...fields, url: page.url, company: vendor, body: text.markdown }, tools);
    }
    const { user, system } = process.cpuUsage(before);
    // The first run warms up.
    if (run === 0) continue;
    rates.push({
      wall: pages.length / ((performance.now() - started) / 1_000),
      processor: pages.length / ((user + system) / 1e6),
    });
  }
  const median = (name: "wall" | "processor") => rates.map((rate) => rate[name]).sort((a, b) => a - b)[1] ?? 0;
  console.log(
    `${median("wall").toFixed(0)} a second on the wall, ${median("processor").toFixed(0)} a second of processor`,
  );
  await encoder.close();
  await rm(unpackDir, { recursive: true });
}
