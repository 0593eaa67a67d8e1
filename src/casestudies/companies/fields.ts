import { Failure, type Problem } from "../../core/errors.ts";
import { isSlug } from "../../core/text.ts";
import { cleanText, parseHost, parseHttpUrl } from "../fields.ts";

/** Changes to a company: absent fields stay, null clears a field. */
interface CompanyFields {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly domain?: string | null | undefined;
  readonly logo_url?: string | null | undefined;
}

const MAX_NAME = 200;

/**
 * Validates and normalises the fields of a company.
 *
 * @param pointerOf JSON pointer of a field in the request: `/company_name`
 * @throws Failure `company.invalid` naming each invalid field
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
    refuse("slug", "A slug consists of lower-case letters and digits, separated by single dashes.");
  }
  const domain = given.domain == null ? given.domain : parseHost(given.domain);
  if (domain === null && given.domain !== null) refuse("domain", "Give a domain, such as acme.com.");
  const logo = given.logo_url == null ? given.logo_url : parseHttpUrl(given.logo_url);
  if (logo === null && given.logo_url !== null) refuse("logo_url", "Give the http or https address of an image.");
  if (problems.length > 0) {
    throw new Failure("company.invalid", "Correct the listed fields and send them again.", { problems });
  }
  return { name: name ?? undefined, slug: given.slug, domain, logo_url: logo };
}
