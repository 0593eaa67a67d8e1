/**
 * The candidate that was probably meant by a mistyped name: one that ends in the whole of it (`port` for
 * `server.port`), or one that few letters tell apart. Letter case is ignored.
 */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const word = typed.toLowerCase().slice(0, 100);
  const last = candidates.find((candidate) => /^[._-]/.test(endAfter(candidate.toLowerCase(), word) ?? ""));
  if (last) return last;
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return ranked && ranked.distance <= Math.max(2, Math.floor(word.length / 4)) ? ranked.candidate : undefined;
}

const endAfter = (candidate: string, word: string) =>
  candidate.endsWith(word) ? candidate.slice(-word.length - 1) : undefined;

/** Letters to add, drop or replace to make one word of the other (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * How many letters must be added, left out, changed, or swapped with their neighbour to make one word of the other.
 *
 * @param most the answer is `most + 1` for everything farther apart
 */
export function editDistance(from: string, to: string, most: number): number {
  const a = [...from];
  const b = [...to];
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = b.map((_, index) => index).concat(b.length);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const added = Math.min(last[j] ?? 0, row[j - 1] ?? 0) + 1;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? most) + 1 : changed;
      row.push(Math.min(changed, added, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}

const MAX_SLUG = 80;

/** Letters that Unicode does not take apart into a plain one and its mark. */
const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "ß ss ø o æ ae œ oe ł l đ d ð d þ th ı i ŋ n ħ h " +
    "а a б b в v г g д d е e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch " +
    "ъ  ы y ь  э e ю yu я ya є ye і i ї yi ґ g " +
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o"
  )
    .split(/ (?=[^\x00-\x7f])/)
    .map((pair) => [pair[0] ?? "", pair.slice(1).trim()]),
);

/**
 * A name as words with dashes, lower case, at most 80 characters; Latin, Cyrillic and Greek letters are transliterated.
 * What has no such letter (a name in Chinese) gets `x-` and a hash of it, so that two names never share one by accident.
 */
export function slugOf(name: string, max = MAX_SLUG): string {
  const plain = [
    ...name
      .slice(0, 500)
      .toLowerCase()
      .normalize("NFKD")
      .replace(/\p{M}+/gu, ""),
  ]
    .map((letter) => LETTERS[letter] ?? letter)
    .join("")
    .replace(/['’]/g, "")
    .replace(/&/g, " and ")
    .replace(/\+/g, " plus ");
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  if (words.length === 0 || /\p{L}/u.test(plain.replace(/[a-z]/g, ""))) {
    return [...words, "x", shortHash(name)].join("-").slice(-max).replace(/^-+/, "");
  }
  return cutAtDash(words.join("-"), max);
}

/** Whether a text is a slug already, as a file may bring it. */
export const isSlug = (text: string, max = MAX_SLUG): boolean =>
  text.length <= max && /^[a-z0-9]+(-{1,2}[a-z0-9]+)*$/.test(text);

/** Eight hex digits of SHA-256. */
export const shortHash = (text: string): string =>
  new Bun.CryptoHasher("sha256").update(text.normalize("NFC")).digest("hex").slice(0, 8);

function cutAtDash(slug: string, max: number): string {
  if (slug.length <= max) return slug;
  const cut = slug.slice(0, max);
  const dash = cut.lastIndexOf("-");
  return dash > max / 2 && slug[max] !== "-" ? cut.slice(0, dash) : cut.replace(/-+$/, "");
}
