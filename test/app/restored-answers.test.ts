import { expect, test } from "bun:test";
import { join } from "node:path";
import { pino } from "pino";
import type { App } from "../../src/app/app.ts";
import { openBackupFiles } from "../../src/app/backups.ts";
import { openApp } from "../../src/app/open.ts";
import { loadConfig } from "../../src/config.ts";
import { createHttp, type HttpHandler } from "../../src/surfaces/http/http-app.ts";
import { createLifecycle } from "../../src/surfaces/http/lifecycle.ts";
import { createMetrics } from "../../src/surfaces/http/metrics.ts";
import { createMcpHttp } from "../../src/surfaces/mcp/http.ts";
import { exampleText } from "../box/example.ts";
import { inDirectory } from "../store/examples.ts";
import { HARBOURLINE } from "../surfaces/fake-intake.ts";
import { fill } from "../surfaces/study-records.ts";

interface Installation {
  readonly app: App;
  readonly handler: HttpHandler;
}

async function opened(dataDir: string): Promise<Installation> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const flags = { dataDir, "scan-reserved-names": "example", "scan-cache-seconds": 31_622_400 };
  const config = loadConfig({ flags, env: {}, readFile: () => undefined });
  const app = await openApp({ config, version: "1.2.3", onBug: broke, onError: broke });
  const lifecycle = createLifecycle();
  lifecycle.become("ready");
  const handler = createHttp({
    app,
    agents: createMcpHttp({ app, onBug: broke }),
    log: pino({ level: "silent" }),
    metrics: createMetrics(app, app.version),
    lifecycle,
    settings: { metricsPublic: false, trustProxyHops: 0, maxStreams: 10, origins: [] },
  });
  return { app, handler };
}

interface Names {
  readonly key: string;
  readonly operator: string;
  readonly submission: string;
}

/** Beside every GET of the reference, which is asked as it stands there. */
const MORE = [
  "/healthz",
  "/readyz",
  "/docs",
  "/openapi.json",
  "/v1/enrich/{domain}?include=evidence,sources",
  "/v1/casestudies?limit=100",
  "/v1/casestudies?company=tidewell&industry=banking",
  "/v1/companies?q=quay",
];
/** What is no part of what was saved: the archives that lie beside it, and what one process has counted. */
const NOT_CARRIED = ["/admin/backups", "/admin/backups/{name}", "/metrics"];

const SEARCHES = ["hybrid", "semantic", "keyword"].flatMap((mode) => [
  ["/v1/casestudies/semantic", { query: "a bank that left its mainframe", mode, limit: 10 }] as const,
  ["/v1/casestudies/semantic", { query: "night shift", mode, company: "quayline" }] as const,
]);
const POSTS = [
  ...SEARCHES,
  ["/v1/casestudies/batch", { queries: [{ query: "parcels" }, { query: "schools", limit: 2 }] }] as const,
  ["/v1/compare", { companies: ["tidewell", "quayline"] }] as const,
];

/** Every answer, as who asks sees it: status, the headers that tell of its content, the body. */
async function answersOf({ handler }: Installation, names: Names): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const ask = async (path: string, json?: unknown) => {
    const place = path
      .replace("{domain}", "harbourline.example")
      .replace("submissions/{id}", `submissions/${names.submission}`)
      .replace("{id}", "tidewell-northgate")
      .replace("{slug}", "tidewell");
    const headers = {
      "x-api-key": names.key,
      "content-type": "application/json",
      ...(path.startsWith("/admin") ? { authorization: `Bearer ${names.operator}` } : {}),
    };
    const request = new Request(`http://casefile.test${place}`, {
      headers,
      ...(json === undefined ? {} : { method: "POST", body: JSON.stringify(json) }),
    });
    const answer = await handler(request, "127.0.0.1");
    const told = ["content-type", "etag", "ratelimit-policy"].map((name) => answer.headers.get(name));
    const left = /;r=(\d+);/.exec(answer.headers.get("ratelimit") ?? "")?.[1];
    answers[`${path} ${JSON.stringify(json)}`] = [answer.status, ...told, left, await answer.text()];
  };
  const reference = await handler(new Request("http://casefile.test/openapi.json"), "127.0.0.1");
  const { paths }: { paths: Record<string, object> } = JSON.parse(await reference.text());
  const gets = Object.keys(paths).filter((path) => "get" in (paths[path] ?? {}) && !NOT_CARRIED.includes(path));
  for (const path of [...gets, ...MORE]) await ask(path);
  for (const [path, json] of POSTS) await ask(path, json);
  return answers;
}

test("an installation that is restored on an empty machine answers every question as the one that was saved", async () => {
  await inDirectory(async (folder) => {
    const archive = join(folder, "moved.tar.zst");
    const source = await opened(join(folder, "source"));
    let names: Names;
    let before: Record<string, unknown>;
    try {
      const { app } = source;
      await app.analyse(app.read(exampleText(), { name: "example.json", capturedAt: "2026-11-02T09:00:00Z" }), {
        keep: true,
      });
      await fill(app);
      await app.correctStudy("tidewell-northgate", { title: "Northgate Savings leaves its mainframe for good" });
      await app.accounts.issue("bo@brightpine.test");
      await app.accounts.revoke("bo@brightpine.test");
      await app.indexStudies();
      names = {
        key: (await app.accounts.issue("ana@brightpine.test")).api_key,
        operator: (await app.operator.ensureOperatorToken()).token ?? "",
        submission: (await app.submit(HARBOURLINE)).id,
      };
      await app.createBackup({ file: archive });
      before = await answersOf(source, names);
    } finally {
      await source.app.close();
    }

    const restored = join(folder, "elsewhere", "data");
    expect((await openBackupFiles({ dataDir: restored }).restore(archive)).kept).toBeNull();
    const other = await opened(restored);
    try {
      const after = await answersOf(other, names);
      for (const [asked, answer] of Object.entries(before)) expect([asked, after[asked]]).toEqual([asked, answer]);
      const unanswered = Object.entries(before).filter(([, answer]) => !Array.isArray(answer) || answer[0] !== 200);
      expect(unanswered).toEqual([]);
      expect(Object.keys(before).length).toBeGreaterThan(30);
      expect((await other.app.indexState()).waiting).toBe(0);
    } finally {
      await other.app.close();
    }
  });
}, 60_000);
