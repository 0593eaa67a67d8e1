import { Failure } from "../../vocabulary/failure.ts";

const MAX_CHARACTERS = 4_096;

/** Where a page ended. `list` says of which list, so that one list's cursor is refused by another. */
export const cursorOf = (list: string, place: readonly string[]): string =>
  Buffer.from(JSON.stringify([list, ...place])).toString("base64url");

/**
 * The place in a cursor of this list, in `parts` parts.
 *
 * @throws Failure `cursor.invalid`
 */
export function placeIn(list: string, parts: number, cursor: string): readonly string[] {
  const [of, ...place] = textsIn(cursor);
  if (of !== list || place.length !== parts) throw invalid();
  return place;
}

function textsIn(cursor: string): readonly string[] {
  if (cursor.length > MAX_CHARACTERS || !/^[\w-]+$/.test(cursor)) throw invalid();
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(parts) && parts.every((part) => typeof part === "string")) return parts;
  } catch {
    // Not the JSON of a cursor: refused below, like every other text.
  }
  throw invalid();
}

const invalid = () =>
  new Failure(
    "cursor.invalid",
    "Take cursor from next_cursor of the page before, unchanged; leave it out for page one.",
  );
