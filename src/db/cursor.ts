import { Failure } from "../core/errors.ts";

const MAX_CHARACTERS = 4_096;

/** What a place is told by: each part is a text or a number. */
interface Kinds {
  readonly string: string;
  readonly number: number;
}
type Shape = readonly (keyof Kinds)[];
type Place<S extends Shape> = { readonly [I in keyof S]: Kinds[S[I]] };

/** Where a page ended. `list` says of which list, so that one list's cursor is refused by another. */
export const encodeCursor = (list: string, place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([list, ...place])).toString("base64url");

/**
 * The place in a cursor of this list, whose parts are of these kinds.
 *
 * @throws Failure `cursor.invalid`
 */
export function decodeCursor<const S extends Shape>(list: string, shape: S, cursor: string): Place<S> {
  const [of, ...place] = partsIn(cursor);
  if (of === list && isPlace(place, shape)) return place;
  throw invalidCursor();
}

// A number that JSON makes infinite is beyond every row, and no list ends there.
const isPlace = <S extends Shape>(place: readonly unknown[], shape: S): place is Place<S> =>
  place.length === shape.length &&
  shape.every((kind, at) => typeof place[at] === kind && (kind === "string" || Number.isFinite(place[at])));

function partsIn(cursor: string): readonly unknown[] {
  if (cursor.length > MAX_CHARACTERS || !/^[\w-]+$/.test(cursor)) throw invalidCursor();
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(parts)) return parts;
  } catch {
    // Not the JSON of a cursor: refused below, like every other text.
  }
  throw invalidCursor();
}

export const invalidCursor = () =>
  new Failure(
    "cursor.invalid",
    "Take cursor from next_cursor of the page before, unchanged; leave it out for page one.",
  );

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
