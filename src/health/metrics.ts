import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { IndexService } from "../casestudies/index/service.ts";
import type { IntakeService } from "../casestudies/intake/service.ts";
import { SUBMISSION_STATES } from "../casestudies/intake/types.ts";
import { EMAIL_STATES } from "../casestudies/intake/view.ts";
import type { PoolState } from "../db/contract.ts";
import type { NodeRepository } from "../db/nodes.ts";
import type { DetectionService } from "../detection/service.ts";
import { createHttpMetrics, type Metrics } from "../http/metrics.ts";
import { JOB_STATES } from "../jobs/types.ts";
import type { ActivityService } from "./activity.ts";

/** All metrics of the service, for Prometheus. */
export interface ServiceMetrics extends Metrics {
  readonly text: () => Promise<string>;
  readonly contentType: string;
  scan(sources: readonly { readonly source: string; readonly status: string }[], seconds: number): void;
}

interface MeasuredServices {
  readonly activity: Pick<ActivityService, "request" | "scan">;
  readonly detection: Pick<DetectionService, "scansRunning">;
  readonly index: Pick<IndexService, "state">;
  readonly intake: Pick<IntakeService, "state">;
  readonly nodes: Pick<NodeRepository, "list">;
  readonly health: { readonly pool: (() => PoolState) | undefined };
  readonly version: string;
}

/** The registry is not the global one, so that two services in one test do not mix. */
export function createMetrics({
  activity,
  detection,
  index,
  intake,
  nodes,
  health: { pool },
  version,
}: MeasuredServices): ServiceMetrics {
  const registry = new Registry();
  const registers = [registry];
  const scans = new Histogram({
    name: "casefile_scan_duration_seconds",
    help: "Duration of scans.",
    buckets: [0.5, 1, 2, 4, 6, 8, 10, 12, 15],
    registers,
  });
  const sources = new Counter({
    name: "casefile_scan_sources_total",
    help: "Data sources queried by scans, by source and outcome.",
    labelNames: ["source", "status"],
    registers,
  });
  /** A gauge that is read when Prometheus scrapes. */
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  /** A counter that is kept elsewhere. */
  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  /** The same with one value for each label. */
  const gauges = (name: string, help: string, label: string, read: () => Promise<Readonly<Record<string, number>>>) =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: [label],
      async collect() {
        for (const [value, count] of Object.entries(await read())) this.set({ [label]: value }, count);
      },
    });
  /** Every state, also those that nothing is in. */
  const counted = (states: readonly string[], counts: Readonly<Record<string, number | undefined>>) =>
    Object.fromEntries(states.map((state) => [state, counts[state] ?? 0]));

  gauge("casefile_scans_running", "Scans in progress.", () => detection.scansRunning());
  gauge("casefile_index_waiting", "Case studies waiting for the search index.", async () => {
    return (await index.state()).waiting;
  });
  gauge("casefile_index_oldest_seconds", "Age of the oldest case study waiting for the search index.", async () => {
    return (await index.state()).oldestSeconds;
  });
  gauge("casefile_index_failed", "Case studies that the model cannot embed.", async () => {
    return (await index.state()).failures.total;
  });
  gauges(
    "casefile_index_alarm",
    "1 if the last write, compaction or snapshot of the search index failed.",
    "work",
    async () => {
      const { indexError, optimiseError, snapshots } = await index.state();
      return {
        write: indexError === null ? 0 : 1,
        compact: optimiseError === null ? 0 : 1,
        snapshot: (snapshots?.snapshot_error ?? null) === null ? 0 : 1,
      };
    },
  );
  gauges("casefile_index_built", "1 for how this process last filled its search index.", "from", async () => {
    const from = (await index.state()).snapshots?.built_from;
    return { database: from === "database" ? 1 : 0, snapshot: from === "snapshot" ? 1 : 0 };
  });
  gauge(
    "casefile_index_snapshot_timestamp_seconds",
    "When the newest snapshot was made that this process stored or loaded; 0 for none.",
    async () => Date.parse((await index.state()).snapshots?.snapshot_at ?? "") / 1_000 || 0,
  );
  gauges("casefile_jobs", "Background jobs, by state; `dead` ones have failed for good.", "state", async () =>
    counted(JOB_STATES, (await intake.state()).jobs),
  );
  gauges("casefile_mails", "Emails to contacts, by state.", "state", async () =>
    counted(EMAIL_STATES, (await intake.state()).mails),
  );
  gauges("casefile_submissions", "Submissions, by state; those in `review` wait for the operator.", "state", async () =>
    counted(SUBMISSION_STATES, (await intake.state()).submissions),
  );
  gauge("casefile_nodes", "Running nodes of the PostgreSQL database; 0 without one.", async () =>
    pool === undefined ? 0 : (await nodes.list()).length,
  );
  gauges(
    "casefile_database_connections",
    "Connections of this node to PostgreSQL: `max` are allowed, `busy` are used, `waiting` is the work that waits for one.",
    "state",
    async () => {
      if (pool === undefined) return {};
      const { max, inProgress } = pool();
      return { max, busy: Math.min(inProgress, max), waiting: Math.max(0, inProgress - max) };
    },
  );
  total("casefile_database_wait_seconds_total", "Time that transactions waited for a connection to PostgreSQL.", () =>
    pool === undefined ? 0 : pool().waitedMs / 1_000,
  );
  total("casefile_database_connections_lost_total", "Connections to PostgreSQL that ended while they were used.", () =>
    pool === undefined ? 0 : pool().lost,
  );
  gauge("casefile_resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
  gauges("casefile_info", "Always 1; the version is a label.", "version", async () => ({ [version]: 1 }));

  const http = createHttpMetrics(registry);
  return {
    ...http,
    request(method, route, status, seconds) {
      http.request(method, route, status, seconds);
      activity.request(route, status, seconds);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    scan(outcomes, seconds) {
      scans.observe(seconds);
      activity.scan();
      for (const { source, status } of outcomes) sources.inc({ source, status });
    },
  };
}
