import { inParallel } from "../../core/async.ts";
import { type PageText, readText } from "../../html/page-text.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import type { Visit } from "../visit/visit.ts";
import { companyHosts, findHome, isReadable } from "./home-page.ts";
import type { Scanner } from "./scanner.ts";

/** What the company itself publishes on its sub-processors, cookies and security: names of tools, as mentions. */

const PAGE_CAP = 6;
const AT_ONCE = 3;
const TEXT_CAP = 204_800;
/** Asked before any guessed path: a server that answers it answers everything. */
const ABSENT = "/no-such-page-is-here";

/** By what a page is likely to name, most first; a link's address or words decide. */
const TOPICS: readonly RegExp[] = [
  /sub-?\s?processors?/i,
  /cookie-?\s?(?:policy|notice|list|declaration)|\/cookies?(?:$|[/.?-])/i,
  /(?:^|[/\s._-])dpa(?:$|[/\s._-])|data-?\s?processing/i,
  /privacy|datenschutz|confidentialite/i,
  /(?:^|[/\s._-])(?:trust|security)(?:$|[/\s._-])|trust\s?cent(?:er|re)/i,
];
const USUAL_PATHS = ["/legal/subprocessors", "/subprocessors", "/privacy", "/security", "/trust", "/cookie-policy"];

export const disclosurePages: Scanner = {
  id: "disclosure-pages",
  phase: "disclosures",
  emits: ["page.disclosure"],
  timeoutMs: 10_000,

  async scan(visit, emit) {
    const home = await findHome(visit);
    const isOurs = companyHosts(visit.domain, home?.url);
    const linked = home ? disclosureLinks(readText(home.body, home.url), home.url, isOurs) : [];
    const origin = new URL(home?.url ?? `https://${visit.domain.name}/`).origin;
    const told = new Set<string>(home ? [home.url] : []);
    const tell = (page: HttpExchange, { text }: PageText) => {
      if (told.has(page.url) || text.length === 0) return;
      told.add(page.url);
      emit({ kind: "page.disclosure", value: text, location: page.url });
    };

    const deeper: string[] = [];
    await inParallel(linked.slice(0, PAGE_CAP - 1), AT_ONCE, async (url) => {
      const page = await readOwn(visit, url, isOurs);
      if (!page) return;
      const read = readText(page.body, page.url, TEXT_CAP);
      tell(page, read);
      deeper.push(...disclosureLinks(read, page.url, isOurs, TOPICS.slice(0, 1)));
    });
    // The list of sub-processors is seldom linked from the home page, and often from the privacy page.
    const next = deeper.find((url) => !linked.includes(url));
    if (next) {
      const page = await readOwn(visit, next, isOurs);
      if (page) tell(page, readText(page.body, page.url, TEXT_CAP));
    }
    if (linked.length > 0) return;

    const absent = (await visit.http(origin + ABSENT)).final;
    const answersAll = isReadable(absent) ? readText(absent.body, absent.url, TEXT_CAP) : undefined;
    await inParallel(USUAL_PATHS, AT_ONCE, async (path) => {
      const page = await readOwn(visit, origin + path, isOurs);
      const read = page && readText(page.body, page.url, TEXT_CAP);
      if (page && read && !(answersAll && isAlike(read, answersAll))) tell(page, read);
    });
  },
};

type IsOurs = (host: string) => boolean;

/** A page of the company or of a sister domain. On a vendor's host the page names the vendor's own tools. */
async function readOwn(visit: Visit, url: string, isOurs: IsOurs): Promise<HttpExchange | undefined> {
  const { final } = await visit.http(url, { accept: "text/html" });
  const host = URL.parse(final.url)?.hostname ?? "";
  return isReadable(final) && isOurs(host) ? final : undefined;
}

function disclosureLinks(page: PageText, pageUrl: string, isOurs: IsOurs, topics = TOPICS): string[] {
  const found = page.links.flatMap(({ url, text }) => {
    const { hostname, pathname } = new URL(url);
    const rank = topics.findIndex((topic) => topic.test(pathname) || topic.test(text));
    return rank < 0 || url === pageUrl || !isOurs(hostname) ? [] : [{ url, rank }];
  });
  found.sort((one, other) => one.rank - other.rank);
  const ranked = [...new Map(found.map((link) => [link.url, link])).values()];
  // Two of a topic at most, so that one topic does not take every place.
  return ranked
    .filter((link, at) => ranked.slice(0, at).filter(({ rank }) => rank === link.rank).length < 2)
    .map(({ url }) => url);
}

/** Whether two pages are the same answer: the same title, and texts of nearly one length. */
function isAlike(one: PageText, other: PageText): boolean {
  const [short, long] = [one.text.length, other.text.length].sort((a, b) => a - b);
  return one.title === other.title && short! >= long! * 0.9;
}
