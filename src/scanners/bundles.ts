/** The company's own script files: tools that are built into the site leave their names and addresses there. */
import type { HttpExchange } from "../vocabulary/snapshot.ts";
import { companyHosts, findHome } from "./company-home.ts";
import { hostsInCode, ownNames } from "./page-hosts.ts";
import { pageSignals } from "./page-signals.ts";
import type { Scanner } from "./scanner.ts";

const FILE_CAP = 6;
const BYTE_CAP = 1_572_864;
const TEXT_CAP = 1_048_576;
const HOST_CAP = 300;

export const bundles: Scanner = {
  id: "bundles",
  phase: "website",
  sees: ["js.bundle", "js.bundle-host"],
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
