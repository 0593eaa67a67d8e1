import { Failure } from "../core/errors.ts";
import { findClosest, quoted } from "../core/text.ts";
import { SCANNERS } from "./scanners/registry.ts";

/** Ids of all data sources. */
export const SOURCE_IDS: readonly string[] = SCANNERS.map(({ id }) => id);

/** The data sources of a light scan: DNS records of the domain, and its home page. */
const LIGHT_SOURCES: readonly string[] = ["mail-dns", "mail-policy", "verifications", "zone", "home-page"];

/**
 * Parses `light`, `all`, or ids of data sources, separated by commas. Undefined means all.
 *
 * @throws Failure `query.invalid`
 */
export function parseSources(text: string): readonly string[] | undefined {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
  if (words.length === 1 && words[0] === "all") return undefined;
  const ids = new Set(words.flatMap((word) => (word === "light" ? LIGHT_SOURCES : [word])));
  const unknown = [...ids].find((id) => !SOURCE_IDS.includes(id));
  if (ids.size > 0 && unknown === undefined) return SOURCE_IDS.filter((id) => ids.has(id));
  const meant = findClosest(unknown ?? "", [...SOURCE_IDS, "light", "all"]);
  const advice =
    meant === undefined ? `use light, all, or some of ${SOURCE_IDS.join(", ")}.` : `did you mean ${meant}?`;
  const detail = `Unknown source ${quoted(unknown ?? "")}: ${advice}`;
  throw new Failure("query.invalid", detail, { problems: [{ pointer: "/sources", detail }] });
}
