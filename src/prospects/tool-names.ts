import { COMMON_WORD_NAMES, UNAMBIGUOUS_NAMES } from "../casestudies/structure/common-word-names.ts";
import { siteOf } from "../core/domain.ts";
import { normaliseName } from "../core/text.ts";
import type { Fingerprint } from "../detection/fingerprints/types.ts";
import { nameIn } from "./study-text.ts";

/** A product that has a name, with or without a fingerprint. */
interface Product {
  readonly name: string;
  readonly aliases: readonly string[];
}

/** A company in a case study: the client or the vendor. */
interface Party {
  readonly name: string | null;
  readonly domain?: string | null;
}

/** The names by which a text or a record means one tool, and not its vendor, a sub-product or another product. */
export interface ToolNames {
  idOf(name: string): string | undefined;
  of(id: string): readonly string[];
  /** Those that text contains only when the tool is meant. */
  clearOf(id: string): readonly string[];
  /** Whether the tool, or its vendor, is this company. */
  isParty(id: string, party: Party): boolean;
  /** Whether the text names the tool, other than as a part of a longer name: "React Native" does not name React. */
  isIn(text: string, name: string, id: string, parties: readonly Party[]): boolean;
}

/** Names of tools that text may contain by chance. */
const MIN_NAME = 3;
/** Words before and after a name that may belong to a longer name. */
const BEFORE = 2;
const AFTER = 3;

/** @param products those without a fingerprint; a fingerprint's alias that is one of them means that product */
export function createToolNames(tools: ReadonlyMap<string, Fingerprint>, products: readonly Product[]): ToolNames {
  const productOf = new Map<string, ReadonlySet<string>>();
  for (const { name, aliases } of products) {
    const names = new Set([name, ...aliases].map(normaliseName));
    for (const each of names) productOf.set(each, names);
  }
  const isTheTool = (alias: string, { name, vendor }: Fingerprint): boolean => {
    const [key, toolKey, vendorKey] = [normaliseName(alias), normaliseName(name), normaliseName(vendor)];
    if (key === toolKey || toolKey.endsWith(` ${key}`)) return true;
    // "Grafana" is the vendor's name or an open-source product, "Grafana Cloud" the tool.
    if (key === vendorKey || (toolKey.startsWith(`${key} `) && vendorKey.startsWith(key))) return false;
    const words = key.split(" ");
    return words.every((_, at) => {
      const product = productOf.get(words.slice(0, at + 1).join(" "));
      return product === undefined || product.has(toolKey);
    });
  };
  const namesById = new Map<string, readonly string[]>();
  const idOfName = new Map<string, string>();
  const known = new Set(productOf.keys());
  for (const tool of tools.values()) {
    const all = [tool.name, ...(tool.aliases ?? [])];
    const names = all.filter((alias) => isTheTool(alias, tool));
    namesById.set(tool.id, names);
    for (const each of all) known.add(normaliseName(each));
    for (const each of names) if (!idOfName.has(normaliseName(each))) idOfName.set(normaliseName(each), tool.id);
  }
  const of = (id: string) => namesById.get(id) ?? [];
  return {
    idOf: (name) => idOfName.get(normaliseName(name)),
    of,
    clearOf: (id) =>
      of(id).filter((name) => {
        const key = name.toLowerCase();
        return name.length >= MIN_NAME && (UNAMBIGUOUS_NAMES.has(key) || !COMMON_WORD_NAMES.has(key));
      }),
    isParty(id, { name, domain }) {
      const tool = tools.get(id);
      if (!tool) return false;
      const host = URL.parse(tool.website)?.hostname;
      if (domain != null && host !== undefined && siteOf(host) === siteOf(domain)) return true;
      const key = name === null ? "" : normaliseName(name);
      return (
        key !== "" && [tool.vendor, tool.name, ...(tool.aliases ?? [])].some((each) => normaliseName(each) === key)
      );
    },
    isIn(text, name, id, parties) {
      const own = new Set(of(id).map(normaliseName));
      const others = new Set(parties.flatMap((party) => (party.name === null ? [] : normaliseName(party.name))));
      const isOther = (phrase: string) => !own.has(phrase) && (known.has(phrase) || others.has(phrase));
      for (const { index } of text.matchAll(new RegExp(nameIn(name), "gu"))) {
        const before = wordsOf(text.slice(Math.max(0, index - 80), index), /[\p{L}\p{N}.&'’-]+ $/u, BEFORE);
        const after = wordsOf(text.slice(index + name.length, index + name.length + 80), /^ [\p{L}\p{N}&'’-]+/u, AFTER);
        const phrases = before.flatMap((head) =>
          after.flatMap((tail) => (head + tail === "" ? [] : normaliseName(`${head}${name}${tail}`))),
        );
        if (!phrases.some(isOther)) return true;
      }
      return false;
    },
  };
}

/** "", then the text's next word, its next two words, … at the end that the pattern is anchored to. */
function wordsOf(text: string, word: RegExp, most: number): string[] {
  const found = [""];
  let left = text;
  for (let at = 0; at < most; at += 1) {
    const [next] = word.exec(left) ?? [];
    if (next === undefined) break;
    const isBefore = left.endsWith(next) && !word.source.startsWith("^");
    found.push(isBefore ? next + (found.at(-1) ?? "") : (found.at(-1) ?? "") + next);
    left = isBefore ? left.slice(0, -next.length) : left.slice(next.length);
  }
  return found;
}
