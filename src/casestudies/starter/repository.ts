import type { Kysely, Transaction } from "kysely";
import { inChunks } from "../../db/cursor.ts";
import type { Tables } from "../../db/schema.ts";
import { createSettingsRepository } from "../../db/settings.ts";
import { inTransaction } from "../../db/transaction.ts";
import { urlKey } from "../keys.ts";
import type { IndustryNames } from "../records.ts";
import { removeStudies, saveStudies } from "../save.ts";
import type { NewCaseStudy, Origin } from "../types.ts";

/** What an installation has done with the starter records. */
export interface StarterState {
  /** Hash of the set that was loaded last, or `removed`; null before the first load. */
  readonly version: string | null;
  /** By record name: the id of its case study, and the hash of the record from which it was made. */
  readonly loaded: Readonly<Record<string, { readonly id: string; readonly hash: string }>>;
  /** Names of records that the operator removed. */
  readonly removed: readonly string[];
}

/** A stored case study, with what matters for starter records. */
export interface StarterRow {
  readonly id: string;
  readonly origin: Origin;
  /** Slug of its company, which the operator may have renamed or merged. */
  readonly company: string;
}

export interface StarterRows {
  readonly byId: ReadonlyMap<string, StarterRow>;
  /** Finds a row by URL in any spelling. */
  readonly atUrl: (url: string) => StarterRow | undefined;
  /** The operator's corrections by id and field, also of case studies that were removed. */
  readonly corrections: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export interface StarterPlan {
  /** The state after the change, without the saved records, which are added. */
  readonly state: StarterState;
  /** Ids, removed before anything is saved. */
  readonly remove: readonly string[];
  readonly save: readonly { readonly name: string; readonly hash: string; readonly study: NewCaseStudy }[];
}

export interface StarterRepository {
  state(): Promise<StarterState>;
  /** Stored case studies with the origin `starter`, and those that the state refers to. */
  rows(): Promise<StarterRows>;
  /**
   * Plans and applies a change in one transaction: of two processes that start at the same time, the second finds the
   * work done, and a crash leaves nothing half done.
   *
   * @param wanted records of the set; stored case studies with one of their URLs are among the rows
   * @param plan returns undefined when there is nothing to do
   */
  change(
    wanted: readonly { readonly id: string; readonly url: string }[],
    plan: (state: StarterState, rows: StarterRows) => StarterPlan | undefined,
  ): Promise<{ readonly saved: number; readonly removed: number }>;
}

const VERSION = "starter.version";
const RECORDS = "starter.records";

export function createStarterRepository(
  queries: Kysely<Tables>,
  names: IndustryNames,
  clock: () => Date,
): StarterRepository {
  return {
    state: () => stateIn(queries),
    rows: async () => rowsIn(queries, await stateIn(queries), []),

    change: (wanted, plan) =>
      inTransaction(queries, "case studies", async (transaction) => {
        const before = await stateIn(transaction);
        const planned = plan(before, await rowsIn(transaction, before, wanted));
        if (!planned) return { saved: 0, removed: 0 };
        const { state, remove, save } = planned;
        const now = clock().toISOString();
        const removed = await removeStudies(transaction, remove, now);
        const results = await saveStudies(
          transaction,
          save.map(({ study }) => study),
          { names, keepVersions: false, now },
        );
        const loaded = save.map(({ name, hash }, at) => [name, { id: results[at]?.of ?? results[at]?.id ?? "", hash }]);
        await saveState(transaction, { ...state, loaded: { ...state.loaded, ...Object.fromEntries(loaded) } });
        return { saved: results.filter(({ outcome }) => /^(added|updated)$/.test(outcome)).length, removed };
      }),
  };
}

async function stateIn(queries: Kysely<Tables>): Promise<StarterState> {
  const settings = createSettingsRepository(queries);
  const saved = await settings.find(RECORDS);
  const { taken, left_out } = saved === undefined ? { taken: {}, left_out: [] } : JSON.parse(saved);
  return { version: (await settings.find(VERSION)) ?? null, loaded: taken, removed: left_out };
}

async function saveState(transaction: Transaction<Tables>, { version, loaded, removed }: StarterState): Promise<void> {
  const settings = createSettingsRepository(transaction);
  if (version !== null) await settings.set(VERSION, version);
  await settings.set(RECORDS, JSON.stringify({ taken: loaded, left_out: removed }));
}

async function rowsIn(
  queries: Kysely<Tables>,
  { loaded: taken }: StarterState,
  wanted: readonly { readonly id: string; readonly url: string }[],
): Promise<StarterRows> {
  const found = queries
    .selectFrom("case_studies as study")
    .innerJoin("companies", "companies.id", "study.company_id")
    .select(["study.id", "study.origin", "study.url_key", "companies.slug as company"]);
  const ids = Object.values(taken).map(({ id }) => id);
  const keys = wanted.map(({ url }) => urlKey(url));
  const rows = [
    ...(await found.where("study.origin", "=", "starter").execute()),
    ...(await inChunks(ids, (chunk) => found.where("study.id", "in", chunk).execute())),
    ...(await inChunks(keys, (chunk) => found.where("study.url_key", "in", chunk).execute())),
  ];
  const corrected = await inChunks([...new Set([...rows, ...wanted].map(({ id }) => id))], (chunk) =>
    queries.selectFrom("corrections").selectAll().where("case_study_id", "in", chunk).execute(),
  );
  const byUrl = new Map(rows.map((row) => [row.url_key, row]));
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    atUrl: (url) => byUrl.get(urlKey(url)),
    corrections: new Map(
      [...Map.groupBy(corrected, (row) => row.case_study_id)].map(([id, fields]) => [
        id,
        Object.fromEntries(fields.map(({ field, value }) => [field, JSON.parse(value)])),
      ]),
    ),
  };
}
