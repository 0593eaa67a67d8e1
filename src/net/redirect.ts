import type { HttpExchange } from "../vocabulary/snapshot.ts";
import type { HttpAnswer } from "./visit.ts";
import { headerOf } from "./web/headers.ts";

/** Redirects that are followed after the first request. */
const MAX_REDIRECTS = 5;

/** Goes on from a first exchange until one leads nowhere; the last says why when it is not an end of its own. */
export async function followRedirects(
  first: HttpExchange,
  ask: (url: string, method: "GET" | "POST", passed: readonly HttpExchange[]) => HttpExchange | Promise<HttpExchange>,
): Promise<HttpAnswer> {
  const hops: [HttpExchange, ...HttpExchange[]] = [first];
  for (let final = first; ; ) {
    const next = redirectOf(final);
    if (next === "none") return { hops, final };
    if (next === "broken" || hops.length > MAX_REDIRECTS) {
      const why = next === "broken" ? "the Location is not a URL" : `more than ${MAX_REDIRECTS} redirects`;
      final = withNote(final, why);
      hops[hops.length - 1] = final;
      return { hops, final };
    }
    final = await ask(next.url, next.method, hops);
    hops.push(final);
  }
}

/** A recorded exchange may carry the note already. */
function withNote(exchange: HttpExchange, note: string): HttpExchange {
  const { detail } = exchange;
  if (detail?.includes(note)) return exchange;
  return { ...exchange, detail: detail === undefined ? note : `${detail}; ${note}` };
}

/**
 * Where an exchange leads to: the next request, `none` when it is an end, or `broken` when its Location is no URL.
 * 307 and 308 keep the method; after the others a POST becomes a GET, as in every browser.
 */
function redirectOf(exchange: HttpExchange): { url: string; method: "GET" | "POST" } | "none" | "broken" {
  if (exchange.status !== "ok" || ![301, 302, 303, 307, 308].includes(exchange.code)) return "none";
  const location = headerOf(exchange.headers, "location");
  if (location === undefined) return "none";
  const url = URL.parse(location, exchange.url);
  if (!url) return "broken";
  url.hash = "";
  return { url: url.href, method: exchange.code === 307 || exchange.code === 308 ? exchange.method : "GET" };
}
