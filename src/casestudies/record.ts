import type { Problem } from "../core/errors.ts";
import { isSlug, shortHash, slugOf } from "../core/text.ts";
import {
  cleanText,
  createCountryParser,
  type IgnoredField,
  parseDate,
  parseHost,
  parseHttpUrl,
  parseLanguageTag,
  type RawFields,
  readFields,
} from "./fields.ts";
import { type Industries, type OutcomeMetrics, parseAmount, resolveDirection } from "./taxonomy/taxonomy.ts";
import { fingerprintOf } from "./text/near-duplicates.ts";
import { type CountTokens, estimateTokens, splitPassages } from "./text/passages.ts";
import {
  type Industry,
  type NewCaseStudy,
  ORIGINS,
  type Origin,
  OUTCOME_KINDS,
  type Outcome,
  type OutcomeKind,
  type PlainOutcome,
} from "./types.ts";

/** What is needed to parse a record, apart from the record. */
export interface ParseContext {
  readonly industries: Industries;
  readonly outcomeMetrics: OutcomeMetrics;
  /** ISO 3166-1 alpha-2 code of a country's name or code; null when unknown. */
  readonly parseCountry: (text: string | null) => string | null;
  readonly countTokens: CountTokens;
  /** Origin of records that name none. */
  readonly defaultOrigin: Origin;
}

/** @param options by default `countTokens` is an estimate and `defaultOrigin` is `imported` */
export function createParseContext(
  taxonomies: Pick<ParseContext, "industries" | "outcomeMetrics">,
  options: Partial<Pick<ParseContext, "countTokens" | "defaultOrigin">> = {},
): ParseContext {
  return {
    ...taxonomies,
    parseCountry: createCountryParser(),
    countTokens: estimateTokens,
    defaultOrigin: "imported",
    ...options,
  };
}

/** Maximum lengths in UTF-16 code units. Longer text is cut at a word. */
const MAX = {
  title: 300,
  name: 200,
  industry: 200,
  summary: 4_000,
  prose: 20_000,
  body: 200_000,
  outcome: 1_000,
  quote: 4_000,
  item: 120,
  licence: 100,
  id: 120,
  url: 4_096,
} as const;
const MAX_ITEMS = 50;

/** What to give instead of a value that was not understood. */
const ADVICE = {
  host: "Give a host name, such as acme.com.",
  url: "Give an http or https URL.",
  slug: "Give lowercase letters and digits, separated by single dashes.",
  text: "Give a text, or a complete JSON object.",
  country: "Give a two-letter country code, such as DE, or the country's English name.",
  date: "Give a date as YYYY-MM-DD.",
  language: "Give a language tag, such as en or pt-BR.",
  origin: `Give ${ORIGINS.join(", ")}, or nothing.`,
  kind: `Give ${OUTCOME_KINDS.join(", ")}, or nothing.`,
  outcome: "Give each outcome a text, or a metric and a value.",
} as const;

/** Fields of the API's answers that a record is not read from; an answer that was saved and imported has them. */
const ANSWER_ONLY_FIELDS = ["indexed_at", "score", "passage", "highlights"];

/**
 * Parses one record in any of the common shapes: the API's case study with or without the extras of an export, a flat
 * row of a table (`company_name`, `client_name`, outcomes as JSON), or a vendor's file (`vendor`, `body_markdown`). A
 * title, a URL and a company are required; any other value that is not understood becomes null.
 *
 * @param onIgnored receives each field that was given and is not in the returned record
 * @returns the record ready for the store, or everything that is wrong with it
 */
export function parseRecord(
  raw: unknown,
  context: ParseContext,
  onIgnored?: (field: IgnoredField) => void,
): NewCaseStudy | readonly Problem[] {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return [{ pointer: "", detail: "A case study must be an object with a title, a url and a company." }];
  }
  const fields = readFields(raw);
  const title = fields.text(["title", "headline"], MAX.title);
  const givenUrl = fields.text(["url", "link", "case_study_url", "source_url"], MAX.url);
  const url = parseHttpUrl(givenUrl);
  const company = parseCompany(fields, context.industries);
  const problems: Problem[] = [];
  if (title === null) problems.push({ pointer: "/title", detail: "The title is missing." });
  if (url === null) problems.push({ pointer: "/url", detail: urlProblem(givenUrl) });
  if (company === null) problems.push({ pointer: "/company/name", detail: "The name of the company is missing." });
  if (title === null || url === null || company === null) return problems;

  const client = parseClient(fields);
  const texts = {
    title,
    url,
    client,
    summary: fields.prose(["summary", "description", "abstract"], MAX.summary),
    challenge: fields.prose(["challenge", "problem"], MAX.prose),
    solution: fields.prose(["solution"], MAX.prose),
    outcomes: parseOutcomes(fields, context.outcomeMetrics, onIgnored),
    body: fields.prose(["body", "body_markdown", "content", "text", "markdown"], MAX.body),
  };
  const study: NewCaseStudy = {
    ...texts,
    id: idOf(fields, company.slug, client.name ?? title, url),
    company,
    industry: parseIndustry(fields, ["industry_raw", "industry"], context.industries),
    country: fields.value(["country", "client_country"], MAX.item, context.parseCountry, ADVICE.country),
    products: fields.list(["products"], MAX_ITEMS, MAX.item),
    tools: fields.list(["tools", "technologies"], MAX_ITEMS, MAX.item),
    quote: parseQuote(fields),
    published_at: fields.value(["published_at", "published", "date"], MAX.item, parseDate, ADVICE.date),
    language: fields.value(["language", "lang"], MAX.item, parseLanguageTag, ADVICE.language),
    origin: fields.value(["origin"], MAX.item, parseOrigin, ADVICE.origin) ?? context.defaultOrigin,
    licence: fields.text(["licence", "license"], MAX.licence),
    passages: splitPassages(texts, context.countTokens),
    fingerprint: fingerprintOf(wholeText(texts), url),
  };
  if (onIgnored) for (const field of fields.ignoredFields(ANSWER_ONLY_FIELDS)) onIgnored(field);
  return study;
}

/** Whether {@link parseRecord} returned problems instead of a record. */
export const isProblems = (parsed: NewCaseStudy | readonly Problem[]): parsed is readonly Problem[] =>
  Array.isArray(parsed);

function urlProblem(given: string | null): string {
  if (given === null) return "The URL of the original is missing.";
  return "The URL must be http or https, name a host, contain no user or password, and have at most 2,048 characters.";
}

/** All values are read before the first is chosen, so that a field given under a second name does not count as ignored. */
const firstOf = <T>(...values: (T | null)[]): T | null => values.find((value) => value !== null) ?? null;

const parseSlug = (text: string) => (isSlug(text) ? text : null);

const parseOrigin = (text: string): Origin | null => ORIGINS.find((origin) => origin === text) ?? null;

/** A text that starts like JSON is an object that could not be parsed or had no text. */
const parsePlainText = (text: string) => (text.startsWith("{") ? null : text);

function parseCompany(fields: RawFields, industries: Industries): NewCaseStudy["company"] | null {
  const nested = fields.object(["company", "vendor"]);
  const name = firstOf(
    nested.text(["name"], MAX.name),
    fields.text(["company_name", "company", "vendor_name", "vendor"], MAX.name),
  );
  if (name === null) return null;
  const value = <T>(field: string, max: number, parse: (text: string) => T | null, hint: string, other?: string) =>
    firstOf(
      nested.value([field], max, parse, hint),
      fields.value([`company_${field}`, other ?? `vendor_${field}`], max, parse, hint),
    );
  return {
    name,
    slug: value("slug", MAX.name, parseSlug, ADVICE.slug) ?? slugOf(name),
    domain: value("domain", MAX.url, parseHost, ADVICE.host),
    industry: firstOf(
      parseIndustry(nested, ["industry_raw", "industry"], industries),
      parseIndustry(fields, ["company_industry", "vendor_industry"], industries),
    ),
    logo_url: value("logo_url", MAX.url, parseHttpUrl, ADVICE.url, "logo_url"),
  };
}

function parseClient(fields: RawFields): NewCaseStudy["client"] {
  const nested = fields.object(["client", "customer"]);
  return {
    name: firstOf(
      nested.text(["name"], MAX.name),
      fields.value(["client_name", "client", "customer_name", "customer"], MAX.name, parsePlainText, ADVICE.text),
    ),
    domain: firstOf(
      nested.value(["domain"], MAX.url, parseHost, ADVICE.host),
      fields.value(["client_domain", "customer_domain"], MAX.url, parseHost, ADVICE.host),
    ),
  };
}

function parseIndustry(fields: RawFields, names: readonly string[], industries: Industries): Industry | null {
  const given = names.map((name) =>
    firstOf(fields.object([name]).text(["raw", "name", "slug"], MAX.industry), fields.text([name], MAX.industry)),
  );
  const raw = firstOf(...given);
  return raw === null ? null : industries.resolve(raw);
}

function parseOutcomes(
  fields: RawFields,
  metrics: OutcomeMetrics,
  onIgnored?: (field: IgnoredField) => void,
): Outcome[] {
  const objects: unknown[] = fields.items(["outcomes", "results"], MAX_ITEMS);
  const items = objects.length > 0 ? objects : fields.sentences(["outcomes", "results"], MAX_ITEMS, MAX.outcome);
  return items.flatMap((item) => {
    const outcome = readFields(typeof item === "string" ? { text: item } : item, "outcomes.");
    const givenMetric = outcome.text(["metric", "name"], MAX.item);
    const givenValue = outcome.text(["value"], MAX.item);
    const givenUnit = outcome.text(["unit"], MAX.item);
    const number = outcome.number(["value"]);
    const amount = number === null && givenValue !== null ? parseAmount(givenValue) : null;
    const givenText = outcome.text(["text", "description", "outcome"], MAX.outcome);
    const parts = [givenMetric, givenValue, givenUnit].filter((part) => part !== null);
    const text = givenText ?? cleanText(parts.join(" "), MAX.outcome);
    const direction = outcome.text(["direction"], MAX.item);
    const reading = {
      noun: outcome.text(["noun"], MAX.item),
      kind: outcome.value(["kind"], MAX.item, parseKind, ADVICE.kind),
      from: outcome.number(["from"]),
      to: outcome.number(["to"]),
      better: outcome.boolean(["better"]),
      sentence: outcome.text(["sentence"], MAX.outcome),
    };
    if (onIgnored) for (const field of outcome.ignoredFields()) onIgnored(field);
    if (text === null || (givenText === null && givenValue === null)) {
      onIgnored?.({ field: "outcomes", reason: ADVICE.outcome });
      return [];
    }
    const metric = metrics.resolveMetric(givenMetric, text);
    const plain = {
      metric,
      value: number ?? amount?.value ?? null,
      unit: metrics.normaliseUnit(givenUnit ?? amount?.unit ?? null),
      direction: resolveDirection(direction, text, metric),
      text,
    };
    return { ...plain, ...reading, kind: reading.kind ?? certainKind(plain) };
  });
}

/** The kind that a record without one leaves no doubt about; else null: "release time fell, 10 minutes" may be either. */
function certainKind({ value, unit, direction, text }: PlainOutcome): OutcomeKind | null {
  if (value === null) return "qualitative";
  if (direction === "absolute") return "level";
  const mayBeLevel = /\bto\b[^.]{0,30}\d/i.test(text);
  return unit === "x" || (unit === "%" && !mayBeLevel) ? "change" : null;
}

const parseKind = (text: string): OutcomeKind | null =>
  OUTCOME_KINDS.find((kind) => kind === text.toLowerCase()) ?? null;

function parseQuote(fields: RawFields): NewCaseStudy["quote"] {
  const nested = fields.object(["quote"]);
  const quote = {
    text: firstOf(
      nested.text(["text"], MAX.quote),
      fields.value(["quote_text", "quote"], MAX.quote, parsePlainText, ADVICE.text),
    ),
    person: firstOf(
      nested.text(["person", "author", "name"], MAX.name),
      fields.text(["quote_person", "quote_author"], MAX.name),
    ),
    role: firstOf(nested.text(["role", "title"], MAX.name), fields.text(["quote_role"], MAX.name)),
  };
  return Object.values(quote).some((part) => part !== null) ? quote : null;
}

/** An id of digits alone is replaced: two files that both count from 1 would overwrite each other's records. */
function idOf(fields: RawFields, company: string, subject: string, url: string): string {
  const given = fields.text(["id"], MAX.id + 1);
  if (given !== null && isSlug(given, MAX.id) && /[a-z]/.test(given)) return given;
  return `${slugOf(company, 40)}--${slugOf(subject, 60)}-${shortHash(url)}`;
}

function wholeText(study: Parameters<typeof splitPassages>[0]): string {
  const { title, body, summary, challenge, solution, outcomes } = study;
  if (body !== null) return `${title}\n${body}`;
  return [title, summary, challenge, solution, ...outcomes.map(({ text }) => text)].filter(Boolean).join("\n");
}
