import type { Problem } from "../core/errors.ts";
import { isSlug, shortHash, slugOf } from "../core/text.ts";
import {
  cleanText,
  createCountries,
  type LeftOut,
  type RawFields,
  readAddress,
  readDay,
  readFields,
  readHost,
  readLanguage,
} from "./fields.ts";
import { type Industries, type OutcomeMetrics, readAmount, resolveDirection } from "./taxonomy/taxonomy.ts";
import { fingerprintOf } from "./text/near-duplicates.ts";
import { type CountTokens, estimateTokens, splitPassages } from "./text/passages.ts";
import { type Industry, type NewCaseStudy, ORIGINS, type Origin, type Outcome } from "./types.ts";

/** Longest texts in UTF-16 code units; what is longer is cut at a word. */
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
} as const;
const MAX_ITEMS = 50;

const HOST = "Give the name of a host, such as acme.com.";
const ADDRESS = "Give an http or https address.";

/** The first that is there. All of them are read: what has a second name is known by it too. */
const either = <T>(...values: (T | null)[]): T | null => values.find((value) => value !== null) ?? null;

const readSlug = (text: string) => (isSlug(text) ? text : null);

function readCompany(fields: RawFields, industries: Industries): NewCaseStudy["company"] | null {
  const own = fields.object(["company", "vendor"]);
  const name = either(
    own.text(["name"], MAX.name),
    fields.text(["company_name", "company", "vendor_name", "vendor"], MAX.name),
  );
  if (name === null) return null;
  const slug = "Give small letters and digits with single dashes.";
  return {
    name,
    slug:
      either(
        own.value(["slug"], MAX.name, readSlug, slug),
        fields.value(["company_slug", "vendor_slug"], MAX.name, readSlug, slug),
      ) ?? slugOf(name),
    domain: either(
      own.value(["domain"], 4_096, readHost, HOST),
      fields.value(["company_domain", "vendor_domain"], 4_096, readHost, HOST),
    ),
    industry: either(
      readIndustry(own, ["industry_raw", "industry"], industries),
      readIndustry(fields, ["company_industry", "vendor_industry"], industries),
    ),
    logo_url: either(
      own.value(["logo_url"], 4_096, readAddress, ADDRESS),
      fields.value(["company_logo_url", "logo_url"], 4_096, readAddress, ADDRESS),
    ),
  };
}

/** What begins as JSON and comes as a text is an object that could not be read, or had no text. */
const readPlain = (text: string) => (text.startsWith("{") ? null : text);
const PLAIN = "Give a text, or JSON that is whole.";

function readClient(fields: RawFields): NewCaseStudy["client"] {
  const own = fields.object(["client", "customer"]);
  return {
    name: either(
      own.text(["name"], MAX.name),
      fields.value(["client_name", "client", "customer_name", "customer"], MAX.name, readPlain, PLAIN),
    ),
    domain: either(
      own.value(["domain"], 4_096, readHost, HOST),
      fields.value(["client_domain", "customer_domain"], 4_096, readHost, HOST),
    ),
  };
}

function readIndustry(fields: RawFields, names: readonly string[], industries: Industries): Industry | null {
  const raws = names.map((name) =>
    either(fields.object([name]).text(["raw", "name", "slug"], MAX.industry), fields.text([name], MAX.industry)),
  );
  const raw = either(...raws);
  return raw === null ? null : industries.resolve(raw);
}

function readOutcomes(fields: RawFields, metrics: OutcomeMetrics, onLeftOut?: (field: LeftOut) => void): Outcome[] {
  const items: unknown[] = fields.items(["outcomes", "results"], MAX_ITEMS);
  const given = items.length > 0 ? items : fields.sentences(["outcomes", "results"], MAX_ITEMS, MAX.outcome);
  return given.flatMap((item) => {
    const own = readFields(typeof item === "string" ? { text: item } : item, "outcomes.");
    const metric = own.text(["metric", "name"], MAX.item);
    const written = own.text(["value"], MAX.item);
    const unit = own.text(["unit"], MAX.item);
    const amount = own.number(["value"]) ?? null;
    const read = amount === null && written !== null ? readAmount(written) : null;
    const told = own.text(["text", "description", "outcome"], MAX.outcome);
    const text = told ?? cleanText([metric, written, unit].filter((part) => part !== null).join(" "), MAX.outcome);
    const direction = own.text(["direction"], MAX.item);
    if (onLeftOut) for (const field of own.leftOut()) onLeftOut(field);
    if (text === null || (told === null && written === null)) {
      onLeftOut?.({ field: "outcomes", reason: "Give each outcome a text, or a metric and a value." });
      return [];
    }
    const measured = metrics.resolveMetric(metric, text);
    return {
      metric: measured,
      value: amount ?? read?.value ?? null,
      unit: metrics.normaliseUnit(unit ?? read?.unit ?? null),
      direction: resolveDirection(direction, text, measured),
      text,
    };
  });
}

function readQuote(fields: RawFields): NewCaseStudy["quote"] {
  const own = fields.object(["quote"]);
  const quote = {
    text: either(own.text(["text"], MAX.quote), fields.value(["quote_text", "quote"], MAX.quote, readPlain, PLAIN)),
    person: either(
      own.text(["person", "author", "name"], MAX.name),
      fields.text(["quote_person", "quote_author"], MAX.name),
    ),
    role: either(own.text(["role", "title"], MAX.name), fields.text(["quote_role"], MAX.name)),
  };
  return Object.values(quote).some((part) => part !== null) ? quote : null;
}

/** What reading a record needs beside the record. */
export interface ParseContext {
  readonly industries: Industries;
  readonly metrics: OutcomeMetrics;
  readonly countries: (text: string | null) => string | null;
  readonly countTokens: CountTokens;
  /** Where the records come from, unless one tells itself. */
  readonly origin: Origin;
}

/** @param options `countTokens` is an estimate and `origin` is `imported` unless told */
export function createParseContext(
  taxonomies: Pick<ParseContext, "industries" | "metrics">,
  options: Partial<Pick<ParseContext, "countTokens" | "origin">> = {},
): ParseContext {
  return { ...taxonomies, countries: createCountries(), countTokens: estimateTokens, origin: "imported", ...options };
}

/** What answers of the API have beside what a record is read from, in one who saved them. */
const ANSWERS_OWN = ["indexed_at", "score", "passage", "highlights"];
const COUNTRY = "Give a country's two letters, such as DE, or its English name.";

/**
 * Reads one record in any of the shapes that people have: the API's case study with or without the extras of an export,
 * a flat row of a table (`company_name`, `client_name`, outcomes as JSON), or a vendor's own file (`vendor`,
 * `body_markdown`). Strict on a title, an address and a company; anything else that is not understood is null.
 *
 * @param onLeftOut told of each field that was given and is not in the record that is returned
 * @returns the record ready for the store, or every fault of it
 */
export function readStudy(
  raw: unknown,
  tools: ParseContext,
  onLeftOut?: (field: LeftOut) => void,
): NewCaseStudy | readonly Problem[] {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return [{ pointer: "", detail: "A case study is an object with a title, a url and a company." }];
  }
  const fields = readFields(raw);
  const title = fields.text(["title", "headline"], MAX.title);
  const address = fields.text(["url", "link", "case_study_url", "source_url"], 4_096);
  const url = readAddress(address);
  const company = readCompany(fields, tools.industries);
  const problems: Problem[] = [];
  if (title === null) problems.push({ pointer: "/title", detail: "A title is needed." });
  if (url === null) problems.push({ pointer: "/url", detail: addressFault(address) });
  if (company === null) problems.push({ pointer: "/company/name", detail: "The name of the company is needed." });
  if (title === null || url === null || company === null) return problems;

  const outcomes = readOutcomes(fields, tools.metrics, onLeftOut);
  const client = readClient(fields);
  const told = {
    title,
    url,
    client,
    summary: fields.prose(["summary", "description", "abstract"], MAX.summary),
    challenge: fields.prose(["challenge", "problem"], MAX.prose),
    solution: fields.prose(["solution"], MAX.prose),
    outcomes,
    body: fields.prose(["body", "body_markdown", "content", "text", "markdown"], MAX.body),
  };
  const study: NewCaseStudy = {
    ...told,
    id: idOf(fields, company.slug, client.name ?? title, url),
    company,
    industry: readIndustry(fields, ["industry_raw", "industry"], tools.industries),
    country: fields.value(["country", "client_country"], MAX.item, tools.countries, COUNTRY),
    products: fields.list(["products"], MAX_ITEMS, MAX.item),
    tools: fields.list(["tools", "technologies"], MAX_ITEMS, MAX.item),
    quote: readQuote(fields),
    published_at: fields.value(["published_at", "published", "date"], MAX.item, readDay, "Give a day as YYYY-MM-DD."),
    language: fields.value(["language", "lang"], MAX.item, readLanguage, "Give a language's tag, such as en or pt-BR."),
    origin: readOrigin(fields) ?? tools.origin,
    licence: fields.text(["licence", "license"], MAX.licence),
    passages: splitPassages(told, tools.countTokens),
    fingerprint: fingerprintOf(wholeText(told), url),
  };
  if (onLeftOut) for (const field of fields.leftOut(ANSWERS_OWN)) onLeftOut(field);
  return study;
}

/** Tells the faults of {@link readStudy} from a record. */
export const isProblems = (read: NewCaseStudy | readonly Problem[]): read is readonly Problem[] => Array.isArray(read);

function addressFault(address: string | null): string {
  if (address === null) return "The address of the original is needed.";
  return "The address must be http or https, name a host, have no user or password, and be at most 2,048 characters long.";
}

const readOrigin = (fields: RawFields): Origin | null =>
  fields.value(
    ["origin"],
    MAX.item,
    (told) => ORIGINS.find((origin) => origin === told) ?? null,
    `Give ${ORIGINS.join(", ")}, or nothing.`,
  );

/** Numbers alone are kept from no file: two files would count from one and overwrite each other. */
function idOf(fields: RawFields, company: string, about: string, url: string): string {
  const given = fields.text(["id"], MAX.id + 1);
  if (given !== null && isSlug(given, MAX.id) && /[a-z]/.test(given)) return given;
  return `${slugOf(company, 40)}--${slugOf(about, 60)}-${shortHash(url)}`;
}

function wholeText({
  title,
  body,
  summary,
  challenge,
  solution,
  outcomes,
}: Parameters<typeof splitPassages>[0]): string {
  if (body !== null) return `${title}\n${body}`;
  return [title, summary, challenge, solution, ...outcomes.map(({ text }) => text)].filter(Boolean).join("\n");
}
