import { expect, test } from "bun:test";
import { join } from "node:path";
import { pino } from "pino";
import { createHttp } from "../../src/api.ts";
import { openBackupFiles } from "../../src/backup/service.ts";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { createMetrics } from "../../src/health/metrics.ts";
import type { HttpHandler, Lifecycle } from "../../src/http/server.ts";
import { createMcpHttp } from "../../src/mcp/http.ts";
import { inDirectory } from "../store/examples.ts";
import { answersOf, furnish, type Names } from "./every-answer.ts";

interface Installation {
  readonly app: Services;
  readonly handler: HttpHandler;
}

async function opened(dataDir: string): Promise<Installation> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const flags = { dataDir, "scan-allowed-reserved-tlds": "example", "scan-cache-seconds": 31_622_400 };
  const config = loadConfig({ flags, env: {}, readFile: () => undefined });
  const app = await openServices({ config, version: "1.2.3", log: { scannerFailed: broke, taskFailed: broke } });
  const lifecycle: Lifecycle = { state: "ready" };
  const handler = createHttp({
    app,
    agents: createMcpHttp({ services: app, onBug: broke }),
    log: pino({ level: "silent" }),
    metrics: createMetrics(app),
    lifecycle,
    settings: {
      metricsPublic: false,
      trustProxyHops: 0,
      maxStreams: 10,
      addresses: { host: "127.0.0.1", origins: ["http://casefile.test"] },
    },
  });
  return { app, handler };
}

const asking =
  ({ handler }: Installation) =>
  (request: Request) =>
    handler(request, "127.0.0.1");

test("an installation restored on an empty machine gives the same response to every request", async () => {
  await inDirectory(async (folder) => {
    const archive = join(folder, "moved.tar.zst");
    const source = await opened(join(folder, "source"));
    let names: Names;
    let before: Record<string, unknown>;
    try {
      names = await furnish(source.app);
      await source.app.backups.create({ file: archive });
      before = await answersOf(asking(source), names);
    } finally {
      await source.app.close();
    }

    const restored = join(folder, "elsewhere", "data");
    expect((await openBackupFiles({ dataDir: restored }).restore(archive)).kept).toBeNull();
    const other = await opened(restored);
    try {
      const after = await answersOf(asking(other), names);
      for (const [asked, answer] of Object.entries(before)) expect([asked, after[asked]]).toEqual([asked, answer]);
      const unanswered = Object.entries(before).filter(([, answer]) => !Array.isArray(answer) || answer[0] !== 200);
      expect(unanswered).toEqual([]);
      expect(Object.keys(before).length).toBeGreaterThan(30);
      expect((await other.app.index.state()).waiting).toBe(0);
    } finally {
      await other.app.close();
    }
  });
}, 60_000);
