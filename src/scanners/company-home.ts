/** Where a company's website is: the home page that several scanners start from. The visit asks for it once. */
import type { HttpAnswer, Visit } from "../net/visit.ts";
import { belongsTo, type Domain } from "../vocabulary/domain.ts";
import type { HttpExchange } from "../vocabulary/snapshot.ts";
import { isForeign } from "./host-name.ts";
import { isOwn, ownNames, registrable } from "./page-hosts.ts";
import { isPage } from "./page-signals.ts";

const KNOWN_PAGES = 20;

/** What the domain and its `www` answered, and the recorded pages beside them. */
export async function visitHome(visit: Visit): Promise<readonly HttpAnswer[]> {
  const { name } = visit.domain;
  const pages = visit.known.pages.slice(0, KNOWN_PAGES).map((url) => visit.http(url));
  return Promise.all([frontDoor(visit, name), frontDoor(visit, `www.${name}`), ...pages]);
}

/** The first readable page among them that is the company's; undefined when there is none. */
export async function findHome(visit: Visit): Promise<HttpExchange | undefined> {
  const finals = (await visitHome(visit)).map((answer) => answer.final);
  return finals.find((page) => isReadable(page) && isCompanyPage(page.url, visit.domain));
}

/** `https://host` of the home page, or of the domain where there is no home page. */
export async function findOrigin(visit: Visit): Promise<string> {
  const home = await findHome(visit);
  return (home && URL.parse(home.url)?.origin) ?? `https://${visit.domain.name}`;
}

async function frontDoor(visit: Visit, host: string): Promise<HttpAnswer> {
  const secure = await visit.http(`https://${host}/`);
  return secure.hops[0].status === "ok" ? secure : visit.http(`http://${host}/`);
}

/** An HTML page that came and is no error. */
export function isReadable(page: HttpExchange): boolean {
  return page.status === "ok" && page.code >= 200 && page.code < 400 && isPage(page);
}

/** The front of a site, in one of its languages. */
const FRONT = /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?|home\/?|index\.[a-z]{3,5})?$/i;

/**
 * Whether the page at `url`, reached from the company's domain, is the company's own: on its domain, or at the front of
 * another site, or on a domain with its label. A redirect to one place among many, such as a profile in a social
 * network or an offer to buy the domain, leads to somebody else's page.
 */
export function isCompanyPage(url: string, domain: Domain): boolean {
  const target = URL.parse(url);
  if (!target) return false;
  if (belongsTo(target.hostname, domain.name)) return true;
  if (target.search.includes(domain.name)) return false;
  const label = registrable(target.hostname)?.split(".")[0] ?? "";
  return FRONT.test(target.pathname) || (domain.label.length >= 4 && label.includes(domain.label));
}

/** Tells the company's hosts: its domain, sister domains with its label, and the domain that its home page stands on. */
export function companyHosts(domain: Domain, homeUrl: string | undefined): (host: string) => boolean {
  const own = ownNames(domain, homeUrl ?? "");
  return (host) => !isForeign(host, domain) || isOwn(host, own);
}
