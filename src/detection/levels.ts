/**
 * How sure a detection is, by its confidence. `likely` and better are in every result by default; `possible` rests on hints
 * alone (a preconnect, a link, a mention, one weak rule) and is returned on request.
 */
export const LEVELS = ["confirmed", "likely", "possible"] as const;
export type Level = (typeof LEVELS)[number];

/** The lowest confidence of each level. */
export const LEAST: Readonly<Record<Level, number>> = {
  confirmed: 0.8,
  likely: 0.5,
  /** The weakest rule on the least reliable kind of signal. */
  possible: 0.2,
};

export const levelOf = (confidence: number): Level => LEVELS.find((level) => confidence >= LEAST[level]) ?? "possible";

/** A `min_confidence` that a caller may give: a level, or a number from 0 to 1. */
export const MIN_CONFIDENCE = "^(?:confirmed|likely|possible|[01]|0?\\.\\d{1,4}|1\\.0{1,4})$";
const GIVEN = new RegExp(MIN_CONFIDENCE);

/** The confidence that a caller's `min_confidence` means; undefined for any other text. */
export function parseMinConfidence(text: string): number | undefined {
  if (!GIVEN.test(text)) return undefined;
  const level = LEVELS.find((each) => each === text);
  return level === undefined ? Number(text) : LEAST[level];
}
