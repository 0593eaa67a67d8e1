import { headerOf } from "../../net/exchange.ts";
import { addressOf, keyOf, sameSite, segmentsOf } from "./address.ts";
import type { Answer } from "./fetcher.ts";
import type { CrawlEvent, CrawlState, KnownPage, Story, Waiting } from "./frontier.ts";
import { ACCEPTED, isList, judgePage, type Verdict, WEIGHTS } from "./judge.ts";
import { asksNotToBeIndexed, modifiedAt, type ReadPage, readPage } from "./page.ts";
import type { PageFacts } from "./page-facts.ts";
import { surveyListing, whyNot } from "./survey.ts";

/** Reads the addresses that may be case studies, one after the other, and tells what each of them is. */

/** `unread` when another version of the story may do better. */
type Outcome = "kept" | "rejected" | "unread";
type Html = Extract<ReadPage, { kind: "html" }>;

/** Reads the wanted version of each story that waits, until none does. */
export async function* readStories(trip: CrawlState): AsyncGenerator<CrawlEvent> {
  for (let story = trip.frontier.next(); story !== undefined; story = trip.frontier.next())
    yield* readStory(trip, story);
}

async function* readStory(trip: CrawlState, { versions }: Story): AsyncGenerator<CrawlEvent> {
  let outcome: Outcome = "unread";
  for (const version of versions) {
    const taken = trip.kept.get(keyOf(version.url));
    if (outcome === "unread" && taken === undefined) outcome = yield* consider(trip, version);
    else if (!trip.seen.has(keyOf(version.url))) yield* otherLanguage(trip, version.url, taken);
    if (outcome === "kept")
      for (const { url } of versions) trip.kept.set(keyOf(url), trip.kept.get(keyOf(version.url)) ?? version.url);
  }
}

function* otherLanguage(trip: CrawlState, url: string, kept = trip.kept.get(keyOf(url))): Generator<CrawlEvent> {
  trip.seen.add(keyOf(url));
  yield {
    type: "skipped",
    url,
    reason: kept === undefined ? "another language of a page that is no case study" : `another language of ${kept}`,
  };
}

async function* consider(trip: CrawlState, waiting: Waiting): AsyncGenerator<CrawlEvent, Outcome> {
  const { url } = waiting;
  const key = keyOf(url);
  if (trip.seen.has(key)) return trip.kept.has(key) ? "kept" : "rejected";
  trip.seen.add(key);
  const known = await trip.known(url);
  const asked = await trip.asking.ask(
    url,
    "page",
    known && (known.etag ?? known.last_modified) !== null ? known : undefined,
  );
  for (const text of trip.asking.takeNotes()) yield { type: "note", text };
  const skip = (reason: string): CrawlEvent => ({ type: "skipped", url, reason });
  const lost = (code: number, reason: string): CrawlEvent =>
    known || waiting.place === "known" ? { type: "gone", url, code } : skip(reason);
  if (asked.status === "unchanged") {
    trip.kept.set(key, url);
    yield { type: "unchanged", url: known?.url ?? url };
    return "kept";
  }
  if (asked.status !== "ok") {
    yield asked.status === "gone" ? lost(asked.code, whyNot(asked)) : skip(whyNot(asked));
    return "unread";
  }
  const finalKey = keyOf(asked.url);
  const moved = finalKey !== key;
  if (moved && (trip.lists.has(finalKey) || segmentsOf(asked.url).length === 0)) {
    yield lost(asked.redirect ?? 302, "redirects to a list of pages");
    return "unread";
  }
  if (moved && trip.seen.has(finalKey)) {
    yield skip(`the same page as ${asked.url}`);
    return trip.kept.has(finalKey) ? "kept" : "rejected";
  }
  trip.seen.add(finalKey);
  const page = readPage(asked);
  if (page.kind === "missing" || page.kind === "none") {
    yield page.kind === "missing" ? lost(200, "not found (the page says so)") : skip(page.reason);
    return "unread";
  }
  if (asksNotToBeIndexed(asked, page.kind === "html" ? page.facts : null)) {
    yield skip("it asks not to be indexed");
    return "rejected";
  }
  if (moved && known) yield { type: "gone", url, code: asked.redirect ?? 301 };
  const before = moved ? await trip.known(asked.url) : known;
  if (page.kind === "pdf") return yield* keep(trip, asked, page, waiting.verdict, before);
  return yield* judge(trip, waiting, asked, page, before);
}

async function* judge(
  trip: CrawlState,
  waiting: Waiting,
  asked: Answer,
  page: Html,
  before: KnownPage | undefined,
): AsyncGenerator<CrawlEvent, Outcome> {
  const { facts } = page;
  const skip = (reason: string): CrawlEvent => ({ type: "skipped", url: waiting.url, reason });
  const same = canonicalOf(trip, asked.url, facts.canonical);
  if (same !== null && trip.seen.has(keyOf(same))) {
    yield skip(`the same page as ${same}`);
    return trip.kept.has(keyOf(same)) ? "kept" : "rejected";
  }
  const verdict = judgePage(waiting.verdict, facts, page.data.types, asked.url, waiting.text);
  if (verdict.score < ACCEPTED || verdict.never) {
    const list = verdict.clues.includes("a list of other pages");
    if (list && isList(facts) && waiting.depth < trip.limits.maxDepth && waiting.verdict.score > WEIGHTS.bias)
      yield* surveyListing(trip, facts, asked.url, waiting.depth);
    else yield skip(whyNoStory(verdict));
    return "rejected";
  }
  const better = betterVersion(trip, asked.url, page);
  if (better !== null) {
    const outcome = yield* consider(trip, { ...waiting, url: better });
    if (outcome === "kept") {
      yield skip(`another language of ${better}`);
      return "kept";
    }
  }
  const twin = trip.texts.get(page.hash);
  if (twin !== undefined) {
    yield skip(`the same text as ${twin}`);
    return "rejected";
  }
  if (same !== null) trip.seen.add(keyOf(same));
  const own = ownLanguage(asked.url, facts);
  for (const { language, url } of facts.alternates)
    if (language !== own && !trip.lists.has(keyOf(url))) trip.kept.set(keyOf(url), asked.url);
  return yield* keep(trip, asked, page, verdict, before);
}

/** Tells of a case study, whatever was thought of it before. */
export async function* keep(
  trip: CrawlState,
  asked: Answer,
  page: Html | Extract<ReadPage, { kind: "pdf" }>,
  verdict: Verdict,
  before: KnownPage | undefined,
): AsyncGenerator<CrawlEvent, Outcome> {
  const wrong = verdict.score < ACCEPTED || verdict.never;
  if (page.kind === "pdf" && wrong && before === undefined) {
    yield { type: "skipped", url: asked.url, reason: whyNoStory(verdict) };
    return "rejected";
  }
  trip.kept.set(keyOf(asked.url), asked.url);
  trip.texts.set(page.hash, asked.url);
  if (before?.content_hash === page.hash) {
    yield { type: "unchanged", url: before.url };
    return "kept";
  }
  const language = headerOf(asked.headers, "content-language")?.split(",", 1)[0]?.trim().slice(0, 35) || null;
  yield {
    type: "page",
    page: {
      url: asked.url,
      kind: page.kind,
      content: page.kind === "pdf" ? asked.bytes : page.html,
      language,
      last_modified: modifiedAt(asked),
    },
    etag: headerOf(asked.headers, "etag") ?? null,
    last_modified: headerOf(asked.headers, "last-modified") ?? null,
    content_hash: page.hash,
    confidence: verdict.confidence,
    reasons: verdict.clues,
  };
  return "kept";
}

/** The address that the page calls its own, when it is another one and plausible: not a list, not the home page. */
function canonicalOf(trip: CrawlState, url: string, canonical: string | null): string | null {
  if (canonical === null || keyOf(canonical) === keyOf(url) || !sameSite(canonical, url)) return null;
  return trip.lists.has(keyOf(canonical)) || segmentsOf(canonical).length === 0 ? null : canonical;
}

/** The version of the page in a language that is wanted more than its own, when it was not asked for yet. */
function betterVersion(trip: CrawlState, url: string, { facts }: Html): string | null {
  const own = ownLanguage(url, facts);
  const best = facts.alternates
    .filter(
      (version) => version.language !== "x-default" && sameSite(version.url, url) && keyOf(version.url) !== keyOf(url),
    )
    .sort((a, b) => trip.rank(a.language) - trip.rank(b.language))[0];
  if (!best || trip.rank(best.language) >= trip.rank(own)) return null;
  const target = addressOf(best.url);
  return target === null || trip.lists.has(keyOf(target)) || segmentsOf(target).length === 0 ? null : target;
}

/** What the page names its own language among its versions, or else. */
function ownLanguage(url: string, { alternates, language }: PageFacts): string | null {
  return alternates.find((version) => keyOf(version.url) === keyOf(url))?.language ?? language;
}

function whyNoStory({ instead, clues }: Verdict): string {
  const against = clues.filter((clue) => WEIGHTS[clue] < 0);
  const found = against.length > 0 ? ` (${against.join("; ")})` : "";
  return `not a case study: ${instead ?? "too little speaks for it"}${found}`;
}
