import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../random.ts";
import type { CampaignPart } from "./part.ts";
import { furnish, RECORDED, type ServiceProcess, startServiceProcess } from "./service-process.ts";

const SECONDS = { full: 1_800, short: 60 } as const;
const CALLERS = 4;
/** Pause of a caller between two requests: the load of a busy day, not of a benchmark. */
const PAUSE_MS = 20;
const SAMPLE_MS = 1_000;

/** Growth from the second fifth of the time, when caches are filled, to the last. */
const MAX_GROWTH_MIB = { full: 64, short: 96 } as const;
const MAX_MORE_THREADS = 8;
const MAX_MORE_FILES = 32;
/** The short form runs on machines of unknown speed, and finds what blocks the service, no loss of speed. */
const MAX_HEALTH_P99_MS = { full: 250, short: 1_500 } as const;

/** Nothing leaves the machine: the only resolver is a closed port. */
const OFFLINE = ["--net-resolvers", "127.0.0.1:9", "--net-dns-timeout-ms", "200"];

interface Sample {
  readonly mib: number;
  readonly threads: number;
  readonly files: number;
}

/** The service and the processes that it started. */
function measure(pid: number): Sample {
  const pids = [pid, ...childrenOf(pid)];
  const totals = { mib: 0, threads: 0, files: 0 };
  for (const one of pids) {
    try {
      const status = readFileSync(`/proc/${one}/status`, "utf8");
      totals.mib += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
      totals.threads += Number(/Threads:\s+(\d+)/.exec(status)?.[1] ?? 0);
      totals.files += readdirSync(`/proc/${one}/fd`).length;
    } catch {
      // A child that has just ended.
    }
  }
  return totals;
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    try {
      return readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    } catch {
      // The thread has just ended.
      return [];
    }
  });

const QUERIES = [
  "companies that lowered their cloud costs",
  "fewer outages after moving to containers",
  "faster releases for developers",
  "a bank that left its legacy data centre",
  "machine learning on streaming data",
];

/** Sends requests one after another until the time is over; counts them by kind and reports unexpected statuses. */
async function call(service: ServiceProcess, name: string, seed: number, until: number, counts: Map<string, number>) {
  const random = createRandom(seed);
  const unexpected: string[] = [];
  const created = await service.request("/v1/keys", { json: { email: `${name}@acme.example` } });
  const key = String((JSON.parse(created.body) as { api_key?: string }).api_key);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  for (let nth = 0; performance.now() < until; nth += 1) {
    const query = `${pick(QUERIES)} ${Math.floor(random() * 1_000)}`;
    const kinds = [
      ["lookup", `/v1/enrich/${RECORDED}?include=evidence&max_age=90000000`, undefined, 200],
      ["search", "/v1/casestudies/semantic", { query, mode: pick(["hybrid", "semantic", "keyword"]) }, 200],
      ["search", "/v1/casestudies/semantic", { query, limit: 20 }, 200],
      ["list", `/v1/casestudies?limit=${1 + Math.floor(random() * 50)}`, undefined, 200],
      ["vendor", "/v1/companies?q=kube", undefined, 200],
      ["key", "/v1/keys", { email: `${name}-${nth}@acme.example` }, 201],
      [
        "submission",
        "/v1/submit",
        {
          company_name: "Acme",
          case_study_url: `https://vendor${Math.floor(random() * 50)}.com/customers/${nth}`,
          contact_email: "ana@acme.example",
        },
        202,
      ],
      ["page", "/", undefined, 200],
      ["metrics", "/metrics", undefined, 200],
    ] as const;
    const [kind, path, json, expected] = pick(kinds);
    const { status } = await service.request(path, { key, json });
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (status !== expected && unexpected.length < 20) unexpected.push(`${kind} ${path} → ${status}`);
    await Bun.sleep(PAUSE_MS);
  }
  return unexpected;
}

const mean = (samples: readonly Sample[], of: keyof Sample) =>
  samples.reduce((sum, sample) => sum + sample[of], 0) / Math.max(1, samples.length);
const largest = (samples: readonly Sample[], of: keyof Sample) => Math.max(...samples.map((sample) => sample[of]));

/** A mixed load over a long time, with bounds on what a service may gather. */
export const soak: CampaignPart = {
  name: "soak",
  about: "Mixed load for 30 minutes (60 s short): bounds on memory, threads, open files and stalls.",
  async run({ short, seed, onProgress }) {
    if (process.platform !== "linux") return { figures: {}, faults: [], skipped: "it reads /proc, which Linux has" };
    const form = short ? "short" : "full";
    const folder = await mkdtemp(join(tmpdir(), "casefile-soak-"));
    try {
      await furnish(folder);
      const service = await startServiceProcess(folder, OFFLINE);
      const until = performance.now() + SECONDS[form] * 1_000;
      const counts = new Map<string, number>();
      const samples: Sample[] = [];
      const health: number[] = [];
      const unready = new Set<string>();
      const sampling = (async () => {
        for (; performance.now() < until; await Bun.sleep(SAMPLE_MS)) {
          samples.push(measure(service.pid));
          const started = performance.now();
          await service.request("/healthz");
          health.push(performance.now() - started);
          const { status, body } = await service.request("/readyz");
          if (status !== 200) unready.add(`/readyz is ${status}: ${body.slice(0, 200)}`);
          if (samples.length % 60 === 0) onProgress(`${samples.length} s: ${JSON.stringify(samples.at(-1))}`);
        }
      })();
      const callers = Array.from({ length: CALLERS }, (_, at) =>
        call(service, `caller${at}`, seed + at, until, counts),
      );
      const unexpected = (await Promise.all(callers)).flat();
      await sampling;
      const isRunning = service.isRunning();
      const { code } = await service.stop();

      const fifth = Math.floor(samples.length / 5);
      const [early, late] = [samples.slice(fifth, 2 * fifth), samples.slice(-fifth)];
      const growth = mean(late, "mib") - mean(early, "mib");
      const threads = largest(late, "threads") - largest(early, "threads");
      const files = largest(late, "files") - largest(early, "files");
      health.sort((a, b) => a - b);
      const p99 = health[Math.floor(health.length * 0.99)] ?? 0;
      const faults = [...unexpected, ...unready];
      if (!isRunning || code !== 0) faults.push(`the service ended with ${code}`);
      if (growth > MAX_GROWTH_MIB[form]) faults.push(`memory grew by ${growth.toFixed(0)} MiB`);
      if (threads > MAX_MORE_THREADS) faults.push(`${threads} more threads`);
      if (files > MAX_MORE_FILES) faults.push(`${files} more open files`);
      if (p99 > MAX_HEALTH_P99_MS[form]) faults.push(`/healthz takes ${p99.toFixed(0)} ms (p99)`);
      const figures = {
        seconds: SECONDS[form],
        requests: [...counts.values()].reduce((sum, count) => sum + count, 0),
        ...Object.fromEntries([...counts].map(([kind, count]) => [`requests_${kind}`, count])),
        memory_mib: Math.round(mean(late, "mib")),
        memory_growth_mib: Math.round(growth),
        threads: largest(late, "threads"),
        files: largest(late, "files"),
        healthz_p99_ms: Math.round(p99),
      };
      return { figures, faults, skipped: null };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
