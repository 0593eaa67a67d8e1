import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "../../scripts/campaign/running.ts";
import { processorSeconds } from "../../src/processes/child.ts";
import { measureLatency, quantile } from "./search-latency.ts";

/**
 * Searches through the API of a service in a process of its own, on a data directory that it may change, while `/healthz` is
 * asked: `npx bun research/benchmarks/search-service.ts DIR MATERIAL [MAIN]`. Another tree's `src/main.ts` gives its figures in
 * the same minute.
 */

/** One caller, and several at once. */
const CALLERS = [1, 16];
const LIMITS = { repetitions: 5, seconds: 20 };
const RESULTS = 10;
const WARM_UP = 150;
const HEALTH_EVERY_MS = 20;

const [dir = "", material = "", main] = process.argv.slice(2);
const { queries } = await Bun.file(join(material, "material.json")).json();
const questions: readonly string[] = queries.map(({ text }: { text: string }) => text);
const home = await mkdtemp(join(tmpdir(), "casefile-bench-search-"));
const flags = { "data-dir": dir, "accounts-monthly-limit": 1_000_000_000, "log-level": "error" };
const service = await startService(flags, home, main);
try {
  const json = { "content-type": "application/json" };
  const body = JSON.stringify({ email: `bench-${crypto.randomUUID()}@buyer.example` });
  const made = await fetch(`${service.url}/v1/keys`, { method: "POST", headers: json, body });
  const headers = { ...json, "x-api-key": String(Object(await made.json()).api_key) };
  const ask = async (query: string) => {
    const init = { method: "POST", headers, body: JSON.stringify({ query, limit: RESULTS }) };
    const answer = await fetch(`${service.url}/v1/casestudies/semantic`, init);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
  };
  for (const question of questions.slice(0, WARM_UP)) await ask(question);
  for (const callers of CALLERS) {
    const health: number[] = [];
    let isOver = false;
    const watch = async () => {
      while (!isOver) {
        const began = performance.now();
        await (await fetch(`${service.url}/healthz`)).text();
        health.push(performance.now() - began);
        await Bun.sleep(HEALTH_EVERY_MS);
      }
    };
    const watching = watch();
    const before = await processorSeconds(service.pid);
    const asked = await measureLatency(questions, ask, { callers, ...LIMITS });
    const spent = (await processorSeconds(service.pid)) - before;
    isOver = true;
    await watching;
    const count = asked.questions * asked.repetitions;
    console.log(
      `${callers} callers: p50 ${asked.p50.toFixed(1)} ms, p95 ${asked.p95.toFixed(1)} ms, ${asked.perSecond.toFixed(0)} a second, ` +
        `${((spent * 1_000) / count).toFixed(1)} ms of processor time each; /healthz p99 ${quantile(health, 0.99).toFixed(1)} ms ` +
        `of ${health.length}; load ${loadavg()[0]?.toFixed(0)}`,
    );
  }
} finally {
  await service.end("SIGTERM");
  await rm(home, { recursive: true, force: true });
}
