import { belongsTo, type Domain } from "../../core/domain.ts";
import type { HttpAnswer } from "../../net/exchange.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import type { Visit } from "../visit/visit.ts";
import { isForeign } from "./dns-names.ts";
import { hostsInCode, isOwn, ownNames, registrable } from "./page-hosts.ts";
import { cookieName, headerSignals, isPage, PAGE_KINDS, pageSignals } from "./page-signals.ts";
import { type Scanner, Skipped } from "./scanner.ts";

/** Where a company's website is: the home page that several scanners start from. The visit asks for it once. */

const KNOWN_PAGES = 20;

/** What the domain and its `www` answered, and the recorded pages beside them. */
async function visitHome(visit: Visit): Promise<readonly HttpAnswer[]> {
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
function isCompanyPage(url: string, domain: Domain): boolean {
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

/** The company's home page and what a recorded browser loaded for it: a tag that loads is a tool at work. */

const REQUEST_CAP = 5_000;
/** Answers of the company's own hosts that a recorded browser got, and whose heads are read. */
const ANSWER_CAP = 500;

export const homePage: Scanner = {
  id: "home-page",
  phase: "website",
  emits: [...PAGE_KINDS, "html.request"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    for (const { url, cookies } of visit.known.requests.slice(0, REQUEST_CAP)) {
      const target = URL.parse(url);
      if (!target || !/^https?:$/.test(target.protocol)) continue;
      if (!belongsTo(target.hostname, visit.domain.name))
        emit({ kind: "html.request", value: target.href, location: url });
      else {
        emit({ kind: "html.path", value: target.pathname + target.search, location: url });
        for (const cookie of cookies) {
          const name = cookieName(cookie);
          if (name) emit({ kind: "http.cookie", value: name, location: url });
        }
      }
    }
    const own = visit.known.requests.filter(({ url }) => isCompanyPage(url, visit.domain)).slice(0, ANSWER_CAP);
    for (const { url } of own) {
      const { hops } = await visit.http(url, { follow: false, maxBytes: 1 });
      if (hops[0].status !== "ok") continue;
      for (const signal of headerSignals(hops[0], ownNames(visit.domain, url))) emit(signal);
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

/** The company's own script files: tools that are built into the site leave their names and addresses there. */

const FILE_CAP = 6;
const BYTE_CAP = 1_572_864;
const TEXT_CAP = 1_048_576;
const HOST_CAP = 300;

export const bundles: Scanner = {
  id: "bundles",
  phase: "website",
  emits: ["js.bundle", "js.bundle-host"],
  timeoutMs: 9_000,

  async scan(visit, emit) {
    const home = await findHome(visit);
    if (!home) return;
    const isOurs = companyHosts(visit.domain, home.url);
    const files = pageSignals(home, visit.domain)
      .filter(({ kind }) => kind === "html.script" || kind === "html.link")
      .map(({ value }) => value)
      .filter((url) => isScript(url) && isOurs(new URL(url).hostname))
      .map((url) => ({ url, interest: interest(url) }))
      .filter(({ interest }) => interest >= 0)
      .sort((one, other) => other.interest - one.interest)
      .slice(0, FILE_CAP);
    const own = ownNames(visit.domain, home.url);
    const seen = new Set<string>();
    await Promise.all(
      files.map(async ({ url }) => {
        const { final } = await visit.http(url, { maxBytes: BYTE_CAP });
        if (!isCode(final)) return;
        const text = final.body.slice(0, TEXT_CAP);
        emit({ kind: "js.bundle", value: text, location: url });
        for (const host of hostsInCode(text, own)) {
          if (seen.size >= HOST_CAP || seen.has(host)) continue;
          seen.add(host);
          emit({ kind: "js.bundle-host", value: host, location: url });
        }
      }),
    );
  },
};

const isScript = (url: string) => /\.m?js$/i.test(new URL(url).pathname);
/** A server that answers everything with a page answers a missing script so too. */
const isCode = (file: HttpExchange) =>
  file.status === "ok" && file.code === 200 && file.body.length > 0 && !/^\s{0,100}</.test(file.body.slice(0, 200));

/** Where a site's own code and its configuration usually stand. */
const TELLING =
  /(?:^|[/._-])(?:analytics|app|application|bundle|client|config|global|index|layout|main|site|tracking|vendors?)(?=[/._-])/i;
/** Published libraries: they hold no word of the company's own. */
const LIBRARY = /jquery|polyfill|bootstrap|\/wp-includes\/|modernizr|webpack-|runtime|core-js|swiper|lazysizes/i;

/** How much a script file is likely to tell, by its path; below 0 it is not read. */
function interest(url: string): number {
  const { pathname } = new URL(url);
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  if (LIBRARY.test(name) || LIBRARY.test(pathname)) return -1;
  return (
    (TELLING.test(`/${name}`) ? 2 : 0) +
    (TELLING.test(pathname) ? 1 : 0) +
    (/\/_next\/|\/_nuxt\/|\/assets\/|\/static\//.test(pathname) ? 1 : 0)
  );
}

/** The page's Google Tag Manager containers: what a container loads is decided there and not in the page. */

const CONTAINER_CAP = 3;
const ID = /\bGTM-[A-Z0-9]{4,10}\b/g;
const WHERE = new Set(["html.script", "html.frame", "html.inline"]);

export const tagManager: Scanner = {
  id: "tag-manager",
  phase: "website",
  emits: ["gtm.host", "gtm.tag"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    const { tagManager: source } = visit.sources;
    if (source === null) throw new Skipped("The look-up of tag manager containers is switched off.");
    const home = await findHome(visit);
    if (!home) return;
    const found = pageSignals(home, visit.domain)
      .filter(({ kind }) => WHERE.has(kind))
      .flatMap(({ value }) => value.match(ID) ?? []);
    const own = ownNames(visit.domain, home.url);
    await Promise.all(
      [...new Set(found)].slice(0, CONTAINER_CAP).map(async (id) => {
        const location = source.replaceAll("{id}", id);
        const { final } = await visit.http(location);
        const container = final.code === 200 ? containerData(final.body) : "";
        for (const host of hostsInCode(container, own, false)) emit({ kind: "gtm.host", value: host, location });
        for (const tag of tagTypes(container)) emit({ kind: "gtm.tag", value: tag, location });
      }),
    );
  },
};

/**
 * The part of a container that its owner wrote. Behind it stands the library, the same in every container, which
 * names all hosts that Google's own tags may ever call.
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
