import { join } from "node:path";
import { openPostgres } from "../src/db/postgres/open.ts";
import { startPostgres } from "../test/postgres/server.ts";

/**
 * Runs the tests of the repositories on PostgreSQL, in databases that sort by bytes and by the rules of a language, and
 * those of `test/postgres`. Further arguments replace the list of tests.
 */
const TESTS = [
  "./test/postgres/opening.ts",
  "./test/postgres/two-nodes.ts",
  "test/store/jobs.test.ts",
  "test/accounts/accounts.test.ts",
  "test/accounts/operator.test.ts",
  "test/watches/watches.test.ts",
  "test/watches/bounds.test.ts",
  "test/watches/deliver.test.ts",
  "test/watches/webhooks.test.ts",
  "test/detection/scans.test.ts",
  "test/detection/history.test.ts",
  "test/detection/fingerprints/feedback.test.ts",
  "test/detection/fingerprints/discovery.test.ts",
  "test/casestudies/case-studies.test.ts",
  "test/casestudies/companies/companies.test.ts",
  "test/casestudies/companies/edit.test.ts",
  "test/casestudies/companies/search.test.ts",
  "test/casestudies/index/outbox.test.ts",
  "test/casestudies/intake/repository.test.ts",
  "test/casestudies/sample.test.ts",
  "test/casestudies/save.test.ts",
  "test/casestudies/sequences.test.ts",
  "test/casestudies/starter/service.test.ts",
];
/** Tests in these files that read the SQLite file themselves. */
const SQLITE_ONLY = ["only the last characters of the key are stored", "of each domain the last"];

const given = process.argv.slice(2);
const root = join(import.meta.dir, "..");
const server = await startPostgres();
const failed: string[] = [];
try {
  for (const [collation, url] of Object.entries(server.urls)) {
    // Tests copy a database that is migrated already.
    const template = await openPostgres({ url, maxConnections: 2, clock: () => new Date() });
    // Changes are queued for the index of a store in memory from the start.
    await template.queries.insertInto("node_indexes").values({ id: "local", host: "", seen_at: "9999" }).execute();
    await template.close();
    console.log(`PostgreSQL ${server.version}, collation ${collation}`);
    for (const file of given.length > 0 ? given : TESTS) {
      // A process for each: many tests leave their store open, and its connections end with the process.
      const tests = Bun.spawn(
        [
          process.execPath,
          ...["test", "--timeout", "60000", "--preload", "./test/postgres/preload.ts"],
          ...["-t", `^(?!.*(${SQLITE_ONLY.join("|")}))`, file],
        ],
        { cwd: root, env: { ...process.env, TEST_DATABASE_URL: url }, stdout: "inherit", stderr: "inherit" },
      );
      if ((await tests.exited) !== 0) failed.push(`${file} (${collation})`);
      await server.dropCopies();
    }
  }
} finally {
  await server.stop();
}
console.log(failed.length === 0 ? "All passed." : `Failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
