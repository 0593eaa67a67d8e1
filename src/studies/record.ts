import { type NewCaseStudy, ORIGINS, type Origin } from "../vocabulary/case-study.ts";
import type { Problem } from "../vocabulary/failure.ts";
import { createCountries, readAddress, readDay, readLanguage } from "./field-values.ts";
import { type LeftOut, type RawFields, readFields } from "./raw-fields.ts";
import { MAX, MAX_ITEMS, readClient, readCompany, readIndustry, readOutcomes, readQuote } from "./record-parts.ts";
import { isSlug, shortHash, slugOf } from "./slug.ts";
import type { Industries } from "./taxonomy/industries.ts";
import type { OutcomeMetrics } from "./taxonomy/outcome-metrics.ts";
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
  tools: StudyTools,
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
