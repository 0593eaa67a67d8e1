import { Failure } from "../core/errors.ts";

const MAX_CHARACTERS = 4_096;

interface Types {
  readonly string: string;
  readonly number: number;
}
type Shape = readonly (keyof Types)[];
type Position<S extends Shape> = { readonly [I in keyof S]: Types[S[I]] };

/** The position after the last row of a page. `list` names the list, so that the cursor of another list is refused. */
export const encodeCursor = (list: string, position: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([list, ...position])).toString("base64url");

/**
 * The position in a cursor of this list, whose parts have the types of `shape`.
 *
 * @throws Failure `cursor.invalid`
 */
export function decodeCursor<const S extends Shape>(list: string, shape: S, cursor: string): Position<S> {
  const [name, ...position] = parseParts(cursor);
  if (name === list && hasShape(position, shape)) return position;
  throw invalidCursor();
}

// JSON can write a number that reads as infinite; no list ends there.
const hasShape = <S extends Shape>(position: readonly unknown[], shape: S): position is Position<S> =>
  position.length === shape.length &&
  shape.every((type, at) => typeof position[at] === type && (type === "string" || Number.isFinite(position[at])));

function parseParts(cursor: string): readonly unknown[] {
  if (cursor.length > MAX_CHARACTERS || !/^[\w-]+$/.test(cursor)) throw invalidCursor();
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(parts)) return parts;
  } catch {
    // Not JSON: refused below.
  }
  throw invalidCursor();
}

export const invalidCursor = () =>
  new Failure("cursor.invalid", "Take cursor from next_cursor of the previous page, unchanged; omit it for page one.");

/** SQLite allows 32,766 parameters per statement; the widest row that is inserted in bulk has 16. */
const CHUNK_SIZE = 2_000;

/** Calls `use` for chunks that fit into one statement and returns all results. */
export async function inChunks<Item, Result>(
  items: readonly Item[],
  use: (chunk: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += CHUNK_SIZE) {
    for (const result of await use(items.slice(start, start + CHUNK_SIZE))) results.push(result);
  }
  return results;
}
