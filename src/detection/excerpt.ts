/** A part of a text. What surrounds it decides what in it is secret, so it is redacted before it is cut. */
export interface Excerpt {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Of prose or code: white space is collapsed, and an ellipsis marks each end that is cut. */
  readonly isPassage?: true;
}

const MAX_EXCERPT = 300;
/** Characters of a passage before and after what was found. */
const BEFORE = 40;
const AFTER = 60;

/** A part of a text, by default its beginning; at most 300 characters. */
export function excerptOf(text: string, from = 0, to = text.length): Excerpt {
  const start = Math.max(0, from);
  return { text, from: start, to: Math.min(text.length, to, start + MAX_EXCERPT) };
}

/** What was found in a text, with a few words around it. */
export const passageAround = (text: string, at: number, length: number): Excerpt => ({
  ...excerptOf(text, at - BEFORE, Math.min(at + length + AFTER, Math.max(0, at - BEFORE) + MAX_EXCERPT - 2)),
  isPassage: true,
});
