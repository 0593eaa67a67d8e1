import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SQL } from "bun";
import { openBox } from "../../test/box/box.ts";
import type { Company } from "../../test/box/company.ts";
import { copyDatabase, NoPostgres, startPostgres } from "../../test/postgres/server.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";
import { createRandom, type Random } from "../random.ts";
import type { CampaignPart } from "./part.ts";
import { usageOf } from "./process-usage.ts";
import { type RunningService, startService } from "./running.ts";

/** `CAMPAIGN_DOMAINS` sets another number of domains. */
const FULL = { domains: 100_000, killSeconds: 600, longestLifeMs: 60_000 };
const SHORT = { domains: 300, killSeconds: 20, longestLifeMs: 12_000 };
/** `CAMPAIGN_SECONDS`: then the batch is cancelled, and what it did so far is checked. */
const MOST_SECONDS = Number(process.env.CAMPAIGN_SECONDS ?? 86_400);
const NODES = 3;
/** Of each node. */
const CONCURRENCY = 8;
/** Every tenth domain does not exist. */
const MISSING_EVERY = 10;
/** How often the batch is asked how far it is, and the processes how much they use. */
const SAMPLE_MS = 5_000;
const SAMPLES_PER_LINE = 12;
/** A machine that other work uses makes each step of a scan slower, which is no fault of the batch. */
const SCAN_DEADLINE = "120s";
/** The second key may count 1,000 domains, and asks twice for this part of the list. */
const LIMITED = { limit: 1_000, domains: 600 };
/** Of those in the rows, which often have one cause. */
const MAX_FAULTS = 5;

interface Progress {
  readonly id: string;
  readonly state: string;
  readonly progress: { readonly done: number; readonly failed: Readonly<Record<string, number>> };
}

export const bulk: CampaignPart = {
  name: "bulk",
  about:
    "Scans 100,000 domains by three nodes on one PostgreSQL, killed with kill -9 for ten minutes; each domain has one result, in the order of the list, and is counted once.",
  async run({ short, seed, onProgress }) {
    const size = short ? SHORT : FULL;
    const domains = Number(process.env.CAMPAIGN_DOMAINS ?? size.domains);
    // The tests' settings, but with what a large table needs.
    const server = await startPostgres({ autovacuum: "on", shared_buffers: "256MB" }).catch((error) => {
      if (error instanceof NoPostgres) return undefined;
      throw error;
    });
    if (server === undefined) return { figures: {}, faults: [], skipped: "there is no PostgreSQL here" };
    const home = await mkdtemp(join(tmpdir(), "casefile-bulk-"));
    const random = createRandom(seed);
    const names = Array.from({ length: domains }, (_, at) => `company-${at}.test`);
    const box = await openBox({ companies: companiesOf(names) }, { keepsHits: false });
    const { url: database } = await copyDatabase(server.urls.icu);
    const sql = new Bun.SQL(database, { max: 1 });
    const faults: string[] = [];
    const nodes = await openNodes(
      async (node) => ({
        ...(await flagsInto(box, join(home, `node-${node}`))),
        "database-url": database,
        "batch-concurrency": CONCURRENCY,
        "scan-concurrency": CONCURRENCY,
        "scan-deadline-ms": SCAN_DEADLINE,
        "accounts-monthly-limit": 1_000_000,
        "log-level": "error",
      }),
      home,
      random,
    );
    try {
      const key = await issue(nodes, "ana@company.test");
      const create = async () => {
        const body = `domain,row\n${names.map((name, at) => `${name},${at}`).join("\n")}\n`;
        return await nodes.ask("?sources=light", { key, method: "POST", body, idempotencyKey: "campaign" });
      };
      const { id } = await progressOf(await create());
      const limited = await askLimited(nodes, sql, names);
      faults.push(...limited.faults);
      const read = async () => await progressOf(await nodes.ask(`/${id}`, { key }));

      const began = performance.now();
      const seconds = () => (performance.now() - began) / 1_000;
      const killing = nodes.killFor(size.killSeconds, size.longestLifeMs);
      const memory = { service: [] as number[], readers: [] as number[] };
      let repeated = 0;
      let isCancelled = false;
      for (let sample = 1; ; sample += 1) {
        const { state, progress } = await read();
        const finished = progress.done + total(progress.failed);
        const tenth = Math.min(9, Math.floor((finished * 10) / domains));
        const { service, readers, sizes } = await nodes.sample();
        memory.service[tenth] = Math.max(memory.service[tenth] ?? 0, service);
        memory.readers[tenth] = Math.max(memory.readers[tenth] ?? 0, readers);
        if (sample % SAMPLES_PER_LINE === 0 || state !== "running") {
          const failed = JSON.stringify(progress.failed);
          onProgress(
            `${seconds().toFixed(0)} s: ${progress.done} done, failed ${failed}, ${nodes.kills()} kills, ${sizes} MiB`,
          );
        }
        if (state !== "running") break;
        if (seconds() > MOST_SECONDS && !isCancelled) {
          isCancelled = true;
          await nodes.ask(`/${id}/cancel`, { key, method: "POST" });
        }
        if (nodes.kills() > repeated * 10) {
          const again = await progressOf(await create());
          if (again.id !== id) faults.push(`the idempotency key started another batch, ${again.id}`);
          repeated += 1;
        }
        await Bun.sleep(SAMPLE_MS);
      }
      const elapsed = seconds();
      await killing;
      const used = await nodes.processorSeconds();
      const database = (await usageOf(server.pid)).seconds;

      const rows = await (await nodes.ask(`/${id}/results?format=csv`, { key })).text();
      const checked = checkRows(rows, names, isCancelled);
      faults.push(...checked.faults);
      faults.push(...(await faultsStored(sql, id, "ana@company.test", domains, checked.done)));
      faults.push(...(await limited.check()));
      const [{ scans, scanned }] = await sql.unsafe(
        "select count(*)::int as scans, count(distinct domain)::int as scanned from scans",
      );
      faults.push(...(await nodes.end()));
      const each = (value: number) => Math.round((value * 1_000) / (checked.done + checked.failed));
      return {
        figures: {
          domains,
          done: checked.done,
          failed: checked.failed,
          cancelled: checked.cancelled,
          without_planted_tool: checked.withoutTool,
          seconds: Math.round(elapsed),
          kills: nodes.kills(),
          repeated_requests: repeated,
          scans_repeated: scans - scanned,
          node_processor_ms: each(used.service),
          reader_processor_ms: each(used.readers),
          postgres_processor_ms: each(database),
          internet_processor_ms: each((process.cpuUsage().user + process.cpuUsage().system) / 1e6),
          ...byTenth("node_mib", memory.service),
          ...byTenth("readers_mib", memory.readers),
        },
        faults,
        skipped: null,
      };
    } finally {
      await nodes.close();
      await sql.close();
      await box.close();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    }
  },
};

const progressOf = async (answer: Response): Promise<Progress> => (await answer.json()) as Progress;

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The largest of each tenth of the list. A tenth in which nothing was sampled is missing. */
const byTenth = (name: string, values: readonly number[]): Record<string, number> =>
  Object.fromEntries(values.flatMap((value, tenth) => [[`${name}_${(tenth + 1) * 10}`, Math.round(value)]]));

const PLANTED = [
  { tool: "Stripe", script: "https://js.stripe.com/v3/" },
  { tool: "HubSpot", script: "https://js.hs-scripts.com/1234567.js" },
  { tool: "Intercom", script: "https://widget.intercom.io/widget/abc123" },
  { tool: "Hotjar", script: "https://static.hotjar.com/c/hotjar-123456.js?sv=6" },
  { tool: "Segment", script: "https://cdn.segment.com/analytics.js/v1/abc/analytics.min.js" },
] as const;
const plantedOf = (at: number) => PLANTED[at % PLANTED.length] ?? PLANTED[0];
const isMissing = (at: number): boolean => at % MISSING_EVERY === MISSING_EVERY - 1;

const PAGES = 40;
/** Characters of the smallest and largest home page. */
const [SMALLEST, LARGEST] = [2_000, 20_000];
const MX = ["1 aspmx.l.google.com", "0 acme.mail.protection.outlook.com", "10 mx.zoho.com"];

/** Those that exist, with records of DNS, and one of 40 home pages with one of the planted tools. */
function companiesOf(names: readonly string[]): Company[] {
  const pages = Array.from({ length: PAGES }, (_, at) => pageOf(at));
  return names.flatMap((domain, at): Company[] => {
    if (isMissing(at)) return [];
    return [
      {
        domain,
        records: {
          "": { MX: MX[at % MX.length] ?? "", TXT: ["v=spf1 include:_spf.google.com -all", `row=${at}`] },
          _dmarc: { TXT: "v=DMARC1; p=reject" },
        },
        pages: { "/": { redirect: `https://www.${domain}/` }, "www/": pages[at % PAGES] ?? "" },
      },
    ];
  });
}

function pageOf(at: number): string {
  const size = SMALLEST + ((LARGEST - SMALLEST) * at) / (PAGES - 1);
  let body = "";
  for (let part = 0; body.length < size; part += 1)
    body += `<section class="row-${part}"><h2>Part ${part} of page ${at}</h2><p>Pumps, valves and ${"fittings ".repeat(part % 9)}for harbours.</p><a href="/part-${part}">More</a></section>\n`;
  return `<!doctype html><html lang="en"><head><title>Company ${at}</title><script src="${plantedOf(at).script}"></script></head><body>${body}</body></html>`;
}

interface Nodes {
  /** A request to the batches of a node that answers. */
  ask(path: string, request: NodeRequest): Promise<Response>;
  /** Kills each node with kill -9 at random, several at a time, and starts it again, until the time is over. */
  killFor(seconds: number, longestLifeMs: number): Promise<void>;
  kills(): number;
  /** Mebibytes: of the largest node, of the readers of the node where they are largest, and all as text. */
  sample(): Promise<{ readonly service: number; readonly readers: number; readonly sizes: string }>;
  /** Of all nodes and of their readers, also of those that were killed. */
  processorSeconds(): Promise<{ readonly service: number; readonly readers: number }>;
  /** @returns faults */
  end(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface NodeRequest {
  readonly key?: string;
  readonly method?: string;
  readonly body?: string;
  readonly type?: string;
  readonly idempotencyKey?: string;
  /** The default is that of batches. */
  readonly base?: string;
}

const PATIENCE_MS = 600_000;

async function openNodes(
  flagsOf: (node: number) => Promise<Readonly<Record<string, unknown>>>,
  home: string,
  random: Random,
): Promise<Nodes> {
  const flags = await Promise.all(Array.from({ length: NODES }, (_, node) => flagsOf(node)));
  const running: (RunningService | undefined)[] = [];
  const ended = { service: 0, readers: 0 };
  let kills = 0;
  const start = async (node: number) => {
    running[node] = await startService(flags[node] ?? {}, home);
  };
  const usages = () => Promise.all(running.map((service) => usageOf(service?.pid ?? 0)));
  // The first creates the tables.
  await start(0);
  await Promise.all([start(1), start(2)]);
  return {
    async ask(path, { key, method = "GET", body, type = "text/csv", idempotencyKey, base = "/v1/enrich/batches" }) {
      const limit = Date.now() + PATIENCE_MS;
      for (let node = Math.floor(random() * NODES); ; node = (node + 1) % NODES) {
        try {
          const answer = await fetch(`${running[node]?.url}${base}${path}`, {
            method,
            ...(body === undefined ? {} : { body }),
            headers: {
              ...(body === undefined ? {} : { "content-type": type }),
              ...(key === undefined ? {} : { "x-api-key": key }),
              ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
              connection: "close",
            },
          });
          // Read here: the node may be killed meanwhile.
          const read = new Response(await answer.blob(), { status: answer.status });
          if (read.status !== 503 || Date.now() > limit) return read;
        } catch (error) {
          // Killed, or not started yet.
          if (Date.now() > limit) throw error;
        }
        await Bun.sleep(250);
      }
    },
    async killFor(seconds, longestLifeMs) {
      const end = performance.now() + seconds * 1_000;
      const life = () => Math.min(random() * longestLifeMs, end - performance.now());
      await Promise.all(
        Array.from({ length: NODES }, async (_, node) => {
          for (;;) {
            await Bun.sleep(life());
            if (performance.now() >= end) return;
            const service = running[node];
            const { own, seconds } = await usageOf(service?.pid ?? 0);
            ended.service += own;
            ended.readers += seconds - own;
            running[node] = undefined;
            await service?.end("SIGKILL");
            kills += 1;
            await start(node);
          }
        }),
      );
    },
    kills: () => kills,
    async sample() {
      const sizes = (await usages()).map(({ ownResident, resident }) => [ownResident, resident - ownResident].map(mib));
      return {
        service: Math.max(...sizes.map(([service = 0]) => service)),
        readers: Math.max(...sizes.map(([, readers = 0]) => readers)),
        sizes: sizes.map((each) => each.join("+")).join(", "),
      };
    },
    async processorSeconds() {
      const now = await usages();
      return {
        service: now.reduce((sum, { own }) => sum + own, ended.service),
        readers: now.reduce((sum, { own, seconds }) => sum + seconds - own, ended.readers),
      };
    },
    async end() {
      const codes = await Promise.all(running.map((service) => service?.end("SIGTERM")));
      return codes.flatMap((code) => (code === 0 ? [] : [`a node ended with ${code} after SIGTERM`]));
    },
    async close() {
      await Promise.all(running.map((service) => service?.end("SIGKILL")));
    },
  };
}

const mib = (bytes: number): number => Math.round(bytes / 1_048_576);

async function issue(nodes: Nodes, email: string): Promise<string> {
  const answer = await nodes.ask("", {
    base: "/v1/keys",
    method: "POST",
    type: "application/json",
    body: JSON.stringify({ email }),
  });
  const { api_key } = Object(await answer.json());
  return String(api_key);
}

/** A key with a limit asks for two lists, of which it has room for one: the other must be refused and count nothing. */
async function askLimited(nodes: Nodes, sql: SQL, names: readonly string[]) {
  const email = "bo@company.test";
  const key = await issue(nodes, email);
  const list = names.slice(0, LIMITED.domains);
  const limit = Math.floor((LIMITED.limit * list.length) / LIMITED.domains);
  await sql`update keys set monthly_limit = ${limit} where email_folded = ${email}`;
  const create = (idempotencyKey: string) =>
    nodes.ask("?sources=light", { key, method: "POST", body: `domain\n${list.join("\n")}\n`, idempotencyKey });
  const first = await create("first");
  const { id } = await progressOf(first);
  const second = await create("second");
  const faults = [first.status === 202, second.status === 429].every(Boolean)
    ? []
    : [`the lists of a limited key got ${first.status} and ${second.status}`];
  return {
    faults,
    async check(): Promise<readonly string[]> {
      const { state, progress } = await progressOf(await nodes.ask(`/${id}`, { key }));
      if (state === "running") await nodes.ask(`/${id}/cancel`, { key, method: "POST" });
      const after = await progressOf(await nodes.ask(`/${id}`, { key }));
      const used = await usedBy(sql, email);
      if (used !== after.progress.done) return [`the limited key used ${used}, and ${progress.done} domains are done`];
      return [];
    },
  };
}

const usedBy = async (sql: SQL, email: string): Promise<number> => {
  const [row] = await sql`
    select coalesce(sum(used), 0)::int as used from usage join keys on keys.id = usage.key_id where email_folded = ${email}`;
  return Number(row.used);
};

/** Each domain has one row, in the order of the list, with the result that it must have. */
function checkRows(csv: string, names: readonly string[], isCancelled: boolean) {
  const rows = csv.trim().split("\r\n").slice(1);
  const faults = rows.length === names.length ? [] : [`${rows.length} rows for ${names.length} domains`];
  const counts = { done: 0, failed: 0, cancelled: 0, withoutTool: 0 };
  for (const [at, name] of names.entries()) {
    const row = rows[at] ?? "";
    const start = `${at},${name},${name},`;
    const state = row.startsWith(start) ? row.slice(start.length, row.indexOf(",", start.length)) : "";
    const isRight = state === (isMissing(at) ? "failed" : "done") || (isCancelled && state === "cancelled");
    if (state === "done" || state === "failed" || state === "cancelled") counts[state] += 1;
    const tools = PLANTED.filter(({ tool }) => row.includes(tool));
    const isOthers = tools.some(({ tool }) => tool !== plantedOf(at % PAGES).tool);
    if (state === "done" && tools.length === 0) counts.withoutTool += 1;
    if (!isRight || isOthers) faults.push(`row ${at} is ${row.slice(0, 300)}`);
  }
  return { ...counts, faults: faults.slice(0, MAX_FAULTS) };
}

/** The database has one item for each domain, and the key was charged for those with a result. */
async function faultsStored(sql: SQL, id: string, email: string, domains: number, done: number): Promise<string[]> {
  const [items] = await sql`
    select count(*)::int as items, count(distinct domain)::int as distinct, count(result)::int as results,
      count(lease)::int as leased from batch_items where batch_id = ${id}`;
  const found: readonly (readonly [string, number, number])[] = [
    ["items", items.items, domains],
    ["distinct domains", items.distinct, domains],
    ["results", items.results, done],
    ["leased items", items.leased, 0],
    ["domains counted", await usedBy(sql, email), done],
  ];
  return found.filter(([, is, must]) => is !== must).map(([what, is, must]) => `${is} ${what}, not ${must}`);
}
