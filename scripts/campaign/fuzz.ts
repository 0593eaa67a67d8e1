import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { OpenApi, Operation } from "../../src/reference/openapi.ts";
import { openBox } from "../../test/box/box.ts";
import { createContract } from "../../test/http/contract/documented.ts";
import { type Input, inputsOf, spoiltBodies } from "../../test/http/contract/inputs.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";
import { createRandom } from "../random.ts";
import type { CampaignPart } from "./part.ts";
import { runCommand, startService } from "./running.ts";

const REQUESTS = 100_000;
const SHORT_REQUESTS = 3_000;
const WORKERS = 8;
/** Inputs of one operation that are generated at a time. */
const SAMPLE = 50;
/** Scans and backups take a thousand times longer than other requests. */
const SLOW = new Set(["enrich", "enrichStream", "createBackup", "watchDomain", "testWebhook"]);
const SLOW_SHARE = 0.05;
/** Longest time of a response, a stream included. */
const PATIENCE_MS = 60_000;
/** Other processes of the machine count too; the figure shows the usual time. */
const MAX_HEALTH_P99_MS = 5_000;
const HEALTH_EVERY_MS = 50;
/** Faults listed of one kind. */
const LISTED = 5;

/** Existing values by the name of a parameter or field. */
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  domain: ["brightpine.test", "missing.test", "https://www.brightpine.test/x", "10.0.0.1", "localhost", "com"],
  slug: ["tidewell", "TIDEWELL", "nobody"],
  company: ["tidewell", "nobody"],
  companies: [["tidewell"], ["tidewell", "tidewell"], []],
  industry: ["banking", "Construction", "nothing"],
  id: ["tidewell-quarrystone", "1"],
  email: ["ana@brightpine.test", "no address"],
  key: ["ben@brightpine.test"],
  case_study_url: ["https://brightpine.test/customers", "http://10.0.0.1/", "ftp://x"],
  contact_email: ["ana@brightpine.test"],
  url: ["https://brightpine.test/hook", "http://127.0.0.1/"],
  query: ["bank", "books"],
  mode: ["hybrid", "semantic", "keyword", "bad"],
};

/** Values that break code which converts, copies or compares what it was given. */
const ODD: readonly unknown[] = [
  { toString: 1 },
  { valueOf: 1, toString: null, toJSON: 1 },
  JSON.parse('{"__proto__":{"toString":1}}'),
  { constructor: { prototype: null } },
  { length: 4_294_967_295 },
  JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`),
  "\u0000",
  "\ud800",
  "%00%ff%",
  "../../../etc/passwd",
  "' or 1=1 --",
  "é".repeat(20_000),
  -0,
  1e308,
  2 ** 53,
];
const ODD_TEXTS = ODD.filter((value) => typeof value === "string");
const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ["accept", "text/html"],
  ["accept", "*/*;q=0"],
  ["accept-encoding", "br;q=1, *;q=0"],
  ["content-type", "application/x-www-form-urlencoded"],
  ["content-type", "application/json; charset=utf-16"],
  ["if-none-match", `W/"${"x".repeat(5_000)}"`],
  ["idempotency-key", "\u00ff".repeat(300)],
  ["origin", "null"],
  ["range", "bytes=0-1"],
  ["x-api-key", "x".repeat(5_000)],
  ["x-forwarded-for", ",,,"],
  ["x-request-id", "<script>"],
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

interface Fuzzed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** Whether the request is as documented but for its values, so that the document says what is answered. */
  readonly isDocumented: boolean;
}

/** Fuzzes a running service with requests made from its OpenAPI document. */
export const fuzz: CampaignPart = {
  name: "fuzz",
  about: "Sends requests generated from the OpenAPI document; no 500, no closed connection, only documented problems.",
  async run({ short, seed, onProgress }) {
    const home = await mkdtemp(join(tmpdir(), "casefile-fuzz-"));
    const dataDir = join(home, "data");
    const box = await openBox({ companies: [{ domain: "brightpine.test", pages: { "/": "<title>B</title>" } }] });
    try {
      const record = {
        ...{ title: "Quarrystone closes its books", url: "https://tidewell.test/q", company_name: "Tidewell" },
        ...{
          client_name: "Quarrystone",
          industry: "construction",
          country: "NO",
          body: "It closes books in two days.",
        },
      };
      await Bun.write(join(home, "stories.jsonl"), JSON.stringify(record));
      await runCommand(["import", join(home, "stories.jsonl")], { "data-dir": dataDir }, home);
      const service = await startService(
        {
          ...(await flagsInto(box, dataDir)),
          ...{ "accounts-keyless-per-hour": 100_000, "accounts-monthly-limit": 1_000_000_000 },
          ...{ "log-level": "warn", "log-format": "json" },
        },
        home,
      );
      const requests = short ? SHORT_REQUESTS : REQUESTS;
      let outcome: Awaited<ReturnType<typeof fuzzService>>;
      let code: number;
      try {
        outcome = await fuzzService(service, { requests, seed, onProgress });
      } finally {
        code = await service.end("SIGTERM");
      }
      const errors = (await service.log).split("\n").filter((line) => /"stack"|"level":(?:50|60)|^\s+at /.test(line));
      const faults = [...outcome.faults, ...errors.slice(0, LISTED).map((line) => `the log has ${line.slice(0, 600)}`)];
      if (code !== 0) faults.push(`the service ended with ${code}`);
      return { figures: { ...outcome.figures, log_errors: errors.length }, faults, skipped: null };
    } finally {
      await box.close();
      await rm(home, { recursive: true, force: true });
    }
  },
};

interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly onProgress: (line: string) => void;
}

async function fuzzService(
  { url, operatorToken }: { readonly url: string; readonly operatorToken: string | undefined },
  { requests, seed, onProgress }: FuzzOptions,
) {
  const random = createRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const document: OpenApi = JSON.parse(await (await fetch(`${url}/openapi.json`)).text());
  const contract = createContract(document);
  const json = { "content-type": "application/json" };
  const issued = await fetch(`${url}/v1/keys`, {
    method: "POST",
    headers: json,
    body: '{"email":"fuzz@brightpine.test"}',
  });
  const apiKey = String(Object(await issued.json()).api_key);

  const operations: Fuzzed[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const quick = operations.filter(({ operation }) => !SLOW.has(operation.operationId));
  const slow = operations.filter(({ operation }) => SLOW.has(operation.operationId));
  const stocks = new Map<Operation, { input: Input; spoilt: unknown }[]>();
  const next = (operation: Operation) => {
    const stock = stocks.get(operation) ?? [];
    if (stock.length === 0) {
      const inputs = inputsOf(operation, KNOWN, contract.resolved);
      const both = fc.record({ input: inputs, spoilt: spoiltBodies(inputs.map(({ body }) => body)) });
      stock.push(...fc.sample(both, { numRuns: SAMPLE, seed: Math.floor(random() * 2 ** 31) }));
      stocks.set(operation, stock);
    }
    return stock.pop() ?? { input: { path: {}, query: {} }, spoilt: null };
  };

  function requestOf({ method, path, operation }: Fuzzed): Sent {
    const { input, spoilt } = next(operation);
    const part = (value: unknown) => encodeURIComponent(String(value ?? "x").toWellFormed()).slice(0, 2_000);
    const at = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name) => part(random() < 0.1 ? pick(ODD_TEXTS) : input.path[name]) || "x",
    );
    const query = new URLSearchParams(
      Object.entries(input.query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    if (random() < 0.1) query.append(pick([...query.keys(), "typo"]), pick(ODD_TEXTS).toWellFormed().slice(0, 500));
    const headers = new Headers(operation.requestBody ? json : {});
    if (random() < 0.97) headers.set("x-api-key", apiKey);
    if (random() < 0.97) headers.set("authorization", `Bearer ${operatorToken}`);
    let body = operation.requestBody ? (random() < 0.3 ? spoilt : input.body) : undefined;
    if (body !== undefined && random() < 0.2) {
      const field = pick(Object.keys(Object(body)));
      body = field === undefined ? pick(ODD) : { ...Object(body), [field]: random() < 0.5 ? pick(ODD) : [pick(ODD)] };
    }
    let text = body === undefined ? undefined : JSON.stringify(body);
    if (text !== undefined && random() < 0.05)
      text = pick(["", "{", "[]]", text.slice(0, -1), "\u0000", " ".repeat(70_000)]);
    const isWild = random() < 0.15;
    if (isWild) for (const [name, value] of [pick(ODD_HEADERS), pick(ODD_HEADERS)]) headers.set(name, value);
    const used = isWild && random() < 0.3 ? pick(METHODS) : method.toUpperCase();
    const hasBody = text !== undefined && used !== "GET" && used !== "HEAD" && used !== "TRACE";
    return {
      url: `${url}${at}${query.size > 0 ? `?${query}` : ""}`,
      method: used,
      headers,
      body: hasBody ? text : undefined,
      isDocumented: used === method.toUpperCase() && !/\/(?:\.{0,2}|%2e|%2e%2e)(?:\/|$)/i.test(at),
    };
  }

  const statuses: Record<string, number> = {};
  const kinds = new Map<string, number>();
  const faults: string[] = [];
  const fault = (kind: string, detail: string) => {
    const seen = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, seen);
    if (seen <= LISTED) faults.push(`${kind}: ${detail.slice(0, 500)}`);
  };

  async function send(fuzzed: Fuzzed): Promise<void> {
    const sent = requestOf(fuzzed);
    const shown = `${sent.method} ${sent.url.slice(url.length, url.length + 200)} ${sent.body?.slice(0, 200) ?? ""}`;
    let answer: Response;
    try {
      answer = await fetch(sent.url, {
        ...{ method: sent.method, headers: sent.headers, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) },
        ...(sent.body === undefined ? {} : { body: sent.body }),
      });
      // Read before the check, which a closed connection must not reach.
      answer = new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers });
    } catch (error) {
      fault("no response", `${shown} ${String(error)}`);
      return;
    }
    const { status } = answer;
    statuses[`status_${status}`] = (statuses[`status_${status}`] ?? 0) + 1;
    if (status === 500) fault("500", shown);
    const type = answer.headers.get("content-type");
    const isProblem = type === "application/problem+json" || fuzzed.path === "/readyz" || sent.method === "HEAD";
    if (status >= 400 && !isProblem) fault("an error that is no problem", `${status} ${type} ${shown}`);
    if (!sent.isDocumented || sent.method === "HEAD") return;
    const { method, path } = fuzzed;
    for (const found of await contract.faultsOf({ method, path }, answer)) fault("undocumented", `${found}: ${shown}`);
  }

  const health: number[] = [];
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      const began = performance.now();
      const answer = await fetch(`${url}/healthz`).catch(() => undefined);
      health.push(performance.now() - began);
      if (!answer?.ok) fault("/healthz", `answers ${answer?.status ?? "nothing"}`);
      await answer?.arrayBuffer();
      await Bun.sleep(HEALTH_EVERY_MS);
    }
  })();
  const began = performance.now();
  let count = 0;
  const work = async () => {
    while (count < requests) {
      count += 1;
      if (count % 10_000 === 0) onProgress(`${count} of ${requests} requests, ${faults.length} faults`);
      await send(pick(random() < SLOW_SHARE / 10 ? slow : quick));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  const seconds = (performance.now() - began) / 1_000;
  isDone = true;
  await watching;

  const p99 = health.sort((a, b) => a - b)[Math.floor(health.length * 0.99)] ?? 0;
  if (p99 > MAX_HEALTH_P99_MS) fault("/healthz", `took ${Math.round(p99)} ms (p99)`);
  return {
    faults,
    figures: {
      ...{ requests, requests_per_second: Math.round(requests / seconds), ...statuses },
      ...{ healthz_p99_ms: Math.round(p99), healthz_max_ms: Math.round(health.at(-1) ?? 0) },
    },
  };
}
