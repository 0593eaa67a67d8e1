import { recordedDomain, siteOf } from "../../../vocabulary/domain.ts";
import type { Vendor } from "../../../vocabulary/structured-study.ts";
import { foldName, nameWords } from "./names.ts";

export interface VendorNames {
  /** Whether a folded name is the vendor's own or that of one of its products. */
  readonly isOwn: (key: string, words: readonly string[]) => boolean;
  /** Whether it is the vendor's or the site's name and no more. */
  readonly isVendor: (name: string) => boolean;
  /** Words of the vendor's names. */
  readonly words: ReadonlySet<string>;
  /** The vendor's name in running text; null when it has none. */
  readonly pattern: RegExp | null;
}

/** Houses whose name stands before those of their projects: "Apache Beam" is told as "Beam" too. */
const HOUSES: ReadonlySet<string> = new Set(["apache", "the", "google", "microsoft", "amazon", "red"]);

/** The names under which a vendor and its products go: "LitmusChaos" is told as "Litmus" too. */
export function createVendorNames(vendor: Vendor, siteName: string | null): VendorNames {
  const words = nameWords(vendor.name);
  const camel = /^(\p{Lu}\p{Ll}{3,})\p{Lu}/u.exec(vendor.name.trim())?.[1];
  const short =
    words.length > 1 && HOUSES.has(words[0] ?? "") ? vendor.name.trim().split(/\s+/).slice(1).join(" ") : null;
  const label = vendor.domain ? recordedDomain(siteOf(vendor.domain)).label : "";
  const shown = [vendor.name, short, camel !== undefined && camel.length >= 5 ? camel : null].flatMap((name) =>
    name === null || name.trim() === "" ? [] : [name],
  );
  const keys = new Set([...shown, vendor.slug, label, siteName ?? ""].map(foldName).filter((key) => key.length > 1));
  const starts = shown.map(nameWords).filter((each) => each.length > 0);
  const all = new Set([
    ...words,
    ...(short ? nameWords(short) : []),
    ...(camel ? [camel.toLowerCase()] : []),
    foldName(vendor.name),
  ]);
  const alternatives = shown.map((name) => name.slice(0, 80).replace(/[^\p{L}\p{N}\s]/gu, "\\$&"));
  return {
    words: all,
    isVendor: (name) => keys.has(foldName(name)),
    isOwn: (key, own) =>
      keys.has(key) ||
      starts.some((start) => start.length <= own.length && start.every((word, at) => word === own[at])),
    pattern:
      alternatives.length > 0
        ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join("|")})(?![\\p{L}\\p{N}])`, "u")
        : null,
  };
}
