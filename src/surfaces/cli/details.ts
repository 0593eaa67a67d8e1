import { plain } from "./table.ts";

/** Names and values, one under the other; what has no value is left out. */
export function details(pairs: readonly (readonly [name: string, value: string | null | undefined])[]): string {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${plain(value ?? "")}`).join("\n");
}

/** `2026-05-04T12:00:00.000Z` → `2026-05-04 12:00`. */
export const minuteOf = (instant: string): string => instant.slice(0, 16).replace("T", " ");
