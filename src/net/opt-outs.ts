import { isIP } from "node:net";
import { hostOf } from "../core/domain.ts";
import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";

/** The sites whose owners do not want to be requested. */
export interface OptOuts {
  /** The pattern of the list that a host matches; undefined when it may be requested. */
  match(host: string): Promise<string | undefined>;
}

/** @throws Failure `domain.opted_out` when a host may not be requested */
export async function assertNotOptedOut(optOuts: OptOuts | undefined, host: string): Promise<void> {
  const pattern = await optOuts?.match(host);
  if (pattern !== undefined)
    throw new Failure(
      "domain.opted_out",
      `${host} has opted out of all requests (${pattern}); nothing is requested from it. The operator keeps the list.`,
    );
}

const MAX_LENGTH = 253;
const MAX_STARS = 5;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const STARRED = /^[a-z0-9_*-]{1,63}$/;

/**
 * A line of the list: a domain as people paste it, or a pattern in which a star means any characters of one label
 * (`*.acme.example`, `acme.*`, `*-bank.example`). Both cover all subdomains.
 *
 * @returns the domain or pattern in lower case and ASCII
 * @throws Failure `opt_out.invalid`
 */
export function parseOptOut(input: string): string {
  const written = input.trim().toLowerCase().replace(/\.+$/, "");
  const pattern = written.includes("*") ? written : (hostOf(written) ?? written);
  const labels = pattern.split(".");
  const isValid =
    pattern.length <= MAX_LENGTH &&
    labels.length > 1 &&
    isIP(pattern) === 0 &&
    labels.every((label) => (label.includes("*") ? STARRED : LABEL).test(label)) &&
    labels.some((label) => !label.includes("*")) &&
    pattern.split("*").length - 1 <= MAX_STARS;
  if (isValid) return pattern;
  throw new Failure(
    "opt_out.invalid",
    `${quoted(input)} is not a domain or a pattern: write acme.example, or *.acme.example, acme.* with a star for any characters of one label.`,
  );
}

/**
 * Finds the pattern that covers a host: the host itself or a domain above it. Domains are found in a table, so a list may
 * be long; patterns with stars are tried one after the other.
 */
export function createOptOutMatcher(patterns: Iterable<string>): (host: string) => string | undefined {
  const domains = new Set<string>();
  const starred: (readonly [string, number, RegExp])[] = [];
  for (const pattern of patterns) {
    if (!pattern.includes("*")) domains.add(pattern);
    else starred.push([pattern, pattern.split(".").length, expressionOf(pattern)]);
  }
  return (host) => {
    const labels = host.toLowerCase().replace(/\.+$/, "").split(".");
    for (let start = 0; start < labels.length; start++) {
      const name = labels.slice(start).join(".");
      if (domains.has(name)) return name;
    }
    return starred.find(([, count, expression]) => expression.test(labels.slice(-count).join(".")))?.[0];
  };
}

/** Linear: at most five stars, each of which stays within a label of 63 characters. */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[.*]/g, (sign) => (sign === "*" ? "[^.]{0,63}" : "\\."))}$`);
