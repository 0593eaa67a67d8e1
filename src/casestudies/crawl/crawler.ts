import { addressOf, keyOf, sameSite } from "./address.ts";
import {
  type Answer,
  CRAWL_LIMITS,
  CrawlEnded,
  type CrawlLimits,
  createPoliteFetcher,
  type EarlyEnd,
  FORBIDDEN,
  type PoliteFetcher,
  type PoliteFetcherParts,
} from "./fetcher.ts";
import {
  type CrawlEvent,
  type CrawlState,
  type CrawlSummary,
  createFrontier,
  createLanguageRank,
  enqueue,
  type KnownPage,
} from "./frontier.ts";
import { ACCEPTED, judgeLink, judgePage } from "./judge.ts";
import { readListing } from "./listing.ts";
import { type ReadPage, readPage } from "./page.ts";
import { keep, readStories } from "./stories.ts";
import { surveyListing, surveySitemaps, whyNot } from "./survey.ts";

/** From the address of a list of case studies to the case studies themselves. */

export interface CrawlOptions {
  /** The list of case studies. */
  readonly url: string;
  readonly limits?: Partial<CrawlLimits>;
  /** What is kept of an address; with it, the page is only read when it changed. */
  readonly known?: (url: string) => Promise<KnownPage | undefined>;
  /** Addresses of the site that are kept: those which nothing links to any more are asked for too. */
  readonly knownUrls?: () => Promise<readonly string[]>;
  readonly signal: AbortSignal;
}

export interface Crawler {
  /** Yields what it comes by, in order. Rejects only when the signal aborts; whatever a site does is an event. */
  crawl(options: CrawlOptions): AsyncGenerator<CrawlEvent, CrawlSummary>;
}

const ENDS: Readonly<Record<EarlyEnd, string>> = {
  pages: "The limit of pages was reached",
  bytes: "The limit of bytes was reached",
  time: "The time was up",
  robots: "robots.txt forbids this page",
  unreachable: "The site stopped answering",
};

export function createCrawler(parts: PoliteFetcherParts): Crawler {
  return {
    async *crawl(options) {
      const limits = { ...CRAWL_LIMITS, ...options.limits };
      const start = addressOf(options.url);
      const tally = { case_studies: 0, skipped: 0 };
      const state: State = { listing_url: start ?? options.url, listing_title: null, trip: null };
      if (start === null) {
        yield { type: "note", text: "This is no address of a page: it must begin with https:// or http://." };
        return summary(state, tally, null, "unreachable");
      }
      const asking = createPoliteFetcher(parts, limits, start, options.signal);
      let ended: CrawlSummary["ended"] = "complete";
      try {
        for await (const event of read(state, options, limits, asking, start)) {
          if (event.type === "page" || event.type === "unchanged") tally.case_studies += 1;
          if (event.type === "skipped") tally.skipped += 1;
          yield event;
        }
      } catch (error) {
        if (!(error instanceof CrawlEnded)) throw error;
        ended = error.ended;
      }
      for (const text of asking.takeNotes()) yield { type: "note", text };
      if (ended !== "complete") yield { type: "note", text: endNote(ended, state.trip?.frontier.size ?? 0) };
      return summary(state, tally, asking, ended);
    },
  };
}

interface State {
  listing_url: string;
  listing_title: string | null;
  trip: CrawlState | null;
}

async function* read(
  state: State,
  options: CrawlOptions,
  limits: CrawlLimits,
  asking: PoliteFetcher,
  start: string,
): AsyncGenerator<CrawlEvent> {
  const asked = await asking.ask(start, "page");
  for (const text of asking.takeNotes()) yield { type: "note", text };
  if (asked.status !== "ok") {
    yield { type: "note", text: `${start} cannot be read: ${whyNot(asked)}.` };
    throw new CrawlEnded(asked.status === "refused" && asked.reason === FORBIDDEN ? "robots" : "unreachable");
  }
  state.listing_url = asked.url;
  if (keyOf(asked.url) !== keyOf(start)) yield { type: "note", text: `${start} redirects to ${asked.url}.` };
  const page = readPage(asked, true);
  if (page.kind === "none" || page.kind === "missing") {
    yield {
      type: "note",
      text: `${asked.url} cannot be read: ${page.kind === "none" ? page.reason : "it says that it does not exist"}.`,
    };
    throw new CrawlEnded("unreachable");
  }
  if (asked.truncated) yield { type: "note", text: "The list is too large; only its beginning was read." };
  const trip = createTrip(options, limits, asking, asked.url, page);
  state.trip = trip;
  trip.seen.add(keyOf(start)).add(keyOf(asked.url));
  const before = await trip.known(asked.url);
  if (page.kind === "pdf") {
    yield { type: "note", text: "The address is a document, not a list: it is taken for one case study." };
    const verdict = judgeLink({ url: asked.url, text: "", place: "known" }, alone(asked.url));
    yield* keep(trip, asked, page, { ...verdict, score: ACCEPTED, never: false, confidence: 0.5 }, before);
    return;
  }
  state.listing_title = page.facts.heading ?? page.facts.title;
  const found = yield* surveyListing(trip, page.facts, asked.url, 0);
  const view = readListing(page.facts, asked.url);
  const named = yield* surveySitemaps(trip, view, 0);
  if (found + named === 0) yield* singleStory(trip, asked, page, before);
  yield* readStories(trip);
  yield* askForKnown(trip, options, asked.url);
  if (trip.found === 0 && trip.kept.size === 0)
    yield { type: "note", text: "No case studies were found from this address." };
}

function createTrip(
  options: CrawlOptions,
  limits: CrawlLimits,
  asking: PoliteFetcher,
  url: string,
  page: ReadPage,
): CrawlState {
  const rank = createLanguageRank(url, page.kind === "html" ? page.facts.language : null);
  return {
    asking,
    limits,
    rank,
    frontier: createFrontier(rank),
    known: options.known ?? (async () => undefined),
    seen: new Set(),
    lists: new Set(),
    kept: new Map(),
    texts: new Map(),
    found: 0,
  };
}

/** The address that was given may be the story itself. */
async function* singleStory(
  trip: CrawlState,
  asked: Answer,
  page: Extract<ReadPage, { kind: "html" }>,
  before: KnownPage | undefined,
): AsyncGenerator<CrawlEvent> {
  const link = judgeLink({ url: asked.url, text: "", place: "text" }, alone(asked.url));
  const verdict = judgePage(link, page.facts, page.data.types, asked.url, "");
  if (verdict.never || verdict.score < ACCEPTED) return;
  yield { type: "note", text: "The page is a case study itself." };
  yield* keep(trip, asked, page, verdict, before);
}

async function* askForKnown(trip: CrawlState, options: CrawlOptions, listing: string): AsyncGenerator<CrawlEvent> {
  const urls = (await options.knownUrls?.()) ?? [];
  const left = urls.flatMap((url) => {
    const address = addressOf(url);
    return address === null || !sameSite(address, listing) ? [] : [{ url: address, text: "", place: "known" as const }];
  });
  yield* enqueue(trip, left, { url: listing, siblings: new Set(), mixed: false }, 1);
  yield* readStories(trip);
}

const alone = (url: string) => ({ url: new URL(url).origin, mixed: true, siblings: new Set<string>() });

function endNote(ended: EarlyEnd, left: number): string {
  const rest = left > 0 ? `; ${left} addresses were not read` : "";
  return `${ENDS[ended]}${rest}.`;
}

function summary(
  state: State,
  tally: { case_studies: number; skipped: number },
  asking: PoliteFetcher | null,
  ended: CrawlSummary["ended"],
): CrawlSummary {
  return {
    listing_url: state.listing_url,
    listing_title: state.listing_title,
    pages: asking?.pages ?? 0,
    bytes: asking?.bytes ?? 0,
    found: state.trip?.found ?? 0,
    ...tally,
    ended,
  };
}
