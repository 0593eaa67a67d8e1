/** The words of a text, separated by white space, as a set. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Each word of each group with the value of its group. */
export const wordMap = <T>(groups: readonly (readonly [T, string])[]): ReadonlyMap<string, T> =>
  new Map(
    groups.flatMap(([value, text]) =>
      text
        .trim()
        .split(/\s+/)
        .map((word) => [word, value] as const),
    ),
  );
