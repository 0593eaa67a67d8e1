/** SQLite takes 32,766 parameters in a statement; no row here has more than sixteen where many go in at once. */
const AT_ONCE = 2_000;

/** Runs `use` over the items, as many at once as a statement takes, and answers all that it answered. */
export async function inChunks<Item, Answer>(
  items: readonly Item[],
  use: (chunk: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    for (const answer of await use(items.slice(start, start + AT_ONCE))) answers.push(answer);
  }
  return answers;
}
