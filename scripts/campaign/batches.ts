import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBox } from "../../test/box/box.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";
import { createRandom } from "../random.ts";
import type { CampaignOptions, CampaignPart, CampaignResult } from "./part.ts";
import { type RunningService, startService } from "./running.ts";

const FULL = { domains: 10_000, kills: 200 };
const SHORT = { domains: 120, kills: 4 };
/** Every tenth domain does not exist. */
const MISSING_EVERY = 10;
/** Milliseconds of scans before a kill. */
const LONGEST = 2_000;
const PATIENCE_MS = 600_000;

interface Progress {
  readonly id: string;
  readonly state: string;
  readonly progress: { readonly done: number; readonly failed: Readonly<Record<string, number>> };
}

export const batches: CampaignPart = {
  name: "batches",
  about: "Kills the service with kill -9 while it scans a list; each domain has one result and is counted once.",
  run: ({ short, ...options }) => scanUnderKills(short ? SHORT : FULL, options),
};

export async function scanUnderKills(
  { domains, kills }: typeof FULL,
  { seed, onProgress }: Omit<CampaignOptions, "short">,
): Promise<CampaignResult> {
  const random = createRandom(seed);
  const home = await mkdtemp(join(tmpdir(), "casefile-batches-"));
  const dataDir = join(home, "data");
  const names = Array.from({ length: domains }, (_, at) => `company-${at}.test`);
  const isMissing = (at: number) => at % MISSING_EVERY === MISSING_EVERY - 1;
  const page = '<title>Company</title><script src="https://js.stripe.com/v3/"></script>';
  const companies = names.flatMap((domain, at) =>
    isMissing(at) ? [] : [{ domain, pages: { "/": page, "www/": page } }],
  );
  const box = await openBox({ companies });
  const faults: string[] = [];
  let killed = 0;
  let repeated = 0;
  try {
    const flags = { ...(await flagsInto(box, dataDir)), "accounts-monthly-limit": 1_000_000, "batch-concurrency": 8 };
    let service = await startService(flags, home);
    const issued = await fetch(`${service.url}/v1/keys`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ana@company.test" }),
    });
    const { api_key: key } = (await issued.json()) as { api_key: string };
    const ask = async (path: string, init: RequestInit = {}) =>
      await fetch(`${service.url}/v1/enrich/batches${path}`, {
        ...init,
        headers: { "x-api-key": key, "idempotency-key": "campaign", "content-type": "text/csv" },
      });
    const create = async () => {
      const body = `domain,row\n${names.map((name, at) => `${name},${at}`).join("\n")}\n`;
      return (await (await ask("?sources=light", { method: "POST", body })).json()) as Progress;
    };
    const { id } = await create();
    const read = async () => (await (await ask(`/${id}`)).json()) as Progress;

    for (let ended = false; killed < kills && !ended; killed += 1) {
      // A kill before the first scan would show nothing.
      let { state, progress } = await read();
      for (
        const before = progress.done;
        state !== "done" && progress.done === before;
        { state, progress } = await read()
      )
        await Bun.sleep(20);
      await Bun.sleep(random() * LONGEST);
      ended = state === "done";
      onProgress(`kill ${killed + 1}: ${progress.done} of ${domains} done`);
      await service.end("SIGKILL");
      service = await startService(flags, home);
      const again = await create();
      if (again.id !== id) faults.push(`the idempotency key started another batch, ${again.id}`);
      repeated += 1;
    }
    service = await untilDone(service, read);
    faults.push(...faultsIn(await (await ask(`/${id}/results?format=csv`)).text(), names, isMissing));
    const code = await service.end("SIGTERM");
    if (code !== 0) faults.push(`the last service ended with ${code} after SIGTERM`);
    const missing = names.filter((_, at) => isMissing(at)).length;
    faults.push(...faultsStored(dataDir, domains, domains - missing));
    return { figures: { domains, kills: killed, repeated_requests: repeated }, faults, skipped: null };
  } finally {
    await box.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function untilDone(service: RunningService, read: () => Promise<Progress>): Promise<RunningService> {
  const end = Date.now() + PATIENCE_MS;
  while ((await read()).state !== "done") {
    if (Date.now() > end) throw new Error(`the batch did not end: ${JSON.stringify(await read())}`);
    await Bun.sleep(200);
  }
  return service;
}

/** Each domain has one row, in the order of the list, with the result that it must have. */
function faultsIn(csv: string, names: readonly string[], isMissing: (at: number) => boolean): string[] {
  const rows = csv.trim().split("\r\n").slice(1);
  const faults = rows.length === names.length ? [] : [`${rows.length} rows for ${names.length} domains`];
  for (const [at, name] of names.entries()) {
    const expected = isMissing(at) ? `${at},${name},${name},failed,` : `${at},${name},${name},done,`;
    if (!rows[at]?.startsWith(expected)) faults.push(`row ${at} is ${rows[at]}`);
  }
  return faults.slice(0, 5);
}

/** The database has one item for each domain, and the key was charged for those with a result. */
function faultsStored(dataDir: string, domains: number, charged: number): string[] {
  const database = new Database(join(dataDir, "casefile.sqlite"), { readonly: true });
  try {
    const number = (sql: string) => Number(Object.values(Object(database.query(sql).get()))[0]);
    const found: readonly (readonly [string, number, number])[] = [
      ["batches", number("select count(*) from batches"), 1],
      ["items", number("select count(*) from batch_items"), domains],
      [
        "domains with a result",
        number("select count(distinct domain) from batch_items where result is not null"),
        charged,
      ],
      ["requests counted", number("select sum(used) from usage"), charged],
    ];
    return found.filter(([, is, must]) => is !== must).map(([what, is, must]) => `${is} ${what}, not ${must}`);
  } finally {
    database.close();
  }
}
