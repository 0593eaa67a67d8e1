export const MIN_WORDS = 50;
/** Most differing bits of near-duplicates. The fewest measured between unrelated texts were 14. */
export const NEAR_BITS = 3;
const MAX_WORDS = 50_000;

/**
 * A similarity hash that finds the same story at two addresses or with another footer.
 *
 * SimHash (Charikar 2002): each sequence of three words votes on each of 64 bits, and the majority decides. Texts that share
 * most sequences differ in few bits, texts that share none in about 32. Case, punctuation and Markdown are ignored. One
 * changed word changes three sequences: about two bits of a text of 500 words, and four of one of 150. Texts shorter than
 * {@link MIN_WORDS} share phrases by chance, so their address is hashed too and they are never near-duplicates. The word
 * hash is implemented here because stored fingerprints must not depend on the runtime's hash.
 *
 * @param text title and story
 * @param address of the original
 * @returns 16 hex digits
 */
export function fingerprintOf(text: string, address: string): string {
  const hashes = hashesOf(text);
  if (hashes.length < MIN_WORDS) hashes.push(...hashesOf(address));
  const seen = new Set<number>();
  const [lower, upper] = [createVotes(), createVotes()];
  for (let at = 0; at < Math.max(1, hashes.length - 2); at++) {
    const [a, b, c] = [hashes[at] ?? 0, hashes[at + 1] ?? 0, hashes[at + 2] ?? 0];
    const low = mix(Math.imul(a, 31) ^ Math.imul(b, 1_000_003) ^ Math.imul(c, 15_485_863));
    // A repeated sequence votes once.
    if (seen.has(low)) continue;
    seen.add(low);
    vote(lower, low);
    vote(upper, mix(low ^ Math.imul(a, 0x9e3779b1) ^ c));
  }
  return hex(upper, seen.size / 2) + hex(lower, seen.size / 2);
}

/** The fingerprint of a text without words, which is similar to no other. */
const NO_TEXT = "0000000000000000";

/** Whether two fingerprints are of nearly the same text. */
export const areNearDuplicates = (left: string, right: string): boolean =>
  left !== NO_TEXT && right !== NO_TEXT && differingBits(left, right) <= NEAR_BITS;

/** Bits in which two fingerprints differ, 0 to 64. */
export function differingBits(left: string, right: string): number {
  let bits = 0;
  for (let at = 0; at < 16; at++) {
    let nibble = Number.parseInt(left[at] ?? "0", 16) ^ Number.parseInt(right[at] ?? "0", 16);
    for (; nibble > 0; nibble &= nibble - 1) bits++;
  }
  return bits;
}

/** FNV-1a over the UTF-16 units of each word in lower case. */
function hashesOf(text: string): number[] {
  const hashes: number[] = [];
  let hash = FNV_START;
  let isOpen = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at === text.length ? SPACE : text.charCodeAt(at);
    const unit = code < 128 ? WORD_UNITS[code]! : 0;
    // Between dashes, quotation marks and spaces is no letter; of other characters the slower expression knows all.
    if (code >= 128 && (code < FIRST_PUNCTUATION || code > LAST_PUNCTUATION)) return hashesOfAny(text);
    if (unit > 0) {
      hash = Math.imul(hash ^ unit, FNV_PRIME);
      isOpen = true;
    } else if (isOpen) {
      if (hashes.push(hash >>> 0) === MAX_WORDS) break;
      hash = FNV_START;
      isOpen = false;
    }
  }
  return hashes;
}

function hashesOfAny(text: string): number[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, MAX_WORDS).map((word) => {
    let hash = FNV_START;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), FNV_PRIME);
    return hash >>> 0;
  });
}

const [FNV_START, FNV_PRIME] = [0x811c9dc5, 0x01000193];
const SPACE = 0x20;
const [FIRST_PUNCTUATION, LAST_PUNCTUATION] = [0x2000, 0x206f];
/** The unit of a letter in lower case or of a digit; 0 of other characters. */
const WORD_UNITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z\d]/.test(character) ? character.charCodeAt(0) : 0;
});

/** The finalizer of MurmurHash3: each bit of the input affects each bit of the result. */
function mix(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** How often each of 32 bits was set: the numbers' first binary digits in the first word, and so on. */
const createVotes = () => new Int32Array(Math.ceil(Math.log2(MAX_WORDS + 1)));

/** Adds one to each of 32 numbers whose bit is set: several times faster than one after another. */
function vote(votes: Int32Array, hash: number): void {
  for (let digit = 0, carry = hash; carry !== 0; digit++) {
    const sum = votes[digit]!;
    votes[digit] = sum ^ carry;
    carry &= sum;
  }
}

function hex(votes: Int32Array, half: number): string {
  let word = 0;
  for (let bit = 0; bit < 32; bit++) {
    let count = 0;
    for (let digit = 0; digit < votes.length; digit++) count += ((votes[digit]! >>> bit) & 1) << digit;
    if (count > half) word |= 1 << bit;
  }
  return (word >>> 0).toString(16).padStart(8, "0");
}
