import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openBackupFiles } from "../../src/backup/service.ts";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { manifestOf, packed } from "../backup/archives.ts";
import { backupsIn, inDirectory, refusalOf } from "../store/examples.ts";
import { KEY, NOW, ofSchemaTwo } from "./schema-two.ts";

async function opened(dataDir: string): Promise<Services> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
  return openServices({ config, version: "1.2.3", log: { scannerFailed: broke, taskFailed: broke } });
}

async function holdsEverything(dataDir: string): Promise<void> {
  const app = await opened(dataDir);
  try {
    expect(await app.health.stats()).toMatchObject({ companies: 1, case_studies: 2, domains_enriched: 1 });
    const { case_studies } = await app.companies.get("tidewell");
    expect(case_studies.map(({ id, outcomes }) => [id, outcomes[0]?.text])).toEqual([
      ["brightpine", "42% lower cost"],
      ["northgate", "42% lower cost"],
    ]);
    expect((await app.accounts.list({ limit: 10 })).keys).toMatchObject([
      { id: "key_old", email: "ana@brightpine.test", monthly_limit: 5, revoked_at: null },
    ]);
    expect(await app.accounts.authenticate(KEY)).toMatchObject({ id: "key_old" });
    for (const mode of ["hybrid", "semantic", "keyword"] as const) {
      const [answer] = await app.caseStudies.search([{ query: "a bank and its mainframe", mode }]);
      expect([mode, answer?.hits[0]?.study.id]).toEqual([mode, "northgate"]);
    }
    // Features of later releases work on it too.
    expect((await app.intake.listSubmissions({})).total).toBe(0);
    expect((await app.backups.list()).length).toBe(0);
    const { domain } = await app.watches.watch("acme.com");
    expect((await app.watches.listWatches()).watches.map((watch) => watch.domain)).toEqual([domain]);
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

test("a data directory of an earlier release is backed up and migrated, and loses nothing", async () => {
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
}, 60_000);

test("an archive of an earlier release is restored unchanged, and migrated when it is opened", async () => {
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
}, 60_000);

test("a program that is older than its data reports it, and changes nothing", async () => {
  await inDirectory(async (dataDir) => {
    await ofSchemaTwo(dataDir);
    const path = join(dataDir, "casefile.sqlite");
    const database = new Database(path);
    database.run("insert into migrations values (999, 'of a later release', 'x', ?)", [NOW]);
    database.run("pragma journal_mode = delete");
    database.close();
    const before = await Bun.file(path).bytes();
    const refusal = await refusalOf(opened(dataDir));
    expect([refusal.code, refusal.message]).toEqual(["store.unusable", expect.stringContaining("newer release")]);
    const after = new Database(path, { readonly: true });
    expect(after.query("select id from migrations").values().flat()).toEqual([1, 2, 999]);
    after.close();
    expect((await Bun.file(path).bytes()).length).toBe(before.length);
    expect(await backupsIn(dataDir)).toEqual([]);
  });
});
