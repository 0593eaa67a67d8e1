const SEGMENTER = new Intl.Segmenter("en", { granularity: "sentence" });

/** Words whose full stop ends no sentence, where the standard's rules (UAX 29) would end one. */
const ABBREVIATION =
  /(?:^|[\s("'“])(?:approx|avg|bros|ca|capt|cf|co|col|corp|dept|dr|e\.g|eg|est|etc|fig|gen|gov|i\.e|inc|jr|lt|ltd|max|min|mr|mrs|ms|mt|no|nos|pp|prof|rep|rev|sen|sgt|sr|st|u\.k|u\.s|u\.s\.a|univ|vol|vs|[a-z])\.["'”)]?\s*$/i;

/** As much of a text's end as tells whether a sentence ends there: to look at the whole each time is slow. */
const TAIL = 24;

/** Full stops of scripts that put no blank after them, with what closes behind; what opens there begins the next one. */
const FULL_WIDTH_STOP = /[。｡！？][」』）】〉》〕”’"')\]]*([「『（【〈《〔“‘([]*)$/;

/**
 * Splits running text into sentences, each trimmed; joined by a space they are the text again, but for its white space.
 * A line break ends a sentence. A stop inside a word ends none, though the standard's rules end one before a capital:
 * `Litmus 2.X` and `Yahoo!Mail` are names.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let open = "";
  let tail = "";
  for (const { segment } of SEGMENTER.segment(text)) {
    open += segment;
    tail = (tail + segment.slice(-TAIL)).slice(-TAIL);
    const fullWidth = FULL_WIDTH_STOP.exec(tail);
    const isInsideWord = !/\s$/.test(segment) && fullWidth === null;
    if (!segment.endsWith("\n") && (isInsideWord || endsInAbbreviation(tail))) continue;
    const opens = fullWidth?.[1] ?? "";
    push(sentences, open.slice(0, open.length - opens.length));
    tail = open = opens;
  }
  push(sentences, open);
  return sentences;
}

const endsInAbbreviation = (tail: string) => /\.["'”)]?\s*$/.test(tail) && ABBREVIATION.test(tail);

function push(sentences: string[], text: string): void {
  const sentence = text.trim();
  if (sentence !== "") sentences.push(sentence);
}

/**
 * Breaks a text at white space into pieces of at most `max` of `measure`; a word longer than that is broken too,
 * never inside a surrogate pair.
 */
export function breakText(text: string, max: number, measure: (text: string) => number): string[] {
  if (measure(text) <= max) return [text];
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length > 1) {
    const middle = Math.ceil(words.length / 2);
    return [words.slice(0, middle), words.slice(middle)].flatMap((half) => breakText(half.join(" "), max, measure));
  }
  const points = [...text];
  if (points.length < 2) return [text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle), points.slice(middle)].flatMap((half) => breakText(half.join(""), max, measure));
}
