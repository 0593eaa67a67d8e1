import type { Kysely } from "kysely";
import type { Tables } from "../../db/schema.ts";
import { type IndustryNames, industryName } from "../records.ts";
import type { Company, Outcome } from "../types.ts";

export interface TopIndustry {
  readonly industry: string;
  readonly case_studies: number;
  /** Share of all case studies of the company, 0–1, rounded to four decimals. */
  readonly share: number;
}

export interface TopClient {
  /** Name, or the domain if the name is unknown. */
  readonly client: string;
  readonly domain: string | null;
  readonly case_studies: number;
}

/** Outcomes of one metric, kind, unit and direction that are all better, all worse, or neither. */
interface TopOutcome {
  readonly metric: string;
  /** Case studies that state the outcome, with or without a number. */
  readonly case_studies: number;
  /** Median of the stated numbers; null when there are none or they cannot be compared. */
  readonly median: number | null;
  readonly unit: string | null;
  readonly direction: Outcome["direction"];
  readonly kind: Outcome["kind"];
  readonly better: boolean | null;
  /** Number of figures of which `median` is the middle: those that say by how much something changed, if there are any. */
  readonly figures: number;
  /** What was measured, the most frequent first; at most three. */
  readonly nouns: readonly string[];
  /** One of each case study, those with a number first, then newest first. */
  readonly examples: readonly OutcomeExample[];
}

interface OutcomeExample {
  readonly case_study_id: string;
  readonly client: string | null;
  readonly value: number | null;
  readonly text: string;
}

export interface CompanyAnalysis {
  readonly company: Company;
  readonly total_case_studies: number;
  readonly top_industries: readonly TopIndustry[];
  readonly top_clients: readonly TopClient[];
  readonly top_outcomes: readonly TopOutcome[];
}

const MOST = 10;
const EXAMPLES = 3;

/** Most case studies first. Shares are relative to `total`. */
export async function topIndustries(
  queries: Kysely<Tables>,
  companyId: number,
  total: number,
  names: IndustryNames,
): Promise<readonly TopIndustry[]> {
  const rows = await queries
    .selectFrom("case_studies")
    .where("company_id", "=", companyId)
    .where("industry_key", "is not", null)
    .groupBy("industry_key")
    .select((eb) => [
      eb.fn.countAll<number>().as("studies"),
      eb.fn.min("industry_slug").as("industry_slug"),
      eb.fn.min("industry_raw").as("industry_raw"),
    ])
    .orderBy("studies", "desc")
    .orderBy("industry_key")
    .limit(MOST)
    .execute();
  return rows.flatMap((row) => {
    const industry = industryName(row, names);
    const share = Math.round((row.studies / total) * 10_000) / 10_000;
    return industry === null ? [] : [{ industry, case_studies: row.studies, share }];
  });
}

/** Most case studies first, limited to some industries when their keys are given. */
export async function topClients(
  queries: Kysely<Tables>,
  companyId: number,
  industryKeys?: readonly string[],
): Promise<readonly TopClient[]> {
  const counted = queries
    .selectFrom("case_studies")
    .where("company_id", "=", companyId)
    .where("client_id", "is not", null)
    .$if(industryKeys !== undefined, (query) => query.where("industry_key", "in", industryKeys ?? []))
    .groupBy("client_id")
    .select((eb) => ["client_id", eb.fn.countAll<number>().as("studies")]);
  const rows = await queries
    .selectFrom(counted.as("counted"))
    .innerJoin("clients", "clients.id", "counted.client_id")
    .select(["clients.name", "clients.domain", "counted.studies"])
    .orderBy("counted.studies", "desc")
    .orderBy("clients.name_folded")
    .orderBy("clients.domain_folded")
    .limit(MOST)
    .execute();
  return rows.map(({ name, domain, studies }) => ({ client: name ?? domain ?? "", domain, case_studies: studies }));
}

/**
 * Groups outcomes by metric, kind, unit, direction and whether they are better, so that each median is of like values:
 * never of "by how much" with "how much", nor of sizes of a change with what it led to. A group has no median if its kind is unknown, or if its figures are plain counts
 * of different things.
 */
export async function topOutcomes(queries: Kysely<Tables>, companyId: number): Promise<readonly TopOutcome[]> {
  const groups = await groupsOf(queries, companyId);
  const examples = Map.groupBy(await examplesOf(queries, companyId), groupKey);
  const nouns = Map.groupBy(await nounsOf(queries, companyId), groupKey);
  return groups.map((group) => {
    const named = nouns.get(groupKey(group)) ?? [];
    return {
      metric: group.metric,
      case_studies: group.studies,
      median: isComparable(group, named) ? group.median : null,
      unit: group.unit,
      direction: group.direction,
      kind: group.kind,
      better: group.is_better === null ? null : group.is_better === 1,
      figures: group.numbers,
      nouns: named.flatMap(({ noun }) => noun ?? []).slice(0, NOUNS),
      examples: (examples.get(groupKey(group)) ?? []).map(({ case_study_id, client, value, text }) => {
        return { case_study_id, client, value, text };
      }),
    };
  });
}

const NOUNS = 3;

interface Group {
  readonly metric: string;
  readonly kind: Outcome["kind"];
  readonly unit: string | null;
  readonly direction: Outcome["direction"];
  readonly is_better: number | null;
}

const groupKey = ({ metric, kind, unit, direction, is_better }: Group) =>
  JSON.stringify([metric, kind, unit, direction, is_better]);

function isComparable(
  { kind, unit, numbers }: Pick<Group, "kind" | "unit"> & { readonly numbers: number },
  nouns: readonly { readonly noun: string | null }[],
): boolean {
  if (numbers === 1) return true;
  if (kind !== "change" && kind !== "level") return false;
  const isCount = unit === null || unit === "count";
  return !isCount || (nouns.length === 1 && nouns[0]?.noun !== null);
}

const GROUP = [
  "outcomes.metric",
  "outcomes.kind",
  "outcomes.unit",
  "outcomes.direction",
  "outcomes.is_better",
] as const;
const GROUPED = ["metric", "kind", "unit", "direction", "is_better"] as const;

/** What the outcomes of each group measure, the most frequent first; a null where some do not say. */
const nounsOf = (queries: Kysely<Tables>, companyId: number) =>
  outcomesOf(queries, companyId)
    .groupBy([...GROUP, "outcomes.noun"])
    .select((eb) => [...GROUP, "outcomes.noun", eb.fn.countAll<number>().as("times")])
    .orderBy("times", "desc")
    .orderBy("outcomes.noun")
    .execute();

const outcomesOf = (queries: Kysely<Tables>, companyId: number) =>
  queries
    .selectFrom("outcomes")
    .innerJoin("case_studies", "case_studies.number", "outcomes.study_number")
    .where("case_studies.company_id", "=", companyId);

const groupsOf = (queries: Kysely<Tables>, companyId: number) =>
  queries
    .with("sized", () =>
      outcomesOf(queries, companyId).select((eb) => [
        ...GROUP,
        "outcomes.study_number",
        "outcomes.value",
        // "Down to 2 hours" and "by 2 hours" are changes, and only the second says by how much.
        eb
          .case()
          .when(eb.or([eb("outcomes.kind", "!=", "change"), eb("outcomes.to_value", "is", null)]))
          .then(eb.ref("outcomes.value"))
          .end()
          .as("size"),
      ]),
    )
    .with("compared", (after) =>
      after.selectFrom("sized").select((eb) => [
        ...GROUPED,
        "study_number",
        eb
          .case()
          .when(
            eb.fn.count<number>("size").over((over) => over.partitionBy(GROUPED)),
            ">",
            0,
          )
          .then(eb.ref("size"))
          .else(eb.ref("value"))
          .end()
          .as("value"),
      ]),
    )
    .with("numbered", (after) =>
      after.selectFrom("compared").select((eb) => [
        ...GROUPED,
        "study_number",
        "value",
        eb.fn
          .agg<number>("row_number")
          .over((over) =>
            over
              .partitionBy(GROUPED)
              // Numbers first, so that they have the places 1 to `numbers`.
              .orderBy((by) => by("value", "is", null))
              .orderBy("value"),
          )
          .as("place"),
        eb.fn
          .count<number>("value")
          .over((over) => over.partitionBy(GROUPED))
          .as("numbers"),
      ]),
    )
    .selectFrom("numbered")
    .groupBy([...GROUPED, "numbers"])
    .select((eb) => [
      ...GROUPED,
      "numbers",
      eb.fn.count<number>("study_number").distinct().as("studies"),
      // The middle value, or the two middle values.
      eb.fn
        .avg<number | null>("value")
        .filterWhere((value) =>
          value.and([
            value(value("place", "*", 2), ">=", value.ref("numbers")),
            value(value("place", "*", 2), "<=", value("numbers", "+", 2)),
          ]),
        )
        .as("median"),
    ])
    .orderBy("studies", "desc")
    .orderBy("metric")
    // PostgreSQL would sort them last.
    .orderBy("unit", (order) => order.asc().nullsFirst())
    .orderBy("direction")
    .orderBy("kind")
    .orderBy("is_better")
    .limit(MOST)
    .execute();

/** The examples of each group; texts are read only for those that are shown. */
const examplesOf = (queries: Kysely<Tables>, companyId: number) =>
  queries
    .with("of_study", () =>
      outcomesOf(queries, companyId).select((eb) => [
        ...GROUP,
        "outcomes.study_number",
        "outcomes.position",
        "case_studies.published_order",
        "case_studies.id",
        eb("outcomes.value", "is", null).as("has_no_value"),
        eb.fn
          .agg<number>("row_number")
          .over((over) =>
            over
              .partitionBy([...GROUP, "outcomes.study_number"])
              .orderBy((by) => by("outcomes.value", "is", null))
              .orderBy("outcomes.position"),
          )
          .as("nth"),
      ]),
    )
    .with("of_group", (after) =>
      after
        .selectFrom("of_study")
        .where("nth", "=", 1)
        .select((eb) => [
          "study_number",
          "position",
          eb.fn
            .agg<number>("row_number")
            .over((over) =>
              over
                .partitionBy(["metric", "kind", "unit", "direction", "is_better"])
                .orderBy("has_no_value")
                .orderBy("published_order", "desc")
                .orderBy("id"),
            )
            .as("place"),
        ]),
    )
    .selectFrom("of_group")
    .innerJoin("outcomes", (join) =>
      join
        .onRef("outcomes.study_number", "=", "of_group.study_number")
        .onRef("outcomes.position", "=", "of_group.position"),
    )
    .innerJoin("case_studies", "case_studies.number", "of_group.study_number")
    .leftJoin("clients", "clients.id", "case_studies.client_id")
    .where("of_group.place", "<=", EXAMPLES)
    .select((eb) => [
      ...GROUP,
      "case_studies.id as case_study_id",
      eb.fn.coalesce("clients.name", "clients.domain").as("client"),
      "outcomes.value",
      "outcomes.text",
    ])
    .orderBy("of_group.place")
    .execute();

interface TimelineEntry {
  readonly id: string;
  readonly title: string;
  /** The client's name, else its domain. */
  readonly client: string | null;
  readonly industry: string | null;
  readonly published_at: string | null;
}

export interface CompanyTimeline {
  readonly company: Company;
  /** Months that have a case study, oldest first; `period` is `YYYY-MM`. */
  readonly timeline: readonly { readonly period: string; readonly case_studies: readonly TimelineEntry[] }[];
  readonly undated: readonly TimelineEntry[];
}

export async function timelineOf(
  queries: Kysely<Tables>,
  companyId: number,
  names: IndustryNames,
): Promise<Pick<CompanyTimeline, "timeline" | "undated">> {
  const rows = await queries
    .selectFrom("case_studies")
    .leftJoin("clients", "clients.id", "case_studies.client_id")
    .where("case_studies.company_id", "=", companyId)
    .select([
      "case_studies.id",
      "case_studies.title",
      (eb) => eb.fn.coalesce("clients.name", "clients.domain").as("client"),
      "case_studies.industry_slug",
      "case_studies.industry_raw",
      "case_studies.published_at",
    ])
    .orderBy("case_studies.published_order")
    .orderBy("case_studies.id")
    .execute();
  const byPeriod = Map.groupBy(
    rows.map((row): TimelineEntry => {
      const { id, title, client, published_at } = row;
      return { id, title, client, industry: industryName(row, names), published_at };
    }),
    ({ published_at }) => published_at?.slice(0, 7),
  );
  return {
    timeline: [...byPeriod].flatMap(([period, case_studies]) =>
      period === undefined ? [] : [{ period, case_studies }],
    ),
    undated: byPeriod.get(undefined) ?? [],
  };
}
