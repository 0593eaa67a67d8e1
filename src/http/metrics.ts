import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { IntakeState } from "../casestudies/intake/service.ts";
import { SUBMISSION_STATES } from "../casestudies/intake/types.ts";
import { EMAIL_STATES } from "../casestudies/intake/view.ts";
import type { IndexState } from "../casestudies/service.ts";
import { JOB_STATES } from "../jobs/types.ts";

/** What the service tells Prometheus. A registry of its own: two services in one test do not mix. */
export interface Metrics {
  readonly text: () => Promise<string>;
  readonly contentType: string;
  request(method: string, route: string, status: number, seconds: number): void;
  scan(sources: readonly { readonly source: string; readonly status: string }[], seconds: number): void;
  streamOpened(): void;
  streamClosed(): void;
}

export interface Measured {
  readonly scansRunning: () => number;
  readonly indexState: () => Promise<Pick<IndexState, "waiting" | "oldestSeconds" | "indexError" | "optimiseError">>;
  readonly intakeState: () => Promise<Pick<IntakeState, "jobs" | "mails" | "submissions">>;
}

export function createMetrics({ scansRunning, indexState, intakeState }: Measured, version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "casefile_http_requests_total",
    help: "Requests answered, by method, route and status.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const latency = new Histogram({
    name: "casefile_http_request_duration_seconds",
    help: "Time to answer a request, by route; a stream counts until its first event.",
    labelNames: ["route"],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers,
  });
  const scans = new Histogram({
    name: "casefile_scan_duration_seconds",
    help: "Time that a scan took.",
    buckets: [0.5, 1, 2, 4, 6, 8, 10, 12, 15],
    registers,
  });
  const sources = new Counter({
    name: "casefile_scan_sources_total",
    help: "How the sources of scans fared.",
    labelNames: ["source", "status"],
    registers,
  });
  const streams = new Gauge({ name: "casefile_streams_open", help: "Event streams being sent.", registers });
  new Gauge({
    name: "casefile_scans_running",
    help: "Scans under way.",
    registers,
    collect() {
      this.set(scansRunning());
    },
  });
  new Gauge({
    name: "casefile_index_waiting",
    help: "Case studies that wait for the search index.",
    registers,
    async collect() {
      this.set((await indexState()).waiting);
    },
  });
  new Gauge({
    name: "casefile_index_oldest_seconds",
    help: "How long the first of them has waited.",
    registers,
    async collect() {
      this.set((await indexState()).oldestSeconds);
    },
  });
  new Gauge({
    name: "casefile_index_alarm",
    help: "1 when the last writing or the last compaction of the search index failed.",
    labelNames: ["work"],
    registers,
    async collect() {
      const { indexError, optimiseError } = await indexState();
      this.set({ work: "write" }, indexError === null ? 0 : 1);
      this.set({ work: "compact" }, optimiseError === null ? 0 : 1);
    },
  });
  new Gauge({
    name: "casefile_jobs",
    help: "Pieces of background work, by state; `dead` ones wait for the operator.",
    labelNames: ["state"],
    registers,
    async collect() {
      const { jobs } = await intakeState();
      for (const state of JOB_STATES) this.set({ state }, jobs[state]);
    },
  });
  new Gauge({
    name: "casefile_mails",
    help: "Mails to contacts, by state.",
    labelNames: ["state"],
    registers,
    async collect() {
      const { mails } = await intakeState();
      for (const state of EMAIL_STATES) this.set({ state }, mails[state] ?? 0);
    },
  });
  new Gauge({
    name: "casefile_submissions",
    help: "Submitted pages, by state; those in `review` wait for the operator.",
    labelNames: ["state"],
    registers,
    async collect() {
      const { submissions } = await intakeState();
      for (const state of SUBMISSION_STATES) this.set({ state }, submissions[state] ?? 0);
    },
  });
  new Gauge({
    name: "casefile_resident_memory_bytes",
    help: "Resident memory of the process.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "casefile_info",
    help: "Always 1; the version is a label.",
    labelNames: ["version"],
    registers,
  }).set({ version }, 1);
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    request(method, route, status, seconds) {
      requests.inc({ method, route, status: String(status) });
      latency.observe({ route }, seconds);
    },
    scan(outcomes, seconds) {
      scans.observe(seconds);
      for (const { source, status } of outcomes) sources.inc({ source, status });
    },
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
  };
}
