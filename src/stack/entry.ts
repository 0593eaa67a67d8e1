import type { Posting, PostingFilter } from "./postings.ts";

/** A tool in use at a company. */
export interface EntryTool {
  /** Number of the term. */
  readonly term: number;
  /** 0–100. */
  readonly confidence: number;
  /** Days, see `dayOf`. */
  readonly first: number;
  readonly last: number;
}

/** A tool that appeared at a company or disappeared. */
export interface EntryEvent {
  readonly term: number;
  readonly day: number;
}

/** What the index knows about one company. Every list is ascending by term, then day. */
export interface Entry {
  /** Day of the newest scan. */
  readonly scanned: number;
  readonly tools: readonly EntryTool[];
  /** Terms without attributes: raw signals, the top-level domain. */
  readonly terms: readonly number[];
  readonly appeared: readonly EntryEvent[];
  readonly gone: readonly EntryEvent[];
}

/** Lists that a term may have. */
export const LISTS = { use: 0, appeared: 1, gone: 2 } as const;
export type List = keyof typeof LISTS;

/** The term of the list of all companies; its first days are those of their newest scans. */
export const ALL_COMPANIES = 0;

const FORMAT = 1;

/** Numbers in seven bits each, the lowest first; the highest bit says that more follow. */
export function encodeEntry({ scanned, tools, terms, appeared, gone }: Entry): Uint8Array {
  const bytes: number[] = [FORMAT];
  const put = (value: number) => {
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  };
  put(scanned);
  put(tools.length);
  let previous = 0;
  for (const { term, confidence, first, last } of tools) {
    put(term - previous);
    put(confidence);
    put(first);
    // As old as the newest scan, as a rule.
    put(Math.max(0, scanned - last));
    previous = term;
  }
  put(terms.length);
  previous = 0;
  for (const term of terms) {
    put(term - previous);
    previous = term;
  }
  for (const events of [appeared, gone]) {
    put(events.length);
    previous = 0;
    for (const { term, day } of events) {
      put(term - previous);
      put(day);
      previous = term;
    }
  }
  return Uint8Array.from(bytes);
}

interface EntryReader {
  scanned(day: number): void;
  tool(term: number, confidence: number, first: number, last: number): void;
  term(term: number): void;
  event(list: "appeared" | "gone", term: number, day: number): void;
}

const EVENT_LISTS = ["appeared", "gone"] as const;

/** @throws RangeError for bytes that this release did not write */
function readEntry(bytes: Uint8Array, reader: EntryReader): void {
  let at = 1;
  const take = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new RangeError("An entry of the stack index is damaged.");
  };
  if (bytes[0] !== FORMAT) throw new RangeError("An entry of the stack index has an unknown format.");
  const scanned = take();
  const tools = take();
  reader.scanned(scanned);
  let term = 0;
  for (let left = tools; left > 0; left--) {
    term += take();
    const confidence = take();
    const first = take();
    reader.tool(term, confidence, first, scanned - take());
  }
  term = 0;
  for (let left = take(); left > 0; left--) {
    term += take();
    reader.term(term);
  }
  for (const list of EVENT_LISTS) {
    term = 0;
    for (let left = take(); left > 0; left--) {
      term += take();
      reader.event(list, term, take());
    }
  }
}

/** @throws RangeError for bytes that this release did not write */
export function decodeEntry(bytes: Uint8Array): Entry {
  let scanned = 0;
  const tools: EntryTool[] = [];
  const terms: number[] = [];
  const events: Record<"appeared" | "gone", EntryEvent[]> = { appeared: [], gone: [] };
  readEntry(bytes, {
    scanned(day) {
      scanned = day;
    },
    tool: (term, confidence, first, last) => void tools.push({ term, confidence, first, last }),
    term: (term) => void terms.push(term),
    event: (list, term, day) => void events[list].push({ term, day }),
  });
  return { scanned, tools, terms, ...events };
}

/** A posting and the list that it belongs to. */
export interface EntryPosting extends Posting {
  readonly term: number;
  readonly list: number;
}

/** Every posting of a company. */
export function postingsOf(company: number, { scanned, tools, terms, appeared, gone }: Entry): EntryPosting[] {
  const none = { company, confidence: 0, first: 0, last: 0 };
  const events = (list: number, entries: readonly EntryEvent[]) =>
    entries.map(({ term, day }) => ({ ...none, term, list, first: day }));
  return [
    { ...none, term: ALL_COMPANIES, list: LISTS.use, first: scanned },
    ...tools.map(({ term, confidence, first, last }) => ({
      company,
      term,
      list: LISTS.use,
      confidence,
      first,
      last: last === scanned ? 0 : last,
    })),
    ...terms.map((term) => ({ ...none, term, list: LISTS.use })),
    ...events(LISTS.appeared, appeared),
    ...events(LISTS.gone, gone),
  ];
}

/** Companies where one of the terms has a posting that passes the filter. */
export interface Condition {
  readonly terms: readonly number[];
  readonly list: List;
  readonly filter: PostingFilter;
}

/** A Boolean question in numbers. */
export interface Question {
  readonly all: readonly Condition[];
  /** At least one, unless the list is empty. */
  readonly any: readonly Condition[];
  readonly none: readonly Condition[];
  /** Start of the domain. */
  readonly prefix?: string | undefined;
}

/**
 * A function that says whether an encoded entry answers the question: for companies that the posting lists do not contain
 * yet. It reads the entry without building it, because a search checks a thousand.
 *
 * @throws RangeError for bytes that this release did not write
 */
export function matcherOf({ all, any, none }: Question): (entry: Uint8Array) => boolean {
  const conditions = [...all, ...any, ...none];
  const byTerm = (list: List) => {
    const found = new Map<number, number[]>();
    for (const [index, condition] of conditions.entries())
      if (condition.list === list)
        for (const term of new Set(condition.terms)) found.set(term, [...(found.get(term) ?? []), index]);
    return found;
  };
  const ofList = { use: byTerm("use"), appeared: byTerm("appeared"), gone: byTerm("gone") };
  const holds = new Uint8Array(conditions.length);
  const NONE: readonly number[] = [];
  return (bytes) => {
    holds.fill(0);
    const check = (list: List, term: number, confidence: number, first: number, last: number) => {
      for (const index of ofList[list].get(term) ?? NONE) {
        const { minConfidence, since, until } = conditions[index]?.filter ?? NOTHING;
        if (confidence >= minConfidence && last >= since && first <= until) holds[index] = 1;
      }
    };
    readEntry(bytes, {
      scanned: (day) => check("use", ALL_COMPANIES, 100, day, day),
      tool: (term, confidence, first, last) => check("use", term, confidence, first, last),
      term: (term) => check("use", term, 100, 0, LAST),
      event: (list, term, day) => check(list, term, 100, day, day),
    });
    for (let index = 0; index < all.length; index++) if (holds[index] === 0) return false;
    for (let index = all.length + any.length; index < conditions.length; index++) if (holds[index] === 1) return false;
    if (any.length === 0) return true;
    for (let index = 0; index < any.length; index++) if (holds[all.length + index] === 1) return true;
    return false;
  };
}

const LAST = 0xffff;
const NOTHING = { minConfidence: 101, since: 0, until: 0 };
