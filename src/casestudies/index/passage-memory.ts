import type { ScoredRows } from "./best-rows.ts";
import { createKeptRows } from "./kept-rows.ts";
import { createVectors } from "./vectors.ts";
import { createWords } from "./words.ts";

/** Conditions applied before ranking; all must match. An empty list matches nothing. */
export interface PassageFilter {
  readonly company?: string | undefined;
  readonly industries?: readonly string[] | undefined;
  readonly client?: string | undefined;
  readonly country?: string | undefined;
  /** ISO dates, inclusive. Undated case studies match neither. */
  readonly publishedAfter?: string | undefined;
  readonly publishedBefore?: string | undefined;
  /** Ids of case studies. */
  readonly studies?: readonly string[] | undefined;
}

export const FACETS = ["company", "industry", "client", "country", "published_at"] as const;
export const NAMES = ["study", ...FACETS] as const;
type Name = (typeof NAMES)[number];

/** A column of few different values: each row names one of them. */
export interface Coded {
  readonly values: readonly (string | null)[];
  readonly codes: Uint32Array;
}

/** Passages by column, as they are stored and sent to the thread that searches them. */
export interface PassageRows {
  readonly passages: Float64Array;
  /** The write that stored each row: rewriting a passage changes it. */
  readonly writes: Float64Array;
  readonly names: Readonly<Record<Name, Coded>>;
  readonly vectors: Int8Array;
  /** Zero for a passage without a vector. */
  readonly scales: Float32Array;
  /** Of all rows, one after another. */
  readonly terms: Uint32Array;
  /** Where the terms of each row begin, and where those of the last one end. */
  readonly offsets: Uint32Array;
}

/** Passages that were found, best first. */
export interface FoundPassages {
  readonly passages: readonly number[];
  /** Ids of their case studies. */
  readonly studies: readonly string[];
  /** By vector the cosine similarity, by words BM25. */
  readonly scores: readonly number[];
}

/** All passages of an index, searched in memory. */
export interface PassageMemory {
  /** Adds passages; a passage that is there already is replaced. */
  add(rows: PassageRows): void;
  remove(studies: readonly string[]): void;
  /**
   * Removes what is not among these passages.
   *
   * @returns the writes of those that are missing or were rewritten
   */
  keepOnly(passages: Float64Array, writes: Float64Array): number[];
  nearest(vector: Float32Array, limit: number, filter: PassageFilter): FoundPassages;
  keyword(terms: Uint32Array, limit: number, filter: PassageFilter): FoundPassages;
  counts(): { readonly passages: number; readonly removed: number };
}

const NONE = -1;
/** For rows that match a filter: with 421,000 passages 190 filters that a twentieth of them match. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;

/** The rows, ascending, of which each test passes the code. */
function rowsThatPass(count: number, [first, ...others]: readonly Test[]): Uint32Array {
  let rows = new Uint32Array(1_024);
  let found = 0;
  const { codes, passes } = first!;
  for (let row = 0; row < count; row += 1) {
    if (passes[codes[row]!] === 0) continue;
    if (found === rows.length) {
      const larger = new Uint32Array(found * 2);
      larger.set(rows);
      rows = larger;
    }
    rows[found++] = row;
  }
  for (const { codes: own, passes: wanted } of others) {
    const before = found;
    found = 0;
    for (let at = 0; at < before; at += 1) if (wanted[own[rows[at]!]!] === 1) rows[found++] = rows[at]!;
  }
  return rows.slice(0, found);
}

/** Of a column: its codes by row, and by code whether it passes. */
interface Test {
  readonly codes: Uint32Array;
  readonly passes: Uint8Array;
}

/** A column of all rows. */
function createNames() {
  const codeOf = new Map<string | null, number>();
  const values: (string | null)[] = [];
  let codes = new Uint32Array(1_024);
  return {
    values,
    code(value: string | null): number {
      let code = codeOf.get(value);
      if (code === undefined) {
        code = values.push(value) - 1;
        codeOf.set(value, code);
      }
      return code;
    },
    find: (value: string) => codeOf.get(value),
    set(row: number, code: number) {
      if (row >= codes.length) {
        const larger = new Uint32Array(codes.length * 2);
        larger.set(codes);
        codes = larger;
      }
      codes[row] = code;
    },
    get: (row: number): number => codes[row]!,
    all: (): Uint32Array => codes,
  };
}

export function createPassageMemory(dimensions: number): PassageMemory {
  const vectors = createVectors(dimensions);
  const words = createWords();
  const names = Object.fromEntries(NAMES.map((name) => [name, createNames()])) as Record<
    Name,
    ReturnType<typeof createNames>
  >;
  /** `NONE` for a row that was removed. */
  const passages: number[] = [];
  const writes: number[] = [];
  const rowOf = new Map<number, number>();
  /** The rows of a case study: the last one, and for each row the one before. */
  const lastOfStudy: number[] = [];
  const previous: number[] = [];
  let removed = 0;
  /** By filter, until rows are added; searches skip those that were removed. */
  const keptRows = createKeptRows(MOST_KEPT_BYTES);

  const isWanted = (row: number) => passages[row] !== NONE;

  const removeRow = (row: number) => {
    if (passages[row] === NONE) return;
    rowOf.delete(passages[row]!);
    passages[row] = NONE;
    removed += 1;
  };

  const removeStudy = (study: string) => {
    const code = names.study.find(study);
    if (code === undefined) return;
    for (let row = lastOfStudy[code] ?? NONE; row !== NONE; row = previous[row]!) removeRow(row);
    lastOfStudy[code] = NONE;
  };

  /** The tests of a filter; none when it has no conditions. */
  const testsOf = (filter: PassageFilter): readonly Test[] => {
    const tests: Test[] = [];
    const compare = (name: Name, passes: (value: string) => boolean) => {
      const { values, all } = names[name];
      tests.push({ codes: all(), passes: Uint8Array.from(values, (value) => Number(value !== null && passes(value))) });
    };
    const oneOf = (name: Name, wanted: readonly string[]) => {
      const passes = new Uint8Array(names[name].values.length);
      for (const value of wanted) {
        const code = names[name].find(value);
        if (code !== undefined) passes[code] = 1;
      }
      tests.push({ codes: names[name].all(), passes });
    };
    const { company, industries, client, country, publishedAfter, publishedBefore, studies } = filter;
    if (studies) oneOf("study", studies);
    if (company !== undefined) oneOf("company", [company]);
    if (client !== undefined) oneOf("client", [client]);
    if (industries) oneOf("industry", industries);
    if (country !== undefined) oneOf("country", [country]);
    if (publishedAfter !== undefined) compare("published_at", (date) => date >= publishedAfter);
    if (publishedBefore !== undefined) compare("published_at", (date) => date <= publishedBefore);
    return tests;
  };

  /** The rows that match, in ascending order; undefined when there are no conditions. */
  const matching = (filter: PassageFilter): Uint32Array | undefined => {
    if (Object.values(filter).every((value) => value === undefined)) return undefined;
    return keptRows.get(JSON.stringify(filter), () => rowsThatPass(passages.length, testsOf(filter)).filter(isWanted));
  };

  const found = ({ rows, scores }: ScoredRows): FoundPassages => ({
    passages: rows.map((row) => passages[row]!),
    studies: rows.map((row) => names.study.values[names.study.get(row)]!),
    scores,
  });

  return {
    add(rows) {
      keptRows.clear();
      vectors.add(rows.vectors, rows.scales);
      const codes = NAMES.map((name) => {
        const { values, codes: given } = rows.names[name];
        return { column: names[name], codes: values.map(names[name].code), given };
      });
      for (let at = 0; at < rows.passages.length; at += 1) {
        const passage = rows.passages[at]!;
        const row = passages.length;
        const replaced = rowOf.get(passage);
        if (replaced !== undefined) removeRow(replaced);
        for (const { column, codes: own, given } of codes) column.set(row, own[given[at]!]!);
        words.add(rows.terms.subarray(rows.offsets[at]!, rows.offsets[at + 1]!));
        passages.push(passage);
        writes.push(rows.writes[at]!);
        rowOf.set(passage, row);
        const study = names.study.get(row);
        previous.push(lastOfStudy[study] ?? NONE);
        lastOfStudy[study] = row;
      }
    },

    remove(studies) {
      for (const study of studies) removeStudy(study);
    },

    keepOnly(wanted, theirWrites) {
      const missing = new Set<number>();
      const kept = new Uint8Array(passages.length);
      for (let at = 0; at < wanted.length; at += 1) {
        const row = rowOf.get(wanted[at]!);
        if (row !== undefined && writes[row] === theirWrites[at]) kept[row] = 1;
        else missing.add(theirWrites[at]!);
      }
      for (let row = 0; row < kept.length; row += 1) if (kept[row] === 0) removeRow(row);
      return [...missing];
    },

    nearest: (vector, limit, filter) => found(vectors.nearest(vector, limit, { among: matching(filter), isWanted })),

    keyword: (terms, limit, filter) =>
      found(words.find(terms, limit, { among: matching(filter), isWanted, rows: rowOf.size })),

    counts: () => ({ passages: rowOf.size, removed }),
  };
}
