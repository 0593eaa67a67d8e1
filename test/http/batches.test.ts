import { afterEach, describe, expect, test } from "bun:test";
import { parquetReadObjects } from "hyparquet";
import { levelOf } from "../../src/detection/levels.ts";
import { openStore } from "../../src/store.ts";
import { enrichmentOf, fakeVerbs } from "../services/fake-app.ts";
import { type Asked, jsonOf, open, problemOf } from "./opened.ts";

const PATH = "/v1/enrich/batches";
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.stop()));
});

async function opened(limit?: number) {
  const { verbs, calls } = fakeVerbs();
  const store = await openStore({ dataDir: ":memory:" });
  const service = await open({ verbs, store });
  const key = await service.key("ana@brightpine.test", limit);
  const ask = (path: string, asked: Asked = {}) => service.ask(`${PATH}${path}`, { key, ...asked });
  const post = (path: string) => ask(path, { method: "POST" });
  const create = (json: object, headers = {}) => ask("", { json, headers });
  const ended = async (id: string) => {
    const owner = { owner: "ana@brightpine.test" };
    for await (const _ of await service.app.batches.results(owner, id, { follow: new AbortController().signal }));
    return await jsonOf(await ask(`/${id}`));
  };
  const used = async () => {
    const header = (await ask("")).headers.get("ratelimit") ?? "";
    return (limit ?? 1_000) - Number(/r=(\d+)/.exec(header)?.[1]);
  };
  return {
    ...{ ...service, store, calls, ask, post, create, ended, used },
    work: () => void running.push(service.app.batches.startWorker()),
  };
}

const CSV = "company,website\nAcme,www.acme.test\nTwice,http://acme.test/about\nGone,missing.test\nBad,not a domain\n";
/** What the fake scan of a company detects. */
const TOOLS = enrichmentOf("acme.test").detections.map(({ tool, confidence }) => [tool, levelOf(confidence)]);
const asCsv = (body: string): Asked => ({ body, headers: { "content-type": "text/csv" } });

describe("a batch", () => {
  test("may have 50 columns, all rows together", async () => {
    const { create } = await opened();
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ domain: `d${at}.test`, [`column${at}`]: "x" }));
    expect((await create({ domains: rows(50) })).status).toBe(202);
    const refused = await problemOf(await create({ domains: rows(51) }));
    expect([refused.code, refused.detail]).toEqual(["batch.invalid", expect.stringContaining("at most 50 columns")]);
  });

  test("scans each domain once, counts those with a result, and lists all rows in their order", async () => {
    const { ask, ended, work, used, calls } = await opened();
    const made = await ask("?sources=light&max_age=any&name=Customers", asCsv(CSV));
    expect(made.status).toBe(202);
    const batch = await jsonOf(made);
    expect(batch).toEqual({
      batch_id: expect.stringMatching(/^batch_\w{20}$/),
      id: expect.stringMatching(/^batch_\w{20}$/),
      name: "Customers",
      state: "running",
      total: 4,
      domains: 2,
      columns: ["company"],
      sources: ["mail-dns", "mail-policy", "verifications", "home-page", "zone"].toSorted(
        (a, b) => batch.sources.indexOf(a) - batch.sources.indexOf(b),
      ),
      progress: { waiting: 2, running: 0, done: 0, failed: {}, skipped: { invalid: 1, duplicate: 1, cancelled: 0 } },
      estimated_end: null,
      created_at: expect.any(String),
      finished_at: null,
    });
    expect(await used()).toBe(2);
    work();
    const after = await ended(batch.id);
    expect([after.state, after.progress.done, after.progress.failed]).toEqual(["done", 1, { "domain.not_found": 1 }]);
    const asked = calls.map(({ domain, options }) => [domain, options.maxAgeSeconds, options.background]);
    // Two are scanned at the same time.
    expect(asked.sort()).toEqual([
      ["acme.test", Number.POSITIVE_INFINITY, true],
      ["missing.test", Number.POSITIVE_INFINITY, true],
    ]);
    expect(await used()).toBe(1);

    const { results, next_cursor } = await jsonOf(await ask(`/${batch.id}/results?limit=3`));
    expect(
      results.map(({ input, status, columns, tools_detected, code }: never) => [
        input,
        status,
        columns,
        tools_detected,
        code,
      ]),
    ).toEqual([
      ["www.acme.test", "done", { company: "Acme" }, 3, undefined],
      ["http://acme.test/about", "done", { company: "Twice" }, 3, undefined],
      ["missing.test", "failed", { company: "Gone" }, undefined, "domain.not_found"],
    ]);
    const last = await jsonOf(await ask(`/${batch.id}/results?limit=3&cursor=${next_cursor}`));
    expect(last).toEqual({
      results: [
        {
          input: "not a domain",
          columns: { company: "Bad" },
          domain: null,
          status: "invalid",
          code: "domain.invalid",
          detail: expect.stringContaining('"not a domain" is not a domain'),
        },
      ],
      next_cursor: null,
    });
  });

  test("has its results as CSV, NDJSON and Parquet, one row for each company or each tool", async () => {
    const { ask, ended, work } = await opened();
    const { id } = await jsonOf(await ask("", asCsv(CSV)));
    work();
    await ended(id);
    const file = await ask(`/${id}/results?format=csv`, { headers: { accept: "text/csv" } });
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${id}.csv"`);
    const lines = (await file.text()).split("\r\n");
    expect(lines[0]).toBe("company,input,domain,status,tools_detected,tools,scanned_at,cached,error_code,error");
    expect(lines.slice(1).map((line) => line.split(",").slice(0, 5))).toEqual([
      ["Acme", "www.acme.test", "acme.test", "done", "3"],
      ["Twice", "http://acme.test/about", "acme.test", "done", "3"],
      ["Gone", "missing.test", "missing.test", "failed", ""],
      ["Bad", "not a domain", "", "invalid", ""],
      [""],
    ]);
    const tools = await (await ask(`/${id}/results?format=ndjson&rows=tools&status=done`)).text();
    const rows = tools
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ company, tool, level }) => [company, tool, level])).toEqual(
      ["Acme", "Twice"].flatMap((company) => TOOLS.map(([tool, level]) => [company, tool, level])),
    );
    const companies = await (await ask(`/${id}/results?format=ndjson&include=evidence`)).text();
    expect(JSON.parse(companies.split("\n")[0] ?? "")).toMatchObject({
      status: "done",
      tools: [{ confidence: expect.any(Number) }, {}, {}],
    });
    const parquet = await (await ask(`/${id}/results?format=parquet`)).arrayBuffer();
    const read = await parquetReadObjects({ file: parquet });
    expect(read.map(({ company, tools_detected }) => [company, tools_detected])).toEqual([
      ["Acme", 3n],
      ["Twice", 3n],
      ["Gone", null],
      ["Bad", null],
    ]);
  });

  test("that is repeated with its idempotency key starts nothing, and another list is refused", async () => {
    const { create, used, ask } = await opened();
    const headers = { "idempotency-key": "monday" };
    const first = await jsonOf(await create({ domains: ["a.test", "b.test"] }, headers));
    expect(await jsonOf(await create({ domains: ["a.test", "b.test"] }, headers))).toEqual(first);
    const other = await create({ domains: ["c.test"] }, headers);
    expect([other.status, (await problemOf(other)).code]).toEqual([409, "batch.conflict"]);
    expect([await used(), (await jsonOf(await ask(""))).total]).toEqual([2, 1]);
  });

  test("that exceeds the quota, or has no domain, is not stored", async () => {
    const { create, used, ask } = await opened(2);
    const tooLong = await create({ domains: ["a.test", "b.test", "c.test"] });
    expect([tooLong.status, (await problemOf(tooLong)).code]).toEqual([429, "quota.exceeded"]);
    const empty = await create({ domains: ["nobody"] });
    expect([empty.status, (await problemOf(empty)).detail]).toEqual([
      422,
      'The list has no company domain. "nobody" has no ending such as .com; give a domain such as acme.com.',
    ]);
    expect([await used(), (await jsonOf(await ask(""))).total]).toEqual([0, 0]);
  });

  test("is paused, resumed and cancelled; what was not scanned is not counted", async () => {
    const { create, post, work, ended, used, calls } = await opened();
    const { id } = await jsonOf(await create({ domains: ["a.test", "b.test"] }));
    const { id: other } = await jsonOf(await create({ domains: ["c.test"] }));
    expect((await jsonOf(await post(`/${id}/pause`))).state).toBe("paused");
    const again = await post(`/${id}/pause`);
    expect([again.status, (await problemOf(again)).detail]).toEqual([
      409,
      "The batch is paused; only a running batch can be paused.",
    ]);
    work();
    await ended(other);
    expect(calls.map(({ domain }) => domain)).toEqual(["c.test"]);
    expect((await jsonOf(await post(`/${id}/resume`))).state).toBe("running");
    await ended(id);
    const { id: third } = await jsonOf(await create({ domains: ["hanging.test", "d.test", "e.test"] }));
    const cancelled = await jsonOf(await post(`/${third}/cancel`));
    expect(cancelled.state).toBe("cancelled");
    expect(await used()).toBe(3 + cancelled.progress.done);
  });

  test("tries a domain again when DNS does not answer, and not when it does not exist", async () => {
    const { create, work, app, store, calls } = await opened();
    const { id } = await jsonOf(await create({ domains: ["silent.test", "missing.test"] }));
    work();
    const owner = { owner: "ana@brightpine.test" };
    const isTried = async () => calls.length === 2 && (await app.batches.get(owner, id)).progress.running === 0;
    while (!(await isTried())) await Bun.sleep(1);
    expect(
      (await store.batches.items(id, -1, 10)).map(({ domain, state, error }) => [domain, state, error?.code]),
    ).toEqual([
      ["silent.test", "waiting", undefined],
      ["missing.test", "failed", "domain.not_found"],
    ]);
    expect((await app.batches.get(owner, id)).progress).toMatchObject({
      waiting: 1,
      failed: { "domain.not_found": 1 },
    });
  });

  test("whose failed domains are retried counts them again only if they succeed", async () => {
    const { create, post, work, ended, used } = await opened();
    const { id } = await jsonOf(await create({ domains: ["a.test", "missing.test"] }));
    work();
    await ended(id);
    expect(await used()).toBe(1);
    expect((await jsonOf(await post(`/${id}/retry`))).state).toBe("running");
    expect((await ended(id)).state).toBe("done");
    expect(await used()).toBe(1);
  });

  test("notifies its webhook once, in the transaction that ends it", async () => {
    const { app, create, work, ended } = await opened();
    const { id: webhook } = await app.watches.addWebhook("https://hooks.brightpine.test/casefile");
    const unknown = await create({ domains: ["a.test"], webhook: "wh_nobody" });
    expect([unknown.status, (await problemOf(unknown)).code]).toEqual([404, "webhook.not_found"]);
    const { id } = await jsonOf(await create({ domains: ["a.test", "missing.test"], webhook, name: "N" }));
    work();
    await ended(id);
    const { deliveries } = await app.watches.listDeliveries();
    expect(deliveries.map(({ type, webhook_id }) => [type, webhook_id])).toEqual([["batch.finished", webhook]]);
  });

  test("belongs to its key", async () => {
    const { create, key, ask } = await opened();
    const { id } = await jsonOf(await create({ domains: ["a.test"] }));
    const stranger = await key("ben@brightpine.test");
    const answer = await ask(`/${id}`, { key: stranger });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([404, "batch.not_found"]);
    expect((await jsonOf(await ask("", { key: stranger }))).batches).toEqual([]);
  });
});
