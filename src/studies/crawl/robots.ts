/** What a site's robots.txt lets us do. */
import robotsParser from "robots-parser";

export interface RobotsRules {
  allows(url: string): boolean;
  /** Why it does not allow what it does not allow. */
  readonly refusal: string;
  /** Seconds that the site asks to be left between requests, at most {@link MAX_DELAY_SECONDS}; null when it asks none. */
  readonly delaySeconds: number | null;
  /** As they were written. */
  readonly sitemaps: readonly string[];
}

export const MAX_ROBOTS_BYTES = 524_288;
export const MAX_DELAY_SECONDS = 30;
/** The parser's time grows with the rules, their length and, where they hold stars, with the address's length. */
const MAX_RULES = 5_000;
const MAX_STARRED = 500;
const MAX_RULE = 500;
const MAX_STARS = 10;

export const FORBIDDEN = "robots.txt forbids it";
export const ALL_ALLOWED: RobotsRules = { allows: () => true, refusal: FORBIDDEN, delaySeconds: null, sitemaps: [] };

/** Rules of a site that cannot tell them. */
export function noneAllowed(refusal: string): RobotsRules {
  return { allows: () => false, refusal, delaySeconds: null, sitemaps: [] };
}

/**
 * @param url of the robots.txt that was asked for; its rules hold for that scheme, host and port
 * @param token the name by which rules call us, without a version
 */
export function parseRobots(url: string, text: string, token: string): RobotsRules {
  // A site that answers everything with its start page has no rules.
  if (/^\s{0,100}</.test(text)) return ALL_ALLOWED;
  const rules = robotsParser(url, bounded(text));
  const delay = rules.getCrawlDelay(token);
  const answers = new Map<string, boolean>();
  return {
    refusal: FORBIDDEN,
    allows(address) {
      const known = answers.get(address);
      if (known !== undefined) return known;
      const allowed = rules.isAllowed(address, token) ?? true;
      answers.set(address, allowed);
      return allowed;
    },
    delaySeconds: delay !== undefined && delay > 0 ? Math.min(delay, MAX_DELAY_SECONDS) : null,
    sitemaps: rules.getSitemaps().slice(0, 50),
  };
}

/** The text without what would keep the parser busy: rules beyond the caps count for nothing. */
function bounded(text: string): string {
  let rules = 0;
  let starred = 0;
  const lines = text
    .slice(0, MAX_ROBOTS_BYTES)
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/);
  const kept = lines.flatMap((line) => {
    const short = line.split("#", 1)[0]?.trim() ?? "";
    if (!/^(?:dis)?allow\s{0,20}:/i.test(short)) return short === "" ? [] : [short.slice(0, 2_000)];
    const rule = short.replace(/\*+/g, "*");
    const stars = rule.split("*").length - 1;
    rules += 1;
    if (stars > 0) starred += 1;
    const tooCostly = stars > 0 && (starred > MAX_STARRED || stars > MAX_STARS);
    const tooMuch = tooCostly || rules > MAX_RULES || rule.length > MAX_RULE;
    return tooMuch ? [] : [rule];
  });
  return kept.join("\n");
}
