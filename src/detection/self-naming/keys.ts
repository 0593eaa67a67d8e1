import { codesOf } from "../character-codes.ts";
import type { Strength } from "../fingerprints/types.ts";

/** A key in code or data whose shape only the keys of one vendor have. */
export interface VendorKey {
  /** Compact name or id of the tool in the catalogue. */
  readonly tool: string;
  readonly at: number;
  readonly length: number;
  readonly strength: Strength;
}

interface KeyShape {
  readonly tool: string;
  /** Characters that every such key has: searched before the expression is tried. */
  readonly needle: string;
  /** Sticky at the needle: quotes or brackets around it, so that it is a whole value. */
  readonly shape: RegExp;
  readonly strength: Strength;
  /** What stands before a key of that shape that is another product's. */
  readonly notAfter?: RegExp;
}

/** Containers of Google Optimize have the keys of Google Tag Manager: `ga("require", "GTM-…")`, `optimize_id: "GTM-…"`. */
const OPTIMIZE = /(?:require["'],\s{0,2}|optimize_?id["']?\s{0,2}[:=]\s{0,2}|,\s{0,2}4000,\s{0,9}\{\s{0,9})["']$/i;

const Q = String.raw`["'\u0060=/&?:,]`;
const key = (
  tool: string,
  needle: string,
  rest: string,
  strength: Strength = "strong",
  notAfter?: RegExp,
): KeyShape => ({
  tool,
  needle,
  ...(notAfter && { notAfter }),
  shape: new RegExp(`${needle.replace(/[.]/g, "\\.")}${rest}`, "y"),
  strength,
});

/**
 * Sources: the vendors' set-up guides, in which the keys are public. Secret keys are none of these; evidence is cut by
 * `redact` before it is stored.
 */
export const KEY_SHAPES: readonly KeyShape[] = [
  key("googleanalytics", "UA-", "\\d{4,10}-\\d{1,4}(?![\\w-])"),
  key("googleanalytics", "G-", "(?=[A-Z0-9]*\\d)[A-Z0-9]{10}(?![\\w-])"),
  key("googletagmanager", "GTM-", "[A-Z0-9]{5,8}(?![\\w-])", "strong", OPTIMIZE),
  key("googleads", "AW-", "\\d{8,12}(?!\\d)"),
  key("googlecampaignmanager", "DC-", "\\d{6,10}(?![\\w-])"),
  key("googleadsense", "ca-pub-", "\\d{10,20}(?!\\d)"),
  key("sentry", "ingest.sentry.io", "/\\d{3,}"),
  key("sentry", "sentry.io/", "\\d{5,}(?=[\"'\\\\])"),
  key("stripe", "pk_live_", "[A-Za-z0-9]{16,}"),
  key("stripe", "pk_test_", "[A-Za-z0-9]{16,}"),
  key("branch", "key_live_", "[A-Za-z0-9]{20,}"),
  key("posthog", "phc_", "[A-Za-z0-9]{30,}"),
  key("mapbox", "pk.eyJ", "[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{10,}"),
  key("recaptcha", "6L", "[cdef][A-Za-z0-9_-]{37}(?![\\w-])"),
  key("cloudflareturnstile", "0x4AAAA", "[A-Za-z0-9_-]{14,20}(?![\\w-])"),
  key("razorpay", "rzp_live_", "[A-Za-z0-9]{10,}"),
  key("newrelic", "NRJS-", "[a-f0-9]{15,}"),
  key("algolia", "-dsn.algolia.net", ""),
  key("optimizely", "cdn.optimizely.com/js/", "\\d{6,}"),
  key("datadog", "pub", "[a-f0-9]{32}(?![\\w-])"),
  key("launchdarkly", "sdk-client-side", "", "weak"),
  key("sapcustomerdatacloud", "3_", "[A-Za-z0-9_-]{64}(?![\\w-])"),
];
const QUOTE = new RegExp(Q);
const MAX_TRIES = 200;

/** The two characters in each needle that are rarest in code, by which one pass finds all of them. */
const PAIRS: ReadonlyMap<number, readonly { readonly index: number; readonly offset: number }[]> = Map.groupBy(
  KEY_SHAPES.map(({ needle }, index) => ({ index, offset: rarestPair(needle) })),
  ({ index, offset }) => pairAt(KEY_SHAPES[index]!.needle, offset),
);
/** One byte for each pair of Latin-1 characters. */
const IS_PAIR = new Uint8Array(65_536);
for (const pair of PAIRS.keys()) IS_PAIR[pair] = 1;

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1);
}

function rarestPair(needle: string): number {
  const rareness = (at: number) => (/[A-Z0-9_-]/.test(needle[at]!) ? 2 : /[./bjkqvxyz]/.test(needle[at]!) ? 1 : 0);
  let best = 0;
  for (let at = 1; at < needle.length - 1; at++)
    if (rareness(at) + rareness(at + 1) > rareness(best) + rareness(best + 1)) best = at;
  return best;
}

/** Keys in a text, one for each tool. A needle inside a longer word is no key. */
export function keysIn(text: string): VendorKey[] {
  const matches: (VendorKey | undefined)[] = [];
  const tries = new Uint8Array(KEY_SHAPES.length);
  const { length } = text;
  const codes = codesOf(text);
  let pair = 0;
  for (let end = 0; end < length; end++) {
    pair = ((pair << 8) | (codes[end]! & 0xff)) & 0xffff;
    if (IS_PAIR[pair] === 0) continue;
    for (const { index, offset } of PAIRS.get(pair) ?? []) {
      if (matches[index] !== undefined || tries[index] === MAX_TRIES) continue;
      const shape = KEY_SHAPES[index]!;
      const at = end - 1 - offset;
      if (at < 0 || !text.startsWith(shape.needle, at)) continue;
      tries[index]! += 1;
      matches[index] = keyAt(text, at, shape);
    }
  }
  // The first shape of a tool counts.
  const found = new Map<string, VendorKey>();
  for (const match of matches) if (match && !found.has(match.tool)) found.set(match.tool, match);
  return [...found.values()];
}

function keyAt(text: string, at: number, { tool, needle, shape, strength, notAfter }: KeyShape): VendorKey | undefined {
  const isHost = needle.includes(".") && needle !== "pk.eyJ";
  if (!isHost && at > 0 && !QUOTE.test(text[at - 1]!)) return undefined;
  if (notAfter?.test(text.slice(Math.max(0, at - 40), at))) return undefined;
  shape.lastIndex = at;
  const match = shape.exec(text);
  return match ? { tool, at, length: match[0].length, strength } : undefined;
}
