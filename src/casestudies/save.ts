import { createHash } from "node:crypto";
import type { Transaction } from "kysely";
import { normaliseName } from "../core/text.ts";
import { inChunks } from "../db/cursor.ts";
import type { CompanyRow, Tables } from "../db/schema.ts";
import { companyTrigrams } from "./companies/search.ts";
import { enqueue } from "./index/outbox.ts";
import { industryKey, urlKey } from "./keys.ts";
import { type IndustryNames, recordsByNumber } from "./repository.ts";
import type { NewCaseStudy, NewCompany } from "./types.ts";

type Fields = Pick<CompanyRow, "name" | "domain" | "logo_url" | "industry_raw" | "industry_slug" | "industry_key">;

/** Cursors carry it, and nobody tells two names apart after so much. */
export const MAX_NAME_KEY = 200;

/**
 * Makes the companies that are missing, and fills in what was not known of the others; what is known stays.
 *
 * @returns ids by slug
 */
async function keepCompanies(
  transaction: Transaction<Tables>,
  companies: readonly NewCompany[],
  now: string,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  const bySlug = Map.groupBy(companies, ({ slug }) => slug);
  const stored = await inChunks([...bySlug.keys()], (chunk) =>
    transaction.selectFrom("companies").selectAll().where("slug", "in", chunk).execute(),
  );
  const known = new Map(stored.map((row) => [row.slug, row]));
  for (const [slug, given] of bySlug) {
    const row = known.get(slug);
    const fields = given.reduce<Fields | undefined>(filledIn, row);
    if (!fields) continue;
    if (!row) {
      const name_folded = [...normaliseName(fields.name)].slice(0, MAX_NAME_KEY).join("");
      const { id } = await transaction
        .insertInto("companies")
        .values({ ...fields, slug, name_folded, created_at: now, updated_at: now })
        .returning("id")
        .executeTakeFirstOrThrow();
      ids.set(slug, id);
      await saveSearchTerms(transaction, id, { ...fields, slug });
    } else {
      ids.set(slug, row.id);
      if (!same(row, fields)) {
        const { domain, logo_url, industry_raw, industry_slug, industry_key } = fields;
        await transaction
          .updateTable("companies")
          .set({ domain, logo_url, industry_raw, industry_slug, industry_key, updated_at: now })
          .where("id", "=", row.id)
          .execute();
        await saveSearchTerms(transaction, row.id, { ...fields, slug });
      }
    }
  }
  return ids;
}

function filledIn(known: Fields | undefined, given: NewCompany): Fields {
  const industry =
    known && known.industry_raw !== null
      ? known
      : {
          industry_raw: given.industry?.raw ?? null,
          industry_slug: given.industry?.slug ?? null,
          industry_key: given.industry ? industryKey(given.industry) : null,
        };
  return {
    name: known?.name ?? given.name,
    domain: known?.domain ?? (given.domain?.toLowerCase() || null),
    logo_url: known?.logo_url ?? given.logo_url,
    industry_raw: industry.industry_raw,
    industry_slug: industry.industry_slug,
    industry_key: industry.industry_key,
  };
}

const same = (a: Fields, b: Fields) =>
  a.domain === b.domain && a.logo_url === b.logo_url && a.industry_raw === b.industry_raw;

/** What the company is found by. */
export async function saveSearchTerms(
  transaction: Transaction<Tables>,
  company_id: number,
  company: { name: string; slug: string; domain: string | null },
): Promise<void> {
  const rows = [...companyTrigrams(company)].map((trigram) => ({ trigram, company_id }));
  if (rows.length === 0) return;
  await transaction
    .insertInto("company_trigrams")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface Client {
  readonly name: string | null;
  readonly domain: string | null;
}

/** Two ways to write one client have one key; undefined for nobody. */
function clientKey({ name, domain }: Client): string | undefined {
  const parts = [normaliseName(name ?? ""), normaliseName(domain ?? "")];
  return parts.some((part) => part !== "") ? JSON.stringify(parts) : undefined;
}

/**
 * Makes the clients that are missing. A client keeps the spelling that came first.
 *
 * @returns ids by key
 */
async function keepClients(
  transaction: Transaction<Tables>,
  clients: readonly Client[],
): Promise<ReadonlyMap<string, number>> {
  const byKey = new Map<string, Client>();
  for (const client of clients) {
    const key = clientKey(client);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, client);
  }
  const rows = await inChunks([...byKey.values()], (chunk) =>
    transaction
      .insertInto("clients")
      .values(
        chunk.map(({ name, domain }) => ({
          name: name || null,
          name_folded: normaliseName(name ?? ""),
          domain: domain?.toLowerCase() || null,
          domain_folded: normaliseName(domain ?? ""),
        })),
      )
      // Changes nothing; without it the rows that are there would not be answered.
      .onConflict((conflict) =>
        conflict
          .columns(["name_folded", "domain_folded"])
          .doUpdateSet((eb) => ({ name_folded: eb.ref("excluded.name_folded") })),
      )
      .returning(["id", "name_folded", "domain_folded"])
      .execute(),
  );
  return new Map(rows.map((row) => [JSON.stringify([row.name_folded, row.domain_folded]), row.id]));
}

/** Fingerprints that differ in at most this many of their 64 bits are of one text. */
const MAX_DISTANCE = 3;

/** What a text without words has: it is like no other. */
const NO_TEXT = "0000000000000000";

/**
 * The fingerprint in four parts of 16 bits. Two fingerprints that differ in three bits at most share one of the parts,
 * whichever bits they are, so an index on each part finds all that are near.
 *
 * @param fingerprint 16 hex digits
 * @throws RangeError for anything else
 */
function bandsOf(fingerprint: string) {
  if (!/^[0-9a-f]{16}$/.test(fingerprint)) throw new RangeError("A fingerprint is 16 lower-case hex digits.");
  const band = (index: number) => Number.parseInt(fingerprint.slice(index * 4, index * 4 + 4), 16);
  return { band_1: band(0), band_2: band(1), band_3: band(2), band_4: band(3) };
}

interface Likeness {
  readonly fingerprint: string;
  readonly company_id: number;
  readonly client_id: number | null;
}

/** The id of the oldest case study of the same company and client whose text is the same but for a few words. */
async function findNearDuplicate(transaction: Transaction<Tables>, like: Likeness): Promise<string | undefined> {
  if (like.fingerprint === NO_TEXT) return undefined;
  const bands = bandsOf(like.fingerprint);
  const candidates = await transaction
    .selectFrom("case_studies")
    .select(["id", "fingerprint", "client_id"])
    // The company in each branch lets each use its index.
    .where((eb) =>
      eb.or([
        eb.and([eb("company_id", "=", like.company_id), eb("band_1", "=", bands.band_1)]),
        eb.and([eb("company_id", "=", like.company_id), eb("band_2", "=", bands.band_2)]),
        eb.and([eb("company_id", "=", like.company_id), eb("band_3", "=", bands.band_3)]),
        eb.and([eb("company_id", "=", like.company_id), eb("band_4", "=", bands.band_4)]),
      ]),
    )
    .orderBy("number")
    .execute();
  return candidates.find(
    ({ client_id, fingerprint }) =>
      client_id === like.client_id && distance(fingerprint, like.fingerprint) <= MAX_DISTANCE,
  )?.id;
}

function distance(a: string, b: string): number {
  let differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let count = 0;
  while (differing > 0n && count <= MAX_DISTANCE) {
    differing &= differing - 1n;
    count++;
  }
  return count;
}

/** Whose a case study was before it changed or went. */
interface Owners {
  readonly company_id: number;
  readonly client_id: number | null;
}

/** Forgets those of the owners that no case study is left of. */
async function prune(transaction: Transaction<Tables>, owners: readonly Owners[]): Promise<void> {
  await inChunks([...new Set(owners.map(({ company_id }) => company_id))], (chunk) =>
    transaction
      .deleteFrom("companies")
      .where("id", "in", chunk)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("case_studies").select("number").whereRef("company_id", "=", "companies.id"))),
      )
      .execute(),
  );
  await inChunks([...new Set(owners.flatMap(({ client_id }) => client_id ?? []))], (chunk) =>
    transaction
      .deleteFrom("clients")
      .where("id", "in", chunk)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("case_studies").select("number").whereRef("client_id", "=", "clients.id"))),
      )
      .execute(),
  );
}

/** Removes case studies, and companies and clients that none is left of. Answers how many there were. */
export async function removeStudies(
  transaction: Transaction<Tables>,
  ids: readonly string[],
  now: string,
): Promise<number> {
  const rows = await inChunks([...new Set(ids)], (chunk) =>
    transaction
      .deleteFrom("case_studies")
      .where("id", "in", chunk)
      .returning(["id", "company_id", "client_id"])
      .execute(),
  );
  await prune(transaction, rows);
  await enqueue(
    transaction,
    "delete",
    rows.map(({ id }) => id),
    now,
  );
  return rows.length;
}

export interface SaveResult {
  /** The id that the case study is found by; the id that was given when it is a duplicate. */
  readonly id: string;
  readonly outcome: "added" | "updated" | "unchanged" | "duplicate";
  /** The id of the case study that a duplicate repeats, else null. */
  readonly of: string | null;
}

export interface SaveOptions {
  /** Keep what a case study said before it was changed: a crawled page has no other history, a file that is imported has. */
  readonly keepVersions?: boolean;
  /** Save nothing, and answer nothing, when this case study is not at this revision any more. */
  readonly over?: { readonly id: string; readonly revision: number };
  /** Done before the save, both or neither. */
  readonly also?: (transaction: Transaction<Tables>) => Promise<void>;
}

interface Known extends Owners {
  readonly number: number;
  readonly id: string;
  readonly content_hash: string;
  readonly revision: number;
}

/** Saves a batch in the order given, so that a record may update or repeat one before it. */
export async function saveStudies(
  transaction: Transaction<Tables>,
  batch: readonly NewCaseStudy[],
  { names, keepVersions, now }: { names: IndustryNames; keepVersions: boolean; now: string },
): Promise<readonly SaveResult[]> {
  const companies = await keepCompanies(
    transaction,
    batch.map(({ company }) => company),
    now,
  );
  const clients = await keepClients(
    transaction,
    batch.map(({ client }) => client),
  );
  const byUrl = await knownByUrl(
    transaction,
    batch.map(({ url }) => urlKey(url)),
  );
  const freeId = await idsFor(transaction, batch);
  const changed = new Map<number, { readonly id: string; readonly study: NewCaseStudy }>();
  const rewritten = new Set<number>();
  const left: Owners[] = [];
  const results: SaveResult[] = [];

  for (const study of batch) {
    const url_key = urlKey(study.url);
    const company_id = companies.get(study.company.slug);
    if (company_id === undefined) throw new Error("A case study's company was not kept.");
    const client_id = clients.get(clientKey(study.client) ?? "") ?? null;
    const content = { ...columnsOf(study), url_key, company_id, client_id, updated_at: now };
    const known = byUrl.get(url_key);
    if (known?.content_hash === content.content_hash) {
      results.push({ id: known.id, outcome: "unchanged", of: null });
    } else if (known) {
      const revision = known.revision + 1;
      if (keepVersions) await keepVersion(transaction, known, names, now);
      await transaction
        .updateTable("case_studies")
        .set({ ...content, revision, indexed_at: null })
        .where("number", "=", known.number)
        .execute();
      left.push(known);
      byUrl.set(url_key, { ...known, ...content, revision });
      changed.set(known.number, { id: known.id, study });
      rewritten.add(known.number);
      results.push({ id: known.id, outcome: "updated", of: null });
    } else {
      const of = await findNearDuplicate(transaction, content);
      if (of !== undefined) {
        results.push({ id: study.id, outcome: "duplicate", of });
        continue;
      }
      const id = freeId(study);
      const { number } = await transaction
        .insertInto("case_studies")
        .values({ ...content, id, revision: 1, created_at: now, indexed_at: null })
        .returning("number")
        .executeTakeFirstOrThrow();
      byUrl.set(url_key, { ...content, number, id, revision: 1 });
      changed.set(number, { id, study });
      results.push({ id, outcome: "added", of: null });
    }
  }

  await writeParts(transaction, changed, rewritten);
  await enqueue(
    transaction,
    "upsert",
    [...changed.values()].map(({ id }) => id),
    now,
  );
  await prune(transaction, left);
  return results;
}

/** Whether a case study is what it was when it was read. */
export async function isAt(
  transaction: Transaction<Tables>,
  { id, revision }: NonNullable<SaveOptions["over"]>,
): Promise<boolean> {
  const row = await transaction.selectFrom("case_studies").select("revision").where("id", "=", id).executeTakeFirst();
  return row?.revision === revision;
}

async function keepVersion(
  transaction: Transaction<Tables>,
  { number, id, revision }: Known,
  names: IndustryNames,
  now: string,
): Promise<void> {
  const record = (await recordsByNumber(transaction, [number], names)).get(number);
  if (!record) return;
  await transaction
    .insertInto("study_versions")
    .values({ case_study_id: id, revision, replaced_at: now, content: JSON.stringify(record) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function knownByUrl(transaction: Transaction<Tables>, keys: readonly string[]): Promise<Map<string, Known>> {
  const rows = await inChunks([...new Set(keys)], (chunk) =>
    transaction
      .selectFrom("case_studies")
      .select(["url_key", "number", "id", "content_hash", "revision", "company_id", "client_id"])
      .where("url_key", "in", chunk)
      .execute(),
  );
  return new Map(rows.map((row) => [row.url_key, row]));
}

/**
 * Gives out ids. One that another address has gets a suffix made of its own address, so that it is the same in whatever
 * order the records come.
 */
async function idsFor(transaction: Transaction<Tables>, batch: readonly NewCaseStudy[]) {
  const suffixed = (study: NewCaseStudy, length: number) =>
    `${study.id}-${createHash("sha256").update(urlKey(study.url)).digest("hex").slice(0, length)}`;
  const wanted = new Set(batch.flatMap((study) => [study.id, suffixed(study, 8)]));
  const rows = await inChunks([...wanted], (chunk) =>
    transaction.selectFrom("case_studies").select("id").where("id", "in", chunk).execute(),
  );
  const taken = new Set(rows.map(({ id }) => id));
  return (study: NewCaseStudy): string => {
    const id = [study.id, suffixed(study, 8)].find((candidate) => !taken.has(candidate)) ?? suffixed(study, 64);
    taken.add(id);
    return id;
  };
}

function columnsOf(study: NewCaseStudy) {
  return {
    url: study.url,
    industry_raw: study.industry?.raw ?? null,
    industry_slug: study.industry?.slug ?? null,
    industry_key: study.industry ? industryKey(study.industry) : null,
    country: study.country?.toUpperCase() ?? null,
    published_at: study.published_at,
    language: study.language,
    origin: study.origin,
    licence: study.licence,
    fingerprint: study.fingerprint,
    ...bandsOf(study.fingerprint),
    content_hash: hashOf(study),
    title: study.title,
    summary: study.summary,
    challenge: study.challenge,
    solution: study.solution,
    products: JSON.stringify(study.products),
    tools: JSON.stringify(study.tools),
    quote_text: study.quote?.text ?? null,
    quote_person: study.quote?.person ?? null,
    quote_role: study.quote?.role ?? null,
    body: study.body,
  };
}

/** Of all that a case study says. Its id and origin are how it came here; of its company only which one it is. */
function hashOf(study: NewCaseStudy): string {
  const { industry, quote, client } = study;
  const content = [
    study.title,
    study.url,
    study.company.slug,
    [client.name, client.domain],
    industry && [industry.raw, industry.slug],
    study.country,
    study.summary,
    study.challenge,
    study.solution,
    study.outcomes.map(({ metric, value, unit, direction, text }) => [metric, value, unit, direction, text]),
    study.products,
    study.tools,
    quote && [quote.text, quote.person, quote.role],
    study.published_at,
    study.language,
    study.licence,
    study.body,
    study.passages.map(({ heading, text }) => [heading, text]),
    study.fingerprint,
  ];
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

async function writeParts(
  transaction: Transaction<Tables>,
  changed: ReadonlyMap<number, { readonly study: NewCaseStudy }>,
  rewritten: ReadonlySet<number>,
): Promise<void> {
  await inChunks([...rewritten], async (chunk) => {
    await transaction.deleteFrom("outcomes").where("study_number", "in", chunk).execute();
    return await transaction.deleteFrom("passages").where("study_number", "in", chunk).execute();
  });
  const studies = [...changed].map(([study_number, { study }]) => ({ study_number, study }));
  const outcomes = studies.flatMap(({ study_number, study }) =>
    study.outcomes.map(({ metric, value, unit, direction, text }, position) => {
      return { study_number, position, metric, value, unit, direction, text };
    }),
  );
  await inChunks(outcomes, (chunk) => transaction.insertInto("outcomes").values(chunk).execute());
  const passages = studies.flatMap(({ study_number, study }) =>
    study.passages.map(({ heading, text }, position) => ({ study_number, position, heading, text })),
  );
  await inChunks(passages, (chunk) => transaction.insertInto("passages").values(chunk).execute());
}
