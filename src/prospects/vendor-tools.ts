import { Failure } from "../core/errors.ts";
import { normaliseName, slugOf } from "../core/text.ts";
import type { SettingsRepository } from "../db/settings.ts";
import type { Fingerprint } from "../detection/fingerprints/types.ts";
import { EXTENSION_CATEGORIES } from "../detection/self-naming/platforms.ts";

/** Where the link of a vendor to its tools comes from. */
export type LinkOrigin = "operator" | "table" | "names";

export interface VendorTools {
  /** Slug of the vendor. */
  readonly vendor: string;
  /** Fingerprint ids. */
  readonly tools: readonly string[];
  readonly origin: LinkOrigin;
}

export interface LinkedVendor {
  readonly slug: string;
  readonly domain: string | null;
}

/** Which fingerprints are the products of a vendor of case studies. */
export interface VendorLinks {
  of(vendor: LinkedVendor): Promise<VendorTools>;
  /** The operator's own link; null takes it back. @throws Failure `tool.not_found` */
  set(slug: string, tools: readonly string[] | null): Promise<void>;
}

export interface VendorLinksOptions {
  readonly settings: Pick<SettingsRepository, "find" | "set">;
  readonly tools: ReadonlyMap<string, Fingerprint>;
  /** `data/vendor-tools.yaml`. */
  readonly table: Readonly<Record<string, readonly string[]>>;
}

/**
 * Categories whose tools do different jobs, so that one of them is no rival of another one: most companies use several side
 * by side.
 */
export const MIXED_CATEGORIES: ReadonlySet<string> = new Set([
  "developer-tools",
  "javascript-library",
  "programming-language",
  "web-framework",
  ...EXTENSION_CATEGORIES,
  "security",
  "collaboration",
  "ai",
  "seo",
]);

const settingOf = (slug: string) => `vendor-tools:${slug}`;
const hostOf = (address: string) => URL.parse(address)?.hostname.replace(/^www\./, "");

/** The operator's link, else that of the table, else the tools whose id, name, vendor or website is the vendor's. */
export function createVendorLinks({ settings, tools, table }: VendorLinksOptions): VendorLinks {
  const byName = new Map<string, string[]>();
  for (const tool of tools.values()) {
    const names = new Set([tool.id, slugOf(tool.name), slugOf(tool.vendor), hostOf(tool.website) ?? tool.id]);
    for (const name of names) byName.set(name, [...(byName.get(name) ?? []), tool.id]);
  }
  return {
    async of({ slug, domain }) {
      const own = JSON.parse((await settings.find(settingOf(slug))) ?? "null");
      if (Array.isArray(own)) return { vendor: slug, tools: own.filter((id) => tools.has(id)), origin: "operator" };
      const kept = Object.hasOwn(table, slug) ? table[slug] : undefined;
      if (kept) return { vendor: slug, tools: kept.filter((id) => tools.has(id)), origin: "table" };
      const host = domain?.replace(/^www\./, "");
      const named = [...(byName.get(slug) ?? []), ...(host === undefined ? [] : (byName.get(host) ?? []))];
      return { vendor: slug, tools: [...new Set(named)].sort(), origin: "names" };
    },

    async set(slug, ids) {
      const unknown = ids?.filter((id) => !tools.has(id)) ?? [];
      if (unknown.length > 0)
        throw new Failure("tool.not_found", `No fingerprint has the id ${unknown.slice(0, 5).join(", ")}.`, {
          unknown,
        });
      await settings.set(settingOf(slug), JSON.stringify(ids));
    },
  };
}

/** Those of a vendor's tools that a case study is about. */
export interface StudyTools {
  readonly tools: readonly Fingerprint[];
  /** The study names a product that the catalogue does not distinguish from the vendor's others. */
  readonly spansProducts: boolean;
}

/**
 * The tools that the study's products name, each product the one with the longest name in it: "Salesforce Marketing Cloud" is
 * not Salesforce. Without such a product, the tool that has the vendor's own name with its parts, else the only one.
 * Undefined when it is not clear which.
 */
export function toolsInStudy(
  slug: string,
  linked: readonly Fingerprint[],
  products: readonly string[],
): StudyTools | undefined {
  const named = new Set<Fingerprint>();
  let spansProducts = false;
  for (const product of products) {
    const phrase = phraseOf(product);
    const found = linked.flatMap((tool) => {
      const names = [tool.name, ...(tool.aliases ?? [])].map(phraseOf);
      return {
        tool,
        length: Math.max(0, ...names.filter((name) => ` ${phrase} `.includes(` ${name} `)).map(lengthOf)),
      };
    });
    const longest = Math.max(0, ...found.map(lengthOf));
    const isOfVendor = ({ tool, length }: (typeof found)[number]) =>
      slugOf(tool.name) === slug && length < phrase.length;
    const matches = found.filter(({ length }) => length > 0 && length === longest);
    if (matches.length === 0 || matches.some(isOfVendor)) spansProducts ||= !isName(phrase, slug);
    else for (const { tool } of matches) named.add(tool);
  }
  if (named.size > 0) return { tools: [...named], spansProducts: false };
  if (linked.length <= 1) return { tools: linked, spansProducts };
  const main = linked.filter(({ id, name }) => id === slug || slugOf(name) === slug);
  if (main.length === 0) return undefined;
  const ids = new Set(main.map(({ id }) => id));
  const parts = linked.filter(({ id, product_of }) => ids.has(id) || (product_of !== undefined && ids.has(product_of)));
  return { tools: parts, spansProducts };
}

const lengthOf = ({ length }: { readonly length: number }): number => length;
const isName = (phrase: string, slug: string): boolean => slugOf(phrase) === slug;
const phraseOf = (name: string) =>
  normaliseName(name)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
