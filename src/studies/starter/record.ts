import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

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
export const recordFaults = (raw: unknown): string[] => faultsOf(starterRecord, raw);

/** @returns what is wrong with the parsed list of vendors */
export const vendorFaults = (raw: unknown): string[] => faultsOf(starterVendors, raw);

const faultsOf = (schema: TSchema, raw: unknown): string[] =>
  [...Value.Errors(schema, raw)].slice(0, 20).map(({ path, message }) => `${path || "/"}: ${message}`);

export type StarterRecord = Static<typeof starterRecord>;
export type StarterVendor = Static<typeof starterVendor>;
