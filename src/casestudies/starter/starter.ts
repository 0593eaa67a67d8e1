import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isSlug } from "../../core/text.ts";
import { parseHttpUrl } from "../fields.ts";
import { isProblems, type ParseContext, parseRecord } from "../record.ts";
import type { NewCaseStudy } from "../types.ts";
import type { StarterSource } from "./files.ts";
import type { StarterPlan, StarterRows, StarterState } from "./repository.ts";

const text = (max: number) => Type.String({ minLength: 1, maxLength: max });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);
const strict = { additionalProperties: false };

/** One file of `data/starter/VENDOR/NAME.yaml`: what a source states, in our own words. Unknown is null. */
const starterRecord = Type.Object(
  {
    url: Type.String({ pattern: "^https?://\\S+$", maxLength: 500 }),
    /** SPDX id of the source's licence. */
    licence: text(40),
    /** Public repository in which the source is kept: `owner/name`. */
    upstream: orNull(text(120)),
    /** What was read: the page itself, or the content file that the page is made from. */
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
        },
        strict,
      ),
      { maxItems: 30 },
    ),
    products: Type.Array(text(80), { maxItems: 30 }),
    tools: Type.Array(text(80), { maxItems: 40 }),
    /** Who is quoted; the words stay with the source. */
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

/** @returns what is wrong with a parsed record, each fault with its place */
const recordFaults = (raw: unknown): string[] => faultsOf(starterRecord, raw);

/** @returns what is wrong with the parsed list of vendors */
const vendorFaults = (raw: unknown): string[] => faultsOf(starterVendors, raw);

const faultsOf = (schema: TSchema, raw: unknown): string[] =>
  [...Value.Errors(schema, raw)].slice(0, 20).map(({ path, message }) => `${path || "/"}: ${message}`);

export type StarterRecord = Static<typeof starterRecord>;
type StarterVendor = Static<typeof starterVendor>;

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
  tools: ParseContext,
  corrections: Readonly<Record<string, unknown>> = {},
): NewCaseStudy {
  const { industries } = tools;
  const { title, url, licence, client, country, summary, challenge, solution, outcomes } = record;
  const study = parseRecord(
    {
      id: starterId(name),
      company: { ...vendor, industry: industries.nameBySlug.get(vendor.industry) },
      industry: record.industry === null ? null : industries.nameBySlug.get(record.industry),
      quote: record.quote && { text: null, ...record.quote },
      ...{ title, url, licence, client, country, summary, challenge, solution, outcomes },
      products: record.products,
      tools: record.tools,
      published_at: record.published_at,
      language: record.language,
      ...corrections,
    },
    { ...tools, defaultOrigin: "starter" },
  );
  if (isProblems(study)) throw new Error(`${name}: ${study.map(({ detail }) => detail).join(" ")}`);
  return study;
}

/** A file of `data/starter` and what is wrong with it. */
interface StarterFault {
  /** `vendors`, or `VENDOR/NAME` of a record. */
  readonly file: string;
  readonly detail: string;
}

const MAX_ID = 120;

/** Checks what was parsed, alone and together: shapes, slugs of the taxonomies, vendors, addresses that stand twice. */
export function checkStarter(source: StarterSource, tools: ParseContext): StarterSet | readonly StarterFault[] {
  const broken = vendorFaults(source.vendors);
  if (broken.length > 0) return broken.map((detail) => ({ file: "vendors", detail }));
  const vendors = source.vendors as readonly StarterVendor[];
  const bySlug = new Map(vendors.map((vendor) => [vendor.slug, vendor]));
  const folders = new Set([...source.records.keys()].map(vendorOf));
  const faults: StarterFault[] = [
    ...vendors.flatMap(({ slug, industry }) => [
      ...(tools.industries.nameBySlug.has(industry) ? [] : [`${slug}: unknown industry ${industry}`]),
      ...(folders.has(slug) ? [] : [`${slug}: has no record`]),
    ]),
    ...(bySlug.size === vendors.length ? [] : ["a slug stands twice"]),
  ].map((detail) => ({ file: "vendors", detail }));

  const places = new Map<string, string>();
  for (const [file, raw] of source.records) {
    const vendor = bySlug.get(vendorOf(file));
    const own = vendor ? starterFaultsOf(file, raw, vendor, tools) : ["its vendor is not in vendors.yaml"];
    const url = parseHttpUrl(String(Object(raw).url));
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

function starterFaultsOf(name: string, raw: unknown, vendor: StarterVendor, tools: ParseContext): string[] {
  const faults = recordFaults(raw);
  if (!isSlug(starterId(name), MAX_ID)) faults.push("its name is no slug");
  if (faults.length > 0) return faults;
  const record = raw as StarterRecord;
  if (record.industry !== null && !tools.industries.nameBySlug.has(record.industry))
    faults.push(`unknown industry ${record.industry}`);
  for (const { metric } of record.outcomes)
    if (!tools.outcomeMetrics.nameBySlug.has(metric)) faults.push(`unknown metric ${metric}`);
  return faults.length > 0 ? faults : lost(record, readStarterStudy(name, record, vendor, tools));
}

/** What the reader makes something else of than is written: a domain that is none, a unit in another spelling. */
function lost(record: StarterRecord, study: NewCaseStudy): string[] {
  const written = {
    ...{ title: record.title, url: parseHttpUrl(record.url), licence: record.licence, country: record.country },
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

type Taken = StarterState["taken"][string];

/**
 * What is to be done so that an installation has a set as its operator wants it: records that are new come, those that
 * changed are updated, those that vanished go. What the operator removed stays away, what was corrected stays corrected,
 * and what another origin brought under the same address is left alone.
 *
 * @param version hash of the set
 */
export function planStarter(
  { vendors, records }: StarterSet,
  version: string,
  { state, rows, tools }: { readonly state: StarterState; readonly rows: StarterRows; readonly tools: ParseContext },
): StarterPlan {
  const vendorOf = new Map(vendors.map((vendor) => [vendor.slug, vendor]));
  const homeOf = homes(state, rows);
  const leftOut = new Set(state.leftOut);
  const taken: Record<string, Taken> = {};
  const remove: string[] = [];
  const save: { name: string; hash: string; study: NewCaseStudy }[] = [];

  for (const [name, record] of Object.entries(records)) {
    const slug = name.split("/")[0] ?? "";
    const vendor = vendorOf.get(slug);
    const before = state.taken[name];
    const stored = before && rows.byId.get(before.id);
    if (before && !stored) leftOut.add(name);
    if (!vendor || leftOut.has(name)) continue;
    const hash = hashOf([record, vendor]);
    const there = rows.atUrl(record.url);
    if (stored && (stored.origin !== "starter" || before.hash === hash)) taken[name] = before;
    else if (there && there.origin !== "starter") {
      taken[name] = { id: there.id, hash };
      if (stored) remove.push(stored.id);
    } else {
      // Under another address it is another case study to the store.
      if (stored && there?.id !== stored.id) remove.push(stored.id);
      const home = stored?.company ?? homeOf.get(slug) ?? slug;
      const corrections = rows.corrections.get(stored?.id ?? starterId(name)) ?? {};
      save.push({ name, hash, study: studyOf(name, record, { ...vendor, slug: home }, tools, corrections) });
    }
  }

  for (const [name, before] of Object.entries(state.taken)) {
    if (name in records) continue;
    const stored = rows.byId.get(before.id);
    if (stored?.origin !== "starter") continue;
    if (rows.corrections.has(stored.id)) taken[name] = before;
    else remove.push(stored.id);
  }
  return { state: { version, taken, leftOut: [...leftOut].sort() }, remove, save };
}

function studyOf(
  name: string,
  record: StarterRecord,
  vendor: StarterVendor,
  tools: ParseContext,
  corrections: Readonly<Record<string, unknown>>,
): NewCaseStudy {
  try {
    return readStarterStudy(name, record, vendor, tools, corrections);
  } catch {
    // A correction that this release does not understand any more must not keep the record from being shown.
    return readStarterStudy(name, record, vendor, tools);
  }
}

/** Companies that operators renamed or merged: a vendor's new record goes to where its others are. */
function homes({ taken }: StarterState, rows: StarterRows): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, { id }] of Object.entries(taken)) {
    const row = rows.byId.get(id);
    if (row?.origin === "starter") found.set(name.split("/")[0] ?? "", row.company);
  }
  return found;
}

const hashOf = (content: unknown): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 16);
