import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningService, runCommand, startService } from "../../scripts/campaign/running.ts";
import { processorSeconds } from "../../src/processes/child.ts";
import { openBox } from "../../test/box/box.ts";
import { copyDatabase, startPostgres } from "../../test/postgres/server.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";

export const COMPANIES = 60;
export const STUDIES = 1_000;
const CLIENTS = 16;
export const WARM_UP_MS = 2_000;
const WORDS = "ticket backlog invoices warehouse downtime harbour parcels engines signals bakery crews forms".split(
  " ",
);

/** Requests of one kind to the nodes of one setup. */
interface Measured {
  readonly setup: string;
  readonly what: string;
  readonly perSecond: number;
  /** Processor time of a request, in milliseconds: of the nodes, and of PostgreSQL. */
  readonly nodeMs: number;
  readonly databaseMs: number;
}

/**
 * Cached look-ups and searches of 16 clients, on the file of one process and on PostgreSQL with one to three nodes, in one
 * run. Look-ups count against the quota of a key, which is the write of each request.
 */
export async function benchNodes(seconds: number): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "casefile-bench-nodes-"));
  const page = '<title>Company</title><script src="https://js.stripe.com/v3/"></script>';
  const names = Array.from({ length: COMPANIES }, (_, at) => `company-${at}.test`);
  const box = await openBox({ companies: names.map((domain) => ({ domain, pages: { "/": page, "www/": page } })) });
  const server = await startPostgres();
  const measured: Measured[] = [];
  try {
    const database = await copyDatabase(server.urls.icu);
    const studies = join(home, "studies.jsonl");
    await Bun.write(studies, Array.from({ length: STUDIES }, (_, at) => studyLine(at)).join("\n"));
    for (const nodes of [0, 1, 2, 3]) {
      const running: RunningService[] = [];
      try {
        for (let node = 0; node < Math.max(1, nodes); node++) {
          const folder = join(home, nodes === 0 ? "file" : `node-${node}`);
          const shared = nodes === 0 ? {} : { "database-url": database.url };
          const flags = { "data-dir": folder, ...shared };
          if (nodes < 2) await runCommand(["import", studies], flags, home);
          running.push(
            await startService(
              {
                ...(await flagsInto(box, folder)),
                ...shared,
                "accounts-monthly-limit": 1_000_000_000,
                "log-level": "error",
              },
              home,
            ),
          );
        }
        const setup = nodes === 0 ? "file" : `${nodes} node${nodes === 1 ? "" : "s"}`;
        measured.push(...(await measure(setup, running, nodes === 0 ? undefined : server.pid, names, seconds)));
      } finally {
        await Promise.all(running.map((service) => service.end("SIGTERM")));
      }
    }
  } finally {
    await box.close();
    await server.stop();
    await rm(home, { recursive: true, force: true });
  }
  return tableOf(measured);
}

/** The requests that are measured, to services that have stored the scans of the names and indexed every case study. */
export async function requestsTo(
  setup: string,
  running: readonly RunningService[],
  names: readonly string[],
): Promise<readonly [what: string, request: (at: number) => Promise<unknown>][]> {
  const urls = running.map(({ url }) => url);
  const json = { "content-type": "application/json" };
  const body = JSON.stringify({ email: `${setup.replace(" ", "-")}@buyer.example` });
  const key = Object(await (await fetch(`${urls[0]}/v1/keys`, { method: "POST", headers: json, body })).json()).api_key;
  const headers = { ...json, "x-api-key": String(key) };
  const ask = async (path: string, init: RequestInit = {}, node = 0): Promise<string> => {
    const answer = await fetch(`${urls[node % urls.length]}${path}`, { headers, ...init });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${setup}, ${path}: ${answer.status} ${text.slice(0, 200)}`);
    return text;
  };
  const search = (at: number) => ({
    method: "POST",
    body: JSON.stringify({ query: `${WORDS[at % WORDS.length]} ${WORDS[(at * 5) % WORDS.length]} ${at}`, limit: 5 }),
  });
  // Scans are stored, and every index is complete.
  for (const name of names) await ask(`/v1/enrich/${name}`);
  for (const url of urls)
    while (Object(await (await fetch(`${url}/readyz`)).json()).index != null) await Bun.sleep(100);
  return [
    ["look-up", (at) => ask(`/v1/enrich/${names[at % names.length]}`, {}, at)],
    ["search", (at) => ask("/v1/casestudies/semantic", search(at), at)],
  ];
}

async function measure(
  setup: string,
  running: readonly RunningService[],
  database: number | undefined,
  names: readonly string[],
  seconds: number,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const [what, request] of await requestsTo(setup, running, names)) {
    await repeated(request, WARM_UP_MS);
    const spent = async () => ({
      nodes: await processorSum(running.map(({ pid }) => pid)),
      database: database === undefined ? 0 : await processorSum([database, ...childrenOf(database)]),
    });
    const before = await spent();
    const count = await repeated(request, seconds * 1_000);
    const after = await spent();
    measured.push({
      setup,
      what,
      perSecond: count / seconds,
      nodeMs: ((after.nodes - before.nodes) * 1_000) / count,
      databaseMs: ((after.database - before.database) * 1_000) / count,
    });
  }
  return measured;
}

/** @returns how many requests the clients made together */
export async function repeated(request: (at: number) => Promise<unknown>, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let count = 0;
  const client = async () => {
    while (performance.now() < end) await request(count++);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return count;
}

export const studyLine = (at: number): string => {
  const word = (place: number) => WORDS[(at * 7 + place * 3) % WORDS.length];
  return JSON.stringify({
    title: `How client ${at} cut its ${word(0)} by ${10 + (at % 80)}%`,
    url: `https://vendor.example/customers/${at}`,
    company_name: "Vendor",
    client_name: `Client ${at}`,
    summary: `The team of client ${at} handles ${word(1)}, ${word(2)} and ${word(3)} faster, ${word(4)} included.`,
  });
};

const processorSum = async (pids: readonly number[]): Promise<number> =>
  (await Promise.all(pids.map(processorSeconds))).reduce((sum, seconds) => sum + seconds, 0);

const childrenOf = (parent: number): number[] =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent ? [Number(name)] : [];
    } catch {
      // It has ended.
      return [];
    }
  });

function tableOf(measured: readonly Measured[]): string {
  const lines = measured.map(({ setup, what, perSecond, nodeMs, databaseMs }) => {
    const file = measured.find((each) => each.what === what);
    const ratio = ((nodeMs + databaseMs) / (file?.nodeMs ?? 1)).toFixed(2);
    return `| ${setup} | ${what} | ${perSecond.toFixed(0)} | ${nodeMs.toFixed(2)} | ${databaseMs.toFixed(2)} | ${ratio} |`;
  });
  return [
    "| data | request | a second | processor ms, nodes | processor ms, PostgreSQL | cost against the file |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}
