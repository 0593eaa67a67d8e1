import type { NewCaseStudy } from "../../vocabulary/case-study.ts";
import { isProblems, readStudy, type StudyTools } from "../record.ts";
import type { StarterRecord, StarterVendor } from "./record.ts";

/** The checked records that come with the program. */
export interface StarterSet {
  readonly vendors: readonly StarterVendor[];
  /** By `VENDOR/NAME`, sorted. */
  readonly records: Readonly<Record<string, StarterRecord>>;
}

/** The public id of a record: `VENDOR--NAME`. */
export const starterId = (name: string): string => name.replace("/", "--");

/**
 * A record as the contract has it. The source's text is not ours to carry, so there is no body: passages are made of
 * title, summary, challenge, solution and outcomes, and a quote tells who is quoted.
 *
 * @param name `VENDOR/NAME`
 * @param corrections fields that an operator corrected, as the API has them; they hold over the record
 * @throws Error that names a record which was not checked
 */
export function readStarterStudy(
  name: string,
  record: StarterRecord,
  vendor: StarterVendor,
  tools: StudyTools,
  corrections: Readonly<Record<string, unknown>> = {},
): NewCaseStudy {
  const { industries } = tools;
  const { title, url, licence, client, country, summary, challenge, solution, outcomes } = record;
  const study = readStudy(
    {
      id: starterId(name),
      company: { ...vendor, industry: industries.names.get(vendor.industry) },
      industry: record.industry === null ? null : industries.names.get(record.industry),
      quote: record.quote && { text: null, ...record.quote },
      ...{ title, url, licence, client, country, summary, challenge, solution, outcomes },
      products: record.products,
      tools: record.tools,
      published_at: record.published_at,
      language: record.language,
      ...corrections,
    },
    { ...tools, origin: "starter" },
  );
  if (isProblems(study)) throw new Error(`${name}: ${study.map(({ detail }) => detail).join(" ")}`);
  return study;
}
