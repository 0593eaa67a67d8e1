import { createHash } from "node:crypto";
import { domainToUnicode } from "node:url";
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { normaliseEmail } from "../accounts/service.ts";
import { belongsTo, hostOf, isPublicSuffix } from "../core/domain.ts";
import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import { isPostgres } from "../db/engine.ts";
import type { Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";

/** Whose data: a domain, with its subdomains, or an email address. */
interface Subject {
  readonly kind: "domain" | "email";
  readonly name: string;
}

/** A case study of another company's site in which the domain is the client or the vendor. */
export interface Reference {
  readonly case_study_id: string;
  readonly title: string;
  readonly url: string;
  readonly role: "client" | "vendor";
}

export interface DataExport {
  readonly subject: string;
  readonly kind: Subject["kind"];
  readonly exported_at: string;
  /** Rows by table; JSON is parsed, other bytes are base64. */
  readonly data: Readonly<Record<string, readonly object[]>>;
  readonly references: readonly Reference[];
}

/** Proves what was erased. `sha256` is of the receipt without it, as JSON in this order. */
export interface Receipt {
  readonly subject: string;
  readonly kind: Subject["kind"];
  readonly erased_at: string;
  readonly erased: readonly { readonly table: string; readonly rows: number }[];
  readonly total: number;
  /** What was kept: case studies are public pages of others. */
  readonly references: readonly Reference[];
  readonly sha256: string;
}

export interface PrivacyService {
  /** Everything that is stored about a domain or an email address. @throws Failure `domain.invalid`, `email.invalid` */
  export(subject: string): Promise<DataExport>;
  /**
   * Erases it in one transaction.
   *
   * @param options `caseStudies` erases case studies with the domain as client or vendor, too
   * @throws Failure `domain.invalid`, `email.invalid`
   */
  erase(subject: string, options?: { readonly caseStudies?: boolean | undefined }): Promise<Receipt>;
}

interface PrivacyOptions {
  readonly queries: Kysely<Tables>;
  /** Removes companies from the stack index; returns how many were in it. */
  readonly removeFromStack: (transaction: Transaction<Tables>, domains: readonly string[]) => Promise<number>;
  readonly removeCaseStudies: (ids: readonly string[]) => Promise<number>;
  readonly clock: () => Date;
  /** Called after case studies were removed. */
  readonly onChange: () => void;
}

/** Tables whose rows are about the domain in one column, children before their parents. */
const OF_DOMAIN = [
  "snapshots",
  "views",
  "sightings",
  "unknowns",
  "feedback",
  "observations",
  "stack_queue",
  "scans",
  "watches",
  "tool_changes",
] as const;

type Queries = Kysely<Tables> | Transaction<Tables>;
type Row = Readonly<Record<string, unknown>>;

export function createPrivacyService(options: PrivacyOptions): PrivacyService {
  const { queries, clock } = options;
  return {
    async export(input) {
      const { kind, name } = parseSubject(input);
      const found = kind === "domain" ? await rowsOfDomain(queries, name) : await rowsOfEmail(queries, name);
      const data: Record<string, readonly object[]> = {};
      for (const [table, rows] of found) if (rows.length > 0) data[table] = await Promise.all(rows.map(readable));
      const references = kind === "domain" ? await referencesOf(queries, name) : [];
      return { subject: name, kind, exported_at: clock().toISOString(), data, references };
    },

    async erase(input, { caseStudies = false } = {}) {
      const { kind, name } = parseSubject(input);
      // The erased rows are overwritten in the file. Versions from before updates may be left in its free pages.
      if (!isPostgres(queries)) await sql`pragma secure_delete = on`.execute(queries);
      const references = kind === "domain" ? await referencesOf(queries, name) : [];
      const removed = caseStudies ? await options.removeCaseStudies(references.map((each) => each.case_study_id)) : 0;
      const counts = await inTransaction(queries, "stack index", async (transaction) =>
        kind === "domain"
          ? await eraseDomain(transaction, name, options.removeFromStack)
          : await eraseEmail(transaction, name),
      );
      if (!isPostgres(queries)) await sql`pragma wal_checkpoint(truncate)`.execute(queries);
      if (removed > 0) options.onChange();
      const erased = [...counts, ["case_studies", removed] as const]
        .filter(([, rows]) => rows > 0)
        .map(([table, rows]) => ({ table, rows }));
      const receipt = {
        subject: name,
        kind,
        erased_at: clock().toISOString(),
        erased,
        total: erased.reduce((sum, { rows }) => sum + rows, 0),
        references: caseStudies ? [] : references,
      };
      return { ...receipt, sha256: createHash("sha256").update(JSON.stringify(receipt)).digest("hex") };
    },
  };
}

function parseSubject(input: string): Subject {
  if (input.includes("@") && !input.includes("://")) return { kind: "email", name: normaliseEmail(input) };
  const host = hostOf(input);
  if (host !== undefined && isPublicSuffix(host))
    throw new Failure(
      "domain.invalid",
      `${host} is a public suffix, which many owners share; give one owner's domain.`,
    );
  if (host?.includes(".")) return { kind: "domain", name: host };
  throw new Failure("domain.invalid", `${quoted(input)} is neither a domain nor an email address.`);
}

/** The domain itself and what is below it. */
const under = (column: string, name: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} = ${name} or ${sql.ref(column)} like ${`%.${name.replaceAll("_", "\\_")}`} escape '\\')`;

const isUnder = (host: unknown, name: string): boolean =>
  typeof host === "string" && belongsTo(host.toLowerCase(), name);
const isUrlUnder = (url: unknown, name: string): boolean =>
  typeof url === "string" && isUnder(URL.parse(url)?.hostname, name);

const select = async (from: Queries, table: string, where: RawBuilder<boolean>): Promise<Row[]> =>
  (await sql<Row>`select * from ${sql.table(table)} where ${where}`.execute(from)).rows;
const mentions = (column: string, name: string) => sql<boolean>`${sql.ref(column)} like ${`%${name}%`}`;

/** Rows of the tables that need more than a comparison of a column with the domain. */
async function linkedRows(from: Queries, name: string) {
  const [submissions, sites, deliveries, jobs, claims] = await Promise.all([
    select(from, "submissions", sql`${mentions("case_study_url", name)} or ${mentions("company_domain", name)}`),
    select(from, "sites", sql`${mentions("url", name)} or ${mentions("company_domain", name)}`),
    select(from, "deliveries", mentions("body", name)),
    select(from, "jobs", sql`1 = 1`),
    select(from, "scan_claims", mentions("scan", name)),
  ]);
  const isOfDomain = (row: Row, url: string) => isUrlUnder(row[url], name) || isUnder(row.company_domain, name);
  const ownSubmissions = submissions.filter((row) => isOfDomain(row, "case_study_url"));
  const ownSites = sites.filter((row) => isOfDomain(row, "url"));
  const submissionIds = new Set(ownSubmissions.map(({ id }) => id));
  const siteIds = new Set(ownSites.map(({ id }) => id));
  return {
    submissions: ownSubmissions,
    sites: ownSites,
    deliveries: deliveries.filter(({ body }) => {
      const data: unknown = Reflect.get(Object(JSON.parse(String(body))), "data");
      return isUnder(Reflect.get(Object(data), "domain"), name);
    }),
    jobs: jobs.filter((row) => {
      const { url, site, submission }: Row = { ...Object(JSON.parse(String(row.payload))) };
      return isUrlUnder(url, name) || siteIds.has(site) || submissionIds.has(submission);
    }),
    claims: claims.filter(({ scan }) => isUnder(String(scan).split(" ", 1)[0], name)),
  };
}

async function rowsOfDomain(from: Queries, name: string): Promise<[string, Row[]][]> {
  const { submissions, sites, deliveries, jobs, claims } = await linkedRows(from, name);
  const pages = await inList(from, "pages", "site_id", sites);
  const mails = await inList(from, "mails", "submission_id", submissions);
  const tables = await Promise.all(
    OF_DOMAIN.map(async (table): Promise<[string, Row[]]> => [table, await select(from, table, under("domain", name))]),
  );
  return [
    ...tables,
    ["stack_companies", await select(from, "stack_companies", under("domain", name))],
    ["batches", await batchesNamed(from, name)],
    ["batch_items", await batchRows(from, name)],
    ["companies", await select(from, "companies", under("domain", name))],
    ["clients", await select(from, "clients", under("domain_folded", name))],
    ["crawl_turns", await select(from, "crawl_turns", under("host", name))],
    ["audit", await auditNaming(from, name)],
    ["scan_claims", claims],
    ["submissions", submissions],
    ["mails", mails],
    ["sites", sites],
    ["pages", pages],
    ["jobs", jobs],
    ["deliveries", deliveries],
  ];
}

/** Rows of lists with the domain, and rows of other companies with it in a further cell or an error. */
async function batchRows(from: Queries, name: string): Promise<Row[]> {
  const rows = await select(from, "batch_items", sql`${under("domain", name)} or ${containsAny(TEXTS, name)}`);
  return rows.filter((row) => isBatchRowOf(row, name) || isNamedIn(row, name));
}

const isBatchRowOf = ({ domain, input }: Row, name: string): boolean =>
  isUnder(domain, name) || isUnder(hostOf(String(input)), name) || (domain === null && isNamed(input, name));

/** A domain or an address as people write it: international ones in letters too. */
function spellingsOf(name: string): readonly string[] {
  const at = name.lastIndexOf("@") + 1;
  return [...new Set([name, name.slice(0, at) + domainToUnicode(name.slice(at))])];
}

/** SQLite lowers ASCII only, and JSON has other letters as they are. */
const containsAny = (columns: readonly string[], name: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    columns.flatMap((column) =>
      spellingsOf(name).map((spelling) => sql`lower(${sql.ref(column)}) like ${`%${spelling}%`}`),
    ),
    sql` or `,
  )})`;

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The name as a whole: of a domain also below it and in its addresses, not as a part of a longer name. */
const namePattern = (name: string): RegExp => {
  const before = name.includes("@") ? "[\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~-]" : "[\\p{L}\\p{N}-]";
  const whole = spellingsOf(name).map(literal).join("|");
  return new RegExp(`(?<!${before})(?:${whole})(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`, "iu");
};
const isNamed = (text: unknown, name: string): boolean => typeof text === "string" && namePattern(name).test(text);
/** Cells are parsed: in JSON a line break before a name is a letter. */
const isNamedIn = ({ input, cells, error }: Row, name: string): boolean =>
  [input, error, ...Object.entries(cellsOf(cells)).flat()].some((text) => isNamed(text, name));
const cellsOf = (cells: unknown): object => Object(JSON.parse(String(cells ?? "{}")));

const TEXTS = ["input", "cells", "error"];

/** Rows of lists with the domain or the address in a text. */
const itemsNaming = async (from: Queries, name: string): Promise<Row[]> =>
  (await select(from, "batch_items", containsAny(TEXTS, name))).filter((row) => isNamedIn(row, name));

/** Batches whose name has the domain or the address. */
const batchesNamed = async (from: Queries, name: string): Promise<Row[]> =>
  (await select(from, "batches", containsAny(["name"], name))).filter((batch) => isNamed(batch.name, name));

const ERASED = "The data of this row was erased on request.";

/** Removes the name from the cells and errors of rows that are about others, and from the names of batches. */
async function blankMentions(transaction: Transaction<Tables>, name: string): Promise<[string, number][]> {
  const named = await itemsNaming(transaction, name);
  for (const { number, input, cells, error } of named) {
    const kept = Object.entries(cellsOf(cells)).filter(
      ([column, cell]) => !isNamed(column, name) && !isNamed(cell, name),
    );
    await sql`update batch_items set
      input = ${isNamed(input, name) ? "" : input},
      cells = ${cells === null ? null : JSON.stringify(Object.fromEntries(kept))},
      error = ${isNamed(error, name) ? ERASED : error}
      where number = ${number}`.execute(transaction);
  }
  const batches = await batchesNamed(transaction, name);
  for (const { id } of batches)
    await transaction.updateTable("batches").set({ name: null }).where("id", "=", String(id)).execute();
  return [
    ["batch_items", named.length],
    ["batches", batches.length],
  ];
}

const keyColumn = (column: string, values: readonly unknown[]) =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`;

const inList = async (from: Queries, table: string, column: string, parents: readonly Row[]): Promise<Row[]> =>
  parents.length === 0
    ? []
    : await select(
        from,
        table,
        keyColumn(
          column,
          parents.map(({ id }) => id),
        ),
      );

/** @returns the rows that were deleted */
async function deleteWhere(from: Queries, table: string, where: RawBuilder<boolean>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${where}`.execute(from);
  return Number(numAffectedRows);
}

const deleteRows = async (from: Queries, table: string, column: string, rows: readonly Row[]): Promise<number> =>
  rows.length === 0
    ? 0
    : await deleteWhere(
        from,
        table,
        keyColumn(
          column,
          rows.map((row) => row[column]),
        ),
      );

async function eraseDomain(
  transaction: Transaction<Tables>,
  name: string,
  removeFromStack: PrivacyOptions["removeFromStack"],
): Promise<[string, number][]> {
  const { submissions, sites, deliveries, jobs, claims } = await linkedRows(transaction, name);
  const indexed = await select(transaction, "stack_companies", under("domain", name));
  const counts: [string, number][] = [
    [
      "stack_companies",
      await removeFromStack(
        transaction,
        indexed.map(({ domain }) => String(domain)),
      ),
    ],
    ...addedUp([["batch_items", await blankBatchRows(transaction, name)], ...(await blankMentions(transaction, name))]),
    ["deliveries", await deleteRows(transaction, "deliveries", "id", deliveries)],
    ["jobs", await deleteRows(transaction, "jobs", "id", jobs)],
    ["scan_claims", await deleteRows(transaction, "scan_claims", "scan", claims)],
    ["crawl_turns", await deleteWhere(transaction, "crawl_turns", under("host", name))],
    ["audit", await blankAudit(transaction, name, [])],
  ];
  counts.push([
    "pages",
    sites.length === 0
      ? 0
      : await deleteWhere(
          transaction,
          "pages",
          keyColumn(
            "site_id",
            sites.map(({ id }) => id),
          ),
        ),
  ]);
  counts.push(["sites", await deleteRows(transaction, "sites", "id", sites)]);
  counts.push(...(await deleteSubmissions(transaction, submissions)));
  for (const table of OF_DOMAIN) counts.push([table, await deleteWhere(transaction, table, under("domain", name))]);
  return counts;
}

/** The rows of a list keep their place, so that the others keep theirs; nothing of the domain is left in them. */
async function blankBatchRows(transaction: Transaction<Tables>, name: string): Promise<number> {
  const rows = (await batchRows(transaction, name)).filter((row) => isBatchRowOf(row, name));
  for (const { batch_id, position, state } of rows) {
    await transaction
      .updateTable("batch_items")
      .set({ input: "", cells: null, domain: null, state: "invalid", duplicate_of: null, result: null, lease: null })
      .set({ error_code: "domain.erased", error: "The data of this domain was erased on request." })
      .where("batch_id", "=", String(batch_id))
      .where("position", "=", Number(position))
      .execute();
    // Invalid rows and repetitions are not among the distinct domains of a batch.
    if (state !== "invalid" && state !== "duplicate")
      await transaction
        .updateTable("batches")
        .set((eb) => ({ domains: eb("domains", "-", 1) }))
        .where("id", "=", String(batch_id))
        .execute();
  }
  return rows.length;
}

/** With their emails. Sites that they added stay: they are about another domain. */
async function deleteSubmissions(
  transaction: Transaction<Tables>,
  submissions: readonly Row[],
): Promise<[string, number][]> {
  if (submissions.length === 0) return [];
  const ids = submissions.map(({ id }) => String(id));
  await transaction.updateTable("sites").set({ submission_id: null }).where("submission_id", "in", ids).execute();
  return [
    ["mails", await deleteWhere(transaction, "mails", keyColumn("submission_id", ids))],
    ["submissions", await deleteRows(transaction, "submissions", "id", submissions)],
  ];
}

const submissionsOf = (from: Queries, email: string) =>
  select(from, "submissions", sql`lower(contact_email) = ${email}`);

async function jobsOf(from: Queries, submissions: readonly Row[]): Promise<Row[]> {
  const ids = new Set(submissions.map(({ id }) => id));
  const jobs = ids.size === 0 ? [] : await select(from, "jobs", sql`1 = 1`);
  return jobs.filter(({ payload }) => ids.has(Reflect.get(Object(JSON.parse(String(payload))), "submission")));
}

async function rowsOfEmail(from: Queries, email: string): Promise<[string, Row[]][]> {
  const keys = await select(from, "keys", sql`email_folded = ${email}`);
  const batches = await select(from, "batches", sql`owner = ${email}`);
  const ids = new Set<unknown>(batches.map(({ id }) => id));
  const owned = await inList(from, "batch_items", "batch_id", batches);
  const named = await itemsNaming(from, email);
  const submissions = await submissionsOf(from, email);
  const operators = await operatorsOf(from, email);
  const sessions = await inList(from, "operator_sessions", "operator_id", operators);
  return [
    // Of the key itself only a hash is stored.
    ["keys", keys.map(({ hash: _, ...row }) => row)],
    [
      "usage",
      keys.length === 0
        ? []
        : await select(
            from,
            "usage",
            keyColumn(
              "key_id",
              keys.map(({ id }) => id),
            ),
          ),
    ],
    ["batches", [...batches, ...(await batchesNamed(from, email)).filter(({ owner }) => owner !== email)]],
    ["batch_items", [...owned, ...named.filter((row) => !ids.has(row.batch_id))]],
    ["submissions", submissions],
    ["mails", await select(from, "mails", sql`lower(recipient) = ${email}`)],
    ["jobs", await jobsOf(from, submissions)],
    ["operators", operators],
    // Of the secret in the cookie only a hash is stored.
    ["operator_sessions", sessions.map(({ hash: _, token_hash: __, ...row }) => row)],
    ["audit", await auditOf(from, email, operators)],
  ];
}

const operatorsOf = (from: Queries, email: string) => select(from, "operators", sql`email = ${email}`);

/** Entries of the audit trail about the name. */
const auditNaming = async (from: Queries, name: string): Promise<Row[]> =>
  (await select(from, "audit", containsAny(["target", "operator"], name))).filter(
    ({ target, operator }) => isNamed(target, name) || isNamed(operator, name),
  );

/** Entries about the address, and those of its operator. */
async function auditOf(from: Queries, email: string, operators: readonly Row[]): Promise<Row[]> {
  const [naming, own] = [await auditNaming(from, email), await inList(from, "audit", "operator_id", operators)];
  const ids = new Set(own.map(({ number }) => number));
  return [...own, ...naming.filter(({ number }) => !ids.has(number))];
}

/** That something was done stays in the audit trail; about whom, and by whom, does not. */
async function blankAudit(transaction: Transaction<Tables>, name: string, operators: readonly Row[]): Promise<number> {
  const ids = new Set(operators.map(({ id }) => id));
  const rows = await auditOf(transaction, name, operators);
  for (const { number, operator, operator_id, target } of rows) {
    const isOwn = ids.has(operator_id) || isNamed(operator, name);
    await transaction
      .updateTable("audit")
      .set(isNamed(target, name) ? { target: null } : {})
      .set(isOwn ? { operator: "erased", operator_id: null, session: null, client: null } : {})
      .where("number", "=", Number(number))
      .execute();
  }
  return rows.length;
}

async function eraseEmail(transaction: Transaction<Tables>, email: string): Promise<[string, number][]> {
  const submissions = await submissionsOf(transaction, email);
  const operators = await operatorsOf(transaction, email);
  return [
    ["audit", await blankAudit(transaction, email, operators)],
    // Their links and sessions go with them.
    ["operators", await deleteRows(transaction, "operators", "id", operators)],
    ["jobs", await deleteRows(transaction, "jobs", "id", await jobsOf(transaction, submissions))],
    ...(await deleteSubmissions(transaction, submissions)),
    ["mails", await deleteWhere(transaction, "mails", sql`lower(recipient) = ${email}`)],
    ...addedUp([
      ["batches", await deleteWhere(transaction, "batches", sql`owner = ${email}`)],
      ...(await blankMentions(transaction, email)),
    ]),
    ["keys", await deleteWhere(transaction, "keys", sql`email_folded = ${email}`)],
  ];
}

/** One count for each table. */
function addedUp(counts: readonly (readonly [string, number])[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const [table, rows] of counts) sums.set(table, (sums.get(table) ?? 0) + rows);
  return [...sums];
}

async function referencesOf(from: Queries, name: string): Promise<Reference[]> {
  const rows = await from
    .selectFrom("case_studies")
    .innerJoin("companies", "companies.id", "case_studies.company_id")
    .leftJoin("clients", "clients.id", "case_studies.client_id")
    .select([
      "case_studies.id as case_study_id",
      "case_studies.title",
      "case_studies.url",
      "clients.domain_folded as client",
      "companies.domain as vendor",
    ])
    .where((eb) =>
      eb.or([
        under("clients.domain_folded", name),
        under("companies.domain", name),
        mentions("case_studies.url", name),
      ]),
    )
    .orderBy("case_studies.id")
    .execute();
  return rows.flatMap(({ client, vendor, ...study }): Reference[] => {
    if (isUnder(client, name)) return [{ ...study, role: "client" }];
    return isUnder(vendor, name) || isUrlUnder(study.url, name) ? [{ ...study, role: "vendor" }] : [];
  });
}

const MAX_DECODED_BYTES = 128 * 1_048_576;

/** Columns of JSON as values, compressed ones too. */
async function readable(row: Row): Promise<Row> {
  const entries = await Promise.all(
    Object.entries(row).map(async ([name, value]) => [
      name,
      value instanceof Uint8Array ? await decoded(value) : value,
    ]),
  );
  return Object.fromEntries(entries);
}

async function decoded(bytes: Uint8Array): Promise<unknown> {
  const isZstd = Buffer.from(bytes.subarray(0, 4)).equals(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]));
  if (!isZstd || bytes.length > MAX_DECODED_BYTES) return Buffer.from(bytes).toString("base64");
  const text = Buffer.from(await Bun.zstdDecompress(Uint8Array.from(bytes))).toString("utf8");
  return /^\s*[[{]/.test(text) ? JSON.parse(text) : text;
}
