import { addressOf, keyOf, sameSite } from "./address.ts";
import {
  CrawlEnded,
  createPoliteFetcher,
  failureOf,
  type PageResponse,
  type PoliteFetcher,
  type PoliteFetcherParts,
} from "./fetcher.ts";
import { type CrawlState, createFrontier, createLanguageRank, enqueue } from "./frontier.ts";
import { ACCEPTED, judgeLink, judgePage } from "./judge.ts";
import { readLinkedData, readListing } from "./listing.ts";
import { crawlListing, crawlSitemaps } from "./lists.ts";
import { type HtmlPage, readPage } from "./page.ts";
import { acceptPage, crawlStories } from "./stories.ts";
import {
  CRAWL_LIMITS,
  type CrawlEvent,
  type CrawlLimits,
  type CrawlSummary,
  type EarlyEnd,
  type KnownPage,
  type Unreadable,
} from "./types.ts";

/** Finds the case studies of a vendor's site, starting at the address of their list. */

export interface CrawlOptions {
  /** Address of the list of case studies. */
  readonly url: string;
  readonly limits?: Partial<CrawlLimits> | undefined;
  /** Returns what is stored of an address, so that the page is read only if it changed. */
  readonly known?: ((url: string) => Promise<KnownPage | undefined>) | undefined;
  /** Stored addresses of the site; those that no list names any more are requested too. */
  readonly knownUrls?: (() => Promise<readonly string[]>) | undefined;
  readonly signal: AbortSignal;
}

export interface Crawler {
  /** Yields events in order. Rejects only when the signal aborts; every failure of a site is an event. */
  crawl(options: CrawlOptions): AsyncGenerator<CrawlEvent, CrawlSummary>;
}

/** The listing, once it was read. */
interface Progress {
  url: string;
  title: string | null;
  state: CrawlState | null;
}

const END_NOTES: Readonly<Record<EarlyEnd, string>> = {
  pages: "The limit of pages was reached",
  bytes: "The limit of bytes was reached",
  time: "The time limit was reached",
  robots: "robots.txt forbids this page",
  unreachable: "The site stopped answering",
};

export function createCrawler(parts: PoliteFetcherParts): Crawler {
  return {
    async *crawl(options) {
      const limits = { ...CRAWL_LIMITS, ...options.limits };
      const start = addressOf(options.url);
      const progress: Progress = { url: start ?? options.url, title: null, state: null };
      const fetcher = start === null ? null : createPoliteFetcher(parts, limits, start, options.signal);
      let caseStudies = 0;
      let skipped = 0;
      let ended: CrawlSummary["ended"] = "complete";
      let unreadable: Unreadable | null = null;
      if (start === null || fetcher === null) {
        yield { type: "note", text: "This is not the address of a page: it must begin with https:// or http://." };
        ended = "unreachable";
        unreadable = { code: "not_an_address", reason: "it is not the address of a page" };
      } else {
        try {
          for await (const event of crawlFrom(progress, options, limits, fetcher, start)) {
            if (event.type === "page" || event.type === "unchanged") caseStudies += 1;
            if (event.type === "skipped") skipped += 1;
            yield event;
          }
        } catch (error) {
          if (!(error instanceof CrawlEnded)) throw error;
          ({ ended, unreadable } = error);
        }
        for (const text of fetcher.takeNotes()) yield { type: "note", text };
        const left = progress.state?.frontier.size ?? 0;
        const rest = left > 0 ? `; ${left} addresses were not read` : "";
        if (ended !== "complete") yield { type: "note", text: `${END_NOTES[ended]}${rest}.` };
      }
      return {
        listing_url: progress.url,
        listing_title: progress.title,
        pages: fetcher?.pages ?? 0,
        bytes: fetcher?.bytes ?? 0,
        found: progress.state?.found ?? 0,
        case_studies: caseStudies,
        skipped,
        ended,
        unreadable: unreadable && { code: unreadable.code, reason: unreadable.reason },
      };
    },
  };
}

async function* crawlFrom(
  progress: Progress,
  options: CrawlOptions,
  limits: CrawlLimits,
  fetcher: PoliteFetcher,
  start: string,
): AsyncGenerator<CrawlEvent> {
  const response = await fetcher.fetch(start, "page");
  for (const text of fetcher.takeNotes()) yield { type: "note", text };
  if (response.status !== "ok") {
    yield { type: "note", text: `${start} cannot be read: ${failureOf(response).reason}.` };
    const unreadable = failureOf(response);
    throw new CrawlEnded(unreadable.code === "robots" ? "robots" : "unreachable", unreadable);
  }
  const { url } = response;
  progress.url = url;
  if (keyOf(url) !== keyOf(start)) yield { type: "note", text: `${start} redirects to ${url}.` };
  const page = readPage(response, true);
  if (page.kind === "none" || page.kind === "missing") {
    const { code, reason }: Unreadable =
      page.kind === "none" ? page : { code: "not_found", reason: "the page says that it does not exist" };
    yield { type: "note", text: `${url} cannot be read: ${reason}.` };
    throw new CrawlEnded("unreachable", { code, reason });
  }
  if (response.truncated) yield { type: "note", text: "The list is too large; only its beginning was read." };
  const rank = createLanguageRank(url, page.kind === "html" ? page.facts.language : null);
  const state: CrawlState = {
    fetcher,
    limits,
    rank,
    frontier: createFrontier(rank),
    known: options.known ?? (async () => undefined),
    seen: new Set([keyOf(start), keyOf(url)]),
    lists: new Set(),
    accepted: new Map(),
    texts: new Map(),
    found: 0,
  };
  progress.state = state;
  const before = await state.known(url);
  if (page.kind === "pdf") {
    yield { type: "note", text: "The address is a document, not a list: it is read as one case study." };
    const verdict = { ...judgeAlone(url, "known"), score: ACCEPTED, never: false, confidence: 0.5 };
    yield* acceptPage(state, response, page, verdict, before);
    return;
  }
  progress.title = page.facts.heading ?? page.facts.title;
  const found = yield* crawlListing(state, page.facts, url, 0);
  const inSitemaps = yield* crawlSitemaps(state, readListing(page.facts, url));
  if (found + inSitemaps === 0) yield* acceptSingle(state, response, page, before);
  yield* crawlStories(state);
  yield* crawlKnown(state, options, url);
  if (state.found === 0 && state.accepted.size === 0)
    yield { type: "note", text: "No case studies were found from this address." };
}

/** The address may be that of a case study instead of a list. */
async function* acceptSingle(
  state: CrawlState,
  response: PageResponse,
  page: HtmlPage,
  before: KnownPage | undefined,
): AsyncGenerator<CrawlEvent> {
  const { url } = response;
  const { types } = readLinkedData(page.facts.jsonLd, url);
  const verdict = judgePage(judgeAlone(url, "text"), page.facts, types, url, "");
  if (verdict.never || verdict.score < ACCEPTED) return;
  yield { type: "note", text: "The page is a case study, not a list." };
  yield* acceptPage(state, response, page, verdict, before);
}

async function* crawlKnown(state: CrawlState, options: CrawlOptions, listing: string): AsyncGenerator<CrawlEvent> {
  const urls = (await options.knownUrls?.()) ?? [];
  const onSite = urls.flatMap((url) => {
    const address = addressOf(url);
    return address === null || !sameSite(address, listing) ? [] : [{ url: address, text: "", place: "known" as const }];
  });
  yield* enqueue(state, onSite, { url: listing, siblings: new Set(), mixed: false }, 1);
  yield* crawlStories(state);
}

/** Judges an address that no list named. */
const judgeAlone = (url: string, place: "known" | "text") =>
  judgeLink({ url, text: "", place }, { url: new URL(url).origin, mixed: true, siblings: new Set() });
