import robotsParser from "robots-parser";
import { HTTP_FAULTS, type HttpFault } from "./snapshot.ts";

/** Why robots.txt allows nothing: `http` for a response that is no robots.txt. */
export interface RobotsRefusal {
  readonly code: HttpFault | "http";
  /** A clause. */
  readonly reason: string;
}

/** The rules of one robots.txt for our user agent. They hold for its scheme, host and port. */
export interface RobotsRules {
  allows(url: string): boolean;
  /** The reason to give for a URL that is not allowed. */
  readonly refusal: RobotsRefusal;
  /** Seconds between requests that the site asks for, at most {@link MAX_DELAY_SECONDS}; null when it asks for none. */
  readonly delaySeconds: number | null;
  /** As written. */
  readonly sitemaps: readonly string[];
}

export const MAX_ROBOTS_BYTES = 524_288;
/** Our name in rules. */
export const ROBOTS_TOKEN = "Casefile";
export const MAX_DELAY_SECONDS = 30;
/** The parser's time grows with the number of rules, their length and, for rules with stars, the length of the URL. */
const MAX_RULES = 5_000;
const MAX_WILDCARD_RULES = 500;
const MAX_RULE_LENGTH = 500;
const MAX_STARS = 10;

const FORBIDDEN: RobotsRefusal = { code: "robots", reason: HTTP_FAULTS.robots };
export const ALL_ALLOWED: RobotsRules = { allows: () => true, refusal: FORBIDDEN, delaySeconds: null, sitemaps: [] };

export const noneAllowed = (refusal: RobotsRefusal): RobotsRules => ({ ...ALL_ALLOWED, allows: () => false, refusal });

/**
 * @param url address of the robots.txt
 * @param token our name in rules, without a version
 */
export function parseRobots(url: string, text: string, token: string): RobotsRules {
  // A site that answers every address with its home page has no rules.
  if (/^\s{0,100}</.test(text)) return ALL_ALLOWED;
  const rules = robotsParser(url, withinLimits(text));
  const delay = rules.getCrawlDelay(token);
  const answers = new Map<string, boolean>();
  return {
    refusal: FORBIDDEN,
    allows(address) {
      const allowed = answers.get(address) ?? rules.isAllowed(address, token) ?? true;
      answers.set(address, allowed);
      return allowed;
    },
    delaySeconds: delay !== undefined && delay > 0 ? Math.min(delay, MAX_DELAY_SECONDS) : null,
    sitemaps: rules.getSitemaps().slice(0, 50),
  };
}

/** The text without comments and without the rules that exceed a limit. */
function withinLimits(text: string): string {
  let rules = 0;
  let wildcardRules = 0;
  const lines = text
    .slice(0, MAX_ROBOTS_BYTES)
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/);
  const kept = lines.flatMap((line) => {
    const content = line.split("#", 1)[0]?.trim() ?? "";
    if (!/^(?:dis)?allow\s{0,20}:/i.test(content)) return content === "" ? [] : [content.slice(0, 2_000)];
    const rule = content.replace(/\*+/g, "*");
    const stars = rule.split("*").length - 1;
    rules += 1;
    if (stars > 0) wildcardRules += 1;
    const tooManyStars = stars > 0 && (wildcardRules > MAX_WILDCARD_RULES || stars > MAX_STARS);
    return tooManyStars || rules > MAX_RULES || rule.length > MAX_RULE_LENGTH ? [] : [rule];
  });
  return kept.join("\n");
}
