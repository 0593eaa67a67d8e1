import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReader } from "../../src/ingest/readers.ts";
import { createIngestService } from "../../src/ingest/service.ts";
import { openStore } from "../../src/store.ts";
import { hostileFile } from "../../test/ingest/hostile-records.ts";
import { createRandom } from "../random.ts";
import type { CampaignOptions, CampaignPart, CampaignResult } from "./part.ts";

const SHORT_RECORDS = 3_000;
const RECORDS = 1_000_000;
const RECORDS_PER_FILE = 1_500;
const FILES_AT_ONCE = 8;

/** Folders of files of random hostile records are read by the processes of `casefile ingest`. */
export const records: CampaignPart = {
  name: "records",
  about: "reads archives of hostile records: cut, lying lengths, bombs, loops, noise",
  run: ({ short, ...options }) => readHostile(short ? SHORT_RECORDS : RECORDS, options),
};

export async function readHostile(
  wanted: number,
  { seed, onProgress }: Omit<CampaignOptions, "short">,
): Promise<CampaignResult> {
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), "casefile-records-"));
  const store = await openStore({ dataDir: folder });
  const service = createIngestService({
    ingests: store.ingests,
    settings: () => ({ folders: [], minConfidence: 0.5, rules: "" }),
    openReader: createReader,
  });
  const faults: string[] = [];
  const figures: Record<string, number> = { records: 0, files: 0, intact: 0, lost: 0 };
  const count = (name: string, more: number) => {
    figures[name] = (figures[name] ?? 0) + more;
  };
  try {
    const started = performance.now();
    for (let file = 0; file * RECORDS_PER_FILE < wanted; ) {
      const intact: string[] = [];
      const paths: string[] = [];
      for (; paths.length < FILES_AT_ONCE && file * RECORDS_PER_FILE < wanted; file++) {
        const name = `${seed}-${file}`;
        const made = hostileFile(file % 2 === 0 ? "members" : "lines", RECORDS_PER_FILE, name, random);
        intact.push(...made.intact);
        paths.push(join(folder, name));
        await writeFile(join(folder, name), made.content);
      }
      const summary = await service.ingest({ paths });
      for (const path of paths) await rm(path);
      count("files", paths.length);
      count("records", summary.records);
      count("intact", intact.length);
      for (const [reason, more] of Object.entries({ ...summary.skipped, ...summary.refused })) count(reason, more);
      for (const domain of intact) {
        if (await store.scans.latest(domain)) continue;
        count("lost", 1);
        faults.push(`The undamaged record of ${domain} before file ${file} was not stored.`);
      }
      if (summary.files.read !== paths.length) faults.push(`A file before ${file} was not read to its end.`);
      onProgress(`${figures.records} records, ${Math.round((performance.now() - started) / 1_000)} s`);
    }
  } catch (error) {
    faults.push(`Reading stopped: ${error instanceof Error ? error.message : error}`);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { figures, faults, skipped: null };
}
