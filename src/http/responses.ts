import type { Quota } from "./requests.ts";

/** A JSON answer with an entity tag, which is weak because an answer may be compressed; 304 without a body when the client has it already. */
export function jsonAnswer(request: Request, value: unknown, status = 200): Response {
  const body = JSON.stringify(value);
  if (request.method !== "GET") {
    return new Response(body, { status, headers: { "content-type": "application/json", "cache-control": "no-store" } });
  }
  const etag = `W/"${Bun.hash(body).toString(36)}"`;
  const headers = { "content-type": "application/json", "cache-control": "private, no-cache", etag };
  return knows(request.headers.get("if-none-match"), etag)
    ? new Response(null, { status: 304, headers: { "cache-control": headers["cache-control"], etag } })
    : new Response(body, { status, headers });
}

function knows(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header
    .slice(0, 4_000)
    .split(",")
    .some((tag) => ["*", etag, etag.slice(2)].includes(tag.trim()));
}

/** The IETF rate-limit fields (draft-ietf-httpapi-ratelimit-headers), for the calendar month in UTC. */
export function quotaHeaders(quota: Quota): Record<string, string> {
  return {
    "RateLimit-Policy": `"monthly";q=${quota.limit};w=${quota.windowSeconds}`,
    RateLimit: `"monthly";r=${quota.remaining};t=${quota.resetSeconds}`,
  };
}
