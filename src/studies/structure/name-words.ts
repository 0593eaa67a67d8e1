/** Words of a name that say nothing alone. */
const EMPTY: ReadonlySet<string> = new Set(
  "the a an and of for cloud apache inc ltd gmbh llc labs software systems technologies data".split(" "),
);

/** The telling words of a company's or product's name, in lower case. */
export const nameWords = (name: string): ReadonlySet<string> =>
  new Set((name.toLowerCase().match(/[\p{L}\p{N}]{2,40}/gu) ?? []).filter((word) => !EMPTY.has(word)));
