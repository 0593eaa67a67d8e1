import { CHALLENGES } from "../problems.ts";
import type { Operation } from "./openapi-shape.ts";

const header = (description: string, schema: object, example: string | number, required: boolean) => ({
  description,
  schema,
  example,
  required,
});
const text = { type: "string" };
const challenge = (what: string, text = "") =>
  header(`The challenge of RFC 9110: ${what}.`, { type: "string", const: text }, text, true);

/** Headers of answers, by the name under which the document keeps them. */
export const HEADERS = {
  RequestId: header(
    "The request's own when it was sane, else a new one; it stands in the log.",
    { type: "string", minLength: 1, maxLength: 128 },
    "0199a1f4-7c1e-7000-8000-1f0c5f1d2a3b",
    true,
  ),
  RateLimitPolicy: header(
    "Requests in a calendar month (UTC), and its seconds.",
    text,
    '"monthly";q=1000;w=2678400',
    true,
  ),
  RateLimit: header("What is left of the month, and seconds until it ends.", text, '"monthly";r=941;t=123456', true),
  RateLimitPolicyOnceKnown: header("The same, once the key was looked at.", text, '"monthly";q=1000;w=2678400', false),
  RateLimitOnceKnown: header("The same, once the key was looked at.", text, '"monthly";r=941;t=123456', false),
  RetryAfter: header("Seconds to wait.", { type: "integer", minimum: 0 }, 30, true),
  ETag: header("Send it back as `If-None-Match`.", text, 'W/"1x8k2m9c4v7q"', true),
  KeyChallenge: challenge("a key in `X-API-Key`", CHALLENGES["key.invalid"]),
  OperatorChallenge: challenge("the operator token", CHALLENGES["operator.invalid"]),
  Allow: header("The methods that this path takes.", text, "GET, HEAD", true),
  ContentDisposition: header(
    "The name to keep it under.",
    text,
    'attachment; filename="casefile-2026-05-04.tar.zst"',
    true,
  ),
} as const;

type Kept = keyof typeof HEADERS;

/** Statuses at which a key was looked at before anything else could refuse. */
const ACCOUNTED = new Set([200, 304, 404, 422, 429]);
/** Statuses that may come before the key was looked at, or after. */
const PERHAPS_ACCOUNTED = new Set([400, 413, 500, 503]);

/** Headers of one answer, as references. */
export function headersOf(method: string, operation: Operation, status: number): Record<string, object> {
  const isKeyed = operation.security.some((way) => "key" in way);
  const hasTag = "304" in operation.responses;
  const named: [string, Kept, boolean][] = [
    ["X-Request-Id", "RequestId", true],
    ["RateLimit-Policy", "RateLimitPolicy", isKeyed && ACCOUNTED.has(status)],
    ["RateLimit", "RateLimit", isKeyed && ACCOUNTED.has(status)],
    ["RateLimit-Policy", "RateLimitPolicyOnceKnown", isKeyed && PERHAPS_ACCOUNTED.has(status)],
    ["RateLimit", "RateLimitOnceKnown", isKeyed && PERHAPS_ACCOUNTED.has(status)],
    ["Retry-After", "RetryAfter", status === 429 || status === 503],
    ["ETag", "ETag", method === "get" && hasTag && (status === 200 || status === 304)],
    ["WWW-Authenticate", "KeyChallenge", isKeyed && status === 401],
    ["WWW-Authenticate", "OperatorChallenge", !isKeyed && status === 401],
    ["Allow", "Allow", status === 405],
    ["Content-Disposition", "ContentDisposition", operation.operationId === "downloadBackup" && status === 200],
  ];
  return Object.fromEntries(
    named.filter(([, , carried]) => carried).map(([name, kept]) => [name, { $ref: `#/components/headers/${kept}` }]),
  );
}
