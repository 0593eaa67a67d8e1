import { normaliseName } from "../core/text.ts";
import type { Industry } from "./types.ts";

/** What industries are compared and grouped by: where the taxonomy files it, else the source's word. */
export const industryKey = ({ raw, slug }: Industry): string => slug ?? normaliseName(raw);

/** Parameters that tell where a reader came from and never what is shown. */
export const TRACKING =
  /^(utm_\w{1,40}|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|twclid|li_fat_id|mc_cid|mc_eid|igshid|_hsenc|_hsmi|__hs\w{1,20}|hsctatracking|_ga|_gl)$/i;

/** A page that a script shows has its address behind the hash. */
const ROUTE_HASH = /^#!?\//;

/**
 * One key for all ways to write the address of one page: scheme, `www.`, a default port, a slash at the end, the order
 * of parameters, tracking parameters and the place in the page do not count. What is no address is its own key.
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
