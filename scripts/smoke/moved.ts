import { join } from "node:path";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { answersOf, furnish, type Names } from "../../test/services/every-answer.ts";
import type { Machine } from "./machine.ts";

const SERVED = ["--no-starter", "--scan-allowed-reserved-tlds", "example", "--scan-cache-seconds", "31622400"];

/** An installation with data of every kind, backed up while it serves and restored on an empty machine. */
export async function moved(machine: Machine): Promise<void> {
  const { ok, json, run, check, work, serve } = machine;
  const [source, restored, archive] = ["source", "elsewhere/data", "moved.tar.zst"].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  const names = await furnished(source);
  // A pending submission could be processed between the two runs and change the responses.
  await ok(["submissions", "reject", names.submission, "--reason", "Not now.", "--data-dir", source]);

  const asked = async (dataDir: string, during: (url: string) => Promise<void>) => {
    const { url, stop } = await serve(["--data-dir", dataDir, ...SERVED]);
    try {
      await during(url);
      return await answersOf(
        (request) => fetch(new Request(request.url.replace("http://casefile.test", url), request)),
        names,
      );
    } finally {
      await stop();
    }
  };
  const before = await asked(source, async (url) => {
    // The executable's catalogue is another one than that of the code above, so it analyses the stored scan again.
    await renewed(url, names.operator);
    const made = await json(["backup", "create", archive, "--data-dir", source]);
    check("creates a backup while the service runs", /^[0-9a-f]{64}$/.test(made.sha256));
  });
  const verified = await json(["backup", "verify", archive]);
  check("verifies it", verified.parts[0]?.name === "casefile.sqlite");
  const bytes = await Bun.file(archive).bytes();
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await Bun.write(join(work, "damaged.tar.zst"), bytes);
  const damaged = await run(["restore", join(work, "damaged.tar.zst"), "--data-dir", restored]);
  check("refuses a damaged backup", damaged.code === 1 && damaged.err.includes("nothing was changed"));

  await ok(["restore", archive, "--data-dir", restored]);
  // The first search rebuilds the index, which archives do not contain.
  await ok(["search", "a bank", "--data-dir", restored, "--no-starter"]);
  const after = await asked(restored, async () => {});
  const others = Object.keys(before).filter((question) => !Bun.deepEquals(before[question], after[question]));
  for (const question of others) console.error(question, before[question], after[question]);
  check(
    `answers all of ${Object.keys(before).length} requests after a restore as before`,
    others.length === 0 && Object.keys(before).length > 30,
  );
}

const RENEWAL_POLLS = 200;

/** Waits until no background job is running or due, except emails, which wait for an SMTP server. */
async function renewed(url: string, operator: string): Promise<void> {
  for (let poll = 0; poll < RENEWAL_POLLS; poll += 1) {
    const answer = await fetch(`${url}/admin/jobs?limit=100`, { headers: { authorization: `Bearer ${operator}` } });
    const { jobs }: { jobs: readonly { kind: string; state: string }[] } = JSON.parse(await answer.text());
    const renewals = jobs.filter(({ kind }) => kind === "scans.renew");
    if (renewals.length > 0 && jobs.every(({ kind, state }) => kind === "mail" || /^(?:done|dead)$/.test(state)))
      return;
    await Bun.sleep(100);
  }
  throw new Error("The stored scans were not analysed again.");
}

async function furnished(dataDir: string): Promise<Names> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const flags = { dataDir, "scan-allowed-reserved-tlds": "example" };
  const config = loadConfig({ flags, env: {}, readFile: () => undefined });
  const app = await openServices({ config, version: "1.2.3", log: { scannerFailed: broke, taskFailed: broke } });
  try {
    return await furnish(app);
  } finally {
    await app.close();
  }
}
