import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../tables.ts";
import type { MailRow } from "./tables.ts";

export type Mail = Selectable<MailRow>;

/** What is told to the contacts of submissions. Each event of a submission is told once. */
export interface Mails {
  /** Answers the mail's id; undefined when this event was told before. */
  add(mail: Pick<Mail, "submission_id" | "event" | "recipient" | "subject" | "body">): Promise<number | undefined>;
  find(id: number): Promise<Mail | undefined>;
  /** Ids of those that wait, oldest first. */
  waiting(): Promise<readonly number[]>;
  /**
   * Marks a waiting mail as being handed over, and answers it. One that was being handed over when the process ended
   * becomes `unclear`, and undefined is answered: perhaps it was sent, and twice would be worse than never.
   */
  begin(id: number): Promise<Mail | undefined>;
  sent(id: number): Promise<void>;
  /** The server did not take it. `final` when it will never; else it waits again. */
  refused(id: number, error: string, final: boolean): Promise<void>;
  list(filter: { submission?: string; state?: Mail["state"] }): Promise<readonly Mail[]>;
  counts(): Promise<Readonly<Partial<Record<Mail["state"], number>>>>;
}

const MOST_LISTED = 1_000;
const MAX_ERROR = 300;

export function mailsIn(queries: Kysely<Tables>, clock: () => Date): Mails {
  return {
    async add(mail) {
      const row = await queries
        .insertInto("mails")
        .values({ ...mail, state: "waiting", last_error: null, sent_at: null, created_at: clock().toISOString() })
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
        .limit(MOST_LISTED)
        .execute();
      return rows.map(({ id }) => id);
    },

    begin: (id) =>
      queries.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("mails")
          .set({ state: "unclear", last_error: "The program ended while it handed this mail over." })
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

    async list({ submission, state }) {
      let rows = queries.selectFrom("mails").selectAll().orderBy("id", "desc").limit(MOST_LISTED);
      if (submission !== undefined) rows = rows.where("submission_id", "=", submission);
      if (state !== undefined) rows = rows.where("state", "=", state);
      return await rows.execute();
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
