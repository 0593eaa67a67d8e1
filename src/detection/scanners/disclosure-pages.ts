import { inParallel } from "../../core/async.ts";
import { hostOfUrl } from "../../core/domain.ts";
import { type Link, type PageText, readText } from "../../html/page-text.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import type { Visit } from "../visit/visit.ts";
import { companyHosts, findHome, isReadable } from "./home-page.ts";
import { pageLinks } from "./page-signals.ts";
import type { Scanner } from "./scanner.ts";

const PAGE_CAP = 6;
const CONCURRENCY = 3;
const TEXT_CAP = 204_800;
/** Requested before guessed paths, to recognise a server that answers every path. */
const ABSENT = "/no-such-page-is-here";

/** Patterns for the path or text of a link, most informative pages first. */
const TOPICS: readonly RegExp[] = [
  /sub-?\s?processors?/i,
  /cookie-?\s?(?:policy|notice|list|declaration)|\/cookies?(?:$|[/.?-])/i,
  /(?:^|[/\s._-])dpa(?:$|[/\s._-])|data-?\s?processing/i,
  /privacy|datenschutz|confidentialite/i,
  /(?:^|[/\s._-])(?:trust|security)(?:$|[/\s._-])|trust\s?cent(?:er|re)/i,
];
const USUAL_PATHS = ["/legal/subprocessors", "/subprocessors", "/privacy", "/security", "/trust", "/cookie-policy"];

/** The company's pages on sub-processors, cookies and security, which mention tools. */
export const disclosurePages: Scanner = {
  id: "disclosure-pages",
  phase: "disclosures",
  emits: ["page.disclosure"],
  timeoutMs: 10_000,
  needs: "files",

  async scan(visit, emit) {
    const home = await findHome(visit);
    const isCompany = companyHosts(visit.domain, home?.url);
    const linked = home ? disclosureLinks(pageLinks(home, visit.domain), home.url, isCompany) : [];
    const origin = new URL(home?.url ?? `https://${visit.domain.name}/`).origin;
    const emitted = new Set<string>(home ? [home.url] : []);
    const emitPage = (page: HttpExchange, { text }: PageText) => {
      if (emitted.has(page.url) || text.length === 0) return;
      emitted.add(page.url);
      emit({ kind: "page.disclosure", value: text, location: page.url });
    };

    const deeper: string[] = [];
    await inParallel(linked.slice(0, PAGE_CAP - 1), CONCURRENCY, async (url) => {
      const page = await readPage(visit, url, isCompany);
      if (!page) return;
      const read = readText(page.body, page.url, TEXT_CAP);
      emitPage(page, read);
      deeper.push(...disclosureLinks(read.links, page.url, isCompany, TOPICS.slice(0, 1)));
    });
    // The list of sub-processors is often linked only from the privacy page.
    const next = deeper.find((url) => !linked.includes(url));
    if (next) {
      const page = await readPage(visit, next, isCompany);
      if (page) emitPage(page, readText(page.body, page.url, TEXT_CAP));
    }
    if (linked.length > 0) return;

    const absent = (await visit.http(origin + ABSENT)).final;
    const catchAll = isReadable(absent) ? readText(absent.body, absent.url, TEXT_CAP) : undefined;
    await inParallel(USUAL_PATHS, CONCURRENCY, async (path) => {
      const page = await readPage(visit, origin + path, isCompany);
      const read = page && readText(page.body, page.url, TEXT_CAP);
      if (page && read && !(catchAll && isSimilar(read, catchAll))) emitPage(page, read);
    });
  },
};

type IsCompany = (host: string) => boolean;

/** A page of the company or a sister domain. A page on a vendor's host names the vendor's tools. */
async function readPage(visit: Visit, url: string, isCompany: IsCompany): Promise<HttpExchange | undefined> {
  const { final } = await visit.http(url, { accept: "text/html" });
  return isReadable(final) && isCompany(hostOfUrl(final.url)) ? final : undefined;
}

function disclosureLinks(links: readonly Link[], pageUrl: string, isCompany: IsCompany, topics = TOPICS): string[] {
  const found = links.flatMap(({ url, target, text }) => {
    const { hostname, pathname } = target;
    const rank = topics.findIndex((topic) => topic.test(pathname) || topic.test(text));
    return rank < 0 || url === pageUrl || !isCompany(hostname) ? [] : [{ url, rank }];
  });
  found.sort((one, other) => one.rank - other.rank);
  const ranked = [...new Map(found.map((link) => [link.url, link])).values()];
  // At most two per topic.
  return ranked
    .filter((link, at) => ranked.slice(0, at).filter(({ rank }) => rank === link.rank).length < 2)
    .map(({ url }) => url);
}

/** Whether two pages have the same title and texts of nearly the same length. */
function isSimilar(one: PageText, other: PageText): boolean {
  const [short, long] = [one.text.length, other.text.length].sort((a, b) => a - b);
  return one.title === other.title && short! >= long! * 0.9;
}
