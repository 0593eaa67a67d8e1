/** Numbers as they are written: `1,200`, `99.9`, `20K`. */
const FIGURE = /\d[\d,]*(?:\.\d+)?/g;

const WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, value) => [word, String(value)]),
);

const figuresOf = (text: string): string[] => (text.match(FIGURE) ?? []).map((figure) => figure.replace(/,/g, ""));

/** @returns a fault for each figure in our text that the source does not contain, as digits or as a word */
export function figureFaults(own: Readonly<Record<string, string>>, source: string): string[] {
  const known = new Set(figuresOf(source));
  for (const word of source.toLowerCase().match(/[a-z]+/g) ?? []) {
    const value = WORDS[word];
    if (value !== undefined) known.add(value);
  }
  return Object.entries(own).flatMap(([field, text]) =>
    figuresOf(text)
      .filter((figure) => !known.has(figure))
      .map((figure) => `${field} tells ${figure}, which the source does not write`),
  );
}
