import { createHash } from "node:crypto";
import type { ExpressionBuilder, Transaction } from "kysely";
import { normaliseName } from "../core/text.ts";
import { inChunks } from "../db/cursor.ts";
import type { Tables } from "../db/schema.ts";
import { createSettingsRepository } from "../db/settings.ts";
import { saveCompanies } from "./companies/save.ts";
import { enqueue } from "./index/outbox.ts";
import { industryColumns, urlKey } from "./keys.ts";
import { type IndustryNames, recordsByNumber } from "./records.ts";
import { areNearDuplicates } from "./text/near-duplicates.ts";
import type { NewCaseStudy, Outcome } from "./types.ts";

interface Client {
  readonly name: string | null;
  readonly domain: string | null;
}

/** Spelling variants of one client share a key; undefined when the client has neither name nor domain. */
function clientKey({ name, domain }: Client): string | undefined {
  const parts = [normaliseName(name ?? ""), normaliseName(domain ?? "")];
  return parts.some((part) => part !== "") ? JSON.stringify(parts) : undefined;
}

/**
 * Creates missing clients. A client keeps its first spelling.
 *
 * @returns ids by key
 */
async function saveClients(
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
      // A no-op update: without it, existing rows would not be returned.
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

/**
 * Splits a fingerprint into four bands of 16 bits. Near-duplicates differ in at most three bits, so they share at least one
 * band, so an index on each band finds all candidates.
 *
 * @param fingerprint 16 hex digits
 * @throws RangeError for anything else
 */
function bandsOf(fingerprint: string) {
  if (!/^[0-9a-f]{16}$/.test(fingerprint)) throw new RangeError("A fingerprint is 16 lower-case hex digits.");
  const band = (index: number) => Number.parseInt(fingerprint.slice(index * 4, index * 4 + 4), 16);
  return { band_1: band(0), band_2: band(1), band_3: band(2), band_4: band(3) };
}

interface FingerprintedText {
  readonly fingerprint: string;
  readonly company_id: number;
  readonly client_id: number | null;
}

/** The id of the oldest case study of the same company and client with nearly the same text. */
async function findNearDuplicate(
  transaction: Transaction<Tables>,
  like: FingerprintedText,
): Promise<string | undefined> {
  const bands = bandsOf(like.fingerprint);
  const candidates = await transaction
    .selectFrom("case_studies")
    .select(["id", "fingerprint", "client_id"])
    // Repeating the company in each branch lets each branch use its index.
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
    ({ client_id, fingerprint }) => client_id === like.client_id && areNearDuplicates(fingerprint, like.fingerprint),
  )?.id;
}

/** The company and client of a case study before it was changed or removed. */
interface Owners {
  readonly company_id: number;
  readonly client_id: number | null;
}

/** Deletes companies and clients that no longer have case studies. */
async function deleteUnused(transaction: Transaction<Tables>, owners: readonly Owners[]): Promise<void> {
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

/** The setting with the {@link changeTime} of the newest removal, which leaves no other trace. */
export const REMOVED_AT = "case_studies.removed_at";

/** The time of a change: later than that of all before, though the clock of another node was ahead. */
export async function changeTime(transaction: Transaction<Tables>, now: string): Promise<string> {
  const { changed, removed } = await transaction.selectNoFrom(newestChanges).executeTakeFirstOrThrow();
  const latest = [changed ?? "", removed ?? ""].sort().at(-1) ?? "";
  return latest < now ? now : new Date(Date.parse(latest) + 1).toISOString();
}

/** When case studies were last saved, and last removed; null for never. */
export const newestChanges = ({ selectFrom }: ExpressionBuilder<Tables, never>) =>
  [
    selectFrom("case_studies")
      .select(({ fn }) => fn.max<string | null>("updated_at").as("changed"))
      .as("changed"),
    selectFrom("settings").select("value").where("name", "=", REMOVED_AT).as("removed"),
  ] as const;

/** Removes case studies, and companies and clients left without any. Returns how many case studies were removed. */
export async function removeStudies(
  transaction: Transaction<Tables>,
  ids: readonly string[],
  now: string,
): Promise<number> {
  const removed_at = await changeTime(transaction, now);
  const rows = await inChunks([...new Set(ids)], (chunk) =>
    transaction
      .deleteFrom("case_studies")
      .where("id", "in", chunk)
      .returning(["id", "company_id", "client_id"])
      .execute(),
  );
  if (rows.length > 0) await createSettingsRepository(transaction).set(REMOVED_AT, removed_at);
  await deleteUnused(transaction, rows);
  await enqueue(
    transaction,
    "delete",
    rows.map(({ id }) => id),
    now,
  );
  return rows.length;
}

export interface SaveResult {
  /** The stored id; for a duplicate, the given id. */
  readonly id: string;
  readonly outcome: "added" | "updated" | "unchanged" | "duplicate";
  /** For a duplicate, the id of the existing case study; otherwise null. */
  readonly of: string | null;
}

export interface SaveOptions {
  /** Store the previous version of a changed case study. Imports do without: their file is the history. */
  readonly keepVersions?: boolean;
  /** Save nothing and return `[]` unless this case study still has this revision. */
  readonly ifRevision?: { readonly id: string; readonly revision: number } | undefined;
  /** Runs in the same transaction before the save. */
  readonly before?: (transaction: Transaction<Tables>) => Promise<void>;
}

interface ExistingStudy extends Owners {
  readonly number: number;
  readonly id: string;
  readonly content_hash: string;
  readonly revision: number;
}

/** Saves a batch in order: a record may update or duplicate an earlier one. */
export async function saveStudies(
  transaction: Transaction<Tables>,
  batch: readonly NewCaseStudy[],
  { names, keepVersions, now }: { names: IndustryNames; keepVersions: boolean; now: string },
): Promise<readonly SaveResult[]> {
  const companies = await saveCompanies(
    transaction,
    batch.map(({ company }) => company),
    now,
  );
  const clients = await saveClients(
    transaction,
    batch.map(({ client }) => client),
  );
  const byUrl = await existingByUrl(
    transaction,
    batch.map(({ url }) => urlKey(url)),
  );
  const assignId = await createIdAssigner(transaction, batch);
  const changed = new Map<number, { readonly id: string; readonly study: NewCaseStudy }>();
  const rewritten = new Set<number>();
  const formerOwners: Owners[] = [];
  const updated_at = await changeTime(transaction, now);
  const results: SaveResult[] = [];

  for (const study of batch) {
    const url_key = urlKey(study.url);
    const company_id = companies.get(study.company.slug);
    if (company_id === undefined) throw new Error("A case study's company was not saved.");
    const client_id = clients.get(clientKey(study.client) ?? "") ?? null;
    const content = { ...columnsOf(study), url_key, company_id, client_id, updated_at };
    const known = byUrl.get(url_key);
    if (known?.content_hash === content.content_hash) {
      results.push({ id: known.id, outcome: "unchanged", of: null });
    } else if (known) {
      const revision = known.revision + 1;
      if (keepVersions) await saveVersion(transaction, known, names, now);
      await transaction
        .updateTable("case_studies")
        .set({ ...content, revision, indexed_at: null })
        .where("number", "=", known.number)
        .execute();
      formerOwners.push(known);
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
      const id = assignId(study);
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

  await saveOutcomesAndPassages(transaction, changed, rewritten);
  await enqueue(
    transaction,
    "upsert",
    [...changed.values()].map(({ id }) => id),
    now,
  );
  await deleteUnused(transaction, formerOwners);
  return results;
}

/** Whether a case study still has the revision at which it was read. */
export async function hasRevision(
  transaction: Transaction<Tables>,
  { id, revision }: NonNullable<SaveOptions["ifRevision"]>,
): Promise<boolean> {
  const row = await transaction.selectFrom("case_studies").select("revision").where("id", "=", id).executeTakeFirst();
  return row?.revision === revision;
}

async function saveVersion(
  transaction: Transaction<Tables>,
  { number, id, revision }: ExistingStudy,
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

async function existingByUrl(
  transaction: Transaction<Tables>,
  keys: readonly string[],
): Promise<Map<string, ExistingStudy>> {
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
 * Assigns ids. An id that another address already has gets a suffix derived from its address, so that the result
 * does not depend on the order of the records.
 */
async function createIdAssigner(transaction: Transaction<Tables>, batch: readonly NewCaseStudy[]) {
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
    ...industryColumns(study.industry),
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

/** Hash of the content: without id and origin, and with only the slug of the company. */
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
    study.outcomes.map(contentOf),
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

/** Only known fields count, so that records stored before a field existed keep their hash. */
function contentOf({ metric, value, unit, direction, text, ...reading }: Outcome): unknown[] {
  const { noun, kind, from, to, better, sentence } = reading;
  const known = Object.entries({ noun, kind, from, to, better, sentence }).filter(([, field]) => field !== null);
  return [metric, value, unit, direction, text, ...known];
}

async function saveOutcomesAndPassages(
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
    study.outcomes.map(({ from, to, better, ...outcome }, position) => {
      const { metric, value, unit, direction, text, noun, kind, sentence } = outcome;
      const fields = { metric, value, unit, direction, text, noun, kind, sentence };
      const is_better = better === null ? null : Number(better);
      return { study_number, position, ...fields, from_value: from, to_value: to, is_better };
    }),
  );
  await inChunks(outcomes, (chunk) => transaction.insertInto("outcomes").values(chunk).execute());
  const passages = studies.flatMap(({ study_number, study }) =>
    study.passages.map(({ heading, text }, position) => ({ study_number, position, heading, text })),
  );
  await inChunks(passages, (chunk) => transaction.insertInto("passages").values(chunk).execute());
}
