import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { Failure } from "../../src/core/errors.ts";
import { type Box, openBox } from "../box/box.ts";
import { exampleText } from "../box/example.ts";
import { run } from "../cli/fake-host.ts";
import { open } from "../http/opened.ts";
import { closeAgents, connected, dataOf, textOf } from "../mcp/agent.ts";

/** A company under a public top-level domain, which no resolver of these networks knows. */
const DOMAIN = "brightpine.com";
const RECORDED_AT = "2026-03-02T09:00:00.000Z";

const NETWORKS = [
  ["has no DNS server", "DNS did not answer for brightpine.com."],
  ["has a resolver without public names", "The DNS server knows neither brightpine.com nor the top-level domain com."],
] as const;

describe.each(NETWORKS)("where the network %s", (network, reason) => {
  let box: Box;
  let app: Services;
  beforeAll(async () => {
    box = await openBox({ companies: [] });
    const resolver = network === "has no DNS server" ? "127.0.0.9:9" : box.dns;
    const flags = { "net-resolvers": resolver, "net-dns-timeout-ms": 100, "net-allow-cidrs": box.allow };
    const broke = (work: string, error: unknown) => {
      throw new Error(work, { cause: error });
    };
    const config = loadConfig({ flags, env: {}, readFile: () => undefined });
    const log = { scannerFailed: broke, taskFailed: broke };
    app = await openServices({ config, version: "1.2.3", log, inMemory: true });
    const recording = app.detection.read(exampleText(), { name: "example.json", capturedAt: RECORDED_AT });
    await app.detection.analyse({ ...recording, domain: DOMAIN, captured_at: RECORDED_AT }, { keep: true });
  });
  afterEach(closeAgents);
  afterAll(async () => {
    await app.close();
    await box.close();
  });

  const stale = { stale: true, stale_reason: reason, scanned_at: RECORDED_AT };

  describe("a stored result is returned as stale", () => {
    test.each(["", "?include=sources", "?max_age=0", "?max_age=3600"])("by HTTP, %p", async (query) => {
      const service = await open({ app: { detection: app.detection } });
      const answer = await service.ask(`/v1/enrich/${DOMAIN}${query}`, { key: await service.key() });
      expect(answer.status).toBe(200);
      const body = Object(await answer.json());
      expect(body).toMatchObject({ domain: DOMAIN, ...stale });
      expect(body.tools.length).toBe(body.tools_detected);
    });

    test("by the stream, in its only event", async () => {
      const service = await open({ app: { detection: app.detection } });
      const answer = await service.ask(`/v1/enrich-stream/${DOMAIN}`, { key: await service.key() });
      const events = (await answer.text()).split("\n").flatMap((line) => /^data: (.+)/.exec(line)?.[1] ?? []);
      expect(events.map((event) => JSON.parse(event))).toMatchObject([{ phase: "complete", done: true, ...stale }]);
    });

    test("by the command line, as text and as JSON", async () => {
      const text = await run(["enrich", DOMAIN], { app });
      expect([text.code, text.out]).toEqual([0, expect.stringContaining("(stale, 2026-03-02 09:00 UTC)")]);
      expect(text.out).toContain(`Not renewed: ${reason}`);
      expect(JSON.parse((await run(["enrich", DOMAIN, "--json"], { app })).out)).toMatchObject(stale);
    });

    test("in a list, whose next run scans it again without repeating the line", async () => {
      const files = { "-": `${DOMAIN}\n` };
      const first = await run(["enrich", "-", "-o", "found.jsonl"], { app, files });
      const line = first.written.get("found.jsonl") ?? "";
      expect(JSON.parse(line)).toMatchObject({ input: DOMAIN, ...stale });
      expect(first.err).toContain("1 of them could not be renewed; the next run scans them again.");
      const second = await run(["enrich", "-", "-o", "found.jsonl"], {
        app,
        files: { ...files, "found.jsonl": line },
      });
      expect([second.written.get("found.jsonl"), second.err]).toEqual([undefined, first.err]);
    });

    test("by MCP", async () => {
      const { client } = await connected("stdio", "2026-07-28", { detection: app.detection });
      const answer = await client.callTool({ name: "get_company_analysis", arguments: { domain: DOMAIN } });
      expect(dataOf(answer).tech_stack).toMatchObject(stale);
      expect(textOf(answer)).toContain(`This stored result could not be renewed: ${reason}`);
    });
  });

  describe("with max_age=any the stored result is current", () => {
    test("by HTTP, in exactly the specified shape", async () => {
      const service = await open({ app: { detection: app.detection } });
      const answer = await service.ask(`/v1/enrich/${DOMAIN}?max_age=any`, { key: await service.key() });
      expect(Object.keys(Object(await answer.json()))).toEqual(["domain", "tools_detected", "tools", "by_category"]);
    });

    test("by the stream, the command line and MCP", async () => {
      const service = await open({ app: { detection: app.detection } });
      const stream = await service.ask(`/v1/enrich-stream/${DOMAIN}?max_age=any`, { key: await service.key() });
      expect(await stream.text()).not.toContain("stale");
      expect((await run(["enrich", DOMAIN, "--max-age", "any"], { app })).out).toContain("(cached, 2026-03-02");
      const { client } = await connected("stdio", "2026-07-28", { detection: app.detection });
      const call = { name: "get_company_analysis", arguments: { domain: DOMAIN, max_age: "any" } };
      expect(Object.keys(dataOf(await client.callTool(call)).tech_stack)).not.toContain("stale");
    });
  });

  test("the recorded example is current on any day", async () => {
    const recording = app.detection.read(exampleText(), { name: "example.json", capturedAt: RECORDED_AT });
    await app.detection.analyse({ ...recording, captured_at: "2020-01-01T00:00:00.000Z" }, { keep: true });
    const service = await open({ app: { detection: app.detection } });
    const answer = await service.ask(`/v1/enrich/${recording.domain}`, { key: await service.key() });
    expect(Object.keys(Object(await answer.json()))).toEqual(["domain", "tools_detected", "tools", "by_category"]);
  });

  describe("a domain without a stored result", () => {
    const UNKNOWN = "quayline.com";

    test.each(["enrich", "enrich-stream"])(
      "answers 503 to %s: the resolver cannot say that it does not exist",
      async (route) => {
        const service = await open({ app: { detection: app.detection } });
        const answer = await service.ask(`/v1/${route}/${UNKNOWN}`, { key: await service.key() });
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
        expect(await answer.json()).toMatchObject({ code: "dns.unreachable" });
      },
    );

    test("stays open in a list, which exits with 1", async () => {
      const { code, err, written } = await run(["enrich", "-", "-o", "found.jsonl"], { app, files: { "-": UNKNOWN } });
      expect([code, written.get("found.jsonl")]).toEqual([1, undefined]);
      expect(err).toContain("0 done, 1 failed: 1 no answer from DNS.");
    });

    test("that a watch rescans fails, so that no stored result counts as a scan", async () => {
      await expect(app.detection.enrich(DOMAIN, { maxAgeSeconds: 0, acceptStale: false })).rejects.toMatchObject({
        code: "dns.unreachable",
      });
    });
  });
});

test("an agent gets the case studies of a company whose tools are not known, with the reason", async () => {
  const { client } = await connected("stdio", "2026-07-28", {
    detection: {
      async enrichSteps() {
        throw new Failure("dns.unreachable", "DNS gave no answer.");
      },
    },
  });
  const answer = await client.callTool({ name: "get_company_analysis", arguments: { domain: "tidewell.test" } });
  expect(answer.isError).not.toBe(true);
  expect(dataOf(answer)).toMatchObject({
    domain: "tidewell.test",
    tech_stack: null,
    as_vendor: { company: { slug: "tidewell" } },
    missing: [{ part: "tech_stack", code: "dns.unreachable", reason: "DNS gave no answer." }],
  });
  expect(textOf(answer)).toContain("tidewell.test: the tools are not known. DNS gave no answer. (dns.unreachable)");
  await closeAgents();
});
