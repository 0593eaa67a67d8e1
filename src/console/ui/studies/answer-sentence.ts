const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * The sentence of a passage that answers: the one with most of the marked characters.
 *
 * @param ranges start and end of each marked part
 * @returns its start and end, without space around it; undefined when nothing is marked
 */
export function answerSentence(
  text: string,
  ranges: readonly (readonly number[])[],
): readonly [from: number, to: number] | undefined {
  let best: readonly [number, number] | undefined;
  let most = 0;
  for (const { segment, index } of SENTENCES.segment(text)) {
    const from = index + (segment.length - segment.trimStart().length);
    const to = index + segment.trimEnd().length;
    const marked = ranges.reduce(
      (sum, [start = 0, end = 0]) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)),
      0,
    );
    if (marked > most) [most, best] = [marked, [from, to]];
  }
  return best;
}
