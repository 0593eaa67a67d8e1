import { belongsTo, type Domain } from "../../core/domain.ts";
import type { HttpAnswer } from "../../net/exchange.ts";
import type { HttpExchange, ObservedRequest } from "../../net/snapshot.ts";
import type { Signal } from "../signals.ts";
import type { Visit } from "../visit/visit.ts";
import { isThirdParty } from "./dns-names.ts";
import { companyDomains, hostsInCode, isCompanyHost, registrable } from "./page-hosts.ts";
import { cookieName, headerSignals, isPage, PAGE_KINDS, pageSignals } from "./page-signals.ts";
import { type Scanner, Skipped } from "./scanner.ts";

const KNOWN_PAGES = 20;

/** The home page at the domain and its `www`, and recorded pages. */
async function visitHome(visit: Visit): Promise<readonly HttpAnswer[]> {
  const { name } = visit.domain;
  const pages = visit.known.pages.slice(0, KNOWN_PAGES).map((url) => visit.http(url));
  return Promise.all([homePageAt(visit, name), homePageAt(visit, `www.${name}`), ...pages]);
}

/** The company's home page; undefined if none was served. */
export async function findHome(visit: Visit): Promise<HttpExchange | undefined> {
  const finals = (await visitHome(visit)).map((answer) => answer.final);
  return finals.find((page) => isReadable(page) && isCompanyPage(page.url, visit.domain));
}

/** `https://host` of the home page, or of the domain where there is no home page. */
export async function findOrigin(visit: Visit): Promise<string> {
  const home = await findHome(visit);
  return (home && URL.parse(home.url)?.origin) ?? `https://${visit.domain.name}`;
}

/** The scheme over which the domain answers; HTTPS where it does not answer. */
export async function findScheme(visit: Visit): Promise<"https" | "http"> {
  const [first] = (await homePageAt(visit, visit.domain.name)).hops;
  return first.status === "ok" && first.url.startsWith("http:") ? "http" : "https";
}

async function homePageAt(visit: Visit, host: string): Promise<HttpAnswer> {
  const secure = await visit.http(`https://${host}/`);
  return secure.hops[0].status === "ok" ? secure : visit.http(`http://${host}/`);
}

/** Whether a response is an HTML page and not an error. */
export function isReadable(page: HttpExchange): boolean {
  return page.status === "ok" && page.code >= 200 && page.code < 400 && isPage(page);
}

/** The path of a home page, in any language. */
const HOME_PATH = /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?|home\/?|index\.[a-z]{3,5})?$/i;

/**
 * Whether the page at `url`, reached from the company's domain, is the company's: on its domain, the home page of another
 * site, or on a domain with its label. Redirects to other pages, such as a social network profile or an offer to buy the
 * domain, lead to someone else's page.
 */
export function isCompanyPage(url: string, domain: Domain): boolean {
  const target = URL.parse(url);
  if (!target) return false;
  if (belongsTo(target.hostname, domain.name)) return true;
  if (target.search.includes(domain.name)) return false;
  const label = registrable(target.hostname)?.split(".")[0] ?? "";
  return HOME_PATH.test(target.pathname) || (domain.label.length >= 4 && label.includes(domain.label));
}

/** Tests for the company's hosts: its domain, sister domains with its label, and the domain of its home page. */
export function companyHosts(domain: Domain, homeUrl: string | undefined): (host: string) => boolean {
  const domains = companyDomains(domain, homeUrl ?? "");
  return (host) => !isThirdParty(host, domain) || isCompanyHost(host, domains);
}

const REQUEST_CAP = 5_000;
/** Recorded responses of the company's hosts whose headers are read. */
const ANSWER_CAP = 500;

/** Signals of the requests that a browser made for a page: hosts of others; paths and cookies of the company. */
export function requestSignals(requests: readonly ObservedRequest[], domain: Domain): Signal[] {
  return requests.slice(0, REQUEST_CAP).flatMap(({ url, cookies }): Signal[] => {
    const target = URL.parse(url);
    if (!target || !/^https?:$/.test(target.protocol)) return [];
    if (!belongsTo(target.hostname, domain.name)) return [{ kind: "html.request", value: target.href, location: url }];
    return [
      { kind: "html.path", value: target.pathname + target.search, location: url },
      ...cookies.flatMap((cookie): Signal[] => {
        const name = cookieName(cookie);
        return name ? [{ kind: "http.cookie", value: name, location: url }] : [];
      }),
    ];
  });
}

/** The company's home page, and what a recorded browser loaded for it. */
export const homePage: Scanner = {
  id: "home-page",
  phase: "website",
  emits: [...PAGE_KINDS, "html.request"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    for (const signal of requestSignals(visit.known.requests, visit.domain)) emit(signal);
    const companyRequests = visit.known.requests.filter(({ url }) => isCompanyPage(url, visit.domain));
    for (const { url } of companyRequests.slice(0, ANSWER_CAP)) {
      const { hops } = await visit.http(url, { follow: false, maxBytes: 1 });
      if (hops[0].status !== "ok") continue;
      for (const signal of headerSignals(hops[0], companyDomains(visit.domain, url))) emit(signal);
    }
    const read = new Set<string>();
    for (const { hops } of await visitHome(visit)) {
      for (const hop of hops) {
        if (hop.status !== "ok" || read.has(hop.url)) continue;
        read.add(hop.url);
        if (isCompanyPage(hop.url, visit.domain)) for (const signal of pageSignals(hop, visit.domain)) emit(signal);
        else if (isLast(hop, hops) && /^https?:\/\/\w/.test(hop.url))
          emit({ kind: "html.anchor", value: hop.url, location: hops[0].url });
      }
    }
  },
};

const isLast = (hop: HttpExchange, hops: readonly HttpExchange[]) => hop === hops.at(-1);

const FILE_CAP = 6;
const BYTE_CAP = 1_572_864;
const TEXT_CAP = 1_048_576;
const HOST_CAP = 300;

/** First-party script files: tools that are built into the site leave their names and addresses there. */
export const bundles: Scanner = {
  id: "bundles",
  phase: "website",
  emits: ["js.bundle", "js.bundle-host"],
  timeoutMs: 9_000,

  async scan(visit, emit) {
    const home = await findHome(visit);
    if (!home) return;
    const isCompany = companyHosts(visit.domain, home.url);
    const files = pageSignals(home, visit.domain)
      .filter(({ kind }) => kind === "html.script" || kind === "html.link")
      .map(({ value }) => value)
      .filter((url) => isScript(url) && isCompany(new URL(url).hostname))
      .map((url) => ({ url, priority: priorityOf(url) }))
      .filter(({ priority }) => priority >= 0)
      .sort((one, other) => other.priority - one.priority)
      .slice(0, FILE_CAP);
    const domains = companyDomains(visit.domain, home.url);
    const seen = new Set<string>();
    await Promise.all(
      files.map(async ({ url }) => {
        const { final } = await visit.http(url, { maxBytes: BYTE_CAP });
        if (!isCode(final)) return;
        const text = final.body.slice(0, TEXT_CAP);
        emit({ kind: "js.bundle", value: text, location: url });
        for (const host of hostsInCode(text, domains)) {
          if (seen.size >= HOST_CAP || seen.has(host)) continue;
          seen.add(host);
          emit({ kind: "js.bundle-host", value: host, location: url });
        }
      }),
    );
  },
};

const isScript = (url: string) => /\.m?js$/i.test(new URL(url).pathname);
/** Some servers answer a missing script with a page. */
const isCode = (file: HttpExchange) =>
  file.status === "ok" && file.code === 200 && file.body.length > 0 && !/^\s{0,100}</.test(file.body.slice(0, 200));

/** Usual names of a site's code and configuration. */
const SITE_CODE =
  /(?:^|[/._-])(?:analytics|app|application|bundle|client|config|global|index|layout|main|site|tracking|vendors?)(?=[/._-])/i;
/** Published libraries, which contain nothing about the company. */
const LIBRARY = /jquery|polyfill|bootstrap|\/wp-includes\/|modernizr|webpack-|runtime|core-js|swiper|lazysizes/i;

/** Reading order of script files by their path; files below 0 are not read. */
function priorityOf(url: string): number {
  const { pathname } = new URL(url);
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  if (LIBRARY.test(name) || LIBRARY.test(pathname)) return -1;
  return (
    (SITE_CODE.test(`/${name}`) ? 2 : 0) +
    (SITE_CODE.test(pathname) ? 1 : 0) +
    (/\/_next\/|\/_nuxt\/|\/assets\/|\/static\//.test(pathname) ? 1 : 0)
  );
}

const CONTAINER_CAP = 3;
const ID = /\bGTM-[A-Z0-9]{4,10}\b/g;
const ID_KINDS = new Set(["html.script", "html.frame", "html.inline"]);

/** Google Tag Manager containers, which load tools that the page does not name. */
export const tagManager: Scanner = {
  id: "tag-manager",
  phase: "website",
  emits: ["gtm.host", "gtm.tag"],
  timeoutMs: 8_000,
  needs: "elsewhere",

  async scan(visit, emit) {
    const { tagManager: source } = visit.sources;
    if (source === null) throw new Skipped("Lookups of tag manager containers are disabled.");
    const home = await findHome(visit);
    if (!home) return;
    const found = pageSignals(home, visit.domain)
      .filter(({ kind }) => ID_KINDS.has(kind))
      .flatMap(({ value }) => value.match(ID) ?? []);
    const domains = companyDomains(visit.domain, home.url);
    await Promise.all(
      [...new Set(found)].slice(0, CONTAINER_CAP).map(async (id) => {
        const location = source.replaceAll("{id}", id);
        const { final } = await visit.http(location);
        const container = final.code === 200 ? containerData(final.body) : "";
        for (const host of hostsInCode(container, domains, false)) emit({ kind: "gtm.host", value: host, location });
        for (const tag of tagTypes(container)) emit({ kind: "gtm.tag", value: tag, location });
      }),
    );
  },
};

/**
 * The part of a container that its owner wrote. The rest is a library, the same in every container, that names all hosts
 * of Google's tags.
 */
function containerData(script: string): string {
  const start = script.indexOf('"resource"');
  if (start < 0) return "";
  const end = script.slice(start).search(/\n\s{0,8}\};/);
  return end < 0 ? script.slice(start) : script.slice(start, start + end);
}

function tagTypes(container: string): Set<string> {
  const start = container.indexOf('"tags"');
  const end = container.indexOf('"predicates"');
  const tags = start < 0 ? "" : container.slice(start, end > start ? end : undefined);
  const names = [...tags.matchAll(/"function"\s{0,2}:\s{0,2}"(__\w{1,60})"/g)].flatMap(([, name]) => name ?? []);
  return new Set(names.filter((name) => name !== "__paused").slice(0, 2_000));
}
