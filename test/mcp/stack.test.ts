import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Report } from "../../src/detection/types.ts";
import { createMcpHttp } from "../../src/mcp/http.ts";
import { TOOLS } from "../../src/mcp/server.ts";
import { INDEX_TOOLS } from "../../src/mcp/stack.ts";
import { domainListSchema, historySchema, searchBody, toolListSchema } from "../../src/stack/schemas.ts";
import { createStackService, type StackService } from "../../src/stack/service.ts";
import { openStore } from "../../src/store.ts";
import { catalogueOf } from "../detection/catalogue-of.ts";
import { toolOf } from "../detection/fingerprints/record-of.ts";
import { open } from "../http/opened.ts";
import { enrichmentOf, seenOf } from "../services/fake-app.ts";
import { closeAgents, connected, dataOf, refusalOf, textOf } from "./agent.ts";

afterEach(closeAgents);

const OK = [{ source: "home-page", status: "ok", duration_ms: 1, detail: null }] as const;
const widget = seenOf("Widget", "Analytics");
const gadget = seenOf("Gadget", "Analytics");
const scan = (domain: string, day: number, detections: Report["detections"]): Report => ({
  ...enrichmentOf(domain),
  detections,
  sources: OK,
  scanned_at: `2026-05-0${day}T00:00:00.000Z`,
});

let stack: StackService;
beforeAll(async () => {
  const store = await openStore({ dataDir: ":memory:" });
  for (const report of [
    scan("acme.test", 1, [widget]),
    scan("acme.test", 3, [widget, gadget]),
    scan("brightpine.test", 2, [widget]),
  ])
    await store.scans.save({ domain: report.domain, report });
  stack = createStackService({
    stack: store.stack,
    scans: store.scans,
    feedback: store.feedback,
    catalogue: catalogueOf(toolOf([]), toolOf([], { id: "gadget", name: "Gadget" })),
    allowedReservedTlds: ["test"],
    minConfidence: 0.5,
    onError(_, error) {
      throw error;
    },
  });
});

async function asked(name: string, args: Record<string, unknown>) {
  const { client } = await connected("stdio", "2026-07-28", { stack });
  await client.listTools();
  return await client.callTool({ name, arguments: args });
}

test("list_tools has the number of companies of each tool", async () => {
  const answer = await asked("list_tools", { limit: 1 });
  expect(dataOf(answer).tools).toMatchObject([{ id: "widget", companies: 2, last_seen: "2026-05-03" }]);
  expect(textOf(answer)).toMatch(
    /^1 of 2 tools:\n- Widget \(widget\) · .+ · 2 companies · 2026-05-03\nMore: call again with cursor "/,
  );
  const next = await asked("list_tools", { limit: 1, cursor: dataOf(answer).next_cursor });
  expect(dataOf(next).tools).toMatchObject([{ id: "gadget", companies: 1 }]);
});

test("who_uses lists the users of a tool without those of another", async () => {
  const answer = await asked("who_uses", { tool: "Widget", not: "gadget" });
  expect(dataOf(answer)).toMatchObject({ total: 1, domains: [{ domain: "brightpine.test" }] });
  expect(textOf(answer)).toBe(
    "1 of 1 company scanned here:\n- brightpine.test · Widget (first seen 2026-05-02) · 1 tool · scanned 2026-05-02",
  );
});

test("search_domains answers a Boolean question", async () => {
  const appeared = { tool: "gadget", appeared_since: "2026-05-02" };
  const answer = await asked("search_domains", { all: ["widget", appeared], top_level: ["test"], sort: "tools" });
  expect(dataOf(answer).domains.map(({ domain }: { domain: string }) => domain)).toEqual(["acme.test"]);
  const none = await asked("search_domains", { none: ["widget"] });
  expect(textOf(none)).toStartWith("No company that was scanned here matches.");
});

test("get_company_history says since when, and what changed", async () => {
  const answer = await asked("get_company_history", { domain: "https://acme.test/x" });
  expect(dataOf(answer).changes).toMatchObject([{ change: "appeared", tool_id: "gadget" }]);
  expect(textOf(answer)).toBe(
    [
      "acme.test: 2 scans and recordings from 2026-05-01 to 2026-05-03.",
      "- Gadget · Analytics · in use · 2026-05-03 to 2026-05-03",
      "- Widget · Analytics · in use · 2026-05-01 to 2026-05-03",
      "Changes:",
      "- 2026-05-03 Gadget appeared (not before 2026-05-01)",
    ].join("\n"),
  );
});

test.each([
  ["who_uses", { tool: "widgt" }, "did you mean Widget? (tool.not_found)", "Next: Call list_tools"],
  ["search_domains", { all: [{ tool: "widget", script: "a.test" }] }, "(query.invalid)", "Correct the arguments"],
  ["search_domains", { all: [{ tool: "widget", colour: "red" }] }, "/all/0", ""],
  ["list_tools", { cursor: "x" }, "(cursor.invalid)", "Call again without a cursor."],
  ["list_tools", { category: "Analytcs" }, "did you mean", "Correct the arguments"],
  ["get_company_history", { domain: "unknown.test" }, "(history.not_found)", "get_company_analysis"],
])("a refusal of %s says what to try next: %j", async (name, args, reason, next) => {
  const text = refusalOf(await asked(name, args));
  expect(text).toContain(reason);
  expect(text).toContain(next);
});

test("records have the same fields over MCP and HTTP", () => {
  const shapeOf = (schema: unknown): unknown => {
    const { properties, items, anyOf, type } = Object(schema) as Record<string, unknown>;
    if (properties) return Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, shapeOf(one)]));
    if (items) return [shapeOf(items)];
    return Array.isArray(anyOf) ? anyOf.map(shapeOf) : type;
  };
  const toolNamed = (name: string) => TOOLS.find((tool) => tool.name === name);
  expect(shapeOf(toolNamed("list_tools")?.output)).toEqual(shapeOf(toolListSchema));
  for (const name of ["who_uses", "search_domains"])
    expect(shapeOf(toolNamed(name)?.output)).toEqual(shapeOf(domainListSchema));
  expect(shapeOf(toolNamed("get_company_history")?.output)).toEqual(shapeOf(historySchema));
  const { min_confidence: _, ...question } = Object(shapeOf(searchBody)) as Record<string, unknown>;
  expect(shapeOf(toolNamed("search_domains")?.input)).toMatchObject(question);
});

test("with stack.operator_only keys get no list of companies, but the history of one; the operator gets all", async () => {
  const service = await open({ app: { stack }, settings: { isIndexHidden: true } });
  const key = await service.key();
  for (const path of ["/v1/tools", "/v1/tools/widget", "/v1/tools/widget/companies", "/v1/domains"]) {
    expect((await service.ask(path)).status).toBe(401);
    const refused = await service.ask(path, { key });
    expect([refused.status, Object(await refused.json()).code]).toEqual([403, "stack.operator_only"]);
  }
  expect((await service.ask("/v1/domains/search", { method: "POST", key, json: {} })).status).toBe(403);
  expect((await service.ask("/v1/enrich/acme.test/history", { key })).status).toBe(200);
  const { token = "" } = await service.app.operator.ensureOperatorToken();
  const listed = await service.ask("/v1/domains", { operator: token });
  expect(await listed.json()).toMatchObject({ total: 2 });

  const agents = createMcpHttp({ services: service.app, onBug() {}, isIndexHidden: true });
  const request = new Request("http://casefile.test/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  });
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const answer = await (await agents.answer(request, body, { name: "a", charge: (_, work) => work() })).text();
  for (const name of INDEX_TOOLS) expect(answer).not.toContain(`"${name}"`);
  expect(answer).toContain('"get_company_history"');
});
