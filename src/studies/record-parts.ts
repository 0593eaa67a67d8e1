import type { Industry, NewCaseStudy, Outcome } from "../vocabulary/case-study.ts";
import { readAddress, readHost } from "./field-values.ts";
import { cleanText, type LeftOut, type RawFields, readFields } from "./raw-fields.ts";
import { isSlug, slugOf } from "./slug.ts";
import type { Industries } from "./taxonomy/industries.ts";
import { type OutcomeMetrics, readAmount, resolveDirection } from "./taxonomy/outcome-metrics.ts";

/** Longest texts in UTF-16 code units; what is longer is cut at a word. */
export const MAX = {
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
export const MAX_ITEMS = 50;

const HOST = "Give the name of a host, such as acme.com.";
const ADDRESS = "Give an http or https address.";

/** The first that is there. All of them are read: what has a second name is known by it too. */
const either = <T>(...values: (T | null)[]): T | null => values.find((value) => value !== null) ?? null;

const readSlug = (text: string) => (isSlug(text) ? text : null);

export function readCompany(fields: RawFields, industries: Industries): NewCaseStudy["company"] | null {
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

export function readClient(fields: RawFields): NewCaseStudy["client"] {
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

export function readIndustry(fields: RawFields, names: readonly string[], industries: Industries): Industry | null {
  const raws = names.map((name) =>
    either(fields.object([name]).text(["raw", "name", "slug"], MAX.industry), fields.text([name], MAX.industry)),
  );
  const raw = either(...raws);
  return raw === null ? null : industries.resolve(raw);
}

export function readOutcomes(
  fields: RawFields,
  metrics: OutcomeMetrics,
  onLeftOut?: (field: LeftOut) => void,
): Outcome[] {
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

export function readQuote(fields: RawFields): NewCaseStudy["quote"] {
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
