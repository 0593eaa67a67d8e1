import { Database } from "bun:sqlite";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { queryTerms } from "../../../src/casestudies/search/highlight.ts";
import { CANDIDATES, type EngineParts, RESULTS, type SearchEngine } from "../search-engine.ts";
import { firstDistinct, fuseRanks } from "./fusion.ts";

const PASSAGE = "select number, study, title, text from passage where number = ?";

/** One SQLite file: vectors in vec0, words in FTS5 with Porter's stems, both lists joined by rank. */
export async function openSqliteVec({ dir, dimensions, embed }: EngineParts): Promise<SearchEngine> {
  const db = new Database(join(dir, "passages.sqlite"));
  db.loadExtension(getLoadablePath());
  for (const statement of [
    "pragma journal_mode = wal",
    "pragma synchronous = normal",
    "create table if not exists passage (number integer primary key, study text, company text, industry text, title text, text text)",
    "create index if not exists passage_company on passage (company)",
    "create virtual table if not exists words using fts5 (title, text, content = 'passage', content_rowid = 'number', tokenize = 'porter unicode61')",
    `create virtual table if not exists vectors using vec0 (number integer primary key, company text, industry text, vector float[${dimensions}] distance_metric = cosine)`,
  ]) {
    db.run(statement);
  }
  const insert = {
    passage: db.prepare("insert into passage values (?, ?, ?, ?, ?, ?)"),
    words: db.prepare("insert into words (rowid, title, text) values (?, ?, ?)"),
    vector: db.prepare("insert into vectors (number, company, industry, vector) values (?, ?, ?, ?)"),
  };
  const passage = db.prepare<{ study: string; title: string; text: string }, [number]>(PASSAGE);

  /** `where` narrows both sides before they are ranked. */
  const both = ({ company, industry }: { company?: string; industry?: string }) => {
    const named = { ...(company === undefined ? {} : { company }), ...(industry === undefined ? {} : { industry }) };
    const where = Object.keys(named).map((column) => ` and ${column} = ?`);
    const values = Object.values(named);
    const near = db.query<{ number: number }, (string | number | Uint8Array)[]>(
      `select number from vectors where vector match ? and k = ?${where.join("")}`,
    );
    const told =
      values.length === 0
        ? "select rowid as number from words where words match ? order by rank limit ?"
        : `select words.rowid as number from words join passage on passage.number = words.rowid where words match ?${where.join("")} order by words.rank limit ?`;
    const worded = db.query<{ number: number }, (string | number)[]>(told);
    return {
      near: (vector: Float32Array, limit: number) =>
        near.all(bytes(vector), limit, ...values).map(({ number }) => number),
      worded: (match: string, limit: number) => worded.all(match, ...values, limit).map(({ number }) => number),
    };
  };

  const { version } = db.query<{ version: string }, []>("select vec_version() as version").get() ?? {
    version: "unknown",
  };
  return {
    version,
    async ingest({ passages, check }) {
      const began = performance.now();
      let taken = 0;
      const write = db.transaction((batch: Parameters<typeof insertOne>[0][]) => batch.forEach(insertOne));
      const insertOne = (one: {
        number: number;
        study: string;
        company: string;
        industry: string;
        title: string;
        text: string;
        vector: Float32Array;
      }) => {
        insert.passage.run(one.number, one.study, one.company, one.industry, one.title, one.text);
        insert.words.run(one.number, one.title, one.text);
        insert.vector.run(one.number, one.company, one.industry, bytes(one.vector));
      };
      for await (const batch of passages(2_000)) {
        write([...batch]);
        taken += batch.length;
        check(taken);
      }
      const ingestSeconds = (performance.now() - began) / 1_000;
      db.run("insert into words (words) values ('optimize')");
      db.run("pragma wal_checkpoint(truncate)");
      return { ingestSeconds, buildSeconds: (performance.now() - began) / 1_000 - ingestSeconds, embedsItself: false };
    },
    async search({ text, filter }) {
      const vector = await embed(text);
      const sides = both(filter);
      const match = queryTerms(text)
        .map((term) => `"${term}"`)
        .join(" or ");
      const numbers = fuseRanks([sides.near(vector, CANDIDATES), match === "" ? [] : sides.worded(match, CANDIDATES)]);
      return firstDistinct(
        numbers.slice(0, CANDIDATES).flatMap((number) => passage.get(number)?.study ?? []),
        RESULTS,
      );
    },
    nearest: async (vector, limit) => both({}).near(vector, limit),
    close: async () => db.close(),
  };
}

const bytes = (vector: Float32Array) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
