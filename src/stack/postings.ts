/** Companies in one chunk of a posting list. A rescan rewrites the chunks of the lists that changed, so they are small. */
export const CHUNK_SIZE = 1 << 14;
const BITMAP_BYTES = CHUNK_SIZE / 8;

/** One company in the list of a term. Columns that a list does not need are 0. */
export interface Posting {
  /** Number of the company. */
  readonly company: number;
  /** 0–100. */
  readonly confidence: number;
  /** Day, see `dayOf`: first seen, or the day of the event. */
  readonly first: number;
  /** Day; 0 when it is the day of the company's newest scan, so that a rescan does not change every list. */
  readonly last: number;
}

/**
 * The postings of one chunk, as they are stored, little-endian:
 *
 * | bytes | holds |
 * | --- | --- |
 * | 1 | which parts follow |
 * | 1 | the lowest confidence |
 * | 2 | zero |
 * | 4 | number of postings |
 * | 2 each, or 2,048 | positions of the companies in the chunk, ascending, or a bitmap of them, whichever is smaller |
 * | 2 each, if any is not 0 | first days |
 * | 2 each, if any is not 0 | last days |
 * | 1 each, if any is not 0 | confidences |
 *
 * An event list may contain a company more than once.
 */
const HEADER_BYTES = 8;
const IS_BITMAP = 1;
const HAS_FIRST = 2;
const HAS_LAST = 4;
const HAS_CONFIDENCE = 8;

/** Columns of a list under construction; `count` of their rows are in use. */
interface Rows {
  count: number;
  readonly positions: Uint16Array;
  readonly first: Uint16Array;
  readonly last: Uint16Array;
  readonly confidence: Uint8Array;
}

const rowsFor = (count: number): Rows => ({
  count: 0,
  positions: new Uint16Array(count),
  first: new Uint16Array(count),
  last: new Uint16Array(count),
  confidence: new Uint8Array(count),
});

function encodeRows({ count, positions, first, last, confidence }: Rows): Uint8Array {
  let flags = 0;
  let least = 255;
  let isRepeated = false;
  for (let index = 0; index < count; index++) {
    const value = confidence[index] ?? 0;
    if (first[index] !== 0) flags |= HAS_FIRST;
    if (last[index] !== 0) flags |= HAS_LAST;
    if (value !== 0) flags |= HAS_CONFIDENCE;
    if (value < least) least = value;
    if (index > 0 && positions[index] === positions[index - 1]) isRepeated = true;
  }
  if (!isRepeated && count * 2 > BITMAP_BYTES) flags |= IS_BITMAP;
  const positionBytes = flags & IS_BITMAP ? BITMAP_BYTES : count * 2;
  const columns = (flags & HAS_FIRST ? 2 : 0) + (flags & HAS_LAST ? 2 : 0) + (flags & HAS_CONFIDENCE ? 1 : 0);
  const bytes = new Uint8Array(HEADER_BYTES + positionBytes + count * columns);
  const words = new Uint16Array(bytes.buffer, 0, bytes.length >> 1);
  bytes[0] = flags;
  bytes[1] = least;
  words[2] = count & 0xffff;
  words[3] = count >>> 16;
  let at = HEADER_BYTES / 2;
  if (flags & IS_BITMAP) {
    for (let index = 0; index < count; index++) {
      const position = positions[index] ?? 0;
      const byte = HEADER_BYTES + (position >> 3);
      bytes[byte] = (bytes[byte] ?? 0) | (1 << (position & 7));
    }
  } else words.set(positions.subarray(0, count), at);
  at += positionBytes >> 1;
  if (flags & HAS_FIRST) {
    words.set(first.subarray(0, count), at);
    at += count;
  }
  if (flags & HAS_LAST) {
    words.set(last.subarray(0, count), at);
    at += count;
  }
  if (flags & HAS_CONFIDENCE) bytes.set(confidence.subarray(0, count), at * 2);
  return bytes;
}

/** The parts of a stored chunk, without copies where the memory allows it. */
interface Columns {
  readonly count: number;
  readonly leastConfidence: number;
  /** Positions in the chunk; a bitmap is expanded only by those who need the positions. */
  readonly bitmap: Uint8Array | null;
  readonly positions: Uint16Array | null;
  readonly first: Uint16Array | null;
  readonly last: Uint16Array | null;
  readonly confidence: Uint8Array | null;
}

/** @throws RangeError for bytes that no release wrote */
function columnsOf(stored: Uint8Array): Columns {
  const bytes = stored.byteOffset % 2 === 0 ? stored : stored.slice();
  const flags = bytes[0] ?? 0;
  const words = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  const count = (words[2] ?? 0) + (words[3] ?? 0) * 65_536;
  const isBitmap = (flags & IS_BITMAP) !== 0;
  const start = HEADER_BYTES / 2;
  const firstAt = start + (isBitmap ? BITMAP_BYTES / 2 : count);
  const lastAt = firstAt + (flags & HAS_FIRST ? count : 0);
  const confidenceAt = (lastAt + (flags & HAS_LAST ? count : 0)) * 2;
  const end = confidenceAt + (flags & HAS_CONFIDENCE ? count : 0);
  if (end !== bytes.length) throw new RangeError("A chunk of a posting list has a wrong length.");
  return {
    count,
    leastConfidence: bytes[1] ?? 0,
    bitmap: isBitmap ? bytes.subarray(HEADER_BYTES, HEADER_BYTES + BITMAP_BYTES) : null,
    positions: isBitmap ? null : words.subarray(start, start + count),
    first: flags & HAS_FIRST ? words.subarray(firstAt, firstAt + count) : null,
    last: flags & HAS_LAST ? words.subarray(lastAt, lastAt + count) : null,
    confidence: flags & HAS_CONFIDENCE ? bytes.subarray(confidenceAt, end) : null,
  };
}

function positionsIn({ bitmap, positions, count }: Columns): Uint16Array {
  if (positions) return positions;
  const expanded = new Uint16Array(count);
  let index = 0;
  for (let byte = 0; byte < BITMAP_BYTES; byte++) {
    for (let bits = bitmap?.[byte] ?? 0; bits !== 0; bits &= bits - 1)
      expanded[index++] = (byte << 3) | (31 - Math.clz32(bits & -bits));
  }
  return expanded;
}

export function decodeChunk(stored: Uint8Array, chunk: number): Posting[] {
  const columns = columnsOf(stored);
  const positions = positionsIn(columns);
  const base = chunk * CHUNK_SIZE;
  return Array.from(positions, (position, index) => ({
    company: base + position,
    confidence: columns.confidence?.[index] ?? 0,
    first: columns.first?.[index] ?? 0,
    last: columns.last?.[index] ?? 0,
  }));
}

/**
 * A chunk after changes.
 *
 * @param stored undefined when there is none yet
 * @param removed companies that lose their postings
 * @param added ascending by company
 * @returns null when nothing is left
 */
export function changeChunk(
  stored: Uint8Array | undefined,
  removed: ReadonlySet<number>,
  added: readonly Posting[],
): Uint8Array | null {
  const columns = stored ? columnsOf(stored) : undefined;
  const positions = columns ? positionsIn(columns) : new Uint16Array(0);
  const rows = rowsFor(positions.length + added.length);
  const gone = new Set([...removed].map((company) => company & (CHUNK_SIZE - 1)));
  let next = 0;
  const addUntil = (position: number) => {
    for (let add = added[next]; add && (add.company & (CHUNK_SIZE - 1)) < position; add = added[++next]) {
      rows.positions[rows.count] = add.company & (CHUNK_SIZE - 1);
      rows.first[rows.count] = add.first;
      rows.last[rows.count] = add.last;
      rows.confidence[rows.count++] = add.confidence;
    }
  };
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index] ?? 0;
    if (gone.size > 0 && gone.has(position)) continue;
    addUntil(position);
    rows.positions[rows.count] = position;
    if (columns?.first) rows.first[rows.count] = columns.first[index] ?? 0;
    if (columns?.last) rows.last[rows.count] = columns.last[index] ?? 0;
    if (columns?.confidence) rows.confidence[rows.count] = columns.confidence[index] ?? 0;
    rows.count += 1;
  }
  addUntil(CHUNK_SIZE);
  return rows.count === 0 ? null : encodeRows(rows);
}

/** A condition on the postings of a list. */
export interface PostingFilter {
  /** 0–100. */
  readonly minConfidence: number;
  /** Least last day, or least day of an event; 0 for any. */
  readonly since: number;
  /** Greatest first day, or greatest day of an event; `ANY_DAY` for any. */
  readonly until: number;
}

export const ANY_DAY = 0xffff;
export const NO_FILTER: PostingFilter = { minConfidence: 0, since: 0, until: ANY_DAY };

/**
 * Adds the companies of a chunk whose postings pass the filter.
 *
 * @param lastDays days of the newest scans by company, for postings that are as new; for an event list null, because there
 *   `since` is about its first days
 */
export function addMatches(
  bits: Uint32Array,
  stored: Uint8Array,
  chunk: number,
  { minConfidence, since, until }: PostingFilter,
  lastDays: Uint16Array | null,
): void {
  const columns = columnsOf(stored);
  const { confidence, first, last, leastConfidence, count } = columns;
  const base = chunk * CHUNK_SIZE;
  const isSure = minConfidence <= leastConfidence;
  if (isSure && since === 0 && until === ANY_DAY) {
    addAll(bits, columns, base);
    return;
  }
  const positions = positionsIn(columns);
  for (let index = 0; index < count; index++) {
    if (!isSure && (confidence?.[index] ?? 0) < minConfidence) continue;
    const company = base + (positions[index] ?? 0);
    const firstDay = first?.[index] ?? 0;
    if (firstDay > until) continue;
    if (since !== 0) {
      const lastDay = lastDays === null ? firstDay : last?.[index] || (lastDays[company] ?? 0);
      if (lastDay < since) continue;
    }
    const word = company >>> 5;
    bits[word] = (bits[word] ?? 0) | (1 << (company & 31));
  }
}

function addAll(bits: Uint32Array, { bitmap, positions }: Columns, base: number): void {
  if (bitmap) {
    const start = base >>> 5;
    for (let word = 0; word < BITMAP_BYTES / 4; word++) {
      const byte = word * 4;
      const value =
        (bitmap[byte] ?? 0) |
        ((bitmap[byte + 1] ?? 0) << 8) |
        ((bitmap[byte + 2] ?? 0) << 16) |
        ((bitmap[byte + 3] ?? 0) << 24);
      if (value !== 0) bits[start + word] = (bits[start + word] ?? 0) | value;
    }
    return;
  }
  for (const position of positions ?? []) {
    const word = (base + position) >>> 5;
    bits[word] = (bits[word] ?? 0) | (1 << (position & 31));
  }
}

/** Days by company from the list of all companies; its first days are those of their newest scans. */
export function readDays(days: Uint16Array, stored: Uint8Array, chunk: number): void {
  const columns = columnsOf(stored);
  const positions = positionsIn(columns);
  for (let index = 0; index < columns.count; index++)
    days[chunk * CHUNK_SIZE + (positions[index] ?? 0)] = columns.first?.[index] ?? 0;
}

/** Bits for the companies of a number of chunks. */
export const emptyBits = (chunks: number): Uint32Array => new Uint32Array((chunks * CHUNK_SIZE) / 32);

export function countBits(bits: Uint32Array): number {
  let total = 0;
  for (let word of bits) {
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    total += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return total;
}

export const hasBit = (bits: Uint32Array, company: number): boolean =>
  ((bits[company >>> 5] ?? 0) & (1 << (company & 31))) !== 0;

export function setBit(bits: Uint32Array, company: number, value: boolean): void {
  const word = company >>> 5;
  const mask = 1 << (company & 31);
  bits[word] = value ? (bits[word] ?? 0) | mask : (bits[word] ?? 0) & ~mask;
}

/** The companies whose bits are set, ascending, after `after`. */
export function* companiesIn(bits: Uint32Array, after = -1): Generator<number> {
  const start = (after + 1) >>> 5;
  for (let word = start; word < bits.length; word++) {
    let value = bits[word] ?? 0;
    if (word === start) value &= -1 << ((after + 1) & 31);
    for (; value !== 0; value &= value - 1) yield word * 32 + (31 - Math.clz32(value & -value));
  }
}
