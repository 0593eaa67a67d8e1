import { normaliseName } from "../core/text.ts";
import type { Industries } from "./taxonomy/taxonomy.ts";
import type { Industry } from "./types.ts";

/** The key by which industries are compared and grouped: the taxonomy's slug, else the normalised source text. */
export const industryKey = ({ raw, slug }: Industry): string => slug ?? normaliseName(raw);

/** An industry as the columns of a company or case study. */
export const industryColumns = (industry: Industry | null) => ({
  industry_raw: industry?.raw ?? null,
  industry_slug: industry?.slug ?? null,
  industry_key: industry && industryKey(industry),
});

/** The industries named by a filter: taxonomy slugs, or the text itself if the taxonomy does not have it. */
export const industriesNamed = (industries: Industries, raw: string): readonly Industry[] =>
  industries.slugsFor(raw)?.map((slug) => ({ raw, slug })) ?? [{ raw, slug: null }];

/** Query parameters that track visitors and do not change the page. */
export const TRACKING =
  /^(utm_\w{1,40}|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|twclid|li_fat_id|mc_cid|mc_eid|igshid|_hsenc|_hsmi|__hs\w{1,20}|hsctatracking|_ga|_gl)$/i;

/** Single-page applications keep the route in the hash. */
const ROUTE_HASH = /^#!?\//;

/**
 * One key for all spellings of a page's address: the scheme, `www.`, a default port, trailing slashes, the order of
 * parameters, tracking parameters and fragments do not count. Other text is its own key.
 */
export function urlKey(address: string): string {
  const url = URL.parse(address.trim());
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return address.trim();
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  const host = url.hostname.replace(/^www\./, "").replace(/\.$/, "");
  const port = url.port === "" ? "" : `:${url.port}`;
  const path = url.pathname.replace(/\/+$/, "");
  const query = url.searchParams.size > 0 ? `?${url.searchParams}` : "";
  const hash = ROUTE_HASH.test(url.hash) ? url.hash : "";
  return `${host}${port}${path}${query}${hash}`;
}
