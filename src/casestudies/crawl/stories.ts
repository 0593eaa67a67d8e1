import { headerOf } from "../../net/exchange.ts";
import { addressOf, keyOf, sameSite, segmentsOf } from "./address.ts";
import { describeFailure, type PageResponse } from "./fetcher.ts";
import type { CrawlState, QueuedPage } from "./frontier.ts";
import { ACCEPTED, isList, judgePage, type Verdict, WEIGHTS } from "./judge.ts";
import { readLinkedData } from "./listing.ts";
import { crawlListing } from "./lists.ts";
import { type HtmlPage, isNoIndex, modifiedAt, type PageFacts, type PdfPage, readPage } from "./page.ts";
import type { CrawlEvent, KnownPage } from "./types.ts";

/** Reads the queued addresses one after the other, and decides which of them are case studies. */

/** After `unread`, another version of the story is tried. */
type Outcome = "accepted" | "rejected" | "unread";
type Events<T> = AsyncGenerator<CrawlEvent, T>;

/** Reads the preferred version of each story in the queue, until it is empty. */
export async function* crawlStories(state: CrawlState): Events<void> {
  for (let versions = state.frontier.next(); versions !== undefined; versions = state.frontier.next())
    yield* crawlVersions(state, versions);
}

async function* crawlVersions(state: CrawlState, versions: readonly QueuedPage[]): Events<void> {
  let outcome: Outcome = "unread";
  for (const version of versions) {
    const key = keyOf(version.url);
    const accepted = state.accepted.get(key);
    if (outcome === "unread" && accepted === undefined) outcome = yield* crawlPage(state, version);
    else if (!state.seen.has(key)) {
      state.seen.add(key);
      const original = accepted ?? "a page that is not a case study";
      yield { type: "skipped", url: version.url, reason: `another language of ${original}` };
    }
    if (outcome === "accepted")
      for (const { url } of versions) state.accepted.set(keyOf(url), state.accepted.get(key) ?? version.url);
  }
}

async function* crawlPage(state: CrawlState, queued: QueuedPage): Events<Outcome> {
  const { url } = queued;
  const key = keyOf(url);
  if (state.seen.has(key)) return state.accepted.has(key) ? "accepted" : "rejected";
  state.seen.add(key);
  const known = await state.known(url);
  const canBeConditional = known !== undefined && (known.etag ?? known.last_modified) !== null;
  const response = await state.fetcher.fetch(url, "page", canBeConditional ? known : undefined);
  for (const text of state.fetcher.takeNotes()) yield { type: "note", text };
  const skip = (reason: string): CrawlEvent => ({ type: "skipped", url, reason });
  const gone = (code: number, reason: string): CrawlEvent =>
    known || queued.place === "known" ? { type: "gone", url, code } : skip(reason);
  if (response.status === "unchanged") {
    state.accepted.set(key, url);
    yield { type: "unchanged", url: known?.url ?? url };
    return "accepted";
  }
  if (response.status !== "ok") {
    const reason = describeFailure(response);
    yield response.status === "gone" ? gone(response.code, reason) : skip(reason);
    return "unread";
  }
  const finalKey = keyOf(response.url);
  const moved = finalKey !== key;
  if (moved && (state.lists.has(finalKey) || segmentsOf(response.url).length === 0)) {
    yield gone(response.redirect ?? 302, "redirects to a list of pages");
    return "unread";
  }
  if (moved && state.seen.has(finalKey)) {
    yield skip(`the same page as ${response.url}`);
    return state.accepted.has(finalKey) ? "accepted" : "rejected";
  }
  state.seen.add(finalKey);
  const page = readPage(response);
  if (page.kind === "missing" || page.kind === "none") {
    yield page.kind === "missing" ? gone(200, "not found (the page says so)") : skip(page.reason);
    return "unread";
  }
  if (isNoIndex(response, page.kind === "html" ? page.facts : null)) {
    yield skip("it asks not to be indexed");
    return "rejected";
  }
  if (moved && known) yield { type: "gone", url, code: response.redirect ?? 301 };
  const before = moved ? await state.known(response.url) : known;
  if (page.kind === "pdf") return yield* acceptPage(state, response, page, queued.verdict, before);
  return yield* judgeHtml(state, queued, response, page, before);
}

async function* judgeHtml(
  state: CrawlState,
  queued: QueuedPage,
  response: PageResponse,
  page: HtmlPage,
  before: KnownPage | undefined,
): Events<Outcome> {
  const { facts } = page;
  const skip = (reason: string): CrawlEvent => ({ type: "skipped", url: queued.url, reason });
  const canonical = canonicalOf(state, response.url, facts.canonical);
  if (canonical !== null && state.seen.has(keyOf(canonical))) {
    yield skip(`the same page as ${canonical}`);
    return state.accepted.has(keyOf(canonical)) ? "accepted" : "rejected";
  }
  const { types } = readLinkedData(facts.jsonLd, response.url);
  const verdict = judgePage(queued.verdict, facts, types, response.url, queued.text);
  if (verdict.score < ACCEPTED || verdict.never) {
    const isListToRead = isList(facts) && queued.depth < state.limits.maxDepth && queued.verdict.score > WEIGHTS.bias;
    if (isListToRead) yield* crawlListing(state, facts, response.url, queued.depth);
    else yield skip(whyRejected(verdict));
    return "rejected";
  }
  const better = betterVersion(state, response.url, page);
  if (better !== null && (yield* crawlPage(state, { ...queued, url: better })) === "accepted") {
    yield skip(`another language of ${better}`);
    return "accepted";
  }
  const twin = state.texts.get(page.hash);
  if (twin !== undefined) {
    yield skip(`the same text as ${twin}`);
    return "rejected";
  }
  if (canonical !== null) state.seen.add(keyOf(canonical));
  const pageLanguage = ownLanguage(response.url, facts);
  for (const { language, url } of facts.alternates)
    if (language !== pageLanguage && !state.lists.has(keyOf(url))) state.accepted.set(keyOf(url), response.url);
  return yield* acceptPage(state, response, page, verdict, before);
}

/** Yields a case study. An HTML page was judged before; a PDF is rejected here by the verdict on its address. */
export async function* acceptPage(
  state: CrawlState,
  response: PageResponse,
  page: HtmlPage | PdfPage,
  verdict: Verdict,
  before: KnownPage | undefined,
): Events<Outcome> {
  if (page.kind === "pdf" && (verdict.score < ACCEPTED || verdict.never) && before === undefined) {
    yield { type: "skipped", url: response.url, reason: whyRejected(verdict) };
    return "rejected";
  }
  state.accepted.set(keyOf(response.url), response.url);
  state.texts.set(page.hash, response.url);
  if (before?.content_hash === page.hash) {
    yield { type: "unchanged", url: before.url };
    return "accepted";
  }
  const { bytes, headers, url } = response;
  yield {
    type: "page",
    page: {
      url,
      kind: page.kind,
      content: page.kind === "pdf" ? bytes : page.html,
      language: headerOf(headers, "content-language")?.split(",", 1)[0]?.trim().slice(0, 35) || null,
      last_modified: modifiedAt(response),
    },
    etag: headerOf(headers, "etag") ?? null,
    last_modified: headerOf(headers, "last-modified") ?? null,
    content_hash: page.hash,
    confidence: verdict.confidence,
    reasons: verdict.clues,
  };
  return "accepted";
}

/** The page's canonical address, if it is another one on the same site and neither a list nor the home page. */
function canonicalOf(state: CrawlState, url: string, canonical: string | null): string | null {
  if (canonical === null || keyOf(canonical) === keyOf(url) || !sameSite(canonical, url)) return null;
  return state.lists.has(keyOf(canonical)) || segmentsOf(canonical).length === 0 ? null : canonical;
}

/** The version of the page in the best language, if that ranks before its own. */
function betterVersion(state: CrawlState, url: string, { facts }: HtmlPage): string | null {
  const [best] = facts.alternates
    .filter(
      (version) => version.language !== "x-default" && sameSite(version.url, url) && keyOf(version.url) !== keyOf(url),
    )
    .sort((a, b) => state.rank(a.language) - state.rank(b.language));
  if (!best || state.rank(best.language) >= state.rank(ownLanguage(url, facts))) return null;
  const target = addressOf(best.url);
  return target === null || state.lists.has(keyOf(target)) || segmentsOf(target).length === 0 ? null : target;
}

/** The language under which the page lists itself among its versions, or else the one that it declares. */
function ownLanguage(url: string, { alternates, language }: PageFacts): string | null {
  return alternates.find((version) => keyOf(version.url) === keyOf(url))?.language ?? language;
}

function whyRejected({ instead, clues }: Verdict): string {
  const against = clues.filter((clue) => WEIGHTS[clue] < 0);
  const found = against.length > 0 ? ` (${against.join("; ")})` : "";
  return `not a case study: ${instead ?? "too few signs of one"}${found}`;
}
