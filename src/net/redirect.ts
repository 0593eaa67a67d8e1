import type { HttpExchange } from "../vocabulary/snapshot.ts";
import { headerOf } from "./web/headers.ts";

/** Redirects that are followed after the first request. */
export const MAX_REDIRECTS = 5;

/**
 * Where an exchange leads to: the next request, `none` when it is an end, or `broken` when its Location is no URL.
 * 307 and 308 keep the method; after the others a POST becomes a GET, as in every browser.
 */
export function redirectOf(exchange: HttpExchange): { url: string; method: "GET" | "POST" } | "none" | "broken" {
  if (exchange.status !== "ok" || ![301, 302, 303, 307, 308].includes(exchange.code)) return "none";
  const location = headerOf(exchange.headers, "location");
  if (location === undefined) return "none";
  const url = URL.parse(location, exchange.url);
  if (!url) return "broken";
  url.hash = "";
  return { url: url.href, method: exchange.code === 307 || exchange.code === 308 ? exchange.method : "GET" };
}
