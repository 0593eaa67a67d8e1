import { Failure, type Problem } from "../../core/errors.ts";
import { isSlug } from "../../core/text.ts";
import { cleanText, parseHost, parseHttpUrl } from "../fields.ts";
import type { CompanyRepository } from "./repository.ts";

/** What may be given of a company; absent is left as it is, null is forgotten. */
interface CompanyFields {
  readonly name?: string;
  readonly slug?: string;
  readonly domain?: string | null;
  readonly logo_url?: string | null;
}

const MAX_NAME = 200;

/**
 * The fields in the one form in which they are kept.
 *
 * @param pointerOf where a field stands in what was given: `/company_name`
 * @throws Failure `company.invalid` naming each that is none
 */
export function readCompanyFields(
  given: CompanyFields,
  pointerOf: (field: keyof CompanyFields) => string,
): CompanyFields {
  const problems: Problem[] = [];
  const refuse = (field: keyof CompanyFields, detail: string) => problems.push({ pointer: pointerOf(field), detail });
  const name = given.name === undefined ? undefined : cleanText(given.name, MAX_NAME);
  if (name === null) refuse("name", "Give the name of the company.");
  if (given.slug !== undefined && !isSlug(given.slug)) {
    refuse("slug", "A slug is lower-case letters and digits with dashes between them.");
  }
  const domain = given.domain == null ? given.domain : parseHost(given.domain);
  if (domain === null && given.domain !== null) refuse("domain", "Give a domain, such as acme.com.");
  const logo = given.logo_url == null ? given.logo_url : parseHttpUrl(given.logo_url);
  if (logo === null && given.logo_url !== null) refuse("logo_url", "Give the http or https address of a picture.");
  if (problems.length > 0) {
    throw new Failure("company.invalid", "Correct what is listed and send it again.", { problems });
  }
  return {
    ...(name == null ? {} : { name }),
    ...(given.slug === undefined ? {} : { slug: given.slug }),
    ...(domain === undefined ? {} : { domain }),
    ...(logo === undefined ? {} : { logo_url: logo }),
  };
}

const MOST = 3;

/** A refusal of one slug that no company has names those that are like it, when there are any. */
export async function withSuggestions<T>(companies: Pick<CompanyRepository, "search">, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const [slug] = error instanceof Failure && error.code === "company.not_found" ? (error.details.unknown ?? []) : [];
    if (!(error instanceof Failure) || slug === undefined) throw error;
    const near = (await companies.search({ q: slug, limit: MOST })).companies.map((company) => company.slug);
    if (near.length === 0) throw error;
    const advice = `No company has the slug ${slug.slice(0, 100)}; did you mean ${near.join(", ")}?`;
    throw new Failure(error.code, advice, error.details);
  }
}
