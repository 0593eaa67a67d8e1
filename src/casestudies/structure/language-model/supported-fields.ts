import { isPublicTop, isReservedTop, topLevelOf } from "../../../core/domain.ts";
import { wordsIn } from "../../../core/text.ts";
import { parseDate, parseHost, parseLanguageTag } from "../../fields.ts";
import type { ParseContext } from "../../record.ts";
import { splitSentences } from "../../text/markdown.ts";
import {
  completeOutcome,
  type Outcome,
  type PageText,
  type Provenance,
  type Quote,
  type StudyFields,
  type Vendor,
} from "../../types.ts";
import type { ClaimedOutcome, Claims } from "./answer-schema.ts";
import {
  figuresIn,
  includesNumber,
  isPromptInjection,
  negationsIn,
  normaliseForMatch,
  type PageEvidence,
  spelledNumbersIn,
  unitIn,
} from "./page-evidence.ts";

/** The model's fields that the page supports. An absent field was not claimed or is not supported. */
export interface SupportedFields {
  readonly fields: Partial<Omit<StudyFields, "client" | "title">> & {
    readonly client?: string;
    readonly domain?: string;
  };
  readonly provenance: readonly Provenance[];
  /** What was dropped and why, each a noun phrase without the model's words. */
  readonly dropped: readonly string[];
}

export type FieldContext = Pick<ParseContext, "industries" | "outcomeMetrics" | "parseCountry">;

interface ClaimContext {
  readonly page: PageText;
  readonly vendor: Vendor;
  readonly evidence: PageEvidence;
  readonly context: FieldContext;
  /** The client that the local engine found. */
  readonly localClient: string | null;
}

/** Confidence of a field: copied from the page, supported by a passage, or inferred from the whole page. */
const COPIED = 0.9;
const PARAPHRASED = 0.8;
const INFERRED = 0.7;
const MAX_OUTCOMES = 20;
const MAX_QUOTE = 1_500;
const MIN_QUOTE_WORDS = 4;

/** Checks each claim against the page. */
export function supportedFields(claims: Claims, claimContext: ClaimContext): SupportedFields {
  const { evidence, context } = claimContext;
  const fields: { -readonly [N in keyof SupportedFields["fields"]]: SupportedFields["fields"][N] } = {};
  const provenance: Provenance[] = [];
  const dropped: string[] = [];
  const record = (pointer: string, sentence: string | null, confidence: number) =>
    provenance.push({ pointer, engine: "language-model", sentence, confidence });

  if (claims.client.name !== null) {
    const client = supportedClient(claims.client.name, claimContext);
    if (client === null) dropped.push("the client, because its name is not on the page");
    else {
      fields.client = client;
      record("/client/name", evidence.sentenceOf(client) ?? null, COPIED);
      const domain = supportedDomain(claims.client.domain, claimContext);
      if (domain !== null) {
        fields.domain = domain;
        record("/client/domain", null, COPIED);
      }
    }
  }
  if (claims.industry !== null && context.industries.nameBySlug.has(claims.industry)) {
    fields.industry = claims.industry;
    record("/industry", null, INFERRED);
  }
  const country = claims.country.words === null ? null : context.parseCountry(claims.country.code);
  const countryWords = country === null ? undefined : evidence.find(claims.country.words ?? "");
  if (countryWords !== undefined) {
    fields.country = country;
    record("/country", evidence.sentenceOf(countryWords) ?? countryWords, PARAPHRASED);
  }
  for (const name of ["summary", "challenge", "solution"] as const) {
    const text = claims[name];
    if (text === null) continue;
    const reason = whyUnsupported(text, evidence);
    if (reason !== null) dropped.push(`the ${name}, because ${reason}`);
    else {
      fields[name] = text;
      record(`/${name}`, null, INFERRED);
    }
  }
  const outcomes = withoutDuplicates(
    claims.outcomes.flatMap((claim) => supportedOutcome(claim, claimContext) ?? []),
  ).slice(0, MAX_OUTCOMES);
  if (outcomes.length > 0) fields.outcomes = outcomes;
  for (const [at, { text }] of outcomes.entries()) record(`/outcomes/${at}`, text, COPIED);
  const unsupported = claims.outcomes.length - outcomes.length;
  if (unsupported > 0)
    dropped.push(`${unsupported} of ${claims.outcomes.length} outcomes, because the page does not state them`);

  const quote = supportedQuote(claims.quote, evidence);
  if (quote !== null) {
    fields.quote = quote;
    record("/quote", quote.text, COPIED);
  } else if (claims.quote.text !== null) dropped.push("the quotation, because it is not on the page");

  for (const name of ["products", "tools"] as const) {
    const names = namesOnPage(claims[name], evidence);
    if (names.length === 0) continue;
    fields[name] = names;
    record(`/${name}`, null, COPIED);
  }
  const date = supportedDate(claims.published_at, evidence);
  if (date !== null) {
    fields.published_at = date;
    record("/published_at", null, INFERRED);
  }
  const language = parseLanguageTag(claims.language);
  if (language !== null) {
    fields.language = language;
    record("/language", null, INFERRED);
  }
  return { fields, provenance, dropped };
}

/**
 * A name to which the page gives weight: in its title, a heading, a label or a logo, or at least twice in the story. A
 * name mentioned once in passing may be anyone's, unless the local engine found the same client.
 */
function supportedClient(name: string, { page, vendor, evidence, localClient }: ClaimContext): string | null {
  const key = normaliseForMatch(name);
  const vendorNames = [vendor.name, vendor.slug, page.site_name ?? "", vendor.domain ?? ""].map(normaliseForMatch);
  if (key.length < 2 || name.length > 100 || vendorNames.includes(key)) return null;
  const found = evidence.find(name);
  if (found === undefined) return null;
  const isProminent = evidence.isProminent(name);
  const isName = /[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(found) || isProminent;
  const hasWeight =
    isProminent || evidence.mentions(name) >= 2 || (localClient !== null && normaliseForMatch(localClient) === key);
  if (!isName || !hasWeight) return null;
  // The first occurrence may be a heading in capitals, so the model's spelling is kept if the page has it anywhere.
  return evidence.story.some(({ text }) => text.includes(name)) || evidence.facts.some((fact) => fact.includes(name))
    ? name
    : found;
}

function supportedDomain(claimed: string | null, { page, vendor, evidence }: ClaimContext): string | null {
  const host = parseHost(claimed);
  if (host === null || host === parseHost(vendor.domain) || host === parseHost(page.url)) return null;
  const isLinked = page.links.some(({ href }) => parseHost(href) === host);
  return isLinked || evidence.find(host) !== undefined ? host : null;
}

/**
 * An outcome whose sentence is on the page and contains the figure and its unit; or, without a figure, one that the model
 * calls qualitative. A noun of other words, and levels that the sentence does not state, are dropped.
 */
function supportedOutcome(claim: ClaimedOutcome, { evidence, context }: ClaimContext): Outcome | undefined {
  const sentence = claim.sentence === null ? undefined : evidence.sentenceOf(claim.sentence);
  if (sentence === undefined) return undefined;
  const { outcomeMetrics } = context;
  const isKnown = claim.metric !== null && outcomeMetrics.nameBySlug.has(claim.metric);
  const metric = (isKnown ? claim.metric : outcomeMetrics.resolveMetric(null, sentence)) ?? "other";
  const direction: Outcome["direction"] =
    claim.direction === "increase" || claim.direction === "decrease" ? claim.direction : "absolute";
  const noun = claim.noun !== null && sharesWords(claim.noun, sentence) ? claim.noun : null;
  const stated = { metric, direction, noun, better: claim.better, text: sentence, sentence };
  if (claim.value === null) {
    const isQualitative = claim.kind === "qualitative" && !isPromptInjection(sentence);
    return isQualitative ? completeOutcome({ ...stated, value: null, unit: null, kind: "qualitative" }) : undefined;
  }
  const numbers = numbersIn(sentence);
  const unit = unitIn(outcomeMetrics.normaliseUnit(claim.unit), sentence);
  if (!includesNumber(claim.value, numbers) || unit === undefined) return undefined;
  const areStated = [claim.from, claim.to].every((level) => level !== null && includesNumber(level, numbers));
  const kind = claim.kind === "change" || claim.kind === "level" ? claim.kind : null;
  const levels = areStated && hasOneTimeUnit(sentence) ? { from: claim.from, to: claim.to } : {};
  return completeOutcome({ ...stated, ...levels, value: Math.abs(claim.value), unit, kind });
}

/** "From 14 days to 3 hours" has no two figures of one unit. */
const hasOneTimeUnit = (sentence: string): boolean =>
  new Set(sentence.toLowerCase().match(/\b(?:second|minute|hour|day|week|month|year)/g)).size <= 1;

/** Whether at least half of a noun's words of four letters or more are, in any inflection, in the sentence. */
function sharesWords(noun: string, sentence: string): boolean {
  const words = wordsIn(normaliseForMatch(noun)).filter((word) => word.length > 3);
  const known = new Set(wordsIn(normaliseForMatch(sentence)).map((word) => word.slice(0, STEM)));
  return words.length > 0 && words.filter((word) => known.has(word.slice(0, STEM))).length * 2 >= words.length;
}

/** Every number that a sentence may state, in digits or in words. */
const numbersIn = (sentence: string): number[] => [
  ...figuresIn(sentence).flat(),
  ...spelledNumbersIn(normaliseForMatch(sentence)),
];

function withoutDuplicates(outcomes: readonly Outcome[]): Outcome[] {
  const seen = new Set<string>();
  return outcomes.filter(({ value, unit, text }) => {
    const key = JSON.stringify([value, unit, text]);
    return !seen.has(key) && seen.add(key);
  });
}

function supportedQuote(claim: Claims["quote"], evidence: PageEvidence): Quote | null {
  const text = claim.text === null || claim.text.length > MAX_QUOTE ? undefined : evidence.find(claim.text);
  if (text === undefined || text.split(" ").length < MIN_QUOTE_WORDS) return null;
  const person = claim.person === null ? undefined : evidence.find(claim.person);
  const role = claim.role === null || person === undefined ? undefined : evidence.find(claim.role);
  return { text, person: person ?? null, role: role ?? null };
}

const namesOnPage = (names: readonly string[], evidence: PageEvidence): string[] => [
  ...new Map(
    names.flatMap((name) => evidence.find(name) ?? []).map((name) => [normaliseForMatch(name), name]),
  ).values(),
];

/** A date whose year and day are on the page. The month is not checked: pages write it in many ways. */
function supportedDate(claimed: string | null, evidence: PageEvidence): string | null {
  const date = parseDate(claimed);
  const [year = "", , day = ""] = date?.split("-") ?? [];
  return date !== null && evidence.figures.has(Number(year)) && evidence.figures.has(Number(day)) ? date : null;
}

/** Share of a text's long words that must be on the page, in any inflection. */
const MIN_KNOWN_SHARE = 0.5;
const LONG_WORD = 5;
/** Two long words with the same first letters count as inflections of one word. */
const STEM = 5;

const MULTIPLE = /^(doubl|tripl|quadrupl|halv|(two|three|four|five|six|ten)fold)/;

/** Words that start a sentence with a capital without being a name, in the most frequent languages of pages. */
const SENTENCE_OPENERS = new Set(
  `a an the this that these those they their it its he she we our his her there in on at by to for from with without
  within before after when while as since once because although though despite during through throughout using thanks
  following facing needing seeking wanting having being to both each all many most some several more however moreover
  additionally previously initially originally today now then later finally also and but or so if under over among
  between instead rather due given each every any such certain other another one two three until where which who what how not no only even based results result
  der die das den dem ein eine einer einem um im in mit bei nach vor durch dank für als sie er es wir zu zur zum auf aus
  le la les un une des du de en avec pour par dans grâce après avant il elle ils elles ce cette ces
  el los las uno una con por para tras antes gracias se su sus`
    .split(/\s+/)
    .map(normaliseForMatch),
);

/**
 * Why the page does not support a text that a model wrote about it, as a clause; null when it does. A figure, name or
 * address that is not on the page is treated as invented.
 */
export function whyUnsupported(text: string, evidence: PageEvidence): string | null {
  if (isPromptInjection(text)) return "it contains instructions to a model";
  const words = wordsIn(normaliseForMatch(text));
  if (addressesIn(text).some((address) => evidence.find(address) === undefined))
    return "it contains an address that is not on the page";
  if (negationsIn(words) > evidence.negations) return "it denies what the page does not deny";
  const figure = figuresIn(text).find((readings) => !readings.some((value) => includesNumber(value, evidence.figures)));
  if (figure !== undefined) return "it contains a figure that is not on the page";
  if (words.some((word) => MULTIPLE.test(word) && !isMultipleStated(word, evidence)))
    return "it contains a multiple that is not on the page";
  const stems = stemsOf(evidence.words);
  if (hasUnknownName(text, evidence.words, stems)) return "it contains a name that is not on the page";
  const long = words.filter((word) => word.length >= LONG_WORD);
  const known = long.filter((word) => stems.has(word.slice(0, STEM)));
  return known.length >= long.length * MIN_KNOWN_SHARE ? null : "most of its words are not on the page";
}

const ADDRESS =
  /\S{1,200}@\S{1,200}|(?<![\p{L}\p{N}])(?:[a-z][a-z\d+.-]{1,20}:\/\/|(?:https?|mailto|javascript|data|tel|sms|file):)\S{1,500}|(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,10}(?:[:/?#]\S{0,500})?/giu;

/** Mail addresses, URLs of any scheme, and names below a public or reserved top-level domain, with their path. */
function addressesIn(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/(?<=[\p{L}\p{N}])[。｡](?=[\p{L}\p{N}])/gu, ".");
  return [...plain.matchAll(ADDRESS)].flatMap(([found]) => {
    const address = found.replace(/[\p{P}\p{S}]+$/u, "");
    if (/[@]|^[a-z][a-z\d+.-]*:/i.test(address)) return [address];
    const top = topLevelOf(address.split(/[:/?#]/, 1)[0] ?? "");
    return isPublicTop(top) || isReservedTop(top) ? [address] : [];
  });
}

/** "Doubled" is supported by the word itself or by a figure with that meaning. */
function isMultipleStated(word: string, { words, figures }: PageEvidence): boolean {
  const stem = word.slice(0, STEM);
  return (
    [...words].some((known) => known.startsWith(stem)) || spelledNumbersIn(word).some((value) => figures.has(value))
  );
}

/** Whether a text has a capitalised word that is not on the page. The first word of a sentence may be inflected. */
function hasUnknownName(text: string, known: ReadonlySet<string>, stems: ReadonlySet<string>): boolean {
  return splitSentences(text).some((sentence) => {
    const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’.&+-]{0,60}/gu) ?? [];
    return words.some((word, at) => {
      if (!/^\p{Lu}/u.test(word) || isKnown(word, known)) return false;
      const plain = normaliseForMatch(word);
      return at > 0 || !(SENTENCE_OPENERS.has(plain) || (plain.length >= LONG_WORD && stems.has(plain.slice(0, STEM))));
    });
  });
}

/** Whether each part of a word is known, apart from a possessive or plural ending. */
function isKnown(word: string, known: ReadonlySet<string>): boolean {
  const withoutPossessive = word.replace(/['’]s?$/u, "");
  return wordsIn(normaliseForMatch(withoutPossessive)).every(
    (part) => known.has(part) || known.has(part.replace(/e?s$/, "")) || known.has(`${part}s`),
  );
}

const stemsOf = (words: ReadonlySet<string>): Set<string> =>
  new Set([...words].flatMap((word) => (word.length >= LONG_WORD ? word.slice(0, STEM) : [])));
