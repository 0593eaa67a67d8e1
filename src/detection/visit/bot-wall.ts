import type { HttpExchange } from "../../net/snapshot.ts";

/** Response headers of bot-protection services that mark a page as theirs instead of the site's. */
const CHALLENGE_HEADERS = new Set(["cf-mitigated", "sg-captcha", "x-amzn-waf-action", "x-vercel-mitigated"]);
/** Imperva's challenge has status 200 and no such header. */
const IMPERVA_CHALLENGE = /_Incapsula_Resource\?[^"']{0,500}incident_id=/;
const SEARCHED = 4_096;

/** Whether a URL is a site's home page. Every site has one, while "not found" is a valid answer for other paths. */
export function isHomePage(url: string): boolean {
  const { pathname, search } = URL.parse(url) ?? {};
  return pathname === "/" && search === "";
}

/**
 * Whether a response shows what a visitor sees: no error, no redirect without a target, no bot challenge. 304 occurs in
 * browser recordings.
 */
export function showsPage({ code, headers, body }: HttpExchange): boolean {
  if (headers.some(([name]) => CHALLENGE_HEADERS.has(name))) return false;
  if (IMPERVA_CHALLENGE.test(body.slice(0, SEARCHED))) return false;
  return (code >= 200 && code < 300 && code !== 202) || code === 304;
}
