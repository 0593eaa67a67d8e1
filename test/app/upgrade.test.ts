import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { hashOf, makeKey } from "../../src/accounts/keys.ts";
import type { App } from "../../src/app/app.ts";
import { openBackupFiles } from "../../src/app/backups.ts";
import { openApp } from "../../src/app/open.ts";
import { loadConfig } from "../../src/config.ts";
import { migrate } from "../../src/store/migrate.ts";
import { MIGRATIONS } from "../../src/store/migrations.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { manifestOf, packed } from "../backup/archives.ts";
import { backupsIn, inDirectory, refusalOf, reportOf } from "../store/examples.ts";

const NOW = "2026-05-04T12:00:00.000Z";
/** What is stored of it is its hash. */
const KEY = makeKey();

const STUDIES = [
  [
    "northgate",
    "Northgate Savings leaves its mainframe",
    "A savings bank moved its ledger from a mainframe to the cloud.",
  ],
  ["brightpine", "Brightpine ships parcels a day sooner", "A parcel carrier plans its delivery routes every night."],
] as const;

/** A data directory as the release before submissions left it: two migrations, rows written by hand, no index. */
async function ofSchemaTwo(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const database = openDatabase(join(dataDir, "casefile.sqlite"));
  await migrate(database, { migrations: MIGRATIONS.slice(0, 2), dataDir, clock: () => new Date(NOW) });
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>) =>
    database.run(
      `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => "?")})`,
      Object.values(row),
    );
  insert("settings", { name: "colour", value: "red" });
  insert("scans", {
    ...{ domain: "acme.example", scanned_at: NOW, saved_at: NOW },
    report: JSON.stringify(reportOf(NOW, "gauge", "meter")),
  });
  insert("keys", {
    ...{ id: "key_old", email_folded: "ana@brightpine.test", hash: hashOf(KEY), hint: "0000" },
    ...{ monthly_limit: 5, created_at: NOW, revoked_at: null },
  });
  insert("usage", { key_id: "key_old", month: "2026-05", used: 3 });
  insert("companies", {
    ...{ id: 1, slug: "tidewell", name: "Tidewell", name_folded: "tidewell", domain: "tidewell.example" },
    ...{ created_at: NOW, updated_at: NOW },
  });
  for (const [at, [id, title, summary]] of STUDIES.entries()) {
    const number = at + 1;
    insert("case_studies", {
      ...{ number, id, url: `https://tidewell.example/${id}`, url_key: `tidewell.example/${id}`, company_id: 1 },
      ...{ country: "NO", published_at: "2024-03-05", language: "en", origin: "import", fingerprint: "0" },
      ...{ band_1: number, band_2: number, band_3: number, band_4: number, content_hash: id, revision: 1 },
      ...{ created_at: NOW, updated_at: NOW, indexed_at: NOW, title, summary, products: "[]", tools: "[]" },
    });
    insert("outcomes", {
      ...{ study_number: number, position: 0, metric: "cost", value: 42, unit: "%" },
      ...{ direction: "decrease", text: "42% lower cost" },
    });
    insert("passages", { study_number: number, position: 0, heading: null, text: summary });
    insert("embeddings", { study_number: number, model: "of then", revision: 1, embedded_at: NOW });
  }
  database.close();
}

async function opened(dataDir: string): Promise<App> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
  return openApp({ config, version: "1.2.3", onBug: broke, onError: broke });
}

async function holdsEverything(dataDir: string): Promise<void> {
  const app = await opened(dataDir);
  try {
    expect(await app.stats()).toMatchObject({ companies: 1, case_studies: 2, domains_enriched: 1 });
    const { case_studies } = await app.getCompany("tidewell");
    expect(case_studies.map(({ id, outcomes }) => [id, outcomes[0]?.text])).toEqual([
      ["brightpine", "42% lower cost"],
      ["northgate", "42% lower cost"],
    ]);
    expect((await app.accounts.list({ limit: 10 })).keys).toMatchObject([
      { id: "key_old", email: "ana@brightpine.test", monthly_limit: 5, revoked_at: null },
    ]);
    expect(await app.accounts.authenticate(KEY)).toMatchObject({ id: "key_old" });
    for (const mode of ["hybrid", "semantic", "keyword"] as const) {
      const [answer] = await app.searchStudies([{ query: "a bank and its mainframe", mode }]);
      expect([mode, answer?.hits[0]?.study.id]).toEqual([mode, "northgate"]);
    }
    // What came with later releases works on it too.
    expect((await app.listSubmissions({})).total).toBe(0);
    expect((await app.listBackups()).length).toBe(0);
  } finally {
    await app.close();
  }
  const database = new Database(join(dataDir, "casefile.sqlite"), { readonly: true });
  expect(database.query("select value from settings where name = 'colour'").values()).toEqual([["red"]]);
  expect(database.query("select used from usage").values()).toEqual([[3]]);
  expect(database.query("select id from migrations").values().flat()).toEqual(MIGRATIONS.map(({ id }) => id));
  expect(database.query("pragma foreign_key_check").all()).toEqual([]);
  database.close();
}

test("a data directory of an earlier release is brought up to date, copied before, and loses nothing", async () => {
  await inDirectory(async (dataDir) => {
    await ofSchemaTwo(dataDir);
    await holdsEverything(dataDir);
    const [copy = ""] = await backupsIn(dataDir);
    expect(copy).toMatch(/^before-migration-3-\d{8}T\d{9}Z\.sqlite$/);
    const before = new Database(join(dataDir, "backups", copy), { readonly: true });
    expect(before.query("select max(id) from migrations").values()).toEqual([[2]]);
    expect(before.query("select id from case_studies order by id").values().flat()).toEqual([
      "brightpine",
      "northgate",
    ]);
    before.close();
  });
}, 30_000);

test("an archive of an earlier release is restored as it is, and brought up to date when it is opened", async () => {
  await inDirectory(async (folder) => {
    await ofSchemaTwo(join(folder, "source"));
    const database = Buffer.from(await Bun.file(join(folder, "source", "casefile.sqlite")).bytes());
    const archive = join(folder, "old.tar.zst");
    const manifest = manifestOf(database, { schema_version: 2 });
    await Bun.write(
      archive,
      await packed([
        ["manifest.json", manifest],
        ["casefile.sqlite", database],
      ]),
    );
    await openBackupFiles({ dataDir: join(folder, "data") }).restore(archive);
    expect(await backupsIn(join(folder, "data"))).toEqual([]);
    await holdsEverything(join(folder, "data"));
    expect((await backupsIn(join(folder, "data")))[0]).toStartWith("before-migration-3-");
  });
}, 30_000);

test("a program that is older than its data says so, and changes nothing", async () => {
  await inDirectory(async (dataDir) => {
    await ofSchemaTwo(dataDir);
    const path = join(dataDir, "casefile.sqlite");
    const database = new Database(path);
    database.run("insert into migrations values (999, 'of a later release', 'x', ?)", [NOW]);
    database.run("pragma journal_mode = delete");
    database.close();
    const before = await Bun.file(path).bytes();
    const refusal = await refusalOf(opened(dataDir));
    expect([refusal.code, refusal.advice]).toEqual(["store.unusable", expect.stringContaining("newer release")]);
    const after = new Database(path, { readonly: true });
    expect(after.query("select id from migrations").values().flat()).toEqual([1, 2, 999]);
    after.close();
    expect((await Bun.file(path).bytes()).length).toBe(before.length);
    expect(await backupsIn(dataDir)).toEqual([]);
  });
});
