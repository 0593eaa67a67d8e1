import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { schemaProblem } from "../../core/errors.ts";
import { isSlug } from "../../core/text.ts";
import { parseHttpUrl } from "../fields.ts";
import { isProblems, type ParseContext, parseRecord } from "../record.ts";
import { completeOutcome, type NewCaseStudy, OUTCOME_KINDS } from "../types.ts";
import type { StarterSource } from "./files.ts";

const text = (max: number) => Type.String({ minLength: 1, maxLength: max });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);
const strict = { additionalProperties: false };

/** A file `data/starter/VENDOR/NAME.yaml`: the facts of a source in our own words. Null where the source gives none. */
const starterRecord = Type.Object(
  {
    url: Type.String({ pattern: "^https?://\\S+$", maxLength: 500 }),
    /** SPDX id of the source's licence. */
    licence: text(40),
    /** Public repository of the source: `owner/name`. */
    upstream: orNull(text(120)),
    /** Whether the page was read, or the content file from which the page is generated. */
    source_kind: Type.Union([Type.Literal("page"), Type.Literal("content-file")]),
    title: text(160),
    client: Type.Object({ name: orNull(text(120)), domain: orNull(text(120)) }, strict),
    /** Slug of `data/industries.yaml`. */
    industry: orNull(text(60)),
    country: orNull(Type.String({ pattern: "^[A-Z]{2}$" })),
    summary: text(900),
    challenge: orNull(text(1_200)),
    solution: orNull(text(1_200)),
    outcomes: Type.Array(
      Type.Object(
        {
          /** Slug of `data/outcome-metrics.yaml`. */
          metric: text(40),
          value: orNull(Type.Number()),
          unit: orNull(text(20)),
          direction: Type.Union([Type.Literal("increase"), Type.Literal("decrease"), Type.Literal("absolute")]),
          text: text(300),
          noun: Type.Optional(orNull(text(80))),
          kind: Type.Optional(orNull(Type.Union(OUTCOME_KINDS.map((kind) => Type.Literal(kind))))),
          from: Type.Optional(orNull(Type.Number())),
          to: Type.Optional(orNull(Type.Number())),
          better: Type.Optional(orNull(Type.Boolean())),
        },
        strict,
      ),
      { maxItems: 30 },
    ),
    products: Type.Array(text(80), { maxItems: 30 }),
    tools: Type.Array(text(80), { maxItems: 40 }),
    /** The quoted person. The quoted words are not copied, because the source owns them. */
    quote: orNull(Type.Object({ person: text(120), role: orNull(text(160)) }, strict)),
    published_at: orNull(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
    language: orNull(Type.String({ pattern: "^[a-z]{2}(-[A-Z]{2})?$" })),
  },
  strict,
);

/** A row of `data/starter/vendors.yaml`. */
const starterVendor = Type.Object(
  {
    /** Name of the vendor's folder. */
    slug: Type.String({ pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", maxLength: 60 }),
    name: text(120),
    domain: text(120),
    /** Slug of `data/industries.yaml`. */
    industry: text(60),
  },
  strict,
);
const starterVendors = Type.Array(starterVendor, { maxItems: 1_000 });

const schemaFaults = (schema: TSchema, raw: unknown): string[] =>
  [...Value.Errors(schema, raw)]
    .slice(0, 20)
    .map(schemaProblem)
    .map(({ pointer, detail }) => `${pointer || "/"}: ${detail}`);

export type StarterRecord = Static<typeof starterRecord>;
export type StarterVendor = Static<typeof starterVendor>;

/** The checked records of a release. */
export interface StarterSet {
  readonly vendors: readonly StarterVendor[];
  /** By `VENDOR/NAME`, sorted. */
  readonly records: Readonly<Record<string, StarterRecord>>;
}

/** The id of a record's case study: `VENDOR--NAME`. */
export const starterId = (name: string): string => name.replace("/", "--");

/** The vendor of a record `VENDOR/NAME`. */
export const vendorOf = (name: string): string => name.split("/")[0] ?? "";

/**
 * The case study of a record. The source's text may not be redistributed, so there is no body: passages consist of the
 * title, summary, challenge, solution and outcomes, and a quote has a person but no text.
 *
 * @param name `VENDOR/NAME`
 * @param corrections fields that an operator corrected, in the API's form; they replace the record's
 * @throws Error with the name of a record that was not checked
 */
export function toCaseStudy(
  name: string,
  record: StarterRecord,
  vendor: StarterVendor,
  context: ParseContext,
  corrections: Readonly<Record<string, unknown>> = {},
): NewCaseStudy {
  const { industry, quote, upstream: _, source_kind: __, ...fields } = record;
  const { nameBySlug } = context.industries;
  const study = parseRecord(
    {
      ...fields,
      id: starterId(name),
      company: { ...vendor, industry: nameBySlug.get(vendor.industry) },
      industry: industry === null ? null : nameBySlug.get(industry),
      quote: quote && { text: null, ...quote },
      ...corrections,
    },
    { ...context, defaultOrigin: "starter" },
  );
  if (isProblems(study)) throw new Error(`${name}: ${study.map(({ detail }) => detail).join(" ")}`);
  return study;
}

/** What is wrong with a file of `data/starter`. */
interface StarterFault {
  /** `vendors`, or a record's `VENDOR/NAME`. */
  readonly file: string;
  readonly detail: string;
}

const MAX_ID = 120;

/** Checks the parsed files: shapes, slugs of the taxonomies, vendors, and duplicate URLs. */
export function checkStarterRecords(
  source: StarterSource,
  context: ParseContext,
): StarterSet | readonly StarterFault[] {
  const shapeFaults = schemaFaults(starterVendors, source.vendors);
  if (shapeFaults.length > 0) return shapeFaults.map((detail) => ({ file: "vendors", detail }));
  const vendors = source.vendors as readonly StarterVendor[];
  const bySlug = new Map(vendors.map((vendor) => [vendor.slug, vendor]));
  const folders = new Set([...source.records.keys()].map(vendorOf));
  const faults: StarterFault[] = [
    ...vendors.flatMap(({ slug, industry }) => [
      ...(context.industries.nameBySlug.has(industry) ? [] : [`${slug}: unknown industry ${industry}`]),
      ...(folders.has(slug) ? [] : [`${slug}: has no record`]),
    ]),
    ...(bySlug.size === vendors.length ? [] : ["a slug occurs twice"]),
  ].map((detail) => ({ file: "vendors", detail }));

  const fileByUrl = new Map<string, string>();
  for (const [file, raw] of source.records) {
    const vendor = bySlug.get(vendorOf(file));
    const found = vendor ? recordFaults(file, raw, vendor, context) : ["its vendor is not in vendors.yaml"];
    const url = parseHttpUrl(String(Object(raw).url));
    const other = url === null ? undefined : fileByUrl.get(url);
    if (other !== undefined) found.push(`has the same URL as ${other}`);
    if (url !== null) fileByUrl.set(url, file);
    faults.push(...found.map((detail) => ({ file, detail })));
  }
  if (faults.length > 0) return faults;
  return { vendors, records: Object.fromEntries(source.records) as Record<string, StarterRecord> };
}

/** Whether {@link checkStarterRecords} returned faults instead of a set. */
export const hasFaults = (checked: StarterSet | readonly StarterFault[]): checked is readonly StarterFault[] =>
  Array.isArray(checked);

function recordFaults(name: string, raw: unknown, vendor: StarterVendor, context: ParseContext): string[] {
  const faults = schemaFaults(starterRecord, raw);
  if (!isSlug(starterId(name), MAX_ID)) faults.push("its name is not a slug");
  if (faults.length > 0) return faults;
  const record = raw as StarterRecord;
  if (record.industry !== null && !context.industries.nameBySlug.has(record.industry))
    faults.push(`unknown industry ${record.industry}`);
  for (const { metric } of record.outcomes)
    if (!context.outcomeMetrics.nameBySlug.has(metric)) faults.push(`unknown metric ${metric}`);
  return faults.length > 0 ? faults : parseDifferences(record, toCaseStudy(name, record, vendor, context));
}

/** Fields that the parser changes: an invalid domain, a unit in another spelling. */
function parseDifferences(record: StarterRecord, study: NewCaseStudy): string[] {
  const { upstream: _, source_kind: __, ...fields } = record;
  const written = {
    ...fields,
    url: parseHttpUrl(record.url),
    quote: record.quote && { text: null, ...record.quote },
    // The parser derives a kind that is certain.
    outcomes: record.outcomes.map((outcome, at) =>
      completeOutcome({ ...outcome, kind: outcome.kind ?? study.outcomes[at]?.kind ?? null }),
    ),
  };
  const parsed: Readonly<Record<keyof typeof written, unknown>> = { ...study, industry: study.industry?.slug ?? null };
  return Object.entries(written).flatMap(([field, value]) => {
    const result = parsed[field as keyof typeof written];
    return Bun.deepEquals(value, result) ? [] : [`${field} is parsed as ${JSON.stringify(result)}`];
  });
}
