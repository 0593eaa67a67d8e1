import { inParallel } from "../../core/async.ts";
import { belongsTo, hostOfUrl } from "../../core/domain.ts";
import { field, parseJson } from "../../core/json.ts";
import type { HttpAnswer } from "../../net/exchange.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import { ROBOTS_FILE } from "../visit/robots.ts";
import type { Visit } from "../visit/visit.ts";
import { asHost, cnameChain, isThirdParty, wildcardProbes } from "./dns-names.ts";
import { findHome, findOrigin, findScheme } from "./home-page.ts";
import { PAGE_KINDS, pageSignals } from "./page-signals.ts";
import { type Scanner, Skipped } from "./scanner.ts";

const TEXT_CAP = 65_536;
const SELLER_BYTES = 524_288;
const SELLER_CAP = 500;
/** Only the start of a list of pages is read: it may name the generator, while the pages name their topics. */
const URLSET_HEAD = 4_096;

/** Files at fixed paths, which often name the site's software; ads.txt lists ad sellers. */
export const siteFiles: Scanner = {
  id: "site-files",
  phase: "website",
  emits: ["file.robots", "file.sitemap", "file.ads", "file.manifest", "file.favicon"],
  timeoutMs: 8_000,
  needs: "files",

  async scan(visit, emit) {
    const { domain } = visit;
    const [origin, scheme] = await Promise.all([findOrigin(visit), findScheme(visit)]);
    const text = { maxBytes: TEXT_CAP };

    const robotsAndSitemap = async () => {
      const robots = plain(await visit.http(`${origin}/robots.txt`, ROBOTS_FILE));
      const isRobots = robots !== undefined && ROBOTS.test(robots.body);
      if (isRobots) emit({ kind: "file.robots", value: robots.body.slice(0, TEXT_CAP), location: robots.url });
      const listed = isRobots ? sitemapIn(robots.body, domain.name) : undefined;
      const { final } = await visit.http(listed ?? `${origin}/sitemap.xml`, text);
      const head = /<(urlset|sitemapindex)[\s>]/.exec(final.code === 200 ? final.body.slice(0, 8_192) : "");
      if (!head) return;
      const value = final.body.slice(0, head[1] === "urlset" ? URLSET_HEAD : TEXT_CAP);
      emit({ kind: "file.sitemap", value, location: final.url });
    };

    const sellers = async (file: string) => {
      const answer = plain(await visit.http(`${scheme}://${domain.name}/${file}`, { maxBytes: SELLER_BYTES }));
      if (!answer) return;
      for (const host of sellersIn(answer.body).slice(0, SELLER_CAP))
        if (!belongsTo(host, domain.name)) emit({ kind: "file.ads", value: host, location: answer.url });
    };

    const manifest = async () => {
      const home = await findHome(visit);
      const linked =
        home && pageSignals(home, domain).find(({ kind, value }) => kind === "html.link" && MANIFEST.test(value));
      const { final } = await visit.http(linked?.value ?? `${origin}/manifest.json`, text);
      const value = final.code === 200 ? parseJson(final.body) : undefined;
      if (typeof value === "object" && value !== null && ("name" in value || "icons" in value || "start_url" in value))
        emit({ kind: "file.manifest", value: final.body, location: final.url });
    };

    const favicon = async () => {
      const { final } = await visit.http(`${origin}/favicon.ico`, { binary: true, maxBytes: 262_144 });
      if (final.code !== 200 || final.encoding !== "base64" || final.truncated || !final.body || isMarkup(final))
        return;
      const value = new Bun.CryptoHasher("sha256").update(Buffer.from(final.body, "base64")).digest("hex");
      emit({ kind: "file.favicon", value, location: final.url });
    };

    await Promise.all([robotsAndSitemap(), sellers("ads.txt"), sellers("app-ads.txt"), manifest(), favicon()]);
  },
};

const ROBOTS = /^\s{0,20}(?:user-agent|sitemap|disallow|allow)\s{0,20}:/im;
const MANIFEST = /manifest[^/]{0,80}$|\.webmanifest/i;

const isMarkup = (file: HttpExchange) =>
  file.headers.some(([name, value]) => name.toLowerCase() === "content-type" && /html/i.test(value));

/** The final response if it is a text file and not a page. */
function plain({ final }: HttpAnswer): HttpExchange | undefined {
  const isText = final.status === "ok" && final.code === 200 && !final.encoding && final.body.length > 0;
  return isText && !isMarkup(final) && !/^\s{0,100}</.test(final.body.slice(0, 200)) ? final : undefined;
}

/** The first uncompressed sitemap on the company's hosts in robots.txt. */
function sitemapIn(robots: string, domain: string): string | undefined {
  const listed = robots.matchAll(/^[ \t]{0,20}sitemap[ \t]{0,20}:[ \t]{0,20}(\S{8,2000})/gim);
  for (const [, written] of listed) {
    const url = URL.parse(written ?? "");
    if (url && /^https?:$/.test(url.protocol) && belongsTo(url.hostname, domain) && !url.pathname.endsWith(".gz"))
      return url.href;
  }
  return undefined;
}

/** Seller domains, direct sellers first: `domain, account, DIRECT|RESELLER`. */
function sellersIn(text: string): string[] {
  const direct = new Set<string>();
  const resellers = new Set<string>();
  for (const line of text.split(/[\r\n]+/, 20_000)) {
    const [seller = "", account, relation] =
      line
        .slice(0, 500)
        .split("#", 1)[0]
        ?.split(",", 4)
        .map((part) => part.trim()) ?? [];
    const host = asHost(seller);
    if (!host || !account || host === "placeholder.example.com") continue;
    if (relation?.toUpperCase() === "DIRECT") direct.add(host);
    else if (relation?.toUpperCase() === "RESELLER") resellers.add(host);
  }
  return [...direct.union(resellers)];
}

const WELL_KNOWN_TEXT_CAP = 65_536;
const CONCURRENCY = 6;
/** Requested first, to recognise a server that answers every path. */
const ABSENT = "/.well-known/no-such-file-is-here";

const hasJson =
  (...names: string[]) =>
  (body: string) => {
    const value = parseJson(body);
    return names.some((name) => field(value, name) !== undefined);
  };
const hasText = (pattern: RegExp) => (body: string) => pattern.test(body.slice(0, WELL_KNOWN_TEXT_CAP));
const isListOf = (name: string) => (body: string) => {
  const value = parseJson(body);
  return Array.isArray(value) && field(value[0], name) !== undefined;
};

interface WellKnownFile {
  readonly name: string;
  readonly path: string;
  readonly isPlausible: (body: string) => boolean;
  /** Maximum number of characters. */
  readonly keep?: number;
}

const known = (name: string, isPlausible: WellKnownFile["isPlausible"]): WellKnownFile => ({
  name,
  path: `/.well-known/${name}`,
  isPlausible,
});
const isSecurityText = hasText(/^\s{0,20}(?:contact|expires|policy)\s{0,5}:/im);

const WELL_KNOWN_FILES: readonly WellKnownFile[] = [
  known("security.txt", isSecurityText),
  { name: "security.txt", path: "/security.txt", isPlausible: isSecurityText },
  known("apple-app-site-association", hasJson("applinks", "webcredentials", "appclips", "activitycontinuation")),
  known("assetlinks.json", isListOf("relation")),
  known("openid-configuration", hasJson("issuer")),
  known("oauth-authorization-server", hasJson("issuer")),
  known("oauth-protected-resource", hasJson("resource")),
  known("apple-developer-merchantid-domain-association", hasText(/^\s{0,20}(?:7b22|\{")/i)),
  known("microsoft-identity-association.json", hasJson("associatedApplications")),
  known("nostr.json", hasJson("names")),
  known("matrix/client", hasJson("m.homeserver")),
  known("matrix/server", hasJson("m.server")),
  known("dnt-policy.txt", hasText(/do not track/i)),
  known("gpc.json", hasJson("gpc")),
  known("traffic-advice", isListOf("user_agent")),
  known("ai.txt", hasText(/^\s{0,20}(?:user-agent|disallow|allow|#)/im)),
  // The rest of this file describes the company's products and mentions others.
  { name: "llms.txt", path: "/llms.txt", isPlausible: hasText(/^\s{0,20}#/), keep: 2_048 },
];

/** Files under /.well-known, many of which identify a vendor. */
export const wellKnown: Scanner = {
  id: "well-known",
  phase: "disclosures",
  emits: ["file.well-known"],
  timeoutMs: 10_000,
  needs: "files",

  async scan(visit, emit) {
    const origin = await findOrigin(visit);
    const absent = await fetchFile(visit, origin + ABSENT);
    await Promise.all([
      inParallel(WELL_KNOWN_FILES, CONCURRENCY, async ({ name, path, isPlausible, keep = WELL_KNOWN_TEXT_CAP }) => {
        const { final } = await fetchFile(visit, origin + path);
        if (final.code !== 200 || final.body === absent.final.body || !isPlausible(final.body)) return;
        emit({ kind: "file.well-known", value: `${name}\n${final.body.slice(0, keep)}`, location: final.url });
      }),
      changePassword(visit, origin, absent.final).then((url) => {
        if (url) emit({ kind: "file.well-known", value: `change-password\n${url}`, location: `${origin}${CHANGE}` });
      }),
    ]);
  },
};

const CHANGE = "/.well-known/change-password";

const fetchFile = (visit: Visit, url: string) => visit.http(url, { maxBytes: WELL_KNOWN_TEXT_CAP });

/** The target of the redirect at the standard address; undefined without one, or if unknown paths redirect there too. */
async function changePassword(visit: Visit, origin: string, absent: HttpExchange): Promise<string | undefined> {
  const { hops, final } = await fetchFile(visit, origin + CHANGE);
  const redirects = hops.length > 1 && final.status === "ok" && final.url !== absent.url;
  return redirects && (hops[0].code === 301 || hops[0].code === 302 || hops[0].code === 303 || hops[0].code === 307)
    ? final.url
    : undefined;
}

const PAGES_LIMIT = 6;
const PAGE_BYTES = 1_048_576;

/** Subdomains of the company's applications, which may be hosted by a vendor. */
const APPLICATIONS = ["app", "login", "my", "portal", "dashboard"];
/** Subdomains that are often a vendor's product. */
const PUBLICATIONS = ["docs", "careers", "blog", "help", "support", "status", "developer"];

/** Hosting vendors that serve only what the customer built. */
const HOSTING = [
  "amazonaws.com",
  "awsglobalaccelerator.com",
  "azureedge.net",
  "azurefd.net",
  "azurewebsites.net",
  "cdn.cloudflare.net",
  "cloudfront.net",
  "edgekey.net",
  "edgesuite.net",
  "fastly.net",
  "herokudns.com",
  "netlify.app",
  "pages.dev",
  "run.app",
  "trafficmanager.net",
  "vercel-dns.com",
  "vercel.app",
];

/**
 * Pages on the company's common subdomains: its product uses other tools than its website. A host that is a CNAME to a
 * vendor serves the vendor's page and is skipped.
 */
export const subdomainPages: Scanner = {
  id: "subdomain-pages",
  phase: "subdomains",
  emits: PAGE_KINDS,
  timeoutMs: 10_000,
  needs: "dns",

  async scan(visit, emit) {
    const apex = visit.domain.name;
    const catchAll = new Set(await addressesOf(visit, wildcardProbes(apex)[0]));
    const candidates = [...APPLICATIONS, ...PUBLICATIONS].map((label) => `${label}.${apex}`);
    const served = await Promise.all(candidates.map((host) => isCompanyPage(visit, host, catchAll)));
    const hosts = candidates.filter((_, index) => served[index]).slice(0, PAGES_LIMIT);
    await inParallel(hosts, 3, async (host) => {
      const { final } = await visit.http(`https://${host}/`, { accept: "text/html", maxBytes: PAGE_BYTES });
      const reached = URL.parse(final.url);
      if (!reached) return;
      if (!belongsTo(reached.hostname, apex)) {
        // A redirect to a vendor counts like a link.
        if (asHost(reached.hostname))
          emit({ kind: "html.anchor", value: `${reached.origin}${reached.pathname}`, location: `https://${host}/` });
        return;
      }
      const isHomePage = [apex, `www.${apex}`].includes(reached.hostname) && reached.pathname === "/";
      if (final.status === "ok" && !isHomePage) for (const signal of pageSignals(final, visit.domain)) emit(signal);
    });
  },
};

async function isCompanyPage(visit: Visit, host: string, catchAll: ReadonlySet<string>): Promise<boolean> {
  const [chain, addresses] = await Promise.all([cnameChain(visit, host), addressesOf(visit, host)]);
  const vendor = chain.find((target) => isThirdParty(target, visit.domain));
  const isApplication = APPLICATIONS.includes(host.slice(0, host.indexOf(".")));
  const hosted = isApplication && HOSTING.some((suffix) => vendor?.endsWith(`.${suffix}`));
  if (vendor !== undefined && !hosted) return false;
  return addresses.length > 0 && !addresses.every((address) => catchAll.has(address));
}

async function addressesOf(visit: Visit, host: string): Promise<readonly string[]> {
  const { records } = await visit.dns(host, "A");
  return records.filter(({ type }) => type === "A").map(({ value }) => value);
}

type Emit = Parameters<Scanner["scan"]>[1];

/** Tenants of identity providers, which confirm domains that a customer has verified. */
export const tenants: Scanner = {
  id: "tenants",
  phase: "identity",
  emits: ["tenant.state", "tenant.host"],
  timeoutMs: 4_000,
  needs: "elsewhere",

  async scan(visit, emit) {
    const { microsoftRealm, tenantLookups } = visit.sources;
    if (microsoftRealm === null && tenantLookups.length === 0) throw new Skipped("Tenant lookups are disabled.");
    await Promise.all([
      microsoftRealm === null ? undefined : realm(visit, fill(microsoftRealm, visit), emit),
      inParallel(tenantLookups.slice(0, 20), 8, async ({ label, url }) => {
        const answer = await visit.http(fill(url, visit), { maxBytes: 65_536 });
        if (answer.final.code === 200 && belongsToCompany(answer, visit.domain.name))
          emit({ kind: "tenant.state", value: `${label}:found`, location: answer.final.url });
      }),
    ]);
  },
};

async function realm(visit: Visit, url: string, emit: Emit): Promise<void> {
  const { final } = await visit.http(url, { maxBytes: 65_536, accept: "application/json" });
  if (final.code !== 200) return;
  const answer = parseJson(final.body);
  const state = String(field(answer, "NameSpaceType") ?? "").toLowerCase();
  if (state !== "managed" && state !== "federated") return;
  emit({ kind: "tenant.state", value: `microsoft:${state}`, location: final.url });
  const provider = asHost(hostOfUrl(String(field(answer, "AuthURL") ?? "")));
  if (provider !== undefined) emit({ kind: "tenant.host", value: provider, location: final.url });
}

/**
 * Whether a tenant under the company's label is the company's, because labels such as `acme` are common: a redirect leads
 * to a host of the company, or the response contains one (a custom sign-in domain, a contact address). Most tenants
 * contain none and are missed; a false positive would be worse.
 */
function belongsToCompany({ hops, final }: HttpAnswer, domain: string): boolean {
  if (hops.slice(1).some(({ url }) => belongsTo(hostOfUrl(url), domain))) return true;
  const body = final.body.slice(0, 65_536).toLowerCase();
  for (let at = body.indexOf(domain); at >= 0; at = body.indexOf(domain, at + 1)) {
    const before = body.charAt(at - 1);
    const after = body.slice(at + domain.length, at + domain.length + 2);
    if (!/[a-z0-9-]/.test(before) && !/^(?:[a-z0-9-]|\.[a-z0-9])/.test(after)) return true;
  }
  return false;
}

const fill = (template: string, { domain }: Visit): string =>
  template
    .replaceAll("{domain}", encodeURIComponent(domain.name))
    .replaceAll("{label}", encodeURIComponent(domain.label));
