import { createHash } from "node:crypto";
import type { Transaction } from "kysely";
import type { NewCaseStudy } from "../../vocabulary/case-study.ts";
import { keepCompanies } from "../companies/keep.ts";
import { enqueue } from "../outbox.ts";
import type { Tables } from "../tables.ts";
import { industryKey } from "./folded.ts";
import { inChunks } from "./in-chunks.ts";
import { clientKey, keepClients } from "./keep-clients.ts";
import { bandsOf, findNearDuplicate } from "./near-duplicates.ts";
import { type Owners, prune } from "./prune.ts";
import { type IndustryNames, recordsByNumber } from "./records.ts";
import { urlKey } from "./url-key.ts";

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
