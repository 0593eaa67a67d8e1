const FIGURE =
  /(\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3}){1,5}(?:[.,]\d{1,6})?|\d{1,15}(?:[.,]\d{1,6})?)(?![\d])(?:[\s\u00A0-]{0,2}(thousand|million|billion|trillion|mio|mrd|mn|bn|tsd|k|m|b)(?![\p{L}]))?/giu;
const SCALES: Readonly<Record<string, number>> = {
  thousand: 1e3,
  tsd: 1e3,
  k: 1e3,
  million: 1e6,
  mio: 1e6,
  mn: 1e6,
  m: 1e6,
  billion: 1e9,
  mrd: 1e9,
  bn: 1e9,
  b: 1e9,
  trillion: 1e12,
};

/** Figures that are written out, and what they may be told as: "doubled" is 2 times and 100 %. */
const WORDS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/\btwo\b|\btwice\b|\bdoubl\w{0,3}\b|\btwo-?fold\b/, [2, 100]],
  [/\bhalf\b|\bhalv\w{1,3}\b/, [0.5, 50, 2]],
  [/\bthree\b|\btripl\w{0,3}\b|\bthree-?fold\b|\bthrice\b/, [3, 200]],
  [/\bthird\b/, [33, 33.3]],
  [/\btwo thirds\b|\btwo-thirds\b/, [66, 67, 66.7]],
  [/\bfour\b|\bquadrupl\w{0,3}\b|\bfour-?fold\b/, [4, 300]],
  [/\bquarter\b/, [25, 0.25]],
  [/\bthree quarters\b|\bthree-quarters\b/, [75]],
  [/\bfive\b|\bfive-?fold\b/, [5, 400]],
  [/\bsix\b|\bsix-?fold\b/, [6]],
  [/\bseven\b/, [7]],
  [/\beight\b/, [8]],
  [/\bnine\b/, [9]],
  [/\bten\b|\bten-?fold\b/, [10]],
  [/\beleven\b/, [11]],
  [/\btwelve\b|\bdozen\b/, [12]],
  [/\bfifteen\b/, [15]],
  [/\btwenty\b/, [20]],
  [/\bthirty\b/, [30]],
  [/\bforty\b/, [40]],
  [/\bfifty\b/, [50]],
  [/\bhundred\b/, [100]],
  [/\bone\b|\bsingle\b|\ban?\b/, [1]],
];
const MAX_FIGURES = 5_000;

/** Each figure of a text as every number that it may mean: `1.200` is 1.2 and 1200, `3 million` is 3 and 3000000. */
export function figuresIn(text: string): number[][] {
  const figures: number[][] = [];
  for (const [, digits = "", scale = ""] of text.matchAll(FIGURE)) {
    const plain = readings(digits);
    const times = SCALES[scale.toLowerCase()];
    figures.push(times === undefined ? plain : [...plain, ...plain.map((value) => exact(value * times))]);
    if (figures.length >= MAX_FIGURES) break;
  }
  return figures;
}

/** Figures that are written out as words in a folded text. */
export function writtenFiguresIn(folded: string): number[] {
  return WORDS.flatMap(([pattern, values]) => (pattern.test(folded) ? values : []));
}

export const isOneOf = (value: number, numbers: Iterable<number>): boolean => {
  const size = Math.abs(value);
  for (const number of numbers) if (Math.abs(number - size) <= 1e-9 * Math.max(1, size)) return true;
  return false;
};

function readings(digits: string): number[] {
  const spaced = digits.split(/[\s\u00A0\u202F]/);
  const joined = digits.replace(/[\s\u00A0\u202F'’]/g, "");
  const values = [joined.replace(/[.,]/g, "")];
  const mark = Math.max(joined.lastIndexOf("."), joined.lastIndexOf(","));
  if (mark >= 0) {
    const last = joined[mark] ?? ".";
    const isDecimal = joined.indexOf(last) === mark;
    if (isDecimal) values.push(`${joined.slice(0, mark).replace(/[.,]/g, "")}.${joined.slice(mark + 1)}`);
    // A comma or a point before fewer than three digits groups nothing.
    if (isDecimal && joined.length - mark - 1 !== 3) values.shift();
  }
  if (spaced.length > 1) values.push(...spaced.map((part) => part.replace(/,/g, ".")));
  return values.map(Number).filter(Number.isFinite);
}

/** Without the dust of binary fractions. */
const exact = (value: number) => Number(value.toPrecision(12));
