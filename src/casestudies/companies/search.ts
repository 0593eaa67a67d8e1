import type { Kysely } from "kysely";
import { editDistance, normaliseName } from "../../core/text.ts";
import type { Tables } from "../../db/schema.ts";

const MAX_CHARACTERS = 200;

/** The letters of a word three by three, its start and end marked, so that a wrong letter leaves most of them alike. */
function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of wordsOf(text)) {
    const letters = [" ", " ", ...word, " "];
    for (let at = 0; at + 3 <= letters.length; at++) trigrams.add(letters.slice(at, at + 3).join(""));
  }
  return trigrams;
}

const wordsOf = (text: string): readonly string[] =>
  normaliseName(text)
    .slice(0, MAX_CHARACTERS)
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** A domain's own part: the last label is the same for half of all companies and says nothing. */
const ownPart = (domain: string): string => domain.replace(/\.[^.]*$/, "");

/** What a company is found by when its name is not quite right. */
export const companyTrigrams = (company: { name: string; slug: string; domain: string | null }): Set<string> =>
  trigramsOf(`${company.name.slice(0, MAX_CHARACTERS)} ${company.slug} ${ownPart(company.domain ?? "")}`);

/** A company that a query found, and what it is ordered by. */
export interface CompanyMatch {
  readonly slug: string;
  readonly name_folded: string;
  readonly rank: "exact" | "prefix" | "similar";
  /** 0–1 for what is similar, else 1. */
  readonly similarity: number;
}

/** Companies that are looked at more closely when the query is not the start of a name. */
const MAX_CANDIDATES = 500;
/** Share of the query's trigrams that a company must have to be a candidate, and to be found for that alone. */
const MIN_CANDIDATE_SHARE = 0.25;
const MIN_SHARE = 0.5;

/** A domain is looked for by its own part, as companies are kept. */
const DOMAIN = /^[^\s.]+(\.[^\s.]+)+$/;

const LAST_CHARACTER = "\u{10ffff}";
export const RANKS = ["exact", "prefix", "similar"] as const;

/** Every company whose name, slug or domain is the query, starts with it, or is like it; best first. */
export async function companyMatches(
  queries: Kysely<Tables>,
  query: string,
  industryKeys: readonly string[] | undefined,
): Promise<readonly CompanyMatch[]> {
  const text = queryOf(query);
  if (text === "") return [];
  const found = new Map<string, CompanyMatch>();
  for (const row of await startingWith(queries, text, industryKeys)) {
    const exact = row.name_folded === text || row.slug === text || row.domain === text;
    const { slug, name_folded } = row;
    found.set(slug, { slug, name_folded, rank: exact ? "exact" : "prefix", similarity: 1 });
  }
  const name = DOMAIN.test(text) ? ownPart(text) : text;
  for (const row of await alike(queries, name, industryKeys)) {
    if (found.has(row.slug)) continue;
    const similarity = similarityOf(name, row);
    const { slug, name_folded } = row;
    if (similarity > 0) found.set(slug, { slug, name_folded, rank: "similar", similarity });
  }
  return [...found.values()].sort(byMatch);
}

/** The order of matches; no two of different slugs are equal. */
export const byMatch = (a: CompanyMatch, b: CompanyMatch): number =>
  RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) ||
  b.similarity - a.similarity ||
  compared(a.name_folded, b.name_folded) ||
  compared(a.slug, b.slug);

const compared = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** An address as it is pasted from a browser stands for its domain. */
const queryOf = (query: string) =>
  normaliseName(query)
    .slice(0, 200)
    .replace(/^(https?:\/\/)?www\.|^https?:\/\//, "")
    .replace(/\/.*$/, "")
    .trim();

const columns = ["companies.id", "companies.slug", "companies.name_folded", "companies.domain"] as const;

async function startingWith(queries: Kysely<Tables>, text: string, industryKeys: readonly string[] | undefined) {
  let query = queries
    .selectFrom("companies")
    .select(columns)
    .where((eb) =>
      eb.or(
        (["name_folded", "slug", "domain"] as const).map((column) =>
          eb.and([eb(column, ">=", text), eb(column, "<", text + LAST_CHARACTER)]),
        ),
      ),
    );
  if (industryKeys !== undefined) query = query.where("industry_key", "in", industryKeys);
  return await query.execute();
}

async function alike(queries: Kysely<Tables>, text: string, industryKeys: readonly string[] | undefined) {
  const trigrams = [...trigramsOf(text)];
  if (trigrams.length === 0) return [];
  let query = queries
    .selectFrom("company_trigrams")
    .innerJoin("companies", "companies.id", "company_trigrams.company_id")
    .select(columns)
    .select((eb) => eb.fn.countAll<number>().as("shared"))
    .where("company_trigrams.trigram", "in", trigrams)
    .groupBy("companies.id")
    .having((eb) => eb.fn.countAll<number>(), ">=", Math.max(1, trigrams.length * MIN_CANDIDATE_SHARE))
    .orderBy("shared", "desc")
    .orderBy("companies.id")
    .limit(MAX_CANDIDATES);
  if (industryKeys !== undefined) query = query.where("companies.industry_key", "in", industryKeys);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, share: row.shared / trigrams.length }));
}

/** 0 when it is not like the query at all. */
function similarityOf(
  text: string,
  company: {
    readonly name_folded: string;
    readonly slug: string;
    readonly domain: string | null;
    readonly share: number;
  },
): number {
  const own = ownPart(company.domain ?? "");
  const most = allowedErrors(text);
  const distance = Math.min(
    ...[company.name_folded, company.slug, own, ...wordsOf(company.name_folded)].map((name) =>
      editDistance(text, name, most),
    ),
  );
  const asked = trigramsOf(text);
  const likeness = Math.max(
    ...[company.name_folded, company.slug, own].map((name) => overlap(asked, trigramsOf(name))),
  );
  const close = distance <= most;
  if (!close && company.share < MIN_SHARE) return 0;
  // A slip of the hand comes before what only shares a part; both are told apart by how much else there is.
  return (likeness + (close ? 1 : 0)) / 2;
}

/** Short words are too near each other to forgive as much. */
const allowedErrors = (text: string) => (text.length < 4 ? 0 : text.length < 8 ? 1 : 2);

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size;
  return shared / Math.max(1, a.size + b.size - shared);
}
