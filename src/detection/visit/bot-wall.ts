import type { HttpExchange } from "../../net/snapshot.ts";

/** Headers by which those who keep bots out say that this is their own page and not the site's. */
const CHALLENGES = new Set(["cf-mitigated", "sg-captcha", "x-amzn-waf-action", "x-vercel-mitigated"]);
/** Imperva asks with 200 and without a header. */
const INCIDENT = /_Incapsula_Resource\?[^"']{0,500}incident_id=/;
const HEAD = 4_096;

/** Whether a URL is the front of a site: every site has one, while of other places "none here" is what one asks. */
export function isHomePage(url: string): boolean {
  const { pathname, search } = URL.parse(url) ?? {};
  return pathname === "/" && search === "";
}

/**
 * Whether a response shows what the site shows its visitors: no error, no redirect that led nowhere, and no question
 * whether we are human. 304 is of a recorded browser that had the page.
 */
export function showsPage({ code, headers, body }: HttpExchange): boolean {
  if (headers.some(([name]) => CHALLENGES.has(name))) return false;
  if (INCIDENT.test(body.slice(0, HEAD))) return false;
  return (code >= 200 && code < 300 && code !== 202) || code === 304;
}
