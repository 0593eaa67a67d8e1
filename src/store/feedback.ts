import type { Kysely } from "kysely";
import type { FalseReport } from "../vocabulary/discovery.ts";
import { cursorOf, placeIn } from "./studies/cursor.ts";
import type { Tables } from "./tables.ts";

export interface FalseReportPage {
  readonly feedback: readonly FalseReport[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** What the operator says was told wrongly, one report for a tool of a domain. */
export interface Feedback {
  /** A second report adds the rules that told the tool again; its note takes the place of the first. */
  keep(report: Omit<FalseReport, "reported_at">): Promise<FalseReport>;
  /** @returns the report that was taken back, if there was one */
  takeBack(domain: string, toolId: string): Promise<FalseReport | undefined>;
  /** Of one domain. */
  of(domain: string): Promise<readonly FalseReport[]>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(page: { readonly limit?: number; readonly cursor?: string }): Promise<FalseReportPage>;
}

const LIST = "feedback";
const PAGE = 20;

export function feedbackIn(queries: Kysely<Tables>, clock: () => Date): Feedback {
  const find = (domain: string, toolId: string) =>
    queries
      .selectFrom("feedback")
      .selectAll()
      .where("domain", "=", domain)
      .where("tool_id", "=", toolId)
      .executeTakeFirst();

  return {
    async keep({ domain, tool_id, tool, rules, note }) {
      return await queries.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom("feedback")
          .selectAll()
          .where("domain", "=", domain)
          .where("tool_id", "=", tool_id)
          .executeTakeFirst();
        const all = [...new Set([...(before ? reportOf(before).rules : []), ...rules])].sort();
        const told = { tool, rules: JSON.stringify(all), note: note ?? before?.note ?? null };
        const row = { domain, tool_id, ...told, reported_at: clock().toISOString() };
        await transaction
          .insertInto("feedback")
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(["domain", "tool_id"]).doUpdateSet({ ...told, reported_at: row.reported_at }),
          )
          .execute();
        return reportOf(row);
      });
    },

    async takeBack(domain, toolId) {
      const row = await find(domain, toolId);
      await queries.deleteFrom("feedback").where("domain", "=", domain).where("tool_id", "=", toolId).execute();
      return row && reportOf(row);
    },

    async of(domain) {
      const rows = await queries
        .selectFrom("feedback")
        .selectAll()
        .where("domain", "=", domain)
        .orderBy("tool_id")
        .execute();
      return rows.map(reportOf);
    },

    async list({ limit = PAGE, cursor }) {
      const [at, domain, tool] =
        cursor === undefined ? ["", "", ""] : placeIn(LIST, ["string", "string", "string"], cursor);
      const rows = await queries
        .selectFrom("feedback")
        .selectAll()
        .$if(cursor !== undefined, (query) =>
          query.where((eb) =>
            eb.or([
              eb("reported_at", "<", at),
              eb.and([eb("reported_at", "=", at), eb("domain", ">", domain)]),
              eb.and([eb("reported_at", "=", at), eb("domain", "=", domain), eb("tool_id", ">", tool)]),
            ]),
          ),
        )
        .orderBy("reported_at", "desc")
        .orderBy("domain")
        .orderBy("tool_id")
        .limit(limit + 1)
        .execute();
      const { total } = await queries
        .selectFrom("feedback")
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      const feedback = rows.slice(0, limit).map(reportOf);
      const last = feedback.at(-1);
      const more = rows.length > limit && last;
      return {
        feedback,
        total,
        next_cursor: more ? cursorOf(LIST, [last.reported_at, last.domain, last.tool_id]) : null,
      };
    },
  };
}

const reportOf = ({ rules, ...row }: Omit<FalseReport, "rules"> & { readonly rules: string }): FalseReport => ({
  ...row,
  rules: JSON.parse(rules),
});
