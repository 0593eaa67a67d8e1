import { type Industry, type NewCaseStudy, ORIGINS, type Origin, type Outcome } from "../vocabulary/case-study.ts";
import type { Problem } from "../vocabulary/failure.ts";
import { createCountries, readAddress, readDay, readHost, readLanguage } from "./field-values.ts";
import { cleanText, type RawFields, readFields } from "./raw-fields.ts";
import { isSlug, shortHash, slugOf } from "./slug.ts";
import type { Industries } from "./taxonomy/industries.ts";
import { type OutcomeMetrics, readAmount, resolveDirection } from "./taxonomy/outcome-metrics.ts";
import { fingerprintOf } from "./text/near-duplicates.ts";
import { splitPassages } from "./text/passages.ts";
import { type CountTokens, estimateTokens } from "./text/token-estimate.ts";

/** What reading a record needs beside the record. */
export interface StudyTools {
  readonly industries: Industries;
  readonly metrics: OutcomeMetrics;
  readonly countries: (text: string | null) => string | null;
  readonly countTokens: CountTokens;
  /** Where the records come from, unless one tells itself. */
  readonly origin: Origin;
}

/** @param options `countTokens` is an estimate and `origin` is `imported` unless told */
export function createStudyTools(
  taxonomies: Pick<StudyTools, "industries" | "metrics">,
  options: Partial<Pick<StudyTools, "countTokens" | "origin">> = {},
): StudyTools {
  return { ...taxonomies, countries: createCountries(), countTokens: estimateTokens, origin: "imported", ...options };
}

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

/**
 * Reads one record in any of the shapes that people have: the API's case study with or without the extras of an export,
 * a flat row of a table (`company_name`, `client_name`, outcomes as JSON), or a vendor's own file (`vendor`,
 * `body_markdown`). Strict on a title, an address and a company; anything else that is not understood is null.
 *
 * @returns the record ready for the store, or every fault of it
 */
export function readStudy(raw: unknown, tools: StudyTools): NewCaseStudy | readonly Problem[] {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return [{ pointer: "", detail: "A case study is an object with a title, a url and a company." }];
  }
  const fields = readFields(raw);
  const title = fields.text(["title", "headline"], MAX.title);
  const address = fields.text(["url", "link", "case_study_url", "source_url"], 4_096);
  const url = readAddress(address);
  const company = readCompany(fields, tools);
  const problems: Problem[] = [];
  if (title === null) problems.push({ pointer: "/title", detail: "A title is needed." });
  if (url === null) problems.push({ pointer: "/url", detail: addressFault(address) });
  if (company === null) problems.push({ pointer: "/company/name", detail: "The name of the company is needed." });
  if (title === null || url === null || company === null) return problems;

  const outcomes = readOutcomes(fields, tools);
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
  return {
    ...told,
    id: idOf(fields, company.slug, client.name ?? title, url),
    company,
    industry: readIndustry(fields, ["industry_raw", "industry"], tools),
    country: tools.countries(fields.text(["country", "client_country"], MAX.item)),
    products: fields.list(["products"], MAX_ITEMS, MAX.item),
    tools: fields.list(["tools", "technologies"], MAX_ITEMS, MAX.item),
    quote: readQuote(fields),
    published_at: readDay(fields.text(["published_at", "published", "date"], MAX.item)),
    language: readLanguage(fields.text(["language", "lang"], MAX.item)),
    origin: readOrigin(fields) ?? tools.origin,
    licence: fields.text(["licence", "license"], MAX.licence),
    passages: splitPassages(told, tools.countTokens),
    fingerprint: fingerprintOf(wholeText(told), url),
  };
}

/** Tells the faults of {@link readStudy} from a record. */
export const isProblems = (read: NewCaseStudy | readonly Problem[]): read is readonly Problem[] => Array.isArray(read);

function addressFault(address: string | null): string {
  if (address === null) return "The address of the original is needed.";
  return "The address must be http or https, name a host, have no user or password, and be at most 2,048 characters long.";
}

function readCompany(fields: RawFields, tools: StudyTools): NewCaseStudy["company"] | null {
  const own = fields.object(["company", "vendor"]);
  const name =
    own.text(["name"], MAX.name) ?? fields.text(["company_name", "company", "vendor_name", "vendor"], MAX.name);
  if (name === null) return null;
  const slug = own.text(["slug"], MAX.name) ?? fields.text(["company_slug", "vendor_slug"], MAX.name);
  const logo = own.text(["logo_url"], 4_096) ?? fields.text(["company_logo_url", "logo_url"], 4_096);
  return {
    name,
    slug: slug !== null && isSlug(slug) ? slug : slugOf(name),
    domain: readHost(own.text(["domain"], 4_096) ?? fields.text(["company_domain", "vendor_domain"], 4_096)),
    industry: own.isEmpty
      ? readIndustry(fields, ["company_industry", "vendor_industry"], tools)
      : readIndustry(own, ["industry_raw", "industry"], tools),
    logo_url: readAddress(logo),
  };
}

function readClient(fields: RawFields): NewCaseStudy["client"] {
  const own = fields.object(["client", "customer"]);
  const name =
    own.text(["name"], MAX.name) ?? fields.text(["client_name", "client", "customer_name", "customer"], MAX.name);
  const domain = own.text(["domain"], 4_096) ?? fields.text(["client_domain", "customer_domain"], 4_096);
  // A name that is itself JSON is an object that could not be read.
  return { name: name?.startsWith("{") ? null : name, domain: readHost(domain) };
}

function readIndustry(fields: RawFields, names: readonly string[], tools: StudyTools): Industry | null {
  for (const name of names) {
    const raw = fields.object([name]).text(["raw", "name", "slug"], MAX.industry) ?? fields.text([name], MAX.industry);
    if (raw !== null) return tools.industries.resolve(raw);
  }
  return null;
}

function readOutcomes(fields: RawFields, tools: StudyTools): Outcome[] {
  const items: unknown[] = fields.items(["outcomes", "results"], MAX_ITEMS);
  const given = items.length > 0 ? items : fields.list(["outcomes", "results"], MAX_ITEMS, MAX.outcome);
  return given.flatMap((item) => {
    const own = readFields(typeof item === "string" ? { text: item } : item);
    const metric = own.text(["metric", "name"], MAX.item);
    const written = own.text(["value"], MAX.item);
    const unit = own.text(["unit"], MAX.item);
    const amount = own.number(["value"]) ?? null;
    const read = amount === null && written !== null ? readAmount(written) : null;
    const text =
      own.text(["text", "description", "outcome"], MAX.outcome) ??
      cleanText([metric, written, unit].filter((part) => part !== null).join(" "), MAX.outcome);
    if (text === null || (own.text(["text", "description", "outcome"], MAX.outcome) === null && written === null))
      return [];
    const measured = tools.metrics.resolveMetric(metric, text);
    return {
      metric: measured,
      value: amount ?? read?.value ?? null,
      unit: tools.metrics.normaliseUnit(unit ?? read?.unit ?? null),
      direction: resolveDirection(own.text(["direction"], MAX.item), text, measured),
      text,
    };
  });
}

function readQuote(fields: RawFields): NewCaseStudy["quote"] {
  const own = fields.object(["quote"]);
  const text = own.text(["text"], MAX.quote) ?? fields.text(["quote_text", "quote"], MAX.quote);
  const quote = {
    // A text that is itself JSON is an object that could not be read, or had no text.
    text: text?.startsWith("{") ? null : text,
    person: own.text(["person", "author", "name"], MAX.name) ?? fields.text(["quote_person", "quote_author"], MAX.name),
    role: own.text(["role", "title"], MAX.name) ?? fields.text(["quote_role"], MAX.name),
  };
  return Object.values(quote).some((part) => part !== null) ? quote : null;
}

function readOrigin(fields: RawFields): Origin | null {
  const told = fields.text(["origin"], MAX.item);
  return ORIGINS.find((origin) => origin === told) ?? null;
}

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
