import { stemOf, WORD } from "../text/stem.ts";
import { createBestRows, type ScoredRows } from "./best-rows.ts";
import { startKernel } from "./kernel.ts";

/**
 * Words of passages, searched by BM25 in memory: each term has a list of its rows, which are all read. Exact, and with
 * 421,000 passages faster than an engine that skips rows and must be called through its planner.
 */
export interface Words {
  /** Appends a row with its terms, as they were read. */
  add(terms: Uint32Array): void;
  /** Rows with any of the terms of a query, by BM25, among those given, else of all that `isWanted`. */
  find(
    query: Uint32Array,
    limit: number,
    wanted: {
      readonly among?: Uint32Array | undefined;
      readonly isWanted: (row: number) => boolean;
      /** Number of rows that can be found. */
      readonly rows: number;
    },
  ): ScoredRows;
}

/** English words too common to distinguish passages. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its " +
    "itself they them their theirs themselves what which who whom this that these those am is are was were be been being " +
    "have has had having do does did doing a an the and but if or because as until while of at by for with about against " +
    "between into through during before after above below to from up down in out on off over under again further then " +
    "once here there when where why how all any both each few more most other some such no nor not only own same so than " +
    "too very can will just don should now s t"
  ).split(" "),
);

/** Longer runs of letters and digits are no words. */
const MAX_WORD = 40;
/** A term is 28 bits of a hash of its stem, so that it fits 32 bits with its frequency. */
const FREQUENCY_BITS = 4;
const MOST_FREQUENT = (1 << FREQUENCY_BITS) - 1;
/** BM25's usual parameters: saturation of the frequency, effect of the length. */
const K1 = 1.2;
const B = 0.75;
/** Longer passages count as this long. */
const LONGEST = 1_023;
const MOST_KNOWN = 200_000;
const NO_TERM = -1;
/** Postings that are copied into the memory of the kernel at once, and rows that are considered at once. */
const [COPIED, CONSIDERED] = [16_384, 4_096];
const PAGE = 65_536;
/** Of so many rows the postings are looked up; with more, reading the whole lists takes less time. */
const FEW = 1_000;

/** FNV-1a, with its bits mixed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Returns the number of words of a text, then its terms with their frequencies, up to 15. */
export type ReadTerms = (text: string) => Uint32Array;

/** Stemming dominates the cost, so that the terms of words are kept. */
export function createTermReader(): ReadTerms {
  let known = new Map<string, number>();
  const termOf = (word: string): number => {
    let term = known.get(word);
    if (term === undefined) {
      // Stems that are in the list, so that "before" and "because", whose stems are not, count.
      const stem = stemOf(word.toLowerCase());
      term = word.length > MAX_WORD || STOP_WORDS.has(stem) ? NO_TERM : hashOf(stem) >>> FREQUENCY_BITS;
      if (known.size >= MOST_KNOWN) known = new Map();
      known.set(word, term);
    }
    return term;
  };
  return (text) => {
    const counts = new Map<number, number>();
    let length = 0;
    for (const [word] of text.matchAll(WORD)) {
      const term = termOf(word);
      if (term === NO_TERM) continue;
      length += 1;
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    const terms = new Uint32Array(1 + counts.size);
    terms[0] = length;
    let at = 1;
    for (const [term, count] of counts) terms[at++] = (term << FREQUENCY_BITS) | Math.min(count, MOST_FREQUENT);
    return terms;
  };
}

/**
 * The rows of terms. A posting is a row with the frequency of the term in the lowest bits; the postings of a term are in
 * the order of their rows.
 */
interface Segment {
  /** Ascending. */
  readonly terms: Uint32Array;
  /** Where the postings of each term begin, and where those of the last one end. */
  readonly starts: Uint32Array;
  readonly postings: Uint32Array;
}

/** Postings that are sorted together: sorting them takes twice their memory. */
const SORTED_AT_ONCE = 1 << 22;
const DIGIT_BITS = 10;

/** Sorts postings by term, those of a term in the given order. */
function segmentOf(terms: Uint32Array, postings: Uint32Array): Segment {
  const count = terms.length;
  let [from, to] = [
    { terms: terms.slice(), postings: postings.slice() },
    { terms: new Uint32Array(count), postings: new Uint32Array(count) },
  ];
  for (let shift = 0; shift < 32 - FREQUENCY_BITS; shift += DIGIT_BITS) {
    const mask = (1 << DIGIT_BITS) - 1;
    const places = new Uint32Array(mask + 2);
    for (let at = 0; at < count; at += 1) places[((from.terms[at]! >>> shift) & mask) + 1]! += 1;
    for (let digit = 0; digit < mask; digit += 1) places[digit + 1]! += places[digit]!;
    for (let at = 0; at < count; at += 1) {
      const term = from.terms[at]!;
      const digit = (term >>> shift) & mask;
      const place = places[digit]!;
      places[digit] = place + 1;
      to.terms[place] = term;
      to.postings[place] = from.postings[at]!;
    }
    [from, to] = [to, from];
  }
  let distinct = 0;
  for (let at = 0; at < count; at += 1) if (at === 0 || from.terms[at] !== from.terms[at - 1]) distinct += 1;
  const own = new Uint32Array(distinct);
  const starts = new Uint32Array(distinct + 1);
  for (let at = 0, next = 0; at < count; at += 1) {
    if (at > 0 && from.terms[at] === from.terms[at - 1]) continue;
    own[next] = from.terms[at]!;
    starts[next] = at;
    next += 1;
  }
  starts[distinct] = count;
  return { terms: own, starts, postings: from.postings };
}

/** Joins two segments, the second one of later rows. */
function joined(one: Segment, two: Segment): Segment {
  const terms = new Uint32Array(one.terms.length + two.terms.length);
  const starts = new Uint32Array(terms.length + 1);
  const postings = new Uint32Array(one.postings.length + two.postings.length);
  let count = 0;
  let end = 0;
  const take = ({ starts: given, postings: those }: Segment, at: number) => {
    for (let from = given[at]!; from < given[at + 1]!; from += 1) postings[end++] = those[from]!;
  };
  for (let first = 0, second = 0; first < one.terms.length || second < two.terms.length; count += 1) {
    const [ofOne = Number.POSITIVE_INFINITY, ofTwo = Number.POSITIVE_INFINITY] = [one.terms[first], two.terms[second]];
    terms[count] = Math.min(ofOne, ofTwo);
    starts[count] = end;
    if (ofOne <= ofTwo) take(one, first++);
    if (ofTwo <= ofOne) take(two, second++);
  }
  starts[count] = end;
  return { terms: terms.slice(0, count), starts: starts.slice(0, count + 1), postings };
}

/** The place of a term; the number of terms if it is not there. */
function placeOf(term: number, { terms }: Segment): number {
  let [from, to] = [0, terms.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (terms[middle]! < term) from = middle + 1;
    else to = middle;
  }
  return terms[from] === term ? from : terms.length;
}

/** The postings of these rows, both in ascending order. */
function postingsOf(among: Uint32Array, list: Uint32Array): Uint32Array {
  const found: number[] = [];
  let at = 0;
  for (const row of among) {
    // By twice as many each time, then by halves: most are far apart.
    let step = 1;
    while (at + step < list.length && list[at + step]! >>> FREQUENCY_BITS < row) step *= 2;
    let end = Math.min(at + step, list.length);
    while (at < end) {
      const middle = (at + end) >>> 1;
      if (list[middle]! >>> FREQUENCY_BITS < row) at = middle + 1;
      else end = middle;
    }
    for (; at < list.length && list[at]! >>> FREQUENCY_BITS === row; at += 1) found.push(list[at]!);
  }
  return Uint32Array.from(found);
}

export function createWords(): Words {
  /** Of descending size; those of later rows last. */
  const segments: Segment[] = [];
  /** Postings that are in no segment yet. */
  let waiting = { terms: new Uint32Array(1_024), postings: new Uint32Array(1_024) };
  let waitingCount = 0;
  let rows = 0;
  let words = 0;
  const kernel = startKernel();
  /** In the memory of the kernel: what one search needs, the lengths of all rows, their scores. */
  const places = COPIED * 4;
  const damping = places + CONSIDERED * 4;
  const lengths = damping + (LONGEST + 1) * 4;
  let capacity = CONSIDERED;
  let scores = lengths + capacity * 2;
  const reserve = () => {
    const missing = scores + capacity * 4 - kernel.memory.buffer.byteLength;
    if (missing > 0) kernel.memory.grow(Math.ceil(missing / PAGE));
    return new Uint16Array(kernel.memory.buffer, lengths, capacity);
  };
  let lengthOf = reserve();
  /** The scores are zero between searches, the lengths of rows to come always. */
  const enlarge = () => {
    capacity *= 2;
    scores = lengths + capacity * 2;
    lengthOf = reserve();
  };

  const sortWaiting = () => {
    if (waitingCount === 0) return;
    segments.push(segmentOf(waiting.terms.subarray(0, waitingCount), waiting.postings.subarray(0, waitingCount)));
    waitingCount = 0;
    for (;;) {
      const [one, two] = segments.slice(-2);
      if (!one || !two || one.postings.length >= two.postings.length * 2) return;
      segments.splice(-2, 2, joined(one, two));
    }
  };

  return {
    add(terms) {
      if (rows === capacity) enlarge();
      lengthOf[rows] = Math.min(terms[0]!, LONGEST);
      words += terms[0]!;
      if (waitingCount + terms.length > SORTED_AT_ONCE) sortWaiting();
      if (waitingCount + terms.length > waiting.terms.length) {
        const larger = (list: Uint32Array) => {
          const copy = new Uint32Array(Math.max(list.length * 2, waitingCount + terms.length));
          copy.set(list);
          return copy;
        };
        waiting = { terms: larger(waiting.terms), postings: larger(waiting.postings) };
      }
      for (let at = 1; at < terms.length; at += 1) {
        const packed = terms[at]!;
        waiting.terms[waitingCount] = packed >>> FREQUENCY_BITS;
        waiting.postings[waitingCount] = (rows << FREQUENCY_BITS) | (packed & MOST_FREQUENT);
        waitingCount += 1;
      }
      rows += 1;
    },

    find(query, limit, { among, isWanted, rows: findable }) {
      sortWaiting();
      const best = createBestRows(limit);
      if (rows === 0) return best.sorted();
      const mean = words / rows;
      const memory = kernel.memory.buffer;
      const dampings = new Float32Array(memory, damping, LONGEST + 1);
      for (let length = 0; length <= LONGEST; length += 1) dampings[length] = K1 * (1 - B + (B * length) / mean);
      const copied = new Uint32Array(memory, 0, COPIED);
      const isFew = among !== undefined && among.length <= FEW;
      for (const packed of query.subarray(1)) {
        const lists = segments.flatMap((segment) => {
          const place = placeOf(packed >>> FREQUENCY_BITS, segment);
          return place === segment.terms.length
            ? []
            : [segment.postings.subarray(segment.starts[place]!, segment.starts[place + 1]!)];
        });
        // Rows that were removed are still in the lists.
        const containing = Math.min(
          lists.reduce((sum, { length }) => sum + length, 0),
          findable,
        );
        const weight = Math.log(1 + (findable - containing + 0.5) / (containing + 0.5)) * (K1 + 1);
        for (const whole of lists) {
          const list = isFew ? postingsOf(among, whole) : whole;
          for (let from = 0; from < list.length; from += COPIED) {
            const part = list.subarray(from, from + COPIED);
            copied.set(part);
            kernel.score(0, part.length, weight, lengths, damping, scores);
          }
        }
      }
      const all = new Float32Array(memory, scores, Math.ceil(rows / CONSIDERED) * CONSIDERED);
      const consider = (row: number) => {
        const score = all[row]!;
        if (score > best.least && score > 0 && isWanted(row)) best.add(row, score);
      };
      if (among) {
        for (let at = 0, least = 0; at < among.length; at += 1) {
          if (all[among[at]!]! <= least) continue;
          consider(among[at]!);
          least = Math.max(0, best.least);
        }
      } else {
        const above = new Uint32Array(memory, places, CONSIDERED);
        for (let from = 0; from < rows; from += CONSIDERED) {
          const count = kernel.above(scores + from * 4, CONSIDERED, Math.max(0, best.least), places);
          for (let at = 0; at < count; at += 1) consider(from + above[at]!);
        }
      }
      if (isFew) for (const row of among) all[row] = 0;
      else all.fill(0);
      return best.sorted();
    },
  };
}
