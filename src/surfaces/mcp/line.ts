/** Control characters, and signs that turn the direction of a line or end it. */
const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** What strangers wrote, on one line and not longer than `most` characters: it must not look like a line of ours. */
export function line(text: string, most = 300): string {
  const flat = text
    .slice(0, most * 4)
    .replace(STEERING, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return flat.length <= most ? flat : `${flat.slice(0, most - 1).trimEnd()}…`;
}

/** What is known of several things, with something between. */
export const joined = (parts: readonly (string | null | undefined)[], between = " · "): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== "").join(between);

export const plural = (many: number, one: string, more = `${one}s`): string => `${many} ${many === 1 ? one : more}`;
