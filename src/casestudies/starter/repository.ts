import type { Kysely, Transaction } from "kysely";
import { inChunks } from "../../db/cursor.ts";
import type { Tables } from "../../db/schema.ts";
import { settingsIn } from "../../db/settings.ts";
import { urlKey } from "../keys.ts";
import type { IndustryNames } from "../repository.ts";
import { removeStudies, saveStudies } from "../save.ts";
import type { NewCaseStudy, Origin } from "../types.ts";

/** What an installation did with the records that come with the program. */
export interface StarterState {
  /** Hash of the set that was taken in last, or `removed`; null before the first. */
  readonly version: string | null;
  /** By name of a record: the case study that stands for it, and the hash of the record that it was made of. */
  readonly taken: Readonly<Record<string, { readonly id: string; readonly hash: string }>>;
  /** Names of records that the operator removed. */
  readonly leftOut: readonly string[];
}

/** A case study that is stored, as far as the starter's records are concerned. */
export interface StarterRow {
  readonly id: string;
  readonly origin: Origin;
  /** Slug of its company, which the operator may have renamed or merged. */
  readonly company: string;
}

export interface StarterRows {
  readonly byId: ReadonlyMap<string, StarterRow>;
  /** However the address is written. */
  readonly atUrl: (url: string) => StarterRow | undefined;
  /** What the operator corrected, by id and field; also of what was removed since. */
  readonly corrections: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export interface StarterPlan {
  /** As it will be, but for what is saved, which is added. */
  readonly state: StarterState;
  /** Ids, removed before anything is saved. */
  readonly remove: readonly string[];
  readonly save: readonly { readonly name: string; readonly hash: string; readonly study: NewCaseStudy }[];
}

/** The records that come with the program, in this installation. */
export interface Starter {
  state(): Promise<StarterState>;
  /** All that are stored with the origin `starter`, and those that the state names. */
  rows(): Promise<StarterRows>;
  /**
   * Plans and does it in one transaction, so that of two processes that start at once one finds the work done, and a
   * crash leaves nothing half done.
   *
   * @param wanted records of the set, so that what has one of their addresses already is among the rows
   * @param plan answers undefined when nothing is to be done
   */
  change(
    wanted: readonly { readonly id: string; readonly url: string }[],
    plan: (state: StarterState, rows: StarterRows) => StarterPlan | undefined,
  ): Promise<{ readonly saved: number; readonly removed: number }>;
}

const VERSION = "starter.version";
const RECORDS = "starter.records";

export function starterIn(queries: Kysely<Tables>, names: IndustryNames, clock: () => Date): Starter {
  return {
    state: () => stateIn(queries),
    rows: async () => rowsIn(queries, await stateIn(queries), []),

    change: (wanted, plan) =>
      queries.transaction().execute(async (transaction) => {
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
        const taken = save.map(({ name, hash }, at) => [name, { id: results[at]?.of ?? results[at]?.id ?? "", hash }]);
        await keep(transaction, { ...state, taken: { ...state.taken, ...Object.fromEntries(taken) } });
        return { saved: results.filter(({ outcome }) => /^(added|updated)$/.test(outcome)).length, removed };
      }),
  };
}

async function stateIn(queries: Kysely<Tables>): Promise<StarterState> {
  const settings = settingsIn(queries);
  const kept = await settings.find(RECORDS);
  const { taken, left_out } = kept === undefined ? { taken: {}, left_out: [] } : JSON.parse(kept);
  return { version: (await settings.find(VERSION)) ?? null, taken, leftOut: left_out };
}

async function keep(transaction: Transaction<Tables>, { version, taken, leftOut }: StarterState): Promise<void> {
  const settings = settingsIn(transaction);
  if (version !== null) await settings.set(VERSION, version);
  await settings.set(RECORDS, JSON.stringify({ taken, left_out: leftOut }));
}

async function rowsIn(
  queries: Kysely<Tables>,
  { taken }: StarterState,
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
