import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SQL } from "bun";
import { type Box, openBox } from "../../test/box/box.ts";
import { startObjectStorage, storageSettings } from "../../test/net/object-storage.ts";
import { freePort } from "../../test/postgres/server.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";
import { createRandom } from "../random.ts";
import { type RunningService, runCommand, startService } from "./running.ts";
import { percentile } from "./service.ts";

export const NODES = 3;
const COMPANIES = 60;
/** Monthly limit of one of the keys, which every run reaches. */
const LIMIT = 400;
/** A client that got no answer waits before its next request. */
const BROKEN_PAUSE_MS = 500;
const STUDIES_PER_IMPORT = 20;
/** So many that a new node loads them from a snapshot. */
const STUDIES_AT_FIRST = 400;
const SNAPSHOT_EVERY = "20s";
/** `CAMPAIGN_PAUSES=3` makes the clients wait three times as long between requests, for a machine that others use too. */
const PAUSES = Number(process.env.CAMPAIGN_PAUSES ?? 1);
const SETTLE_MS = 240_000;
const CONFIG = resolve(import.meta.dir, "../../deploy/haproxy.cfg");
const MAIN = resolve(import.meta.dir, "../../src/main.ts");

/** A node may have received the request, or not; undefined when neither it nor the balancer answered. */
type Outcome = { readonly status: number; readonly body: Record<string, never> } | undefined;

/** Three nodes on one database behind HAProxy, on an internet with invented companies, and clients. */
export interface Cluster {
  readonly random: () => number;
  readonly load: ReturnType<typeof createLoad>;
  /** Starts a node, or starts it again, from the source of this tree or of another one. */
  start(node: number, main?: string): Promise<void>;
  kill(node: number): Promise<void>;
  /** Kills a node, deletes its data directory, and starts a new one in its place. Not node 0, whose directory imports use. */
  replace(node: number): Promise<void>;
  /** Of the snapshots of the search index. Its connections end, and new ones are refused until `startObjects`. */
  stopObjects(): Promise<void>;
  startObjects(): void;
  /** How nodes that were replaced had filled their index when they ended. */
  readonly built: { snapshot: number; database: number; unfinished: number };
  /** @returns faults */
  end(node: number): Promise<readonly string[]>;
  importStudies(round: number): Promise<void>;
  /** When the clients have ended: waits until the nodes are complete, and compares what is stored with what was acknowledged. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface ClusterOptions {
  readonly database: { readonly url: string; connect(): SQL };
  readonly seed: number;
  /** Of the list that is scanned meanwhile. */
  readonly domains: number;
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Source that the nodes start with. */
  readonly main?: string;
}

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { database, seed, domains } = options;
  const home = await mkdtemp(join(tmpdir(), "casefile-nodes-"));
  const page = '<title>Company</title><script src="https://js.stripe.com/v3/"></script>';
  const names = Array.from({ length: COMPANIES }, (_, at) => `company-${at}.test`);
  const running: (RunningService | undefined)[] = [];
  const faults: string[] = [];
  const imported: number[] = [];
  const built = { snapshot: 0, database: 0, unfinished: 0 };
  const replaced = new Set<number>();
  let objects = startObjectStorage();
  let box: Box | undefined;
  let balancer: Balancer | undefined;
  const close = async () => {
    await Promise.all(running.map((service) => service?.end("SIGKILL")));
    balancer?.stop();
    await objects.stop();
    await box?.close();
    await rm(home, { recursive: true, force: true });
  };
  try {
    const internet = await openBox({
      companies: [
        ...names.map((domain) => ({ domain, pages: { "/": page, "www/": page } })),
        { domain: "vendor.test", pages: { "/customers/*": "<title>Nothing here</title>" } },
      ],
    });
    box = internet;
    const ports: number[] = [];
    for (let node = 0; node < NODES; node++) ports.push(await freePort());
    const storage = storageSettings(objects);
    const directoryOf = (node: number) => join(home, `node-${node}`);
    const flags = await Promise.all(
      ports.map(async (port, node) => ({
        ...(await flagsInto(internet, directoryOf(node))),
        "index-snapshot-url": storage.url,
        "index-snapshot-region": storage.region,
        "index-snapshot-key-id": storage.keyId,
        "index-snapshot-secret": storage.secret,
        "index-snapshot-every-ms": SNAPSHOT_EVERY,
        "database-url": database.url,
        port,
        "accounts-keyless-per-hour": 100_000,
        "accounts-monthly-limit": 1_000_000,
        "log-level": "error",
        ...options.flags,
      })),
    );
    const start = async (node: number, main = MAIN) => {
      running[node] = await startService(flags[node] ?? {}, home, main);
    };
    /** Before a node ends. */
    const countBuilt = async (node: number) => {
      if (!replaced.delete(node)) return;
      const metrics = await fetch(`${running[node]?.url}/metrics`).then(
        (answer) => answer.text(),
        () => "",
      );
      const [, from = "unfinished"] = /^casefile_index_built\{from="(snapshot|database)"\} 1$/m.exec(metrics) ?? [];
      built[from as keyof typeof built] += 1;
    };
    const kill = async (node: number) => {
      await countBuilt(node);
      await running[node]?.end("SIGKILL");
    };
    const importStudies = async (round: number) => {
      const file = join(home, `studies-${round}.jsonl`);
      await Bun.write(file, studiesOf(round));
      const { code, err } = await runCommand(
        ["import", file],
        { "data-dir": join(home, "node-0"), "database-url": database.url },
        home,
        options.main,
      );
      if (code === 0) imported.push(round);
      else faults.push(`import ${round} ended with ${code}: ${err.slice(0, 300)}`);
    };
    await start(0, options.main);
    await Promise.all([start(1, options.main), start(2, options.main)]);
    await importStudies(0);
    balancer = await startBalancer(ports, home);
    const random = createRandom(seed);
    const load = createLoad(balancer.url, random, names);
    await load.begin(domains, database);
    return {
      random,
      load,
      start,
      kill,
      built,
      async replace(node) {
        await kill(node);
        await rm(directoryOf(node), { recursive: true });
        await flagsInto(internet, directoryOf(node));
        await start(node);
        replaced.add(node);
      },
      stopObjects: () => objects.stop(),
      startObjects() {
        objects = startObjectStorage(Number(new URL(objects.url).port), objects.objects);
      },
      async end(node) {
        await countBuilt(node);
        const code = await running[node]?.end("SIGTERM");
        return code === 0 ? [] : [`a node ended with ${code} after SIGTERM`];
      },
      importStudies,
      async check() {
        const urls = running.flatMap((service) => (service === undefined ? [] : [service.url]));
        return [...load.faults, ...faults, ...(await settled(urls)), ...(await load.compare(database, urls, imported))];
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Balancer {
  readonly url: string;
  stop(): void;
}

/** HAProxy with the configuration that is shipped, but for the addresses. */
async function startBalancer(ports: readonly number[], home: string): Promise<Balancer> {
  const port = await freePort();
  const shipped = await Bun.file(CONFIG).text();
  const config = shipped
    .replace("bind :8080", `bind 127.0.0.1:${port}`)
    .replaceAll(/casefile-(\d):7171/g, (_, node) => `127.0.0.1:${ports[Number(node) - 1]}`);
  const path = join(home, "haproxy.cfg");
  await Bun.write(path, config);
  const child = Bun.spawn(["haproxy", "-db", "-f", path], { stdout: "ignore", stderr: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) await Bun.sleep(50);
  return { url, stop: () => child.kill() };
}

/** Waits until every node is ready, its index complete and no job due. */
async function settled(urls: readonly string[]): Promise<string[]> {
  const end = Date.now() + SETTLE_MS;
  for (;;) {
    const states = await Promise.all(
      urls.map(async (url) => Object(await (await fetch(`${url}/readyz`)).json().catch(() => ({})))),
    );
    if (states.every(({ ready, status, index }) => (ready === true || status === "ready") && index == null)) return [];
    if (Date.now() > end) return [`the nodes did not become ready: ${JSON.stringify(states)}`];
    await Bun.sleep(250);
  }
}

/** Clients that change things through the balancer and remember what was acknowledged. */
function createLoad(url: string, random: () => number, names: readonly string[]) {
  const faults: string[] = [];
  const counts = { answered: 0, unavailable: 0, withoutNode: 0, broken: 0 };
  const times: number[] = [];
  const keys = new Map<string, string>();
  const submissions = new Map<string, string>();
  /** Units of each key that were acknowledged, and requests whose outcome is unknown. */
  const spent = { open: { acknowledged: 0, unknown: 0 }, limited: { acknowledged: 0, unknown: 0 } };
  const unknownEmails = new Set<string>();
  let openKey = "";
  let limitedKey = "";
  let batch = "";
  let batchDomains = 0;
  let serial = 0;

  const broken = async () => {
    counts.broken += 1;
    await Bun.sleep(BROKEN_PAUSE_MS);
    return undefined;
  };

  const ask = async (path: string, init: RequestInit & { json?: unknown } = {}): Promise<Outcome> => {
    const { json, ...rest } = init;
    const began = performance.now();
    try {
      const response = await fetch(`${url}${path}`, {
        ...rest,
        // On a connection that is used again, fetch sends a request twice when the balancer closes it unanswered.
        keepalive: false,
        ...(json === undefined ? {} : { method: "POST", body: JSON.stringify(json) }),
        headers: { ...(json === undefined ? {} : { "content-type": "application/json" }), ...rest.headers },
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      if (response.status === 503) {
        counts.unavailable += 1;
        if (!response.headers.has("retry-after"))
          faults.push(`${path}: 503 without Retry-After: ${text.slice(0, 200)}`);
        // Of the balancer: no node was ready, or the node ended.
        if (!response.headers.has("x-request-id")) {
          counts.withoutNode += 1;
          await Bun.sleep(BROKEN_PAUSE_MS);
        }
        return { status: 503, body: {} };
      }
      times.push(performance.now() - began);
      counts.answered += 1;
      if (response.status >= 500) faults.push(`${path}: ${response.status} ${text.slice(0, 300)}`);
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      return await broken();
    }
  };

  const lookUp = async (key: string, count: { acknowledged: number; unknown: number }) => {
    const name = names[Math.floor(random() * names.length)];
    const age = random() < 0.02 ? "?max_age=0" : "";
    const outcome = await ask(`/v1/enrich/${name}${age}`, { headers: { "x-api-key": key } });
    if (isUnknown(outcome)) count.unknown += 1;
    else if (outcome?.status === 200) count.acknowledged += 1;
    else if (outcome?.status !== 429) faults.push(`look-up: ${JSON.stringify(outcome)}`);
    return outcome?.status;
  };

  const search = async () => {
    const json = { query: WORDS[Math.floor(random() * WORDS.length)], limit: 5 };
    const outcome = await ask("/v1/casestudies/semantic", { json, headers: { "x-api-key": openKey } });
    if (isUnknown(outcome)) spent.open.unknown += 1;
    else if (outcome?.status === 200) spent.open.acknowledged += 1;
    else faults.push(`search: ${JSON.stringify(outcome)}`);
  };

  const signUp = async () => {
    const email = `client-${serial++}@buyer.test`;
    const outcome = await ask("/v1/keys", { json: { email } });
    if (outcome?.status === 201) keys.set(email, String(outcome.body.api_key));
    else if (outcome?.status !== 409) unknownEmails.add(email);
  };

  const submit = async () => {
    const case_study_url = `https://vendor.test/customers/${serial++}`;
    const json = { company_name: "Vendor", case_study_url, contact_email: "ana@vendor.test" };
    const outcome = await ask("/v1/submit", { json });
    if (outcome?.status !== 202) return;
    submissions.set(case_study_url, String(outcome.body.submission_id));
    // Repeated while it is pending, it has the same id.
    const again = await ask("/v1/submit", { json });
    if (again?.status === 202 && again.body.submission_id !== outcome.body.submission_id)
      faults.push(`${case_study_url} was submitted twice`);
  };

  const createBatch = async () =>
    await ask("/v1/enrich/batches?sources=light", {
      method: "POST",
      body: `domain\n${Array.from({ length: batchDomains }, (_, at) => names[at] ?? `nobody-${at}.test`).join("\n")}\n`,
      headers: { "x-api-key": openKey, "idempotency-key": "campaign", "content-type": "text/csv" },
    });

  const issue = async (email: string): Promise<string> => {
    const outcome = await ask("/v1/keys", { json: { email } });
    if (outcome?.status !== 201) throw new Error(`no key: ${JSON.stringify(outcome)}`);
    return String(outcome.body.api_key);
  };

  return {
    faults,
    summary: () => `${counts.answered} answered, ${counts.unavailable} unavailable, ${counts.broken} broken`,
    figures() {
      const sorted = times.toSorted((a, b) => a - b);
      return {
        requests: counts.answered + counts.unavailable + counts.broken,
        unavailable: counts.unavailable,
        unavailable_at_balancer: counts.withoutNode,
        broken: counts.broken,
        acknowledged_keys: keys.size,
        acknowledged_submissions: submissions.size,
        batch_domains: batchDomains,
        p50_ms: percentile(sorted, 0.5),
        p99_ms: percentile(sorted, 0.99),
      };
    },
    async begin(domains: number, database: ClusterOptions["database"]) {
      batchDomains = domains;
      openKey = await issue("open@buyer.test");
      limitedKey = await issue("limited@buyer.test");
      const sql = database.connect();
      await sql`update keys set monthly_limit = ${LIMIT} where email_folded = 'limited@buyer.test'`;
      await sql.close();
      const created = await createBatch();
      batch = String(created?.body.id);
    },

    /** Resolves when every client has ended. */
    async start(isOver: () => boolean) {
      const repeat = async (work: () => Promise<unknown>, pauseMs: number) => {
        while (!isOver()) {
          await work();
          await Bun.sleep(random() * pauseMs * 2 * PAUSES);
        }
      };
      await Promise.all([
        ...[1, 2, 3].map(() => repeat(() => lookUp(openKey, spent.open), 20)),
        repeat(() => lookUp(limitedKey, spent.limited), 25),
        ...[1, 2].map(() => repeat(search, 30)),
        repeat(signUp, 100),
        repeat(submit, 200),
        repeat(async () => {
          const again = await createBatch();
          if (again !== undefined && again.status < 300 && again.body.id !== batch)
            faults.push("a batch started twice");
        }, 2_000),
      ]);
    },

    /** What is stored must be what was acknowledged, and all nodes must find the same. */
    async compare(
      database: ClusterOptions["database"],
      nodeUrls: readonly string[],
      rounds: readonly number[],
    ): Promise<string[]> {
      const found: string[] = [];
      const sql = database.connect();
      const deadline = Date.now() + SETTLE_MS;
      for (;;) {
        const answer = await fetch(`${nodeUrls[0]}/v1/enrich/batches/${batch}`, { headers: { "x-api-key": openKey } });
        const { state, progress } = Object(await answer.json());
        if (state === "done") break;
        if (Date.now() > deadline) {
          found.push(`the batch is ${state}: ${JSON.stringify(progress)}`);
          break;
        }
        await Bun.sleep(500);
      }
      for (let left = LIMIT * 2; left > 0; left--) if ((await lookUp(limitedKey, spent.limited)) === 429) break;

      const stored = async (query: string): Promise<Map<string, string>> =>
        new Map((await sql.unsafe(query)).map((row: Record<string, unknown>) => Object.values(row).map(String)));
      const usedOf = await stored(
        "select email_folded, sum(used)::text from keys join usage on keys.id = usage.key_id group by email_folded",
      );
      const done = Number((await sql.unsafe("select count(*)::int as n from batch_items where state = 'done'"))[0].n);
      const rows = Number((await sql.unsafe("select count(*)::int as n from batch_items"))[0].n);
      if (rows !== batchDomains) found.push(`${rows} items for ${batchDomains} domains`);
      if (usedOf.get("limited@buyer.test") !== String(LIMIT))
        found.push(`the limited key used ${usedOf.get("limited@buyer.test")} of ${LIMIT}`);
      for (const [email, count, units] of [
        ["open@buyer.test", spent.open, done],
        ["limited@buyer.test", spent.limited, 0],
      ] as const) {
        const used = Number(usedOf.get(email) ?? 0) - units;
        if (used < count.acknowledged || used > count.acknowledged + count.unknown)
          found.push(`${email} used ${used}: ${count.acknowledged} acknowledged, ${count.unknown} unknown`);
      }
      const emails = await sql.unsafe(
        "select email_folded as email, count(*)::int as n from keys where revoked_at is null group by 1",
      );
      const active = new Map<string, number>(emails.map(({ email, n }: { email: string; n: number }) => [email, n]));
      for (const email of keys.keys())
        if (active.get(email) !== 1) found.push(`the key of ${email} is stored ${active.get(email) ?? 0} times`);
      for (const key of [...keys.values()].slice(-20)) {
        const answer = await fetch(`${nodeUrls[1]}/v1/casestudies?limit=1`, { headers: { "x-api-key": key } });
        if (answer.status !== 200) found.push(`an acknowledged key gets ${answer.status}`);
      }
      const ids = await stored("select case_study_url, id from submissions");
      for (const [address, id] of submissions)
        if (ids.get(address) !== id) found.push(`${address} was acknowledged as ${id} and is ${ids.get(address)}`);
      const double = await sql.unsafe("select url_key from submissions group by url_key having count(*) > 1");
      if (double.length > 0) found.push(`${double.length} submissions are stored twice`);
      await sql.close();
      for (const url of nodeUrls) found.push(...(await missing(url, rounds, openKey)));
      return found;
    },
  };
}

/** Without an answer the work may have been done; after 503 what it cost may not have been given back. */
const isUnknown = (outcome: Outcome): boolean => outcome === undefined || outcome.status === 503;

/** A word that only one case study has. */
const markerOf = (round: number, at: number): string => `marker${round}n${at}`;

const countOf = (round: number): number => (round === 0 ? STUDIES_AT_FIRST : STUDIES_PER_IMPORT);

/** Case studies with the words of the searches. */
const studiesOf = (round: number): string =>
  Array.from({ length: countOf(round) }, (_, at) => {
    const names = Array.from({ length: 12 }, (_, place) => Bun.hash(`${round} ${at} ${place}`).toString(36));
    const word = (place: number) => WORDS[(round * 7 + at * 3 + place) % WORDS.length];
    return JSON.stringify({
      title: `How ${markerOf(round, at)} cut its ${word(0)} by ${10 + at}%`,
      url: `https://vendor.example/customers/${round}-${at}`,
      company_name: "Vendor",
      client_name: `Client ${round}-${at}`,
      summary: `The team of client ${round}-${at} handles ${word(1)} and ${word(2)} faster: ${names.join(" ")}.`,
    });
  }).join("\n");

const WORDS = "ticket backlog invoices warehouse downtime harbour parcels engines signals bakery".split(" ");

/** Every node has an index of its own, in which each case study is found by its word. */
async function missing(url: string, rounds: readonly number[], key: string): Promise<string[]> {
  const lost: string[] = [];
  for (const round of rounds)
    for (let first = 0; first < countOf(round); first += 10) {
      const markers = Array.from({ length: 10 }, (_, at) => markerOf(round, first + at));
      const answer = await fetch(`${url}/v1/casestudies/semantic`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": key },
        body: JSON.stringify({ query: markers.join(" "), limit: 50, mode: "keyword" }),
      });
      if (answer.status !== 200) return [`a search gets ${answer.status}: ${(await answer.text()).slice(0, 200)}`];
      const text = await answer.text();
      lost.push(...markers.filter((marker) => !text.includes(`How ${marker} `)));
    }
  return lost.length === 0 ? [] : [`a node does not find ${lost.length} case studies: ${lost.slice(0, 5).join(", ")}`];
}
