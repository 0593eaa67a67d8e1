import { randomUUID } from "node:crypto";
import { type Kysely, sql, type Transaction } from "kysely";
import { decodeCursor, encodeCursor, inChunks, readPage } from "../db/cursor.ts";
import type { Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import {
  ALL_COMPANIES,
  type Condition,
  decodeEntry,
  type Entry,
  type EntryPosting,
  encodeEntry,
  LISTS,
  matcherOf,
  postingsOf,
  type Question,
} from "./entry.ts";
import {
  addMatches,
  CHUNK_SIZE,
  changeChunk,
  companiesIn,
  countBits,
  emptyBits,
  hasBit,
  type Posting,
  readDays,
  setBit,
} from "./postings.ts";

export type TermKind = Tables["stack_terms"]["kind"];

/** What companies are found by: a tool, a raw signal, a top-level domain. */
export interface Term {
  readonly kind: TermKind;
  /** Tool id; host with its labels in reverse, so that a prefix covers subdomains; text before the token of a record. */
  readonly key: string;
  readonly name: string;
  /** Label of a tool; otherwise empty. */
  readonly category: string;
}

export interface NumberedTerm extends Term {
  readonly id: number;
}

/** A company as the indexer hands it over: an entry whose terms have no numbers yet. */
export interface CompanyRecord {
  readonly domain: string;
  /** Tools in the newest result, as every answer counts them. */
  readonly tools_detected: number;
  /** ISO 8601 UTC. */
  readonly first_scanned_at: string;
  readonly scanned_at: string;
  /** The revision of the queue that was read; null when the domain is not from the queue. */
  readonly revision: number | null;
  readonly tools: readonly {
    readonly term: Term;
    readonly confidence: number;
    readonly first: number;
    readonly last: number;
  }[];
  readonly terms: readonly Term[];
  readonly appeared: readonly { readonly term: Term; readonly day: number }[];
  readonly gone: readonly { readonly term: Term; readonly day: number }[];
  /** Day of the newest scan. */
  readonly scanned: number;
}

export interface CompanyRow {
  readonly number: number;
  readonly domain: string;
  readonly first_scanned_at: string;
  readonly scanned_at: string;
  /** Tools in the newest result. */
  readonly tools: number;
  readonly entry: Entry;
}

export interface TermCount extends NumberedTerm {
  /** Companies that use it, of at least the default confidence. */
  readonly companies: number;
  /** Days; the first and the last scan that found it anywhere. */
  readonly first_day: number;
  readonly last_day: number;
}

export const SORTS = ["domain", "scanned_at", "tools"] as const;
export type Sort = (typeof SORTS)[number];

/** The companies that answer a question, by number. */
export interface Matches {
  readonly bits: Uint32Array;
  readonly total: number;
}

export interface StackRepository {
  /** Whether there is an index of this format; otherwise `reset` makes one. */
  isPrepared(): Promise<boolean>;
  /** Empties the index and queues all domains with observations. */
  reset(): Promise<void>;
  /** Domains to index, by name, at most `limit`. */
  queued(limit: number): Promise<readonly { readonly domain: string; readonly revision: number }[]>;
  countQueued(): Promise<number>;
  /** Companies that the posting lists do not contain yet. */
  countPending(): Promise<number>;
  /** Removes domains without observations from the queue. */
  forget(domains: readonly string[]): Promise<void>;
  /** Adds or replaces companies. A record whose revision is outdated is ignored: its domain is queued again. */
  save(records: readonly CompanyRecord[]): Promise<void>;
  /** Removes companies from the index. @returns how many were in it */
  removeIn(transaction: Transaction<Tables>, domains: readonly string[]): Promise<number>;
  /** Moves pending companies into the posting lists. @returns whether some are left */
  merge(): Promise<boolean>;
  find(question: Question): Promise<Matches>;
  page(
    found: Matches | undefined,
    options: { readonly sort: Sort; readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<{ readonly rows: readonly CompanyRow[]; readonly next_cursor: string | null }>;
  /** Rows in the order of their numbers. */
  rows(numbers: readonly number[]): Promise<readonly CompanyRow[]>;
  company(domain: string): Promise<CompanyRow | undefined>;
  countCompanies(): Promise<number>;
  term(kind: TermKind, key: string): Promise<NumberedTerm | undefined>;
  /** A tool by its id or name in lower case. */
  toolNamed(name: string): Promise<NumberedTerm | undefined>;
  /** Terms of a kind whose keys have the prefix, by key, at most `limit`. */
  termsWithPrefix(kind: TermKind, prefix: string, limit: number): Promise<readonly NumberedTerm[]>;
  /** Every tool with its number of companies. */
  toolCounts(): Promise<readonly TermCount[]>;
  termsById(ids: readonly number[]): Promise<ReadonlyMap<number, NumberedTerm>>;
}

/** Of the locks of transactions. */
const AREA = "stack index";
/** Format of the lists and of the entries; a database with another one is indexed again. */
export const STACK_FORMAT = 1;
/** Pending companies are checked one by one in each search, so there are few. */
export const MAX_PENDING = 2_000;
const MERGE_SIZE = 2_000;
const ROWS_PER_INSERT = 500;
/** Terms read with one query: their lists are in memory together. */
const TERMS_PER_QUERY = 16;
const MAX_KNOWN_TERMS = 200_000;
/** A search that a merge overtook starts again. */
const MAX_ATTEMPTS = 20;
/** Up to this many matches are sorted in memory; more are found by walking the sorted index, where they are dense. */
const MAX_SORTED = 5_000;
const WALK_SIZE = 2_000;
/** Least confidence that counts as a use without a number from the caller. */
export const DEFAULT_CONFIDENCE = 50;

type Queries = Kysely<Tables> | Transaction<Tables>;

/**
 * The stack index: which companies use which tools.
 *
 * Each company has an entry, which is replaced as a whole. Each term (tool, raw signal) has a posting list of companies in
 * chunks. Changing lists is expensive and saving is frequent, so a saved company is pending first: a search checks its
 * entry and ignores its postings. A merge moves many pending companies into the lists at once. All of this is in
 * transactions of the one database, so it is consistent after a kill and for every process.
 */
export function createStackRepository(queries: Kysely<Tables>): StackRepository {
  /** Numbers of terms; valid for one incarnation of the index. */
  const knownTerms = new TermNumbers();
  let known: { incarnation: string; generation: number } | undefined;
  /** Days of the newest scans by company, of one generation. */
  let days: { readonly generation: number; readonly incarnation: string; readonly values: Uint16Array } | undefined;

  const stateOf = async (from: Queries) => {
    const state = await from.selectFrom("stack_state").selectAll().where("id", "=", 1).executeTakeFirst();
    if (known?.incarnation !== state?.incarnation) knownTerms.clear();
    known = state && { incarnation: state.incarnation, generation: state.generation };
    return state;
  };

  const emptied = async (transaction: Transaction<Tables>) => {
    for (const table of ["stack_postings", "stack_pending", "stack_counts", "stack_terms", "stack_companies"] as const)
      await transaction.deleteFrom(table).execute();
    await transaction.deleteFrom("stack_state").execute();
    await transaction
      .insertInto("stack_state")
      .values({ id: 1, format: STACK_FORMAT, incarnation: randomUUID(), generation: 0 })
      .execute();
    await transaction
      .insertInto("stack_queue")
      .columns(["domain", "revision"])
      .expression((eb) =>
        eb
          .selectFrom("observations")
          .select(["domain", sql<number>`1`.as("revision")])
          .distinct()
          .where(sql<boolean>`1 = 1`),
      )
      .onConflict((conflict) => conflict.column("domain").doNothing())
      .execute();
    knownTerms.clear();
  };

  /** Numbers of terms; new ones are added. */
  const numbered = async (transaction: Transaction<Tables>, records: readonly CompanyRecord[]) => {
    if (knownTerms.size > MAX_KNOWN_TERMS) knownTerms.clear();
    const missing = new Map<string, Term>();
    const check = (term: Term) => {
      if (knownTerms.get(term) === undefined) missing.set(`${term.kind} ${term.key}`, term);
    };
    for (const { tools, terms, appeared, gone } of records) {
      for (const { term } of tools) check(term);
      for (const term of terms) check(term);
      for (const { term } of appeared) check(term);
      for (const { term } of gone) check(term);
    }
    const added = [...missing.values()];
    for (let start = 0; start < added.length; start += ROWS_PER_INSERT) {
      const rows = await transaction
        .insertInto("stack_terms")
        .values(
          added
            .slice(start, start + ROWS_PER_INSERT)
            .map(({ kind, key, name, category }) => ({ kind, key, name, category })),
        )
        .onConflict((conflict) =>
          conflict.columns(["kind", "key"]).doUpdateSet((eb) => ({
            name: eb.ref("excluded.name"),
            category: eb.ref("excluded.category"),
          })),
        )
        .returning(["id", "kind", "key"])
        .execute();
      for (const row of rows) knownTerms.set(row, row.id);
    }
    return (term: Term): number => {
      const id = knownTerms.get(term);
      if (id === undefined) throw new Error(`The term ${term.kind} ${term.key} has no number.`);
      return id;
    };
  };

  const save = async (transaction: Transaction<Tables>, records: readonly CompanyRecord[]) => {
    const state = await stateOf(transaction);
    if (!state) throw new Error("The stack index is not prepared.");
    const current: CompanyRecord[] = [];
    for (const record of records) {
      if (record.revision === null) {
        current.push(record);
        continue;
      }
      const { numDeletedRows } = await transaction
        .deleteFrom("stack_queue")
        .where("domain", "=", record.domain)
        .where("revision", "=", record.revision)
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) current.push(record);
    }
    if (current.length === 0) return;
    const numberOf = await numbered(transaction, current);
    const before = new Map(
      (
        await transaction
          .selectFrom("stack_companies")
          .select(["number", "domain", "entry"])
          .where(
            "domain",
            "in",
            current.map(({ domain }) => domain),
          )
          .execute()
      ).map((row) => [row.domain, row]),
    );
    const saved = await transaction
      .insertInto("stack_companies")
      .values(
        current.map((record) => {
          const entry = entryOf(record, numberOf);
          return {
            domain: record.domain,
            first_scanned_at: record.first_scanned_at,
            scanned_at: record.scanned_at,
            tools: record.tools_detected,
            entry: encodeEntry(entry),
          };
        }),
      )
      .onConflict((conflict) =>
        conflict.column("domain").doUpdateSet((eb) => ({
          first_scanned_at: eb.ref("excluded.first_scanned_at"),
          scanned_at: eb.ref("excluded.scanned_at"),
          tools: eb.ref("excluded.tools"),
          entry: eb.ref("excluded.entry"),
        })),
      )
      .returning(["number", "domain"])
      .execute();
    await transaction
      .insertInto("stack_pending")
      .values(saved.map(({ number, domain }) => ({ number, base: before.get(domain)?.entry ?? null })))
      .onConflict((conflict) => conflict.column("number").doNothing())
      .execute();
  };

  const pendingRows = (from: Queries, limit: number) =>
    from
      .selectFrom("stack_pending")
      .innerJoin("stack_companies", "stack_companies.number", "stack_pending.number")
      .select(["stack_pending.number", "stack_pending.base", "stack_companies.entry"])
      .orderBy("stack_pending.number")
      .limit(limit)
      .execute();

  /** Bits of the companies in the posting lists that fulfil a condition. */
  const bitsOf = async ({ terms, list, filter }: Condition, chunks: number, lastDays: Uint16Array | null) => {
    const bits = emptyBits(chunks);
    for (let start = 0; start < terms.length; start += TERMS_PER_QUERY) {
      const rows = await queries
        .selectFrom("stack_postings")
        .select(["chunk", "content"])
        .where("term", "in", terms.slice(start, start + TERMS_PER_QUERY))
        .where("list", "=", LISTS[list])
        .execute();
      for (const { chunk, content } of rows)
        if (chunk < chunks) addMatches(bits, content, chunk, filter, list === "use" ? lastDays : null);
    }
    return bits;
  };

  const withPrefix = async (prefix: string, chunks: number): Promise<Uint32Array> => {
    const found = await queries
      .selectFrom("stack_companies")
      .select("number")
      .where("domain", ">=", prefix)
      .where("domain", "<", `${prefix}\u{10ffff}`)
      .execute();
    const bits = emptyBits(chunks);
    for (const { number } of found) setBit(bits, number, true);
    return bits;
  };

  const lastDaysOf = async (state: { incarnation: string; generation: number }, chunks: number) => {
    if (days?.incarnation === state.incarnation && days.generation === state.generation) return days.values;
    const values = new Uint16Array(chunks * CHUNK_SIZE);
    const rows = await queries
      .selectFrom("stack_postings")
      .select(["chunk", "content"])
      .where("term", "=", ALL_COMPANIES)
      .where("list", "=", LISTS.use)
      .execute();
    for (const { chunk, content } of rows) if (chunk < chunks) readDays(values, content, chunk);
    days = { ...state, values };
    return values;
  };

  /** @returns undefined when a merge changed the lists meanwhile */
  const findOnce = async (question: Question): Promise<Matches | undefined> => {
    const state = await stateOf(queries);
    if (!state) throw new Error("The stack index is not prepared.");
    const { newest } = await queries
      .selectFrom("stack_companies")
      .select((eb) => eb.fn.coalesce(eb.fn.max("number"), eb.val(-1)).as("newest"))
      .executeTakeFirstOrThrow();
    const pending = await pendingRows(queries, Number.MAX_SAFE_INTEGER);
    const chunks = Math.floor(Math.max(newest, pending.at(-1)?.number ?? -1) / CHUNK_SIZE) + 1;
    const conditions = [...question.all, ...question.any, ...question.none];
    const lastDays = conditions.some(({ list, filter }) => list === "use" && filter.since > 0)
      ? await lastDaysOf(state, chunks)
      : NO_DAYS;
    let bits: Uint32Array | undefined;
    const narrow = (other: Uint32Array) => {
      if (bits) for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) & (other[word] ?? 0);
      else bits = other;
    };
    for (const condition of question.all) narrow(await bitsOf(condition, chunks, lastDays));
    if (question.any.length > 0) {
      const any = emptyBits(chunks);
      for (const condition of question.any) {
        const other = await bitsOf(condition, chunks, lastDays);
        for (let word = 0; word < any.length; word++) any[word] = (any[word] ?? 0) | (other[word] ?? 0);
      }
      narrow(any);
    }
    bits ??= await bitsOf({ terms: [ALL_COMPANIES], list: "use", filter: ANY }, chunks, NO_DAYS);
    for (const condition of question.none) {
      const other = await bitsOf(condition, chunks, lastDays);
      for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) & ~(other[word] ?? 0);
    }
    const isMatch = matcherOf(question);
    for (const { number, entry } of pending) setBit(bits, number, isMatch(entry));
    if (question.prefix !== undefined) narrow(await withPrefix(question.prefix, chunks));
    const after = await stateOf(queries);
    if (after?.generation !== state.generation || after.incarnation !== state.incarnation) return undefined;
    return { bits, total: countBits(bits) };
  };

  const rows = async (numbers: readonly number[]): Promise<CompanyRow[]> => {
    const found = await inChunks(numbers, (some) =>
      queries.selectFrom("stack_companies").selectAll().where("number", "in", some).execute(),
    );
    return found
      .map(({ entry, ...row }) => ({ ...row, entry: decodeEntry(entry) }))
      .sort((a, b) => a.number - b.number);
  };

  return {
    isPrepared: async () => (await stateOf(queries))?.format === STACK_FORMAT,

    reset: () => inTransaction(queries, AREA, emptied),

    queued: (limit) => queries.selectFrom("stack_queue").selectAll().orderBy("domain").limit(limit).execute(),

    async countQueued() {
      const { total } = await queries
        .selectFrom("stack_queue")
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return total;
    },

    async countPending() {
      const { total } = await queries
        .selectFrom("stack_pending")
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return total;
    },

    async forget(domains) {
      if (domains.length > 0) await queries.deleteFrom("stack_queue").where("domain", "in", domains).execute();
    },

    async save(records) {
      for (let start = 0; start < records.length; start += ROWS_PER_INSERT) {
        const some = records.slice(start, start + ROWS_PER_INSERT);
        await inTransaction(queries, AREA, (transaction) => save(transaction, some));
      }
    },

    async removeIn(transaction, domains) {
      const found = await inChunks(domains, (some) =>
        transaction
          .selectFrom("stack_companies")
          .leftJoin("stack_pending", "stack_pending.number", "stack_companies.number")
          .select(["stack_companies.number", "entry", "base", "stack_pending.number as pending"])
          .where("domain", "in", some)
          .execute(),
      );
      if (found.length === 0) return 0;
      const rows = found.map(({ number, entry, base, pending }) => ({
        number,
        base: pending === null ? entry : base,
        entry: null,
      }));
      await mergeInto(transaction, rows);
      await inChunks(rows, async (some) => {
        const numbers = some.map(({ number }) => number);
        await transaction.deleteFrom("stack_pending").where("number", "in", numbers).execute();
        await transaction.deleteFrom("stack_companies").where("number", "in", numbers).execute();
        return [];
      });
      await transaction
        .updateTable("stack_state")
        .set((eb) => ({ generation: eb("generation", "+", 1) }))
        .where("id", "=", 1)
        .execute();
      return found.length;
    },

    merge: () =>
      inTransaction(queries, AREA, async (transaction) => {
        const pending = await pendingRows(transaction, MERGE_SIZE);
        if (pending.length === 0) return false;
        await mergeInto(transaction, pending);
        await transaction
          .deleteFrom("stack_pending")
          .where(
            "number",
            "in",
            pending.map(({ number }) => number),
          )
          .execute();
        await transaction
          .updateTable("stack_state")
          .set((eb) => ({ generation: eb("generation", "+", 1) }))
          .where("id", "=", 1)
          .execute();
        return pending.length === MERGE_SIZE;
      }),

    async find(question) {
      for (let attempt = 1; ; attempt++) {
        const found = await findOnce(question);
        if (found) return found;
        if (attempt === MAX_ATTEMPTS) throw new Error("The posting lists changed during every attempt of a search.");
      }
    },

    async page(found, { sort, limit, cursor }) {
      const order = ORDERS[sort];
      const columns = order.columns.map(([name]) => name);
      const select = queries.selectFrom("stack_companies").select(["number", "domain", "scanned_at", "tools"]);
      const positionOf = (row: SortedRow) => columns.map((name) => row[name]);
      const chosen: SortedRow[] = [];
      if (found && found.total <= MAX_SORTED) {
        const all = await inChunks([...companiesIn(found.bits)], (some) =>
          select.where("number", "in", some).execute(),
        );
        const after = cursor === undefined ? undefined : decodeCursor(order.list, typesOf(order), cursor);
        const sorted = all.sort((a, b) => compareRows(order, positionOf(a), positionOf(b)));
        const start = after ? sorted.findIndex((row) => compareRows(order, positionOf(row), after) > 0) : 0;
        if (start >= 0) chosen.push(...sorted.slice(start, start + limit + 1));
      } else {
        for (let next: string | null | undefined = cursor; chosen.length <= limit; ) {
          const walked: { rows: SortedRow[]; next_cursor: string | null } = await readPage(select, order, {
            limit: found ? WALK_SIZE : limit + 1,
            cursor: next,
          });
          chosen.push(...walked.rows.filter(({ number }) => !found || hasBit(found.bits, number)));
          if (walked.next_cursor === null) break;
          next = walked.next_cursor;
        }
      }
      const page = chosen.slice(0, limit);
      const last = page.at(-1);
      const byNumber = new Map((await rows(page.map(({ number }) => number))).map((row) => [row.number, row]));
      return {
        rows: page.flatMap(({ number }) => byNumber.get(number) ?? []),
        next_cursor: chosen.length > limit && last ? encodeCursor(order.list, positionOf(last)) : null,
      };
    },

    rows,

    async company(domain) {
      const row = await queries
        .selectFrom("stack_companies")
        .selectAll()
        .where("domain", "=", domain)
        .executeTakeFirst();
      return row && { ...row, entry: decodeEntry(row.entry) };
    },

    async countCompanies() {
      const { total } = await queries
        .selectFrom("stack_companies")
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return total;
    },

    term: (kind, key) =>
      queries.selectFrom("stack_terms").selectAll().where("kind", "=", kind).where("key", "=", key).executeTakeFirst(),

    toolNamed: (name) =>
      queries
        .selectFrom("stack_terms")
        .selectAll()
        .where("kind", "=", "tool")
        .where((eb) => eb.or([eb("key", "=", name), eb(eb.fn<string>("lower", ["name"]), "=", name)]))
        .orderBy("key")
        .limit(1)
        .executeTakeFirst(),

    termsWithPrefix: (kind, prefix, limit) =>
      queries
        .selectFrom("stack_terms")
        .selectAll()
        .where("kind", "=", kind)
        .where("key", ">=", prefix)
        .where("key", "<", `${prefix}\u{10ffff}`)
        .orderBy("key")
        .limit(limit)
        .execute(),

    async toolCounts() {
      const tools = await queries
        .selectFrom("stack_terms")
        .leftJoin("stack_counts", "stack_counts.term", "stack_terms.id")
        .select(["id", "kind", "key", "name", "category", "companies", "first_day", "last_day"])
        .where("kind", "=", "tool")
        .execute();
      const counts = new Map(
        tools.map(({ companies, first_day, last_day, ...term }) => [
          term.id,
          { ...term, companies: companies ?? 0, first_day: first_day ?? 0, last_day: last_day ?? 0 },
        ]),
      );
      for (const change of countChanges(await pendingRows(queries, Number.MAX_SAFE_INTEGER))) {
        const count = counts.get(change.term);
        if (!count) continue;
        count.companies += change.companies;
        count.first_day = Math.min(count.first_day || change.first_day, change.first_day || count.first_day);
        count.last_day = Math.max(count.last_day, change.last_day);
      }
      return [...counts.values()];
    },

    async termsById(ids) {
      const terms = await inChunks([...new Set(ids)], (some) =>
        queries.selectFrom("stack_terms").selectAll().where("id", "in", some).execute(),
      );
      return new Map(terms.map((term) => [term.id, term]));
    },
  };
}

const NO_DAYS = new Uint16Array(0);
const ANY = { minConfidence: 0, since: 0, until: 0xffff };

/** Numbers by kind and key. */
class TermNumbers {
  private readonly byKind = new Map<TermKind, Map<string, number>>();
  size = 0;
  get({ kind, key }: Pick<Term, "kind" | "key">): number | undefined {
    return this.byKind.get(kind)?.get(key);
  }
  set({ kind, key }: Pick<Term, "kind" | "key">, id: number): void {
    const ids = this.byKind.get(kind) ?? new Map();
    this.byKind.set(kind, ids.set(key, id));
    this.size += 1;
  }
  clear(): void {
    this.byKind.clear();
    this.size = 0;
  }
}

function entryOf(record: CompanyRecord, numberOf: (term: Term) => number): Entry {
  const byTerm = (a: { term: number }, b: { term: number }) => a.term - b.term;
  const events = (list: CompanyRecord["gone"]) =>
    list.map(({ term, day }) => ({ term: numberOf(term), day })).sort((a, b) => a.term - b.term || a.day - b.day);
  return {
    scanned: record.scanned,
    tools: record.tools.map(({ term, ...rest }) => ({ ...rest, term: numberOf(term) })).sort(byTerm),
    terms: [...new Set(record.terms.map(numberOf))].sort((a, b) => a - b),
    appeared: events(record.appeared),
    gone: events(record.gone),
  };
}

interface PendingRow {
  readonly number: number;
  readonly base: Uint8Array | null;
  /** Null for a company that is removed. */
  readonly entry: Uint8Array | null;
}

/** The postings that a pending company loses and gets. */
function changesOf({ number, base, entry }: PendingRow): { removed: EntryPosting[]; added: EntryPosting[] } {
  const after = entry === null ? [] : postingsOf(number, decodeEntry(entry));
  if (base === null) return { removed: [], added: after };
  const before = postingsOf(number, decodeEntry(base));
  // A list is changed as a whole for a company, since an event list may have several postings.
  const listOf = ({ term, list }: EntryPosting) => term * LIST_COUNT + list;
  const known = Map.groupBy(before, listOf);
  const wanted = Map.groupBy(after, listOf);
  const isSame = (one: EntryPosting[] = [], other: EntryPosting[] = []) =>
    one.length === other.length && one.every((posting, index) => isEqual(posting, other[index]));
  return {
    removed: before.filter((posting) => !isSame(known.get(listOf(posting)), wanted.get(listOf(posting)))),
    added: after.filter((posting) => !isSame(known.get(listOf(posting)), wanted.get(listOf(posting)))),
  };
}

const LIST_COUNT = Object.keys(LISTS).length;

const isEqual = (one: EntryPosting, other: EntryPosting | undefined): boolean =>
  one.confidence === other?.confidence && one.first === other.first && one.last === other.last;

async function mergeInto(transaction: Transaction<Tables>, pending: readonly PendingRow[]): Promise<void> {
  /** By chunk, then by list and term. */
  const chunks = new Map<number, Map<number, ListChange>>();
  const changeOf = (posting: EntryPosting): ListChange => {
    const chunk = Math.floor(posting.company / CHUNK_SIZE);
    const lists = chunks.get(chunk) ?? new Map<number, ListChange>();
    chunks.set(chunk, lists);
    const key = posting.term * LIST_COUNT + posting.list;
    let change = lists.get(key);
    if (!change) {
      change = { term: posting.term, list: posting.list, removed: new Set(), added: [] };
      lists.set(key, change);
    }
    return change;
  };
  for (const row of pending) {
    const { removed, added } = changesOf(row);
    for (const posting of removed) changeOf(posting).removed.add(posting.company);
    for (const posting of added) changeOf(posting).added.push(posting);
  }
  for (const [chunk, lists] of chunks) {
    for (const list of Object.values(LISTS)) {
      const changes = [...lists.values()].filter((change) => change.list === list);
      for (let start = 0; start < changes.length; start += ROWS_PER_INSERT)
        await changeLists(transaction, chunk, list, changes.slice(start, start + ROWS_PER_INSERT));
    }
  }
  const counts = countChanges(pending);
  for (let start = 0; start < counts.length; start += ROWS_PER_INSERT) {
    await transaction
      .insertInto("stack_counts")
      .values(counts.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict.column("term").doUpdateSet((eb) => ({
          companies: sql<number>`stack_counts.companies + excluded.companies`,
          first_day: eb
            .case()
            .when("excluded.first_day", "<", eb.ref("stack_counts.first_day"))
            .then(eb.ref("excluded.first_day"))
            .else(eb.ref("stack_counts.first_day"))
            .end(),
          last_day: eb
            .case()
            .when("excluded.last_day", ">", eb.ref("stack_counts.last_day"))
            .then(eb.ref("excluded.last_day"))
            .else(eb.ref("stack_counts.last_day"))
            .end(),
        })),
      )
      .execute();
  }
}

interface ListChange {
  readonly term: number;
  readonly list: number;
  readonly removed: Set<number>;
  readonly added: Posting[];
}

async function changeLists(
  transaction: Transaction<Tables>,
  chunk: number,
  list: number,
  changes: readonly ListChange[],
): Promise<void> {
  const terms = changes.map(({ term }) => term);
  const at = <T extends { where: (column: "chunk" | "list", sign: "=", value: number) => T }>(query: T) =>
    query.where("chunk", "=", chunk).where("list", "=", list);
  const stored = new Map(
    (
      await at(transaction.selectFrom("stack_postings").select(["term", "content"]))
        .where("term", "in", terms)
        .execute()
    ).map(({ term, content }) => [term, content]),
  );
  const written: Tables["stack_postings"][] = [];
  const emptied: number[] = [];
  for (const { term, removed, added } of changes) {
    const content = stored.get(term);
    const changed = changeChunk(content, removed, added);
    if (changed) written.push({ term, list, chunk, content: changed });
    else if (content) emptied.push(term);
  }
  if (written.length > 0)
    await transaction
      .insertInto("stack_postings")
      .values(written)
      .onConflict((conflict) =>
        conflict.columns(["term", "list", "chunk"]).doUpdateSet((eb) => ({ content: eb.ref("excluded.content") })),
      )
      .execute();
  if (emptied.length > 0) await at(transaction.deleteFrom("stack_postings")).where("term", "in", emptied).execute();
}

/** How pending companies change the numbers of companies. First and last days only widen. */
function countChanges(pending: readonly PendingRow[]): Tables["stack_counts"][] {
  const counts = new Map<number, Tables["stack_counts"]>();
  for (const { base, entry } of pending) {
    for (const [bytes, sign] of [
      [base, -1],
      [entry, 1],
    ] as const) {
      for (const { term, confidence, first, last } of bytes === null ? [] : decodeEntry(bytes).tools) {
        if (confidence < DEFAULT_CONFIDENCE) continue;
        const count = counts.get(term) ?? { term, companies: 0, first_day: first, last_day: last };
        count.companies += sign;
        count.first_day = Math.min(count.first_day, first);
        count.last_day = Math.max(count.last_day, last);
        counts.set(term, count);
      }
    }
  }
  return [...counts.values()];
}

type SortedRow = Pick<CompanyRow, "number" | "domain" | "scanned_at" | "tools">;
interface Order {
  readonly list: string;
  readonly columns: readonly (readonly [name: Sort, type: "string" | "number", direction?: "asc" | "desc"])[];
}

const ORDERS: Readonly<Record<Sort, Order>> = {
  domain: { list: "domains", columns: [["domain", "string"]] },
  scanned_at: {
    list: "domains by scan",
    columns: [
      ["scanned_at", "string", "desc"],
      ["domain", "string"],
    ],
  },
  tools: {
    list: "domains by tools",
    columns: [
      ["tools", "number", "desc"],
      ["domain", "string"],
    ],
  },
};

const typesOf = ({ columns }: Order) => columns.map(([, type]) => type);

/** In the order of the list, by code unit as in the database. */
function compareRows(
  { columns }: Order,
  one: readonly (string | number)[],
  other: readonly (string | number)[],
): number {
  for (const [index, [, , direction]] of columns.entries()) {
    const [a = "", b = ""] = [one[index], other[index]];
    if (a === b) continue;
    return (a < b ? -1 : 1) * (direction === "desc" ? -1 : 1);
  }
  return 0;
}
