import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND } from "../../src/accounts/roles.ts";
import type { OpenApi, Operation } from "../../src/reference/openapi.ts";
import { HARBOURLINE } from "../services/fake-intake.ts";
import { createContract } from "./contract/documented.ts";
import { type Input, inputsOf, spoiltBodies } from "./contract/inputs.ts";
import { filled } from "./filled.ts";
import { type Asked, open } from "./opened.ts";

const RUNS = 40;
const SEED = 20_261_122;

const opened = await open();
const document: OpenApi = JSON.parse(await (await opened.ask("/openapi.json")).text());
const contract = createContract(document);

const OPERATIONS = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ method, path, operation, id: operation.operationId })),
);

/** Existing values by the name of a parameter or field. */
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  domain: [
    "brightpine.test",
    "stored.test",
    "missing.test",
    "silent.test",
    "busy.test",
    "broken.test",
    "breaking.test",
  ],
  include: ["evidence", "sources", "evidence,sources"],
  slug: ["tidewell", "TIDEWELL", "quayline"],
  company: ["tidewell", "quayline"],
  companies: [["tidewell"], ["tidewell", "quayline"], ["tidewell", "nobody"]],
  industry: ["banking", "Logistics"],
  into: ["quayline"],
  q: ["tidwell"],
  id: ["BATCH", "PAUSED", "tidewell-northgate", "tidewell-brightpine", "SUBMISSION", "1"],
  key: ["ana@brightpine.test"],
  name: ["BACKUP", "built-in"],
  email: ["ben@brightpine.test", "ana@brightpine.test", "no address"],
  case_study_url: [HARBOURLINE.case_study_url, "http://10.0.0.1/", "ftp://x"],
  contact_email: [HARBOURLINE.contact_email],
  query: ["bank", "parcels"],
  kind: ["preview"],
  webhook: ["WEBHOOK"],
  url: ["https://hooks.brightpine.test/casefile", "http://10.0.0.1/"],
  tool: ["widget", "Gadget"],
  not: ["widget"],
  category: ["Analytics"],
  scanned_since: ["2026-05-01"],
  scanned_until: ["2026-05-31"],
  all: [["widget"], [{ tool: "widget", seen_since: "2026-05-01" }]],
  any: [["widget", { category: "Analytics" }]],
  none: [["gadget"], [{ script: "stranger.test" }]],
  pattern: ["acme.example", "*.acme.example", "acme"],
  subject: ["acme.example", "ana@acme.example", "acme"],
  field: ["country"],
  country: ["NO"],
  operator: ["Ana"],
  session: ["SESSION"],
  role: ["reader", "admin"],
  since: ["2026-05-01"],
  until: ["2026-05-31T00:00:00Z"],
};

const ways = (operation: Operation) => operation.security.flatMap((way) => Object.keys(way));

/** Requests an operation. */
const askedOf =
  (
    service: { ask(path: string, asked: Asked): Promise<Response> },
    { method, path, way, known }: { method: string; path: string; way: Asked; known: (value: unknown) => unknown },
  ) =>
  ({ path: named, query, body }: Input, more: Asked = {}) => {
    const filledIn = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(known(named[name]))));
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(known(value))]),
    );
    const sent = body === undefined ? {} : { json: body };
    return service.ask(`${filledIn}${search.size > 0 ? `?${search}` : ""}`, {
      method: method.toUpperCase(),
      ...way,
      ...sent,
      ...more,
    });
  };

const exampleOf = ({ requestBody }: Operation) => Object.values(requestBody?.content ?? {})[0]?.example;

/** A service for one operation, with data of every kind, and a function that requests the operation. */
async function served(method: string, path: string, operation: Operation) {
  const service = await filled({ keylessPerHour: 1_000_000, monthlyLimit: 1_000_000 });
  const { token } = await service.app.operator.ensureOperatorToken();
  const { id } = await service.app.intake.submit(HARBOURLINE);
  const key = await service.key("carl@brightpine.test");
  await service.app.watches.watch("brightpine.test");
  const webhook = await service.app.watches.addWebhook("https://hooks.brightpine.test/");
  const owner = { owner: "carl@brightpine.test" };
  const batch = await service.app.batches.create(owner, [{ input: "brightpine.test" }]);
  const paused = await service.app.batches.create(owner, [{ input: "brightpine.test" }]);
  await service.app.batches.pause(owner, paused.id);
  const { link } = await service.app.operators.invite({ name: "Ana", role: "reader" }, COMMAND);
  const client = { address: "192.0.2.7", agent: null, session: "" };
  await service.app.operators.signInByLink(link?.split("#link=")[1] ?? "", client);
  const [session] = (await service.app.operators.listSessions()).sessions;
  const made = new Map<unknown, string>([
    ["SUBMISSION", id],
    ["WEBHOOK", webhook.id],
    ["BATCH", batch.id],
    ["PAUSED", paused.id],
    ["SESSION", session?.id ?? ""],
  ]);
  const known = (value: unknown) => made.get(value) ?? value;
  const way: Asked = {
    ...(ways(operation).includes("key") ? { key } : {}),
    ...(ways(operation).includes("operator") ? { operator: token } : {}),
  };
  const ask = askedOf(service, { method, path, way, known });
  return { ...service, ask };
}

describe.each(OPERATIONS)("$method $path", ({ method, path, operation, id }) => {
  let kept: ReturnType<typeof served> | undefined;
  // Filling a service takes half of a test's time: operations that only read share one.
  const shared = () => {
    kept ??= served(method, path, operation);
    return kept;
  };
  const inputs = inputsOf(operation, KNOWN, contract.resolved).filter(
    // A path with an empty segment, or a segment of dots only, is a different path.
    ({ path: named }) => Object.values(named).every((value) => !/^\.{0,2}$/.test(String(value))),
  );

  test("valid input gets a documented response", async () => {
    const { ask } = await (method === "get" ? shared() : served(method, path, operation));
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const answer = await ask(input);
        statuses.add(answer.status);
        expect(await contract.faultsOf({ method, path }, answer)).toEqual([]);
        expect([400, 401, 405, 406, 413, 415]).not.toContain(answer.status);
      }),
      // A fixed seed: at least one input must succeed, which random inputs do not guarantee. A rotated key works once.
      { numRuns: id === "rotateKey" ? 1 : RUNS, seed: SEED },
    );
    if (!NEVER_GOOD.has(id)) expect([...statuses].some((status) => status < 300)).toBe(true);
  });

  test("invalid input gets a documented error", async () => {
    const { ask } = await shared();
    const takesBody = operation.requestBody !== undefined;
    const spoiling = fc.oneof(
      fc.record({ what: fc.constant("query"), value: fc.constant<unknown>(undefined) }),
      ...(takesBody
        ? [fc.record({ what: fc.constant("body"), value: spoiltBodies(inputs.map(({ body }) => body)) })]
        : []),
      ...(operation.parameters ?? [])
        .filter(({ in: place, schema }) => place === "query" && "type" in schema && schema.type === "integer")
        .map(({ name }) =>
          fc.record({ what: fc.constant(name), value: fc.constantFrom<unknown>("-1", "1e3", "", "x", "9".repeat(30)) }),
        ),
    );
    await fc.assert(
      fc.asyncProperty(inputs, spoiling, async (input, { what, value }) => {
        const [media] = Object.values(operation.requestBody?.content ?? {});
        // A mutated input may still be valid by chance.
        if (what === "body" && media?.schema && contract.fits(media.schema, value) === undefined) return;
        const query = what === "query" ? { ...input.query, no_such_parameter: "1" } : { ...input.query, [what]: value };
        const answer = await ask(what === "body" ? { ...input, body: value } : { ...input, query });
        expect(await contract.faultsOf({ method, path }, answer)).toEqual([]);
        if (!TAKES_ANY_QUERY.has(id)) expect(answer.status).toBeGreaterThanOrEqual(400);
      }),
      { numRuns: RUNS },
    );
  });

  test.each<[string, Asked]>([
    ["without a key", { key: "", operator: "" }],
    ["with a key that is none", { key: "cf_live_nonsense", operator: "nonsense" }],
    ["for a type that it does not have", { headers: { accept: "image/png" } }],
    ["with a body that is no JSON", { body: "{", headers: { "content-type": "application/json" } }],
    ["with a body of another type", { body: "a=1", headers: { "content-type": "text/plain" } }],
    [
      "with a body that is too large",
      { body: `"${"x".repeat(70_000)}"`, headers: { "content-type": "application/json" } },
    ],
    ["by TRACE", { method: "TRACE" }],
    ["by PUT", { method: "PUT" }],
    ["again, with its entity tag", { headers: { "if-none-match": "*" } }],
    ["with a request id that is not sane", { headers: { "x-request-id": "\u00e9 " } }],
  ])("a request %s gets a documented response", async (_, more) => {
    const { ask } = await shared();
    const [input = { path: {}, query: {} }] = fc.sample(inputs, 1);
    const takesBody = ["POST", "PUT", "PATCH"].includes(more.method ?? method.toUpperCase());
    if (more.body !== undefined && !takesBody) return;
    const { body: __, ...bare } = input;
    const answer = await ask(more.body === undefined ? input : bare, more);
    const asked = (more.method ?? method).toLowerCase();
    expect(await contract.faultsOf({ method: asked, path }, answer)).toEqual([]);
  });

  // Last, since the service returns nothing else from here on.
  test("an unready service returns a documented response", async () => {
    const { ask, lifecycle } = await shared();
    lifecycle.state = "draining";
    const [input = { path: {}, query: {} }] = fc.sample(inputs, 1);
    expect(await contract.faultsOf({ method, path }, await ask(input))).toEqual([]);
  });
});

// A key without a quota has no batch whose failed domains could be retried.
test.each(OPERATIONS.filter(({ operation, id }) => operation.responses[429] && id !== "retryBatch"))(
  "above a limit $method $path returns a documented response",
  async ({ method, path, operation }) => {
    const service = await filled({ keylessPerHour: 0 });
    const key = await service.key("dora@brightpine.test", 0);
    const named = Object.fromEntries((operation.parameters ?? []).map(({ name, example }) => [name, example]));
    const asked = askedOf(service, { method, path, way: { key }, known: (value) => value });
    const answer = await asked({ path: named, query: {}, body: exampleOf(operation) });
    expect(answer.status).toBe(429);
    expect(await contract.faultsOf({ method, path }, answer)).toEqual([]);
  },
);

describe("the examples", () => {
  const shown = OPERATIONS.map(({ id, operation }) => [id, operation] as const);

  test.each(shown)("of %s exist and match its schemas", (id, { parameters = [], requestBody, responses }) => {
    const faults: unknown[] = [];
    const look = (schema: object | undefined, example: unknown) => {
      faults.push(example === undefined ? `${id} has no example` : contract.fits(schema ?? {}, example));
    };
    for (const { example, required, schema } of parameters)
      if (required || example !== undefined) look(schema, example);
    for (const { schema, example } of Object.values(requestBody?.content ?? {})) look(schema, example);
    for (const { content = {} } of Object.values(responses)) {
      for (const [type, { schema, example, examples = {} }] of Object.entries(content)) {
        if (type === "application/zstd") continue;
        if (type !== "application/problem+json") look(schema, example);
        else {
          if (Object.keys(examples).length === 0) faults.push(`${id} has a problem without an example`);
          for (const one of Object.values(examples)) look(schema, Object(contract.resolved(one)).value);
        }
      }
    }
    expect(faults.filter(Boolean)).toEqual([]);
  });
});

test("the contract check detects undocumented responses", async () => {
  const asked = { method: "get", path: "/v1/stats" };
  const { ask } = await open();
  const good = await ask("/v1/stats");
  const body: object = JSON.parse(await good.clone().text());
  const spoilt = (change: object, headers: Record<string, string | null> = {}, status = 200) => {
    const sent = new Headers(good.headers);
    for (const [name, value] of Object.entries(headers)) value === null ? sent.delete(name) : sent.set(name, value);
    return contract.faultsOf(asked, new Response(JSON.stringify({ ...body, ...change }), { status, headers: sent }));
  };
  expect(await spoilt({})).toEqual([]);
  expect(await spoilt({ tools: "many" })).toHaveLength(1);
  expect(await spoilt({ secret: 1 })).toHaveLength(1);
  expect(await spoilt({}, { etag: null })).toEqual(["etag is shown and not sent"]);
  expect(await spoilt({}, { "retry-after": "3" })).toEqual(["retry-after is sent and not shown"]);
  expect(await spoilt({}, { "content-type": "text/plain" })).toEqual(["text/plain is not shown"]);
  expect(await spoilt({}, {}, 418)).toEqual(["418 is not shown"]);
});

/** There is no data directory for backups, no tool to report, and no ended submission or job to restart. */
const NEVER_GOOD = new Set([
  ...["createBackup", "listBackups", "downloadBackup", "reportFalse", "takeBackFeedback"],
  ...["retrySubmission", "retryJob", "takeBackCorrection", "retryBatch", "getHistory", "removeOptOut"],
]);
/** Probes may send any headers. */
const TAKES_ANY_QUERY = new Set(["getHealth", "getReadiness", "getMetrics"]);
