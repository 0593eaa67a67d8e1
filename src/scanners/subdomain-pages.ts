import type { Visit } from "../net/visit.ts";
import { belongsTo } from "../vocabulary/domain.ts";
import { asHost, isForeign } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { aliasChain, unlikelyNames } from "./own-records.ts";
import { PAGE_KINDS, pageSignals } from "./page-signals.ts";
import type { Scanner } from "./scanner.ts";

const PAGES_LIMIT = 6;
const PAGE_BYTES = 1_048_576;

/** The company's own programs: what it builds itself may lie at a hosting vendor and still be its own page. */
const PROGRAMS = ["app", "login", "my", "portal", "dashboard"];
/** Pages that are as often a vendor's product as the company's own work. */
const PUBLICATIONS = ["docs", "careers", "blog", "help", "support", "status", "developer"];

/** Hosts that serve what the customer built, and add no page of their own. */
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
 * The pages of the company's best-known hosts beside its home page: its product carries other tools than its brochure.
 * A host that is a vendor's alias shows the vendor's page, whose scripts are the vendor's, and is left out.
 */
export const subdomainPages: Scanner = {
  id: "subdomain-pages",
  phase: "subdomains",
  sees: PAGE_KINDS,
  timeoutMs: 10_000,

  async scan(visit, emit) {
    const apex = visit.domain.name;
    const catchAll = new Set(await addressesOf(visit, unlikelyNames(apex)[0]));
    const candidates = [...PROGRAMS, ...PUBLICATIONS].map((label) => `${label}.${apex}`);
    const served = await Promise.all(candidates.map((host) => isOwnPage(visit, host, catchAll)));
    const hosts = candidates.filter((_, index) => served[index]).slice(0, PAGES_LIMIT);
    await inParallel(hosts, 3, async (host) => {
      const { final } = await visit.http(`https://${host}/`, { accept: "text/html", maxBytes: PAGE_BYTES });
      const reached = URL.parse(final.url);
      if (!reached) return;
      if (!belongsTo(reached.hostname, apex)) {
        // Sent on to a vendor: as good as a link there, and all that this page says of the company.
        if (asHost(reached.hostname))
          emit({ kind: "html.anchor", value: `${reached.origin}${reached.pathname}`, location: `https://${host}/` });
        return;
      }
      const isHomePage = [apex, `www.${apex}`].includes(reached.hostname) && reached.pathname === "/";
      if (final.status === "ok" && !isHomePage) for (const signal of pageSignals(final, visit.domain)) emit(signal);
    });
  },
};

async function isOwnPage(visit: Visit, host: string, catchAll: ReadonlySet<string>): Promise<boolean> {
  const [chain, addresses] = await Promise.all([aliasChain(visit, host), addressesOf(visit, host)]);
  const vendor = chain.find((target) => isForeign(target, visit.domain));
  const program = PROGRAMS.includes(host.slice(0, host.indexOf(".")));
  const hosted = program && HOSTING.some((suffix) => vendor?.endsWith(`.${suffix}`));
  if (vendor !== undefined && !hosted) return false;
  return addresses.length > 0 && !addresses.every((address) => catchAll.has(address));
}

async function addressesOf(visit: Visit, host: string): Promise<readonly string[]> {
  const { records } = await visit.dns(host, "A");
  return records.filter(({ type }) => type === "A").map(({ value }) => value);
}
