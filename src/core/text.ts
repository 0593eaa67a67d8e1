/** A name as it is compared: without differences of case, accents, width and white space. */
export const normaliseName = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/\s+/g, " ").trim();

/**
 * Each run of white space as one space. Expressions that allow white space in several places take cubic time on a long run.
 * For the text of a page see `collapseWhitespace` of `html`, which also removes invisible characters.
 */
export const singleSpaced = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The words of a text: runs of letters and digits. */
export const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** A count with its noun: `1 page`, `2 pages`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Characters of a given value in a message. */
const MAX_QUOTED = 120;

/** A given value in a message: texts in quotes, at most 120 characters, without control and formatting characters. */
export function quoted(value: unknown): string {
  if (Array.isArray(value)) return "(a list)";
  if (typeof value === "object" && value !== null) return "(an object)";
  const text = String(value)
    .slice(0, 10 * MAX_QUOTED)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const letters = [...text];
  const cut = letters.length > MAX_QUOTED ? `${letters.slice(0, MAX_QUOTED - 1).join("")}…` : text;
  return typeof value === "string" ? `"${cut}"` : cut;
}

/**
 * The candidate that a mistyped name probably means: one that ends with it (`port` for `server.port`), or the
 * one with the smallest edit distance, up to a quarter of its letters. Ignores case.
 */
export function findClosest(typed: string, candidates: readonly string[]): string | undefined {
  const word = typed.toLowerCase().slice(0, 100);
  const suffixed = candidates.find((candidate) => /[._-]$/.test(prefixBefore(candidate.toLowerCase(), word)));
  if (suffixed) return suffixed;
  const most = Math.max(2, Math.floor(word.length / 4));
  const [closest] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate.toLowerCase(), most) }))
    .sort((a, b) => a.distance - b.distance);
  return closest && closest.distance <= most ? closest.candidate : undefined;
}

const prefixBefore = (candidate: string, word: string) =>
  candidate.endsWith(word) ? candidate.slice(0, candidate.length - word.length) : "";

/**
 * Letters to add, remove, replace, or swap with their neighbour to turn one word into the other (optimal string
 * alignment distance).
 *
 * @param most the result is `most + 1` for every larger distance
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

/** Transliteration of letters that Unicode does not decompose into a base letter and a mark. */
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
 * A name as lower-case words with dashes, at most `max` characters; Latin, Cyrillic and Greek letters are transliterated.
 * A name in another script gets `x-` and a hash, so that two names never share a slug by accident.
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
