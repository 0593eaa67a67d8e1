import type { NewCaseStudy } from "../../vocabulary/case-study.ts";
import { readAddress } from "../field-values.ts";
import type { StudyTools } from "../record.ts";
import { isSlug } from "../slug.ts";
import type { StarterSource } from "./files.ts";
import { readStarterStudy, type StarterSet, starterId } from "./read.ts";
import { recordFaults, type StarterRecord, type StarterVendor, vendorFaults } from "./record.ts";

/** A file of `data/starter` and what is wrong with it. */
export interface StarterFault {
  /** `vendors`, or `VENDOR/NAME` of a record. */
  readonly file: string;
  readonly detail: string;
}

const MAX_ID = 120;

/** Checks what was parsed, alone and together: shapes, slugs of the taxonomies, vendors, addresses that stand twice. */
export function checkStarter(source: StarterSource, tools: StudyTools): StarterSet | readonly StarterFault[] {
  const broken = vendorFaults(source.vendors);
  if (broken.length > 0) return broken.map((detail) => ({ file: "vendors", detail }));
  const vendors = source.vendors as readonly StarterVendor[];
  const bySlug = new Map(vendors.map((vendor) => [vendor.slug, vendor]));
  const folders = new Set([...source.records.keys()].map(vendorOf));
  const faults: StarterFault[] = [
    ...vendors.flatMap(({ slug, industry }) => [
      ...(tools.industries.names.has(industry) ? [] : [`${slug}: unknown industry ${industry}`]),
      ...(folders.has(slug) ? [] : [`${slug}: has no record`]),
    ]),
    ...(bySlug.size === vendors.length ? [] : ["a slug stands twice"]),
  ].map((detail) => ({ file: "vendors", detail }));

  const places = new Map<string, string>();
  for (const [file, raw] of source.records) {
    const vendor = bySlug.get(vendorOf(file));
    const own = vendor ? faultsOf(file, raw, vendor, tools) : ["its vendor is not in vendors.yaml"];
    const url = readAddress(String(Object(raw).url));
    const other = url === null ? undefined : places.get(url);
    if (other !== undefined) own.push(`has the address of ${other}`);
    if (url !== null) places.set(url, file);
    faults.push(...own.map((detail) => ({ file, detail })));
  }
  if (faults.length > 0) return faults;
  return { vendors, records: Object.fromEntries(source.records) as Record<string, StarterRecord> };
}

/** Tells the faults of {@link checkStarter} from a set. */
export const isFaulty = (checked: StarterSet | readonly StarterFault[]): checked is readonly StarterFault[] =>
  Array.isArray(checked);

const vendorOf = (name: string) => name.split("/")[0] ?? "";

function faultsOf(name: string, raw: unknown, vendor: StarterVendor, tools: StudyTools): string[] {
  const faults = recordFaults(raw);
  if (!isSlug(starterId(name), MAX_ID)) faults.push("its name is no slug");
  if (faults.length > 0) return faults;
  const record = raw as StarterRecord;
  if (record.industry !== null && !tools.industries.names.has(record.industry))
    faults.push(`unknown industry ${record.industry}`);
  for (const { metric } of record.outcomes)
    if (!tools.metrics.names.has(metric)) faults.push(`unknown metric ${metric}`);
  return faults.length > 0 ? faults : lost(record, readStarterStudy(name, record, vendor, tools));
}

/** What the reader makes something else of than is written: a domain that is none, a unit in another spelling. */
function lost(record: StarterRecord, study: NewCaseStudy): string[] {
  const written = {
    ...{ title: record.title, url: readAddress(record.url), licence: record.licence, country: record.country },
    ...{ summary: record.summary, challenge: record.challenge, solution: record.solution },
    ...{ client: record.client, industry: record.industry, outcomes: record.outcomes },
    ...{ products: record.products, tools: record.tools, quote: record.quote && { text: null, ...record.quote } },
    ...{ published_at: record.published_at, language: record.language },
  };
  const read: Readonly<Record<keyof typeof written, unknown>> = { ...study, industry: study.industry?.slug ?? null };
  return Object.entries(written).flatMap(([field, value]) => {
    const came = read[field as keyof typeof written];
    return Bun.deepEquals(value, came) ? [] : [`${field} is read as ${JSON.stringify(came)}`];
  });
}
