import type { Quota } from "./requests.ts";

/** JSON with a weak entity tag (weak because it may be compressed), or 304 if the client has this version. */
export const jsonAnswer = (request: Request, value: unknown, status = 200): Response =>
  textAnswer(request, JSON.stringify(value), { "content-type": "application/json" }, status);

/** Text with an entity tag, as {@link jsonAnswer}. */
export function textAnswer(
  request: Request,
  body: string,
  more: Readonly<Record<string, string>> & { readonly "content-type": string },
  status = 200,
): Response {
  if (request.method !== "GET")
    return new Response(body, { status, headers: { ...more, "cache-control": "no-store" } });
  const etag = `W/"${Bun.hash(body).toString(36)}"`;
  const headers = { ...more, "cache-control": "private, no-cache", etag };
  return hasTag(request.headers.get("if-none-match"), etag)
    ? new Response(null, { status: 304, headers: { "cache-control": headers["cache-control"], etag } })
    : new Response(body, { status, headers });
}

function hasTag(header: string | null, etag: string): boolean {
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
