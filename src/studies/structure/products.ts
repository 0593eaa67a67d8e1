import type { Vendor } from "../../vocabulary/structured-study.ts";
import { isGeneric } from "./client/candidates.ts";
import { foldName, nameRuns, nameWords } from "./client/names.ts";
import { createVendorNames } from "./client/vendor-names.ts";
import type { StorySentence } from "./story.ts";

export interface FoundProduct {
  readonly name: string;
  readonly sentence: string;
  /** 0–1. */
  readonly confidence: number;
}

const MAX_PRODUCTS = 8;
/** What stands after a vendor's name and makes no product of it. */
const NO_PRODUCT =
  /^(?:team|teams|users?|customers?|community|ceo|cto|story|stories|case|study|adoption|adopter|engineers?|developers?|summit|conference|meetup|documentation|docs|website|blog|project|projects|version|v?\d.*|experience|support|use|usage|solution|solutions|experts?|partner|partners|foundation|jobs?|master|masters|agents?|slaves?|instances?|nodes?|clusters?|servers?|contributors?|maintainers?|committers?)$/i;

/** The vendor's own products that a story names: the vendor's name itself, and longer names that begin with it. */
export function findProducts(vendor: Vendor, story: readonly StorySentence[]): FoundProduct[] {
  const own = createVendorNames(vendor, null);
  const found = new Map<string, { name: string; sentence: string; count: number; isPlain: boolean }>();
  for (const { text } of story) {
    if (!own.pattern?.test(text)) continue;
    for (const run of nameRuns(text)) {
      const words = nameWords(run.text);
      if (!own.isOwn(foldName(run.text), words)) continue;
      const isPlain = own.isVendor(run.text);
      const name = isPlain ? vendor.name : trimmed(run.text);
      if (name === null) continue;
      const key = foldName(name);
      const known = found.get(key);
      if (known) known.count += 1;
      else
        found.set(key, {
          name,
          sentence: text,
          count: 1,
          isPlain: isPlain || foldName(name) === foldName(vendor.name),
        });
    }
  }
  return [...found.values()]
    .filter(({ count, isPlain }) => isPlain || count > 1)
    .sort((a, b) => Number(b.isPlain) - Number(a.isPlain) || b.count - a.count)
    .slice(0, MAX_PRODUCTS)
    .map(({ name, sentence, count, isPlain }) => ({
      name,
      sentence,
      confidence: isPlain ? 0.9 : Math.min(0.85, 0.5 + count * 0.1),
    }));
}

/** Without what follows the product's name; null when nothing but usual words is left. */
function trimmed(run: string): string | null {
  const words = run.split(" ");
  while (words.length > 0 && NO_PRODUCT.test(words.at(-1) ?? "")) words.pop();
  return words.length === 0 || isGeneric(words.map((word) => word.toLowerCase())) ? null : words.join(" ");
}
