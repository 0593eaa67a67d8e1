import { completeOutcome, type NewCaseStudy, type NewCompany, type Outcome } from "../../src/casestudies/types.ts";
import { openStore, type StoreOptions } from "../../src/store.ts";

export const NOW = "2026-05-04T12:00:00.000Z";

/** A store in memory whose clock the test moves. */
export async function storeWithClock(options: Partial<StoreOptions> = {}) {
  let now = Date.parse(NOW);
  const store = await openStore({ dataDir: ":memory:", clock: () => new Date(now), ...options });
  const after = (seconds: number) => {
    now += seconds * 1_000;
  };
  return { ...store, after, clock: () => new Date(now) };
}

export const companyOf = (slug: string, given: Partial<NewCompany> = {}): NewCompany => ({
  name: slug.replaceAll("-", " "),
  slug,
  domain: null,
  industry: null,
  logo_url: null,
  ...given,
});

/** A fingerprint that is far from that of every other number. */
export const fingerprintOf = (number: number): string => Bun.hash(`text ${number}`).toString(16).padStart(16, "0");

let made = 0;

/** A case study that is like no other but in what is given. */
export function studyOf(given: Partial<NewCaseStudy> = {}): NewCaseStudy {
  const number = ++made;
  return {
    id: `study-${number}`,
    title: `Study ${number}`,
    url: `https://vendor.example/customers/${number}`,
    company: companyOf("vendor"),
    client: { name: null, domain: null },
    industry: null,
    country: null,
    summary: null,
    challenge: null,
    solution: null,
    outcomes: [],
    products: [],
    tools: [],
    quote: null,
    published_at: null,
    language: null,
    origin: "imported",
    licence: null,
    body: null,
    passages: [],
    fingerprint: fingerprintOf(number),
    ...given,
  };
}

export const outcomeOf = (metric: string, value: number | null, given: Partial<Outcome> = {}): Outcome =>
  completeOutcome({ metric, value, unit: "%", direction: "decrease", text: `${metric} by ${value}`, ...given });

export const industryOf = (raw: string, slug: string | null = null) => ({ raw, slug });
