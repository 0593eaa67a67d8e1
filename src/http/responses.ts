import type { QuotaState } from "../accounts/service.ts";
import type { Services } from "../compose.ts";
import { contextOf } from "./requests.ts";

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

/**
 * Runs the work of a keyed route and counts it when the answer is 2xx.
 *
 * @throws Failure `quota.exceeded`, and whatever the work throws
 */
export const withQuota = (
  app: Services,
  request: Request,
  units: number,
  work: () => Promise<Response>,
): Promise<Response> => charged(app, request, units, work, ({ ok }) => ok);

/**
 * Counts work for the key of a request: the units are taken before, so that two requests racing for the last one cannot
 * both win, and given back when the work throws or its result is not `good`.
 *
 * @throws Failure `quota.exceeded`, and whatever the work throws
 */
export async function charged<T>(
  app: Services,
  request: Request,
  units: number,
  work: () => Promise<T>,
  good: (result: T) => boolean = () => true,
): Promise<T> {
  const context = contextOf(request);
  const { account } = context;
  if (!account) throw new Error("a counted route stands outside the keyed part");
  const spent = await app.accounts.spend(account, units);
  context.quota = spent;
  const giveBack = async () => {
    context.quota = await app.accounts.refund(account, units, spent.month);
  };
  try {
    const result = await work();
    if (!good(result)) await giveBack();
    return result;
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/** The IETF rate-limit fields (draft-ietf-httpapi-ratelimit-headers), for the calendar month in UTC. */
export function quotaHeaders(quota: QuotaState): Record<string, string> {
  return {
    "RateLimit-Policy": `"monthly";q=${quota.limit};w=${quota.windowSeconds}`,
    RateLimit: `"monthly";r=${quota.remaining};t=${quota.resetSeconds}`,
  };
}
