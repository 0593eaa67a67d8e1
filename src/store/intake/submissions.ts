import type { Kysely, Selectable } from "kysely";
import type { Submission, SubmissionPreview, SubmissionState } from "../../vocabulary/submission.ts";
import { cursorOf, placeIn } from "../studies/cursor.ts";
import { urlKey } from "../studies/url-key.ts";
import type { Tables } from "../tables.ts";
import type { SubmissionRow } from "./tables.ts";

export interface NewSubmission {
  readonly company_name: string;
  readonly company_slug: string;
  readonly company_domain: string | null;
  readonly case_study_url: string;
  readonly contact_email: string;
}

export interface SubmissionPage {
  readonly submissions: readonly Submission[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** What may be changed of a submission; its address and contact stay. */
export type SubmissionChange = Partial<
  Pick<Submission, "company_name" | "company_slug" | "company_domain" | "reason" | "approved_by" | "preview"> & {
    readonly found: number;
  }
>;

export interface Submissions {
  /** The pending one of the same address, however written, when there is one; else a new one. */
  add(submission: NewSubmission): Promise<{ readonly submission: Submission; readonly isNew: boolean }>;
  find(id: string): Promise<Submission | undefined>;
  /** The id of the one submission of the address, however written, that has not ended. */
  pendingOf(url: string): Promise<string | undefined>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(filter: { state?: SubmissionState }, page: { limit: number; cursor?: string }): Promise<SubmissionPage>;
  change(id: string, change: SubmissionChange): Promise<void>;
  /**
   * Goes on to `to` when it stands at one of `from`; answers false, and changes nothing, when it does not. A reason is
   * forgotten unless a new one is given.
   */
  move(
    id: string,
    from: readonly SubmissionState[],
    to: SubmissionState,
    change?: Pick<SubmissionChange, "reason" | "approved_by">,
  ): Promise<boolean>;
  /** How many are in each state that has any. */
  counts(): Promise<Readonly<Partial<Record<SubmissionState, number>>>>;
}

const ENDED: readonly SubmissionState[] = ["rejected", "available", "failed"];
const LIST = "submissions";
const ID_CHARACTERS = "0123456789abcdefghijkmnpqrstuvwxyz";

export function submissionsIn(queries: Kysely<Tables>, clock: () => Date): Submissions {
  const counted = queries
    .selectFrom("submissions")
    .selectAll("submissions")
    .select(({ selectFrom }) => [
      selectFrom("pages")
        .innerJoin("sites", "sites.id", "pages.site_id")
        .whereRef("sites.url_key", "=", "submissions.url_key")
        .where("pages.case_study_id", "is not", null)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .as("structured"),
      selectFrom("pages")
        .innerJoin("sites", "sites.id", "pages.site_id")
        .innerJoin("case_studies", "case_studies.id", "pages.case_study_id")
        .whereRef("sites.url_key", "=", "submissions.url_key")
        .where("case_studies.indexed_at", "is not", null)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .as("indexed"),
    ]);

  const find = async (id: string) => {
    const row = await counted.where("submissions.id", "=", id).executeTakeFirst();
    return row && submissionOf(row);
  };

  const pendingId = async (from: Pick<Kysely<Tables>, "selectFrom">, key: string) => {
    const pending = await from
      .selectFrom("submissions")
      .select("id")
      .where("url_key", "=", key)
      .where("state", "not in", ENDED)
      .executeTakeFirst();
    return pending?.id;
  };

  return {
    find,
    pendingOf: (url) => pendingId(queries, urlKey(url)),

    async add(submission) {
      const key = urlKey(submission.case_study_url);
      const now = clock().toISOString();
      const { id, isNew } = await queries.transaction().execute(async (transaction) => {
        const pending = await pendingId(transaction, key);
        if (pending !== undefined) return { id: pending, isNew: false };
        const fresh = newId();
        await transaction
          .insertInto("submissions")
          .values({
            ...submission,
            id: fresh,
            url_key: key,
            state: "waiting",
            reason: null,
            approved_by: null,
            preview: null,
            received_at: now,
            updated_at: now,
          })
          .execute();
        return { id: fresh, isNew: true };
      });
      const kept = await find(id);
      if (!kept) throw new Error("A submission that was kept is not there.");
      return { submission: kept, isNew };
    },

    async list({ state }, { limit, cursor }) {
      let page = counted
        .orderBy("submissions.received_at", "desc")
        .orderBy("submissions.id")
        .limit(limit + 1);
      let all = queries.selectFrom("submissions");
      if (state !== undefined) {
        page = page.where("submissions.state", "=", state);
        all = all.where("state", "=", state);
      }
      if (cursor !== undefined) {
        const [received, id] = placeIn(LIST, ["string", "string"], cursor);
        page = page.where((eb) =>
          eb.or([
            eb("submissions.received_at", "<", received),
            eb.and([eb("submissions.received_at", "=", received), eb("submissions.id", ">", id)]),
          ]),
        );
      }
      const rows = await page.execute();
      const { total } = await all.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        submissions: shown.map(submissionOf),
        total,
        next_cursor: rows.length > limit && last ? cursorOf(LIST, [last.received_at, last.id]) : null,
      };
    },

    async change(id, { preview, ...change }) {
      await queries
        .updateTable("submissions")
        .set({
          ...change,
          ...(preview === undefined ? {} : { preview: preview && JSON.stringify(preview) }),
          updated_at: clock().toISOString(),
        })
        .where("id", "=", id)
        .execute();
    },

    async move(id, from, to, change = {}) {
      const { numUpdatedRows } = await queries
        .updateTable("submissions")
        .set({ reason: null, ...change, state: to, updated_at: clock().toISOString() })
        .where("id", "=", id)
        .where("state", "in", from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async counts() {
      const rows = await queries
        .selectFrom("submissions")
        .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
        .groupBy("state")
        .execute();
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    },
  };
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `sub_${[...bytes].map((byte) => ID_CHARACTERS[byte % ID_CHARACTERS.length]).join("")}`;
}

type CountedRow = Selectable<SubmissionRow> & { readonly structured: number | null; readonly indexed: number | null };

function submissionOf({ url_key, found, structured, indexed, preview, ...row }: CountedRow): Submission {
  return {
    ...row,
    preview: preview === null ? null : (JSON.parse(preview) as SubmissionPreview),
    counts: { found, structured: structured ?? 0, indexed: indexed ?? 0 },
  };
}
