import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReader } from "../../src/ingest/readers.ts";
import { createIngestService } from "../../src/ingest/service.ts";
import { openStore } from "../../src/store.ts";
import { hostileFile } from "../../test/ingest/hostile-records.ts";
import { createRandom } from "../random.ts";
import type { CampaignPart } from "./part.ts";

const SHORT_RECORDS = 3_000;
const RECORDS = 1_000_000;
const RECORDS_PER_FILE = 1_500;
/** One file of random hostile records after another is read by the processes of `casefile ingest`. */
export const records: CampaignPart = {
  name: "records",
  about: "reads archives of hostile records: cut, lying lengths, bombs, loops, noise",
  async run({ short, seed, onProgress }) {
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
      const wanted = short ? SHORT_RECORDS : RECORDS;
      const started = performance.now();
      for (let file = 0; file * RECORDS_PER_FILE < wanted; file++) {
        const kind = file % 2 === 0 ? "members" : "lines";
        const name = `${seed}-${file}`;
        const { content, intact } = hostileFile(kind, RECORDS_PER_FILE, name, random);
        const path = join(folder, name);
        await writeFile(path, content);
        const summary = await service.ingest({ paths: [path] });
        await rm(path);
        count("files", 1);
        count("records", summary.records);
        count("intact", intact.length);
        for (const [reason, more] of Object.entries({ ...summary.skipped, ...summary.refused })) count(reason, more);
        for (const domain of intact) {
          if (await store.scans.latest(domain)) continue;
          count("lost", 1);
          faults.push(`The undamaged record of ${domain} in file ${file} (${kind}) was not stored.`);
        }
        if (summary.files.read !== 1) faults.push(`File ${file} (${kind}) was not read to its end.`);
        if (file % 20 === 19)
          onProgress(`${figures.records} records, ${Math.round((performance.now() - started) / 1_000)} s`);
      }
    } catch (error) {
      faults.push(`Reading stopped: ${error instanceof Error ? error.message : error}`);
    } finally {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
    return { figures, faults, skipped: null };
  },
};
