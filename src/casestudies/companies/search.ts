import type { Kysely } from "kysely";
import { editDistance, normaliseName } from "../../core/text.ts";
import type { Tables } from "../../db/schema.ts";

const MAX_CHARACTERS = 200;

/** The trigrams of each word, padded at its start and end, so that one wrong letter leaves most of them equal. */
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

/** A domain without its last label, which half of all companies share. */
const withoutTld = (domain: string): string => domain.replace(/\.[^.]*$/, "");

/** The trigrams by which a company is found despite typing errors. */
export const companyTrigrams = (company: { name: string; slug: string; domain: string | null }): Set<string> =>
  trigramsOf(`${company.name.slice(0, MAX_CHARACTERS)} ${company.slug} ${withoutTld(company.domain ?? "")}`);

/** A company found by a query, and its sort keys. */
export interface CompanyMatch {
  readonly slug: string;
  readonly name_folded: string;
  readonly rank: "exact" | "prefix" | "similar";
  /** 0–1 for similar names, else 1. */
  readonly similarity: number;
}

/** Candidates compared in detail when the query is not the start of a name. */
const MAX_CANDIDATES = 500;
/** Share of the query's trigrams that makes a company a candidate, or a match without an edit-distance check. */
const MIN_CANDIDATE_SHARE = 0.25;
const MIN_SHARE = 0.5;

/** Domains are searched without their last label, as the trigrams are stored. */
const DOMAIN = /^[^\s.]+(\.[^\s.]+)+$/;

const LAST_CHARACTER = "\u{10ffff}";
export const RANKS = ["exact", "prefix", "similar"] as const;

/** Companies whose name, slug or domain equals the query, starts with it, or is similar; best first. */
export async function findMatches(
  queries: Kysely<Tables>,
  query: string,
  industryKeys: readonly string[] | undefined,
): Promise<readonly CompanyMatch[]> {
  const text = queryOf(query);
  if (text === "") return [];
  const found = new Map<string, CompanyMatch>();
  for (const row of await findByPrefix(queries, text, industryKeys)) {
    const exact = row.name_folded === text || row.slug === text || row.domain === text;
    const { slug, name_folded } = row;
    found.set(slug, { slug, name_folded, rank: exact ? "exact" : "prefix", similarity: 1 });
  }
  const name = DOMAIN.test(text) ? withoutTld(text) : text;
  for (const row of await findSimilar(queries, name, industryKeys)) {
    if (found.has(row.slug)) continue;
    const similarity = similarityOf(name, row);
    const { slug, name_folded } = row;
    if (similarity > 0) found.set(slug, { slug, name_folded, rank: "similar", similarity });
  }
  return [...found.values()].sort(byMatch);
}

/** The order of matches; total, because slugs are unique. */
export const byMatch = (a: CompanyMatch, b: CompanyMatch): number =>
  RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) ||
  b.similarity - a.similarity ||
  compareText(a.name_folded, b.name_folded) ||
  compareText(a.slug, b.slug);

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Normalises the query; an address pasted from a browser is reduced to its host. */
const queryOf = (query: string) =>
  normaliseName(query)
    .slice(0, 200)
    .replace(/^(https?:\/\/)?www\.|^https?:\/\//, "")
    .replace(/\/.*$/, "")
    .trim();

const columns = ["companies.id", "companies.slug", "companies.name_folded", "companies.domain"] as const;

async function findByPrefix(queries: Kysely<Tables>, text: string, industryKeys: readonly string[] | undefined) {
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

async function findSimilar(queries: Kysely<Tables>, text: string, industryKeys: readonly string[] | undefined) {
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

/** 0 when the company is not similar to the query. */
function similarityOf(
  text: string,
  company: {
    readonly name_folded: string;
    readonly slug: string;
    readonly domain: string | null;
    readonly share: number;
  },
): number {
  const domain = withoutTld(company.domain ?? "");
  const most = allowedErrors(text);
  const distance = Math.min(
    ...[company.name_folded, company.slug, domain, ...wordsOf(company.name_folded)].map((name) =>
      editDistance(text, name, most),
    ),
  );
  const queryTrigrams = trigramsOf(text);
  const likeness = Math.max(
    ...[company.name_folded, company.slug, domain].map((name) => overlap(queryTrigrams, trigramsOf(name))),
  );
  const close = distance <= most;
  if (!close && company.share < MIN_SHARE) return 0;
  // Typing errors rank above partial matches; within both, by trigram overlap.
  return (likeness + (close ? 1 : 0)) / 2;
}

/** Short words are too similar to each other to allow as many errors. */
const allowedErrors = (text: string) => (text.length < 4 ? 0 : text.length < 8 ? 1 : 2);

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size;
  return shared / Math.max(1, a.size + b.size - shared);
}
