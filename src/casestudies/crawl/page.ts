import { parseInstant } from "../../core/dates.ts";
import { decodeText, headerOf } from "../../net/exchange.ts";
import { type Answer, looksLikePdf } from "./fetcher.ts";
import * as words from "./judge.ts";
import { wordsIn } from "./judge.ts";
import { type LinkedData, readLinkedData } from "./listing.ts";
import { type PageFacts, readPageFacts } from "./page-facts.ts";

/** Reads an answer as a page: its kind, its text, what it shows, and what tells one version of it from another. */

export type ReadPage =
  | {
      readonly kind: "html";
      readonly html: string;
      readonly facts: PageFacts;
      readonly data: LinkedData;
      readonly hash: string;
    }
  | { readonly kind: "pdf"; readonly hash: string }
  | { readonly kind: "none"; readonly reason: string }
  /** It answers 200 and says that it does not exist. */
  | { readonly kind: "missing" };

/** @param partial read what came of a page that is too large */
export function readPage(answer: Answer, partial = false): ReadPage {
  const { bytes, truncated, url } = answer;
  const type = answer.type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (looksLikePdf(bytes)) return truncated ? tooLarge() : { kind: "pdf", hash: hashOf(bytes) };
  if (truncated && !partial) return tooLarge();
  const html = decodeText(bytes, answer.type);
  const isMarkup = /^\s{0,200}(?:<!--|<!doctype html|<html|<head|<body|<\?xml)/i.test(html.slice(0, 600));
  if (
    !(
      type === "text/html" ||
      type === "application/xhtml+xml" ||
      (isMarkup && /^(?:|text\/plain|application\/octet-stream)$/.test(type))
    )
  )
    return { kind: "none", reason: `not a page (${type.slice(0, 60) || "no content type"})` };
  const facts = readPageFacts(html, url);
  if (facts.asksForPassword && wordsIn(facts.prose) < 150) return { kind: "none", reason: "behind a login" };
  if (isMissing(facts)) return { kind: "missing" };
  const data = readLinkedData(facts.jsonLd, url);
  return { kind: "html", html, facts, data, hash: hashOf(`${facts.heading ?? facts.title ?? ""}\n${facts.prose}`) };
}

/** `noindex` for everybody or for us, in the page or in its headers. */
export function asksNotToBeIndexed(answer: Answer, facts: PageFacts | null): boolean {
  const header = answer.headers.flatMap(([name, value]) => (name === "x-robots-tag" ? value.toLowerCase() : []));
  const forUs = header.filter((value) => !/^[\w-]{2,40}:/.test(value) || value.startsWith("casefile:"));
  return /\b(?:noindex|none)\b/.test(`${forUs.join(" ")} ${facts?.robots ?? ""}`);
}

/** `Last-Modified` as an ISO 8601 instant. */
export function modifiedAt(answer: Answer): string | null {
  return parseInstant(headerOf(answer.headers, "last-modified")) ?? null;
}

export function hashOf(content: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

function isMissing({ title, heading, prose }: PageFacts): boolean {
  if (wordsIn(prose) > 150) return false;
  return words.MISSING_PAGE.test(heading ?? "") || words.MISSING_PAGE.test(title ?? "");
}

function tooLarge(): ReadPage {
  return { kind: "none", reason: "too large" };
}
