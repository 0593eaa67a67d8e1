import { belongsTo, type Domain } from "../../core/domain.ts";
import type { HttpAnswer, HttpOptions } from "../../net/exchange.ts";
import { ALL_ALLOWED, MAX_ROBOTS_BYTES, parseRobots, ROBOTS_TOKEN } from "../../net/robots.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import { isHomePage } from "./bot-wall.ts";

/**
 * What a scan does with the robots.txt of the company's hosts. `home-page-only`: home pages, with the redirects that lead
 * to them, are requested as a browser would; every other path obeys. Data sources of others have no robots.txt for this.
 */
export const ROBOTS_MODES = ["obey", "home-page-only", "ignore"] as const;
export type RobotsMode = (typeof ROBOTS_MODES)[number];

/** Options of the request of a robots.txt: the scanner of a site's files asks for the same resource. */
export const ROBOTS_FILE = { maxBytes: MAX_ROBOTS_BYTES } as const;

type Robots = NonNullable<HttpOptions["robots"]>;

const UNREAD = "robots.txt cannot be read";

/** Whether a request was not sent because the robots.txt of its host was not reached. */
export const isRobotsUnreached = ({ fault, detail }: Pick<HttpExchange, "fault" | "detail">): boolean =>
  fault === "robots" && (detail === `${UNREAD} (failed)` || detail === `${UNREAD} (timeout)`);

/**
 * @param fetchFile requests a robots.txt, which is kept for the scan
 * @returns the check for a request of a URL, and of what it redirects to; undefined when none is needed
 */
export function createRobotsCheck(
  domain: Domain,
  mode: RobotsMode,
  fetchFile: (url: string) => Promise<HttpAnswer>,
): (url: string) => Robots | undefined {
  const isForbidden: Robots = async (url) => {
    if (!belongsTo(url.hostname, domain.name) || url.pathname === "/robots.txt") return null;
    const address = `${url.origin}/robots.txt`;
    const { final } = await fetchFile(address);
    const { status, code } = final;
    // RFC 9309, section 2.3.1: without the file all is allowed; where it cannot be read, nothing is.
    const isMissing = status === "ok" && code >= 400 && code < 500 && code !== 429;
    const isRead = status === "ok" && code >= 200 && code < 300;
    if (!isMissing && !isRead) return `${UNREAD} (${status === "ok" ? code : status})`;
    const rules = isRead ? parseRobots(address, final.body, ROBOTS_TOKEN) : ALL_ALLOWED;
    return rules.allows(url.href) ? null : rules.refusal.reason;
  };
  return (url) => {
    if (mode === "ignore" || URL.parse(url)?.pathname === "/robots.txt") return undefined;
    return mode === "home-page-only" && isHomePage(url) ? undefined : isForbidden;
  };
}
