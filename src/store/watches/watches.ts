import type { Kysely, Selectable, Transaction } from "kysely";
import type { JobState } from "../../vocabulary/submission.ts";
import type { DatedChange, ToolChange, Watch, WatchOutcome } from "../../vocabulary/watch.ts";
import type { LeasedJob } from "../intake/jobs.ts";
import { cursorOf, placeIn } from "../studies/cursor.ts";
import type { Tables } from "../tables.ts";
import { type DueRows, dueRows } from "./due-rows.ts";
import type { WatchRow } from "./tables.ts";

export interface WatchPage {
  readonly watches: readonly Watch[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface ChangePage {
  readonly changes: readonly DatedChange[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** What a scan of a watched domain came to. */
export interface Look {
  readonly at: string;
  /** The look that it was compared with, null for none: when another came between, this one is not kept. */
  readonly follows?: string | null;
  readonly outcome: Exclude<WatchOutcome, "failed">;
  readonly toolsDetected: number;
  /** What later scans are compared with. */
  readonly known: unknown;
  readonly changes: readonly ToolChange[];
  /** The next one follows within the hour. */
  readonly unsure: boolean;
  /** Of the interval until the next one: 1, or a little more so that what began together does not stay together. */
  readonly stretch: number;
}

/** Domains that are scanned again and again; their scans fall due as work does. */
export interface Watches extends DueRows {
  /**
   * Watches a domain, or changes how one is watched: what is not given stays, and a new one is due at once.
   * Undefined, and nothing is changed, when it would be one more than `most`.
   */
  put(domain: string, how: WatchChange, options: { everyHours: number; most: number }): Promise<Watch | undefined>;
  /** Answers what it was. The changes that it found stay listed. */
  remove(domain: string): Promise<Watch | undefined>;
  find(domain: string): Promise<{ readonly watch: Watch; readonly known: unknown } | undefined>;
  /** By domain. @throws Failure `cursor.invalid` */
  list(page: { limit: number; cursor?: string }): Promise<WatchPage>;
  /** Keeps a look and hands each change on, all or nothing: a crash neither loses a change nor tells it twice. */
  looked(domain: string, look: Look, tell: (transaction: Transaction<Tables>) => Promise<void>): Promise<void>;
  /** Tried again after `waitSeconds` a few times, then a few times every six hours, or as often as it is scanned. */
  failed(job: LeasedJob, error: string, options: { waitSeconds: number }): Promise<JobState>;
  /** Newest first. @throws Failure `cursor.invalid` */
  changes(filter: { domain?: string; since?: string }, page: { limit: number; cursor?: string }): Promise<ChangePage>;
}

export interface WatchChange {
  readonly everyHours?: number;
  readonly paused?: boolean;
}

/** Changes that are kept, of all domains together; about 15 MB. */
const MOST_CHANGES = 50_000;
const TRIES = 3;
/** An outage of an afternoon must not cost a watch its week. */
const TRIED_AGAIN_HOURS = 6;
const MAX_ERROR = 500;
const HOUR_MS = 3_600_000;
const LIST = "watches";
const CHANGES = "changes";

export function watchesIn(queries: Kysely<Tables>, clock: () => Date, most = MOST_CHANGES): Watches {
  const after = (milliseconds: number) => new Date(clock().getTime() + milliseconds).toISOString();
  const rowOf = (domain: string) =>
    queries.selectFrom("watches").selectAll().where("domain", "=", domain).executeTakeFirst();

  return {
    ...dueRows(queries, { table: "watches", kind: "watch", named: "domain", open: "paused = 0", clock }),

    put: (domain, { everyHours, paused }, options) =>
      queries.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom("watches")
          .selectAll()
          .where("domain", "=", domain)
          .executeTakeFirst();
        if (!before) {
          const { count } = await transaction
            .selectFrom("watches")
            .select((eb) => eb.fn.countAll<number>().as("count"))
            .executeTakeFirstOrThrow();
          if (count >= options.most) return undefined;
          const row = await transaction
            .insertInto("watches")
            .values({
              ...{ domain, every_hours: everyHours ?? options.everyHours, paused: Number(paused ?? false) },
              ...{ created_at: after(0), run_after: after(0) },
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          return watchOf(row);
        }
        const hours = everyHours ?? before.every_hours;
        // A shorter interval holds from now on, not from the end of the longer one.
        const soonest = before.last_scan_at === null ? after(0) : later(before.last_scan_at, hours * HOUR_MS);
        const row = await transaction
          .updateTable("watches")
          .set({
            every_hours: hours,
            paused: Number(paused ?? before.paused === 1),
            ...(hours === before.every_hours ? {} : { run_after: soonest }),
          })
          .where("domain", "=", domain)
          .returningAll()
          .executeTakeFirstOrThrow();
        return watchOf(row);
      }),

    async remove(domain) {
      const row = await queries.deleteFrom("watches").where("domain", "=", domain).returningAll().executeTakeFirst();
      return row && watchOf(row);
    },

    async find(domain) {
      const row = await rowOf(domain);
      return row && { watch: watchOf(row), known: row.known === null ? null : JSON.parse(row.known) };
    },

    async list({ limit, cursor }) {
      let page = queries
        .selectFrom("watches")
        .selectAll()
        .orderBy("domain")
        .limit(limit + 1);
      if (cursor !== undefined) page = page.where("domain", ">", placeIn(LIST, ["string"], cursor)[0]);
      const rows = await page.execute();
      const { total } = await queries
        .selectFrom("watches")
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      const watches = rows.slice(0, limit).map(watchOf);
      const last = watches.at(-1);
      return { watches, total, next_cursor: rows.length > limit && last ? cursorOf(LIST, [last.domain]) : null };
    },

    looked: (domain, look, tell) =>
      queries.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom("watches")
          .select(["last_scan_at", "every_hours"])
          .where("domain", "=", domain)
          .executeTakeFirst();
        // It was removed while it was scanned; or a process that slept lost it to another, which told the changes.
        if (!before || (look.follows !== undefined && look.follows !== before.last_scan_at)) return;
        await transaction
          .updateTable("watches")
          .set({
            ...{ last_scan_at: look.at, last_outcome: look.outcome, last_error: null, attempts: 0 },
            ...{ tools_detected: look.toolsDetected, known: JSON.stringify(look.known) },
            run_after: after((look.unsure ? 1 : before.every_hours) * HOUR_MS * look.stretch),
          })
          .where("domain", "=", domain)
          .execute();
        if (look.changes.length === 0) return;
        const previous_at = before.last_scan_at ?? look.at;
        for (const change of look.changes)
          await transaction
            .insertInto("tool_changes")
            .values({ ...change, domain, at: look.at, previous_at })
            .execute();
        await forgetOldest(transaction, most);
        await tell(transaction);
      }),

    async failed({ id, lease, attempts }, error, { waitSeconds }) {
      const row = await queries.selectFrom("watches").selectAll().where("number", "=", id).executeTakeFirst();
      const tired = attempts >= TRIES;
      await queries
        .updateTable("watches")
        .set({
          ...{ last_outcome: "failed", last_error: error.slice(0, MAX_ERROR), lease: null, leased_until: null },
          ...(tired ? { attempts: 0 } : {}),
          run_after: after(tired ? Math.min(row?.every_hours ?? 1, TRIED_AGAIN_HOURS) * HOUR_MS : waitSeconds * 1_000),
        })
        .where("number", "=", id)
        .where("lease", "=", lease)
        .execute();
      return tired ? "dead" : "waiting";
    },

    async changes({ domain, since }, { limit, cursor }) {
      let matching = queries.selectFrom("tool_changes");
      if (domain !== undefined) matching = matching.where("tool_changes.domain", "=", domain);
      if (since !== undefined) matching = matching.where("tool_changes.at", ">=", since);
      const [at, number] = cursor === undefined ? ["", 0] : placeIn(CHANGES, ["string", "number"], cursor);
      const rows = await matching
        .leftJoin("sightings", (join) =>
          join
            .onRef("sightings.domain", "=", "tool_changes.domain")
            .onRef("sightings.tool_id", "=", "tool_changes.tool_id"),
        )
        .selectAll("tool_changes")
        .select(["sightings.first_seen", "sightings.last_seen"])
        .$if(cursor !== undefined, (query) =>
          query.where((eb) =>
            eb.or([
              eb("tool_changes.at", "<", at),
              eb.and([eb("tool_changes.at", "=", at), eb("tool_changes.number", "<", number)]),
            ]),
          ),
        )
        .orderBy("tool_changes.at", "desc")
        .orderBy("tool_changes.number", "desc")
        .limit(limit + 1)
        .execute();
      const { total } = await matching.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        changes: shown.map(({ number: _, first_seen, last_seen, ...row }) => ({
          ...row,
          first_seen: first_seen ?? row.at,
          last_seen: last_seen ?? row.at,
        })),
        total,
        next_cursor: rows.length > limit && last ? cursorOf(CHANGES, [last.at, last.number]) : null,
      };
    },
  };
}

async function forgetOldest(transaction: Transaction<Tables>, most: number): Promise<void> {
  await transaction
    .deleteFrom("tool_changes")
    .where("number", "<=", (eb) =>
      eb.selectFrom("tool_changes").select("number").orderBy("number", "desc").offset(most).limit(1),
    )
    .execute();
}

const later = (instant: string, milliseconds: number) => new Date(Date.parse(instant) + milliseconds).toISOString();

function watchOf(row: Selectable<WatchRow>): Watch {
  const { domain, every_hours, paused, tools_detected, last_scan_at, last_outcome, last_error, run_after } = row;
  return {
    ...{ domain, every_hours, paused: paused === 1, tools_detected },
    ...{ last_scan_at, last_outcome, last_error, next_scan_at: run_after, created_at: row.created_at },
  };
}
