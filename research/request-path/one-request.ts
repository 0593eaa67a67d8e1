import { test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createHttp } from "../../src/api.ts";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { createMetrics } from "../../src/health/metrics.ts";
import { createMcpHttp } from "../../src/mcp/http.ts";
import { openBox } from "../../test/box/box.ts";
import { harbourline } from "../../test/box/companies/harbourline.ts";
import { tidewell } from "../../test/box/tidewell/tidewell.ts";
import { flagsInto, until } from "../../test/services/boxed-app.ts";

/** Starts a service on a test internet and sends it the request that `REQUEST` names, or none. */
test("one request", async () => {
  const which = process.env.REQUEST ?? "none";
  const [here, there] = [harbourline(), tidewell()];
  const box = await openBox({
    companies: [...(here.companies ?? []), ...(there.companies ?? [])],
    services: { ...here.services, ...there.services },
    zone: { ...here.zone, ...there.zone },
  });
  const dataDir = await mkdtemp(join(tmpdir(), "casefile-path-"));
  const config = loadConfig({ flags: await flagsInto(box, dataDir), env: {}, readFile: () => undefined });
  const ignore = () => {};
  const app = await openServices({ config, version: "1.2.3", log: { scannerFailed: ignore, taskFailed: ignore } });
  const handler = createHttp({
    app,
    agents: createMcpHttp({ services: app, onBug: ignore }),
    log: pino({ level: "silent" }),
    metrics: createMetrics(app),
    lifecycle: { state: "ready" },
    settings: {
      metricsPublic: false,
      trustProxyHops: 0,
      maxStreams: 10,
      addresses: { host: "127.0.0.1", origins: [] },
    },
  });
  await app.starter.load();
  await app.index.indexNow();
  const { api_key } = await app.accounts.issue("ana@brightpine.test");
  const send = (path: string, json?: unknown) =>
    handler(
      new Request(`http://localhost${path}`, {
        method: json === undefined ? "GET" : "POST",
        headers: { "x-api-key": api_key, "content-type": "application/json" },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
      "127.0.0.1",
    );
  const page = {
    company_name: "Tidewell",
    case_study_url: "https://tidewell.test/customers",
    contact_email: "ana@tidewell.test",
  };
  const requests: Readonly<Record<string, () => Promise<Response>>> = {
    enrich: () => send("/v1/enrich/harbourline.test"),
    search: () => send("/v1/casestudies/semantic", { query: "reduce the cloud bill" }),
    submit: () => send("/v1/submit", page),
    async processed() {
      const worker = app.jobs.startWorker();
      const answer = await send("/v1/submit", page);
      const { submissions } = await app.intake.listSubmissions({});
      const id = submissions[0]?.id ?? "";
      const isIn = async (state: string) => (await app.intake.getSubmission(id)).state === state;
      await until(() => isIn("review"));
      await app.intake.approveSubmission(id);
      const indexWorker = app.index.startWorker();
      await until(() => isIn("available"));
      await indexWorker.stop();
      await worker.stop();
      return answer;
    },
  };
  const answer = await requests[which]?.();
  if (answer) console.log(which, answer.status, (await answer.text()).length);
  await app.close();
  await box.close();
  await rm(dataDir, { recursive: true });
}, 120_000);
