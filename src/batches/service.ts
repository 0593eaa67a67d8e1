import { createHash } from "node:crypto";
import type { Charge } from "../accounts/service.ts";
import { randomText } from "../accounts/service.ts";
import { raceAbort, sleep } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import type { DetectionService } from "../detection/service.ts";
import { type Runner, startRunner } from "../jobs/runner.ts";
import type { JobFeature } from "../jobs/worker.ts";
import { MAX_COLUMNS } from "./read-list.ts";
import type { BatchRepository, NewItem, Notify, StoredBatch } from "./repository.ts";
import type {
  Batch,
  BatchItem,
  BatchOptions,
  BatchPage,
  ItemState,
  ListEntry,
  Progress,
  StoredOptions,
} from "./types.ts";
import { scanItem } from "./worker.ts";

/** Who owns a batch, and what its domains are counted for. */
export interface BatchOwner {
  /** Email of the API key; empty for the operator. */
  readonly owner: string;
  /** Absent when the domains are not counted. */
  readonly charge?: Charge | undefined;
}

export interface BatchService {
  /**
   * Starts a batch; a repeated idempotency key returns the batch that has it. Each distinct domain counts once.
   *
   * @throws Failure `batch.invalid`, `batch.conflict` for an idempotency key of another list, `webhook.not_found`,
   *   `quota.exceeded`
   */
  create(owner: BatchOwner, entries: readonly ListEntry[], options?: BatchOptions): Promise<Batch>;
  /** The newest batch of the same list with the same options. */
  findSame(owner: BatchOwner, entries: readonly ListEntry[], options?: BatchOptions): Promise<Batch | undefined>;
  /** @throws Failure `batch.not_found` */
  get(owner: BatchOwner, id: string): Promise<Batch>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(owner: BatchOwner, page?: { limit?: number | undefined; cursor?: string | undefined }): Promise<BatchPage>;
  /** Starts no further scan; running ones end. @throws Failure `batch.not_found`, `batch.conflict` */
  pause(owner: BatchOwner, id: string): Promise<Batch>;
  /** @throws Failure `batch.not_found`, `batch.conflict` */
  resume(owner: BatchOwner, id: string): Promise<Batch>;
  /** Ends the batch; its results stay. Domains without a result do not count. @throws Failure `batch.not_found`, `batch.conflict` */
  cancel(owner: BatchOwner, id: string): Promise<Batch>;
  /** Scans the failed domains of a finished batch again. @throws Failure `batch.not_found`, `batch.conflict`, `quota.exceeded` */
  retryFailed(owner: BatchOwner, id: string): Promise<Batch>;
  /** A page of the results in the order of the list; items that wait have none yet. @throws Failure `batch.not_found` */
  page(owner: BatchOwner, id: string, options: PageOptions): Promise<readonly BatchItem[]>;
  /**
   * All results in the order of the list, as they are now. `follow` waits for each item until it has ended.
   *
   * @throws Failure `batch.not_found`
   */
  results(
    owner: BatchOwner,
    id: string,
    options?: { readonly state?: ItemState | undefined; readonly follow?: AbortSignal | undefined },
  ): Promise<AsyncGenerator<BatchItem>>;
  /** Scans the domains of running batches. Stop it before the services are closed. */
  startWorker(): Pick<Runner, "stop">;
  /** Ends batches whose process was killed before it could, and deletes old ones. */
  readonly maintenance: JobFeature;
}

interface PageOptions {
  /** Position of the last item of the previous page; -1 for the first page. */
  readonly after: number;
  readonly limit: number;
  readonly state?: ItemState | undefined;
}

export interface BatchServiceOptions {
  readonly batches: BatchRepository;
  readonly detection: Pick<DetectionService, "enrich" | "domainOf">;
  /** Queues the message about the end of a batch for its webhook. */
  readonly notify: Notify;
  /** Throws Failure `webhook.not_found`; returns the id of the webhook with this id or address. */
  readonly findWebhook: (idOrUrl: string) => Promise<string>;
  /** Scans that run at the same time. */
  readonly concurrency: number;
  readonly keepDays: number;
  readonly clock: () => Date;
  readonly random?: () => number;
  readonly onError: (task: string, error: unknown) => void;
}

const PAGE_SIZE = 20;
const ITEMS_PER_READ = 200;
const POLL_MS = 1_000;
const FOLLOW_MS = 250;
const DAY_MS = 86_400_000;
/** A name server that does not answer may be down for an hour. */
const RETRY_SECONDS = [30, 120, 600, 3_600];
/** Estimates from fewer domains vary too much. */
const MIN_FINISHED = 5;

export function createBatchService(options: BatchServiceOptions): BatchService {
  const { batches, detection, clock, notify, random = Math.random } = options;
  let runner: Runner | undefined;
  /** Wakes those who follow the results of a batch. */
  const followers = new Set<() => void>();
  const changed = () => {
    for (const wake of [...followers]) wake();
  };

  const finish = async (id: string) => {
    await batches.finish(id, notify);
    changed();
  };

  const viewOf = async (batch: StoredBatch): Promise<Batch> => {
    const [counts, running] = await Promise.all([batches.counts(batch.id), batches.leased(batch.id)]);
    const progress: Progress = {
      waiting: sum(counts, "waiting") - running,
      running,
      done: sum(counts, "done"),
      failed: Object.fromEntries(
        counts
          .filter(({ state }) => state === "failed")
          .map(({ error_code, count }) => [error_code ?? "internal", count]),
      ),
      skipped: {
        invalid: sum(counts, "invalid"),
        duplicate: sum(counts, "duplicate"),
        cancelled: sum(counts, "cancelled"),
      },
    };
    return {
      id: batch.id,
      name: batch.name,
      state: batch.state,
      total: batch.total,
      domains: batch.domains,
      // Older batches may have thousands.
      columns: batch.options.columns.slice(0, MAX_COLUMNS),
      sources: batch.options.only ?? null,
      progress,
      estimated_end: estimateEnd(batch, progress, clock()),
      created_at: batch.created_at,
      finished_at: batch.finished_at,
    };
  };

  const find = async ({ owner }: BatchOwner, id: string): Promise<StoredBatch> => {
    const batch = await batches.find(id, owner);
    if (batch) return batch;
    throw new Failure("batch.not_found", `No batch has the id ${quoted(id)}; list the batches to find it.`);
  };

  /** @throws Failure `batch.conflict` when the change was not possible */
  const change = async (
    owner: BatchOwner,
    id: string,
    verb: string,
    allowed: string,
    work: (batch: StoredBatch) => Promise<boolean>,
  ): Promise<Batch> => {
    const batch = await find(owner, id);
    const isDone = await work(batch);
    const after = await find(owner, id);
    if (!isDone) throw new Failure("batch.conflict", `The batch is ${after.state}; only ${allowed} can be ${verb}.`);
    runner?.wake();
    changed();
    return await viewOf(after);
  };

  const itemsOf = (entries: readonly ListEntry[]): readonly NewItem[] => {
    const positions = new Map<string, number>();
    return entries.map(({ input, cells = null, fault }, position): NewItem => {
      const row = { position, input: input.slice(0, 300), cells: cells ?? null };
      const read = fault === undefined ? readDomain(input, detection.domainOf) : invalid("batch.invalid", fault);
      if ("code" in read) return { ...row, domain: null, state: "invalid", duplicateOf: null, error: read };
      const first = positions.get(read.domain);
      if (first !== undefined)
        return { ...row, domain: read.domain, state: "duplicate", duplicateOf: first, error: null };
      positions.set(read.domain, position);
      return { ...row, domain: read.domain, state: "waiting", duplicateOf: null, error: null };
    });
  };

  const prepare = async (entries: readonly ListEntry[], given: BatchOptions) => {
    const items = itemsOf(entries);
    const columns = columnsOf(entries);
    const stored: StoredOptions = {
      ...(given.maxAgeSeconds === undefined
        ? {}
        : { max_age_seconds: Number.isFinite(given.maxAgeSeconds) ? given.maxAgeSeconds : null }),
      ...(given.only === undefined ? {} : { only: given.only }),
      ...(given.minConfidence === undefined ? {} : { min_confidence: given.minConfidence }),
      retry_seconds: given.retrySeconds ?? RETRY_SECONDS,
      columns,
    };
    const hash = createHash("sha256").update(JSON.stringify(stored));
    for (const { input, cells } of items) hash.update(JSON.stringify([input, cells]));
    return { items, stored, digest: hash.digest("hex") };
  };

  const sameList = (batch: StoredBatch, digest: string): StoredBatch => {
    if (batch.digest === digest) return batch;
    throw new Failure(
      "batch.conflict",
      `The idempotency key belongs to batch ${batch.id}, which has another list or other options; use a new key.`,
    );
  };

  return {
    async create({ owner, charge }, entries, given = {}) {
      const { items, stored, digest } = await prepare(entries, given);
      const { idempotencyKey = null } = given;
      const existing = idempotencyKey === null ? undefined : await batches.findByKey(owner, idempotencyKey);
      if (existing) return await viewOf(sameList(existing, digest));
      const domains = items.filter(({ state }) => state === "waiting").length;
      if (domains === 0) {
        const why = items.find(({ error }) => error !== null)?.error?.detail;
        const column = entries.find(({ column }) => column !== undefined)?.column;
        const where =
          column === undefined
            ? ""
            : ` in the column ${quoted(column)}; if another has them, name it as ${given.columnOption ?? "`column`"}`;
        throw new Failure(
          "batch.invalid",
          `The list has no company domain${where}.${why === undefined ? "" : ` ${why}`}`,
        );
      }
      const batch = await batches.add(
        {
          id: `batch_${randomText(20)}`,
          owner,
          name: given.name ?? null,
          idempotencyKey,
          digest,
          options: stored,
          webhook: given.webhook === undefined ? null : await options.findWebhook(given.webhook),
          total: items.length,
          domains,
        },
        items,
        charge,
      );
      runner?.wake();
      return await viewOf(sameList(batch, digest));
    },

    async findSame({ owner }, entries, given = {}) {
      const { digest } = await prepare(entries, given);
      const batch = await batches.findByDigest(owner, digest);
      return batch && (await viewOf(batch));
    },

    get: async (owner, id) => viewOf(await find(owner, id)),

    async list({ owner }, { limit = PAGE_SIZE, cursor } = {}) {
      const page = await batches.list(owner, { limit, cursor });
      return { ...page, batches: await Promise.all(page.batches.map(viewOf)) };
    },

    pause: (owner, id) =>
      change(owner, id, "paused", "a running batch", (batch) => batches.setState(batch.id, ["running"], "paused")),
    resume: (owner, id) =>
      change(owner, id, "resumed", "a paused batch", async (batch) => {
        const isResumed = await batches.setState(batch.id, ["paused"], "running");
        if (isResumed) await finish(batch.id);
        return isResumed;
      }),
    cancel: (owner, id) =>
      change(owner, id, "cancelled", "a running or paused batch", (batch) => batches.cancel(batch.id)),
    retryFailed: (owner, id) =>
      change(owner, id, "retried", "a finished batch with failed domains", async (batch) => {
        return (await batches.retryFailed(batch.id, owner.charge)) > 0;
      }),

    async page(owner, id, { after, limit, state }) {
      const batch = await find(owner, id);
      return await batches.items(batch.id, after, limit, state);
    },

    async results(owner, id, { state, follow } = {}) {
      const batch = await find(owner, id);
      return (async function* () {
        let after = -1;
        for (;;) {
          const items = await batches.items(batch.id, after, ITEMS_PER_READ, state);
          let isWaiting = false;
          for (const item of items) {
            isWaiting = follow !== undefined && item.state === "waiting";
            if (isWaiting) break;
            yield item;
            after = item.position;
          }
          if (items.length === 0) {
            const state = follow && (await batches.findAny(batch.id))?.state;
            if (follow === undefined || state !== "running") return;
            // The last result is recorded, the end of the batch not yet.
            await waitForChange(follow);
            continue;
          }
          if (!isWaiting || follow === undefined) continue;
          await waitForChange(follow);
        }
      })();
    },

    startWorker() {
      runner = startRunner({
        queue: batches,
        handlers: {
          batch: scanItem({
            batches: {
              ...batches,
              async recordResult(number, result) {
                await batches.recordResult(number, result);
                changed();
              },
            },
            async findRunning(id) {
              const state = await batches.findAny(id);
              return state?.state === "running" ? state : undefined;
            },
            enrich: detection.enrich,
            onRecorded: ({ id }) => finish(id),
          }),
        },
        concurrency: options.concurrency,
        pollMs: POLL_MS,
        random,
        onFailure(job, error) {
          if (!(error instanceof Failure)) options.onError(`scan of ${job.payload.domain} in a batch`, error);
        },
        onQueueError: options.onError,
      });
      return runner;
    },

    maintenance: {
      handlers: {},
      async queueDue() {
        for (const id of await batches.unfinished()) await finish(id);
        await batches.deleteOld(new Date(clock().getTime() - options.keepDays * DAY_MS));
      },
    },
  };

  /** Another process may scan the domains: it cannot wake this one. */
  async function waitForChange(signal: AbortSignal): Promise<void> {
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const over = new AbortController();
    followers.add(wake);
    try {
      await raceAbort(Promise.race([woken, sleep(FOLLOW_MS, over.signal).catch(() => {})]), signal);
    } finally {
      followers.delete(wake);
      over.abort();
    }
  }
}

const sum = (counts: readonly { readonly state: ItemState; readonly count: number }[], wanted: ItemState): number =>
  counts.filter(({ state }) => state === wanted).reduce((all, { count }) => all + count, 0);

/** @throws Failure `batch.invalid` when the rows together have too many columns */
function columnsOf(entries: readonly ListEntry[]): readonly string[] {
  const columns = new Set<string>();
  for (const { cells = {} } of entries) {
    for (const name of Object.keys(cells)) columns.add(name);
    if (columns.size > MAX_COLUMNS)
      throw new Failure(
        "batch.invalid",
        `A list may have at most ${MAX_COLUMNS} columns besides the domain, all rows together; leave some out.`,
      );
  }
  return [...columns];
}

const invalid = (code: string, detail: string) => ({ code, detail });

function readDomain(
  input: string,
  parse: (input: string) => string,
): { readonly domain: string } | { readonly code: string; readonly detail: string } {
  try {
    return { domain: parse(input) };
  } catch (error) {
    if (error instanceof Failure) return invalid(error.code, error.message);
    throw error;
  }
}

/** At the rate since the batch last began to run. */
function estimateEnd(batch: StoredBatch, { waiting, running, done, failed }: Progress, now: Date): string | null {
  const finished = done + Object.values(failed).reduce((all, count) => all + count, 0) - batch.resumed_finished;
  if (batch.state !== "running" || finished < MIN_FINISHED) return null;
  const elapsedMs = Math.max(1, now.getTime() - Date.parse(batch.resumed_at));
  return new Date(now.getTime() + ((waiting + running) * elapsedMs) / finished).toISOString();
}
