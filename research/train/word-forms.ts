import { stemmer } from "stemmer";

/** Tokens that are forms of one word: of each token the ids of the others, in ascending order. */
export interface WordForms {
  /** run, runs, running, ran. */
  readonly inflected: ReadonlyMap<number, readonly number[]>;
  /** Of the same stem, and none of those: insure, insurer, insurance. */
  readonly derived: ReadonlyMap<number, readonly number[]>;
}

/** With more of them a stem is one that many unlike words share. */
const MOST_FORMS = 12;
const LEAST_LETTERS = 3;
/** Shorter words seldom have others of their stem, and often seem to. */
const LEAST_LETTERS_OF_STEM = 4;

/**
 * Finds forms among a vocabulary's whole words: by the rules of English spelling for plurals, `-ed` and `-ing`, from the
 * list of irregular ones, and by Porter's stems (Porter, "An algorithm for suffix stripping", 1980).
 *
 * @param irregular forms of one word in each entry
 */
export function wordForms(vocabulary: readonly string[], irregular: readonly (readonly string[])[]): WordForms {
  const ids = new Map(vocabulary.map((word, id) => [word, id]));
  const words = vocabulary.filter((word) => /^[a-z]+$/.test(word));
  const groups = [
    ...words.filter(({ length }) => length >= LEAST_LETTERS).map((word) => [word, ...regularForms(word)]),
    ...irregular,
  ];
  const inflected = linked(groups, ids);
  const stems = Map.groupBy(
    words.filter(({ length }) => length >= LEAST_LETTERS_OF_STEM),
    (word) => stemmer(word),
  );
  const sameStem = linked([...stems.values()], ids);
  const derived = new Map(
    [...sameStem].map(([id, others]) => [id, others.filter((other) => !inflected.get(id)?.includes(other))]),
  );
  return { inflected: bounded(inflected), derived: bounded(derived) };
}

function regularForms(word: string): string[] {
  const forms = [`${word}s`];
  if (/(?:s|x|z|ch|sh|o)$/.test(word)) forms.push(`${word}es`);
  if (/[^aeiou]y$/.test(word)) forms.push(`${word.slice(0, -1)}ies`, `${word.slice(0, -1)}ied`);
  if (!word.endsWith("e")) forms.push(`${word}ed`, `${word}ing`);
  else if (word.length > LEAST_LETTERS) forms.push(`${word}d`, `${word.slice(0, -1)}ing`);
  if (/[aeiou][^aeiouwxy]$/.test(word)) forms.push(`${word}${word.at(-1)}ed`, `${word}${word.at(-1)}ing`);
  return forms;
}

function linked(groups: readonly (readonly string[])[], ids: ReadonlyMap<string, number>): Map<number, number[]> {
  const others = new Map<number, Set<number>>();
  for (const group of groups) {
    const known = group.flatMap((word) => ids.get(word) ?? []);
    for (const one of known) for (const other of known) if (one !== other) neighbours(others, one).add(other);
  }
  return new Map([...others].map(([id, set]) => [id, [...set].sort((a, b) => a - b)]));
}

function neighbours(others: Map<number, Set<number>>, id: number): Set<number> {
  const known = others.get(id) ?? new Set<number>();
  others.set(id, known);
  return known;
}

const bounded = (forms: ReadonlyMap<number, readonly number[]>) =>
  new Map([...forms].filter(([, others]) => others.length > 0 && others.length <= MOST_FORMS));

/** Weight of an inflected form relative to the word itself, and weight of a form with the same stem. */
const INFLECTED = 1;
const DERIVED = 0.3;
/** A form that is read a hundred times as often says ten times as much. */
const BY_FREQUENCY = 0.5;

/**
 * Turns each word's row towards those of its other forms and keeps its length. A rare form gets its
 * direction from the others (retrofitting, Faruqui et al. 2015, with forms in the place of synonyms).
 *
 * @param table rows × dimensions
 * @param frequency how often each token was read
 * @returns a new table
 */
export function drawTogether(
  table: Float32Array,
  { inflected, derived }: WordForms,
  frequency: Float64Array,
  dimensions: number,
): Float32Array {
  const rowOf = (id: number) => table.subarray(id * dimensions, (id + 1) * dimensions);
  const lengths = Float64Array.from(frequency, (_, id) => Math.hypot(...rowOf(id)));
  const out = table.slice();
  for (const id of new Set([...inflected.keys(), ...derived.keys()])) {
    if (lengths[id] === 0) continue;
    const sum = Float64Array.from(rowOf(id), (value) => value / lengths[id]!);
    for (const [others, weight] of [
      [inflected.get(id) ?? [], INFLECTED],
      [derived.get(id) ?? [], DERIVED],
    ] as const)
      for (const other of others) {
        if (lengths[other] === 0) continue;
        const ratio = (frequency[other]! + 1) / (frequency[id]! + 1);
        const share = (weight * ratio ** BY_FREQUENCY) / Math.sqrt(others.length) / lengths[other]!;
        for (const [index, value] of rowOf(other).entries()) sum[index]! += share * value;
      }
    const scale = lengths[id]! / Math.max(Math.hypot(...sum), 1e-12);
    for (const [index, value] of sum.entries()) out[id * dimensions + index] = value * scale;
  }
  return out;
}
