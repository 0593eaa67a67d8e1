import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { openBackupFiles } from "../../src/backup/service.ts";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { connect } from "../../src/db/database.ts";
import { migrate, SCHEMA_VERSION } from "../../src/db/migrate.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { backupsIn, inDirectory, refusalOf } from "../store/examples.ts";

/** What each release wrote, by its own executable: `releases/make.sh`. */
const RELEASES = join(import.meta.dir, "releases");
const names = (await readdir(RELEASES)).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

test("the first release is among those whose data is opened", () => {
  expect(names).toContain("0.1.0");
});

describe.each(names)("what %s wrote", (release) => {
  const folder = join(RELEASES, release);
  const archive = join(folder, "backup.tar.zst");
  const expected = async (): Promise<{ schema: number; api_key: string }> =>
    Bun.file(join(folder, "expected.json")).json();
  const unpack = async (dataDir: string) => {
    await mkdir(dataDir, { recursive: true });
    const packed = await Bun.file(join(folder, "casefile.sqlite.zst")).bytes();
    await Bun.write(join(dataDir, "casefile.sqlite"), zstdDecompressSync(packed));
  };

  /** Opens the directory as this release, and finds everything that the former one stored. */
  async function hasEverything(dataDir: string): Promise<void> {
    const broke = (work: string, error: unknown) => {
      throw new Error(work, { cause: error });
    };
    const config = loadConfig({
      flags: { dataDir },
      env: { CASEFILE_STARTER_ENABLED: "false", CASEFILE_SCAN_ALLOWED_RESERVED_TLDS: "example" },
      readFile: () => undefined,
    });
    const app = await openServices({ config, version: "9.9.9", log: { scannerFailed: broke, taskFailed: broke } });
    try {
      expect(await app.health.stats()).toMatchObject({ companies: 1, case_studies: 2, domains_enriched: 1 });
      const { case_studies } = await app.companies.get("tidewell");
      expect(case_studies.map(({ id }) => id).sort()).toEqual(["brightpine", "northgate"]);
      const { api_key } = await expected();
      expect(await app.accounts.authenticate(api_key)).toMatchObject({ email: "ana@brightpine.example" });
      const { watches } = await app.watches.listWatches();
      expect(watches.map(({ domain }) => domain)).toEqual(["harbourline.example"]);
      const [hit] = (await app.caseStudies.search([{ query: "a bank and its mainframe", mode: "keyword" }]))[0]!.hits;
      expect(hit?.study.id).toBe("northgate");
    } finally {
      await app.close();
    }
    const database = new Database(join(dataDir, "casefile.sqlite"), { readonly: true });
    expect(database.query("select max(id) from migrations").values()).toEqual([[SCHEMA_VERSION]]);
    expect(database.query("select domain from scans").values()).toEqual([["harbourline.example"]]);
    expect(database.query("select url from webhooks").values()).toEqual([
      ["https://hooks.harbourline.example/casefile"],
    ]);
    expect(database.query("pragma foreign_key_check").all()).toEqual([]);
    database.close();
  }

  const schemaOf = (path: string) => {
    const database = new Database(path, { readonly: true });
    const [[schema]] = database.query("select max(id) from migrations").values() as [[number]];
    database.close();
    return schema;
  };

  test("opens with all its data, after a copy that is kept", async () => {
    await inDirectory(async (dataDir) => {
      await unpack(dataDir);
      await hasEverything(dataDir);
      await hasEverything(dataDir);
      const { schema } = await expected();
      const copies = await backupsIn(dataDir);
      expect(copies.length).toBe(schema < SCHEMA_VERSION ? 1 : 0);
      for (const copy of copies) expect(schemaOf(join(dataDir, "backups", copy))).toBe(schema);
    });
  }, 60_000);

  test("restores from its archive", async () => {
    await inDirectory(async (place) => {
      const dataDir = join(place, "data");
      const files = openBackupFiles({ dataDir });
      expect((await files.verify(archive)).schema_version).toBe((await expected()).schema);
      await files.restore(archive);
      await hasEverything(dataDir);
    });
  }, 60_000);

  test("is refused by that release once this one has migrated it, until the copy is back in place", async () => {
    const { schema } = await expected();
    if (schema === SCHEMA_VERSION) return;
    await inDirectory(async (dataDir) => {
      await unpack(dataDir);
      await hasEverything(dataDir);
      const path = join(dataDir, "casefile.sqlite");
      const opened = async () => {
        const database = connect(path);
        try {
          await migrate(database, { migrations: MIGRATIONS.slice(0, schema), dataDir, clock: () => new Date() });
          return database.query("select id from case_studies order by id").values().flat();
        } finally {
          database.close();
        }
      };
      const refusal = await refusalOf(opened());
      const [copy = ""] = await backupsIn(dataDir);
      expect([refusal.code, refusal.message]).toEqual(["store.unusable", expect.stringContaining(copy)]);
      expect(refusal.message).toContain(`schema ${SCHEMA_VERSION}, this release knows ${schema}`);

      // As docs/operations.md says.
      for (const suffix of ["-wal", "-shm"]) await rm(path + suffix, { force: true });
      await cp(join(dataDir, "backups", copy), path);
      expect(await opened()).toEqual(["brightpine", "northgate"]);
      expect(schemaOf(path)).toBe(schema);
    });
  }, 60_000);
});
