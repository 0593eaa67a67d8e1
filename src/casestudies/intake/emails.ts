import type { Kysely, Selectable } from "kysely";
import { countRows, type Page, type PageRequest, readPage } from "../../db/cursor.ts";
import type { MailRow, Tables } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";

export type Email = Selectable<MailRow>;

export interface EmailPage extends Page {
  readonly mails: readonly Email[];
}

/** Emails to the contacts of submissions, one for each event. */
export interface EmailRepository {
  /** Returns the id; undefined when there is an email for this event already. */
  add(email: Pick<Email, "submission_id" | "event" | "recipient" | "subject" | "body">): Promise<number | undefined>;
  find(id: number): Promise<Email | undefined>;
  /** Ids of emails that wait or were interrupted, oldest first. */
  waiting(): Promise<readonly number[]>;
  /**
   * Marks a waiting email as `sending` and returns it. An email that was `sending` when a process ended becomes
   * `unclear` and is not returned: it may have been sent, and sending it twice would be worse than not at all.
   */
  begin(id: number): Promise<Email | undefined>;
  sent(id: number): Promise<void>;
  /** The server did not accept the email. `final`: it never will; otherwise the email waits again. */
  refused(id: number, error: string, final: boolean): Promise<void>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(
    filter: { submission?: string | undefined; state?: Email["state"] | undefined },
    page: PageRequest,
  ): Promise<EmailPage>;
  counts(): Promise<Readonly<Partial<Record<Email["state"], number>>>>;
}

const NEWEST_FIRST = { list: "mails", columns: [["id", "number", "desc"]] } as const;
const MOST_AT_ONCE = 1_000;
const MAX_ERROR = 300;

export function createEmailRepository(queries: Kysely<Tables>, clock: () => Date): EmailRepository {
  return {
    async add(email) {
      const row = await queries
        .insertInto("mails")
        .values({ ...email, state: "waiting", last_error: null, sent_at: null, created_at: clock().toISOString() })
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .executeTakeFirst();
      return row?.id;
    },

    find: (id) => queries.selectFrom("mails").selectAll().where("id", "=", id).executeTakeFirst(),

    async waiting() {
      const rows = await queries
        .selectFrom("mails")
        .select("id")
        .where("state", "in", ["waiting", "sending"])
        .orderBy("id")
        .limit(MOST_AT_ONCE)
        .execute();
      return rows.map(({ id }) => id);
    },

    begin: (id) =>
      inTransaction(queries, `mail ${id}`, async (transaction) => {
        await transaction
          .updateTable("mails")
          .set({ state: "unclear", last_error: "The process ended while it was sending this email." })
          .where("id", "=", id)
          .where("state", "=", "sending")
          .execute();
        return await transaction
          .updateTable("mails")
          .set({ state: "sending", last_error: null })
          .where("id", "=", id)
          .where("state", "=", "waiting")
          .returningAll()
          .executeTakeFirst();
      }),

    async sent(id) {
      await queries
        .updateTable("mails")
        .set({ state: "sent", sent_at: clock().toISOString() })
        .where("id", "=", id)
        .where("state", "=", "sending")
        .execute();
    },

    async refused(id, error, final) {
      await queries
        .updateTable("mails")
        .set({ state: final ? "failed" : "waiting", last_error: error.slice(0, MAX_ERROR) })
        .where("id", "=", id)
        .where("state", "=", "sending")
        .execute();
    },

    async list({ submission, state }, page) {
      let matching = queries.selectFrom("mails");
      if (submission !== undefined) matching = matching.where("submission_id", "=", submission);
      if (state !== undefined) matching = matching.where("state", "=", state);
      const { rows, next_cursor } = await readPage(matching.selectAll(), NEWEST_FIRST, page);
      return { mails: rows, total: await countRows(matching), next_cursor };
    },

    async counts() {
      const rows = await queries
        .selectFrom("mails")
        .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
        .groupBy("state")
        .execute();
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    },
  };
}
