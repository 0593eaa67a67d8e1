import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import type { JobRepository } from "../jobs/repository.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How far back, and in which steps. Each node stores at most 1,500 minutes and 745 hours. */
export const RANGES = {
  "24h": { span: "minute", lengthMs: DAY_MS, stepMs: 15 * MINUTE_MS },
  "7d": { span: "hour", lengthMs: 7 * DAY_MS, stepMs: HOUR_MS },
  "30d": { span: "hour", lengthMs: 30 * DAY_MS, stepMs: 6 * HOUR_MS },
} as const;
export type Range = keyof typeof RANGES;

const SPANS = {
  minute: { ms: MINUTE_MS, keptMs: 25 * HOUR_MS },
  hour: { ms: HOUR_MS, keptMs: 31 * DAY_MS },
} as const;
type Span = keyof typeof SPANS;

/** Requests by class of duration; classes grow by the square root of 2, from 1 ms to a minute. */
type Latencies = Readonly<Record<number, number>>;
const CLASSES = 33;
const upperMs = (place: number): number => 2 ** (place / 2);
const classOf = (milliseconds: number): number =>
  Math.min(Math.max(Math.ceil(2 * Math.log2(Math.max(milliseconds, 1))), 0), CLASSES - 1);

interface Counts {
  readonly requests: number;
  readonly errors: number;
  readonly scans: number;
  readonly queueDepth: number;
  readonly latencies: Latencies;
}

const NOTHING: Counts = { requests: 0, errors: 0, scans: 0, queueDepth: 0, latencies: {} };

/** Of two parts of one time; the queue is the same for all nodes. */
function sum(one: Counts, other: Counts): Counts {
  const latencies: Record<number, number> = { ...one.latencies };
  for (const [place, count] of Object.entries(other.latencies))
    latencies[Number(place)] = (latencies[Number(place)] ?? 0) + count;
  return {
    requests: one.requests + other.requests,
    errors: one.errors + other.errors,
    scans: one.scans + other.scans,
    queueDepth: Math.max(one.queueDepth, other.queueDepth),
    latencies,
  };
}

/** The duration that a share of the requests did not exceed, interpolated in its class: at most 20% off. */
export function quantileOf(latencies: Latencies, share: number): number | null {
  const classes = Object.entries(latencies).map(([place, count]) => [Number(place), count] as const);
  const total = classes.reduce((all, [, count]) => all + count, 0);
  if (total === 0) return null;
  let left = total * share;
  for (const [place, count] of classes.sort(([one], [other]) => one - other)) {
    const lower = place === 0 ? 0 : upperMs(place - 1);
    if (left <= count) return Math.round(lower + (upperMs(place) - lower) * (left / count));
    left -= count;
  }
  return null;
}

export interface ActivityRepository {
  /** Adds to the minute and the hour of a time, and deletes what is too old. */
  add(at: Date, counts: Counts): Promise<void>;
  /** Buckets of all nodes that begin at or after a time. */
  read(span: Span, since: Date): Promise<readonly (Counts & { readonly startAt: number })[]>;
}

const startOf = (at: Date, { ms }: { readonly ms: number }): string =>
  new Date(Math.floor(at.getTime() / ms) * ms).toISOString();

/** @param node names what this process adds to */
export function createActivityRepository(queries: Kysely<Tables>, node: string): ActivityRepository {
  const addTo = async (transaction: Transaction<Tables>, span: Span, at: Date, counts: Counts) => {
    const start_at = startOf(at, SPANS[span]);
    const stored = await transaction
      .selectFrom("activity")
      .selectAll()
      .where("span", "=", span)
      .where("start_at", "=", start_at)
      .where("node", "=", node)
      .executeTakeFirst();
    const { requests, errors, scans, queueDepth, latencies } = stored ? sum(countsOf(stored), counts) : counts;
    const values = { requests, errors, scans, queue_depth: queueDepth, latencies: JSON.stringify(latencies) };
    await transaction
      .insertInto("activity")
      .values({ span, start_at, node, ...values })
      .onConflict((conflict) => conflict.columns(["span", "start_at", "node"]).doUpdateSet(values))
      .execute();
    const oldest = new Date(at.getTime() - SPANS[span].keptMs).toISOString();
    await transaction.deleteFrom("activity").where("span", "=", span).where("start_at", "<", oldest).execute();
  };
  return {
    add: (at, counts) =>
      inTransaction(queries, "activity", async (transaction) => {
        await addTo(transaction, "minute", at, counts);
        await addTo(transaction, "hour", at, counts);
      }),

    async read(span, since) {
      const rows = await queries
        .selectFrom("activity")
        .selectAll()
        .where("span", "=", span)
        .where("start_at", ">=", since.toISOString())
        .execute();
      return rows.map((row) => ({ ...countsOf(row), startAt: Date.parse(row.start_at) }));
    },
  };
}

const countsOf = (row: Omit<Tables["activity"], "span" | "start_at" | "node">): Counts => ({
  requests: row.requests,
  errors: row.errors,
  scans: row.scans,
  queueDepth: row.queue_depth,
  latencies: JSON.parse(row.latencies),
});

interface Figures {
  readonly requests: number;
  /** Requests that got a 5xx. */
  readonly errors: number;
  readonly scans: number;
  /** Null without requests. */
  readonly latency_p50_ms: number | null;
  readonly latency_p95_ms: number | null;
  readonly queue_depth: number;
}

export interface Activity {
  readonly range: Range;
  readonly step_seconds: number;
  readonly total: Figures;
  /** Oldest first, without gaps. */
  readonly points: readonly (Figures & { readonly start_at: string })[];
}

export interface ActivityService {
  /** Counts a request to the API: the console's pages, probes and the operator are not counted. */
  request(route: string, status: number, seconds: number): void;
  scan(): void;
  /** Of all nodes. */
  read(range: Range): Promise<Activity>;
  /** Writes the counts of this process once a minute, and when it stops. */
  startWriting(): { stop(): Promise<void> };
}

interface ActivityOptions {
  readonly activity: ActivityRepository;
  readonly jobs: Pick<JobRepository, "counts">;
  readonly clock: () => Date;
  readonly onError: (task: string, error: unknown) => void;
}

const COUNTED = /^\/(?:v1\/|mcp\/?$)/;

export function createActivity({ activity, jobs, clock, onError }: ActivityOptions): ActivityService {
  /** Since the last write. */
  let counted = NOTHING;
  const write = async (): Promise<void> => {
    const counts = counted;
    counted = NOTHING;
    try {
      const { waiting } = await jobs.counts();
      await activity.add(clock(), sum(counts, { ...NOTHING, queueDepth: waiting }));
    } catch (error) {
      // It is written with the next minute.
      counted = sum(counts, counted);
      onError("writing the activity of the last minute", error);
    }
  };

  return {
    request(route, status, seconds) {
      if (!COUNTED.test(route)) return;
      counted = sum(counted, {
        ...NOTHING,
        requests: 1,
        errors: status >= 500 ? 1 : 0,
        latencies: { [classOf(seconds * 1_000)]: 1 },
      });
    },
    scan() {
      counted = sum(counted, { ...NOTHING, scans: 1 });
    },

    async read(range) {
      const { span, lengthMs, stepMs } = RANGES[range];
      const now = clock().getTime();
      const end = Math.floor(now / stepMs) * stepMs + stepMs;
      const start = end - lengthMs;
      const steps = Array.from({ length: lengthMs / stepMs }, () => NOTHING);
      const { waiting } = await jobs.counts();
      const unwritten = { ...sum(counted, { ...NOTHING, queueDepth: waiting }), startAt: now };
      for (const bucket of [...(await activity.read(span, new Date(start))), unwritten]) {
        const place = Math.min(Math.floor((bucket.startAt - start) / stepMs), steps.length - 1);
        steps[place] = sum(steps[place] ?? NOTHING, bucket);
      }
      return {
        range,
        step_seconds: stepMs / 1_000,
        total: figuresOf(steps.reduce(sum, NOTHING)),
        points: steps.map((counts, place) => ({
          start_at: new Date(start + place * stepMs).toISOString(),
          ...figuresOf(counts),
        })),
      };
    },

    startWriting() {
      let writing: Promise<void> = Promise.resolve();
      const timer = setInterval(() => {
        writing = writing.then(write);
      }, MINUTE_MS);
      timer.unref();
      return {
        async stop() {
          clearInterval(timer);
          await writing.then(write);
        },
      };
    },
  };
}

const figuresOf = ({ requests, errors, scans, queueDepth, latencies }: Counts): Figures => ({
  requests,
  errors,
  scans,
  latency_p50_ms: quantileOf(latencies, 0.5),
  latency_p95_ms: quantileOf(latencies, 0.95),
  queue_depth: queueDepth,
});
