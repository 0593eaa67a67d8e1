import { Database } from "bun:sqlite";
import { join } from "node:path";
import { openPassageIndex } from "../../../src/casestudies/index/passage-index.ts";
import { openServices, type Services } from "../../../src/compose.ts";
import { loadConfig } from "../../../src/config/config.ts";
import { BUILT_IN_MANIFEST } from "../../../src/embedding/built-in.ts";

/** Reads the SQLite data while another process writes it. */
export interface Kept {
  readonly ids: readonly string[];
  /** Ids, ascending. */
  readonly passages: readonly number[];
  /** Of the search index. */
  readonly waiting: number;
  readonly intact: boolean;
}

/** Undefined when there is no database yet. */
export async function readKept(dataDir: string): Promise<Kept | undefined> {
  const path = join(dataDir, "casefile.sqlite");
  if (!(await Bun.file(path).exists())) return undefined;
  const database = new Database(path, { readwrite: true });
  try {
    if (!database.query("select 1 from sqlite_master where name = 'outbox'").get()) return undefined;
    return {
      ids: database
        .query("select id from case_studies order by id")
        .values()
        .map(([id]) => String(id)),
      passages: database
        .query("select id from passages order by id")
        .values()
        .map(([id]) => Number(id)),
      waiting: Number(database.query("select count(distinct case_study_id) from outbox").values()[0]?.[0]),
      intact: database.query("pragma integrity_check").values().join() === "ok",
    };
  } finally {
    database.close();
  }
}

export async function withApp<T>(dataDir: string, use: (app: Services) => Promise<T>): Promise<T> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
  const app = await openServices({ config, version: "0.0.0", log: { scannerFailed: broke, taskFailed: broke } });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

/** Number of passages in the search index, and the ids of those that contain a word. */
export async function indexed(dataDir: string, word: string): Promise<{ count: number; found: readonly number[] }> {
  const { dimensions, id: model } = BUILT_IN_MANIFEST;
  const index = await openPassageIndex({ dir: join(dataDir, "index"), dimensions, model, clock: () => new Date() });
  try {
    const { passages } = await index.counts();
    const hits = await index.keyword(word, { limit: 100_000 });
    return { count: passages, found: hits.map(({ passage }) => passage) };
  } finally {
    await index.close();
  }
}

/** Every case study's id, page by page. */
export async function listed(app: Services): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await app.caseStudies.list({}, { limit: 100, ...(cursor ? { cursor } : {}) });
    ids.push(...page.case_studies.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor);
  return ids;
}
