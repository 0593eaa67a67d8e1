import { join } from "node:path";
import { $ } from "bun";
import { openPostgres } from "../src/db/postgres/open.ts";
import { NoPostgres, POSTGRES_PACKAGE, startPostgres } from "../test/postgres/server.ts";
import { readArguments } from "./arguments.ts";

/**
 * Runs the tests of the repositories on PostgreSQL, in databases that sort by bytes and by the rules of a language, and
 * those of `test/postgres`. Arguments replace the list of tests; `--version 17` installs the newest server of that version and
 * uses it in place of the one in package.json.
 */
const TESTS = [
  "./test/postgres/opening.ts",
  "./test/postgres/moving.ts",
  "./test/postgres/texts.ts",
  "./test/postgres/two-nodes.ts",
  "./test/postgres/snapshots.ts",
  "./test/postgres/sharing.ts",
  "test/store/jobs.test.ts",
  "test/accounts/accounts.test.ts",
  "test/accounts/operator.test.ts",
  "test/accounts/unwritten-usage.test.ts",
  "test/jobs/worker.test.ts",
  "test/health/activity.test.ts",
  "test/health/nodes.test.ts",
  "test/operators/operators.test.ts",
  "test/operators/sign-in.test.ts",
  "test/http/batches.test.ts",
  "test/http/companies.test.ts",
  "test/http/corrections.test.ts",
  "test/http/quota.test.ts",
  "test/http/submissions.test.ts",
  "test/http/watches.test.ts",
  "test/ingest/service.test.ts",
  "test/prospects/claims.test.ts",
  "test/services/intake.test.ts",
  "test/stack/history.test.ts",
  "test/stack/service.test.ts",
  "test/stack/stack-index.test.ts",
  "test/watches/watches.test.ts",
  "test/watches/bounds.test.ts",
  "test/watches/deliver.test.ts",
  "test/watches/webhooks.test.ts",
  "test/detection/scans.test.ts",
  "test/detection/history.test.ts",
  "test/detection/fingerprints/feedback.test.ts",
  "test/detection/fingerprints/discovery.test.ts",
  "test/db/shared-state.test.ts",
  "test/db/transfer.test.ts",
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
  "test/casestudies/study-facts.test.ts",
];
/** Tests in these files that read the SQLite file themselves. */
const SQLITE_ONLY = [
  "only the last characters of the key are stored",
  "of each domain the last",
  "a damaged index is made again",
];

const { values, positionals: given } = readArguments("npm run test:postgres -- [FILE...] [--version 17]", {
  options: { version: { type: "string" } },
  allowPositionals: true,
});
const root = join(import.meta.dir, "..");

/** Installs the newest server of a version, 16 or 16.14, outside the packages of this repository. */
async function install(version: string): Promise<string> {
  const { stdout } = await $`npm view ${POSTGRES_PACKAGE} versions --json`.quiet();
  const versions: readonly string[] = JSON.parse(stdout.toString());
  const newest = versions.filter((each) => each.startsWith(`${version}.`)).at(-1);
  if (newest === undefined) throw new Error(`${POSTGRES_PACKAGE} has no version ${version}.`);
  const folder = join(root, "node_modules/.cache/casefile", `postgres-${newest}`);
  await $`npm install --no-save --no-audit --no-fund --prefix ${folder} ${`${POSTGRES_PACKAGE}@${newest}`}`.quiet();
  return join(folder, "node_modules");
}

if (values.version !== undefined) process.env.TEST_POSTGRES_MODULES = await install(values.version);

async function start() {
  try {
    return await startPostgres();
  } catch (error) {
    if (!(error instanceof NoPostgres)) throw error;
    console.log(`skipped: PostgreSQL cannot be started here: ${error.message}`);
    return process.exit(0);
  }
}

/** Runs the tests of one file in a process of its own: many leave their store open, and its connections end with it. */
async function runFile(file: string, url: string): Promise<{ readonly code: number; readonly printed: string }> {
  const tests = Bun.spawn(
    [
      process.execPath,
      ...["test", "--timeout", "60000", "--preload", "./test/postgres/preload.ts"],
      ...["-t", `^(?!.*(${SQLITE_ONLY.join("|")}))`, file],
    ],
    { cwd: root, env: { ...process.env, TEST_DATABASE_URL: url }, stdout: "pipe", stderr: "pipe" },
  );
  const [out, errors, code] = await Promise.all([tests.stdout.text(), tests.stderr.text(), tests.exited]);
  return { code, printed: `${out}${errors}` };
}

const server = await start();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void server.stop().finally(() => process.exit(1)));
const failed: string[] = [];
const counted = { pass: 0, fail: 0 };
const count = (printed: string, word: keyof typeof counted): number =>
  Number(new RegExp(`^ *(\\d+) ${word}$`, "m").exec(printed)?.[1] ?? 0);

/** Tests in one collation; the other one's run at the same time. */
async function runAll(collation: string, url: string): Promise<void> {
  // Tests copy a database that is migrated already.
  const template = await openPostgres({ url, maxConnections: 2, clock: () => new Date() });
  // Changes are queued for the index of a store in memory from the start.
  await template.queries.insertInto("node_indexes").values({ id: "local", host: "", seen_at: "9999" }).execute();
  await template.close();
  for (const file of given.length > 0 ? given : TESTS) {
    const { code, printed } = await runFile(file, url);
    counted.pass += count(printed, "pass");
    counted.fail += count(printed, "fail");
    console.log(`${code === 0 ? "ok    " : "FAILED"} ${collation.padEnd(3)} ${file}`);
    if (code !== 0) {
      failed.push(`${file} (${collation})`);
      console.log(printed);
    }
    await server.dropCopies(url);
  }
}

try {
  console.log(`PostgreSQL ${server.version}`);
  await Promise.all(Object.entries(server.urls).map(([collation, url]) => runAll(collation, url)));
} finally {
  await server.stop();
}
console.log(failed.length === 0 ? "All passed." : `Failed: ${failed.join(", ")}`);
console.log(`${counted.pass} tests passed, ${counted.fail} failed on PostgreSQL`);
process.exitCode = failed.length === 0 ? 0 : 1;
