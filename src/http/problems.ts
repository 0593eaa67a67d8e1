import type { ValidationError } from "elysia";
import { Failure, type FailureCode, type Problem, type SchemaFault, schemaProblem } from "../core/errors.ts";

/** Error codes that only exist in HTTP. */
export type HttpCode =
  | "request.not_json"
  | "request.invalid"
  | "request.too_large"
  | "request.media_type"
  | "request.not_acceptable"
  | "route.not_found"
  | "route.method"
  | "operator.only"
  | "host.refused"
  | "origin.refused"
  | "service.unready"
  | "internal";

interface StatusAndTitle {
  readonly status: number;
  readonly title: string;
}

/** The status and title of every error code. */
export const PROBLEMS: Record<FailureCode | HttpCode, StatusAndTitle> = {
  "domain.invalid": { status: 422, title: "Not a company domain" },
  "domain.reserved": { status: 422, title: "Reserved name" },
  "domain.not_found": { status: 404, title: "Domain does not exist" },
  "domain.opted_out": { status: 403, title: "Domain has opted out" },
  "opt_out.invalid": { status: 422, title: "Not a domain or a pattern" },
  "opt_out.not_found": { status: 404, title: "Not in the list of opt-outs" },
  "browser.unavailable": { status: 503, title: "The browser cannot be used" },
  "dns.unreachable": { status: 503, title: "DNS cannot be reached" },
  "snapshot.invalid": { status: 422, title: "Unreadable snapshot" },
  "snapshot.not_found": { status: 404, title: "No snapshot" },
  "history.not_found": { status: 404, title: "Never scanned" },
  "key.exists": { status: 409, title: "Address has an active key" },
  "key.sign_up_closed": { status: 403, title: "No sign-up for this address" },
  "key.invalid": { status: 401, title: "Missing or invalid API key" },
  "key.not_found": { status: 404, title: "No such key" },
  "operator.invalid": { status: 401, title: "Missing or invalid operator token" },
  "operator.forbidden": { status: 403, title: "Not allowed for this role" },
  "operator.not_found": { status: 404, title: "No such operator" },
  "operator.conflict": { status: 409, title: "Operators do not allow this" },
  "operator.malformed": { status: 422, title: "Not a name or address of an operator" },
  "session.not_found": { status: 404, title: "No such session" },
  "sign_in.invalid_link": { status: 401, title: "Used or expired sign-in link" },
  "sign_in.unavailable": { status: 404, title: "No such way to sign in" },
  "sign_in.failed": { status: 502, title: "The identity provider did not confirm the sign-in" },
  "email.invalid": { status: 422, title: "Not an email address" },
  "quota.exceeded": { status: 429, title: "Monthly limit exceeded" },
  "rate.exceeded": { status: 429, title: "Too many requests" },
  "catalogue.invalid": { status: 500, title: "Internal error" },
  "fingerprints.invalid": { status: 500, title: "Internal error" },
  "tool.not_found": { status: 404, title: "No such tool" },
  "feedback.not_found": { status: 404, title: "No false positives of this tool" },
  "config.invalid": { status: 500, title: "Internal error" },
  "installation.unsound": { status: 500, title: "Internal error" },
  "store.unusable": { status: 503, title: "Store not available" },
  "model.invalid": { status: 503, title: "Model not usable" },
  "model.unavailable": { status: 503, title: "Model not available" },
  "model.not_found": { status: 404, title: "No such model" },
  "model.conflict": { status: 409, title: "The model or its name is in use" },
  "company.not_found": { status: 404, title: "No such company" },
  "industry.not_found": { status: 404, title: "No such industry" },
  "company.invalid": { status: 422, title: "Invalid company" },
  "company.exists": { status: 409, title: "Another company has this slug" },
  "submission.not_found": { status: 404, title: "No such submission" },
  "submission.conflict": { status: 409, title: "The submission is in another state" },
  "submission.invalid": { status: 422, title: "The page cannot be used" },
  "job.not_found": { status: 404, title: "No such job" },
  "correction.invalid": { status: 422, title: "Invalid correction" },
  "correction.not_found": { status: 404, title: "The field has no correction" },
  "crawl.failed": { status: 502, title: "The page could not be crawled" },
  "study.not_found": { status: 404, title: "No such case study" },
  "query.invalid": { status: 422, title: "Invalid query" },
  "cursor.invalid": { status: 422, title: "Invalid cursor" },
  "backup.invalid": { status: 422, title: "Invalid backup" },
  "backup.not_found": { status: 404, title: "No such backup" },
  "watch.not_found": { status: 404, title: "Not watched" },
  "watch.limit": { status: 409, title: "Too many domains are watched" },
  "webhook.not_found": { status: 404, title: "No such webhook" },
  "webhook.invalid": { status: 422, title: "Invalid webhook URL" },
  "webhook.exists": { status: 409, title: "Webhook exists" },
  "webhook.limit": { status: 409, title: "Too many webhooks" },
  "webhook.not_taken": { status: 502, title: "The endpoint refused the message" },
  "batch.not_found": { status: 404, title: "No such batch" },
  "batch.invalid": { status: 422, title: "Invalid batch" },
  "batch.conflict": { status: 409, title: "The batch is in another state" },
  "stack.operator_only": { status: 403, title: "Only for the operator" },
  "service.draining": { status: 503, title: "Service is stopping" },
  "service.overloaded": { status: 503, title: "Service is busy" },
  "request.not_json": { status: 400, title: "Body is not JSON" },
  "request.invalid": { status: 422, title: "Invalid input" },
  "request.too_large": { status: 413, title: "Body too large" },
  "request.media_type": { status: 415, title: "Unsupported media type" },
  "request.not_acceptable": { status: 406, title: "Not acceptable" },
  "route.not_found": { status: 404, title: "No such path" },
  "route.method": { status: 405, title: "Method not allowed" },
  "operator.only": { status: 403, title: "Only from this machine" },
  "host.refused": { status: 421, title: "Unknown host" },
  "origin.refused": { status: 403, title: "Origin not allowed" },
  "service.unready": { status: 503, title: "Service is not ready" },
  internal: { status: 500, title: "Internal error" },
};

/**
 * Challenges of 401 responses, which RFC 9110 requires (section 11.6.1). No scheme is registered for keys in a custom
 * header; browsers ignore unknown schemes and do not ask for a password.
 */
export const CHALLENGES: Partial<Record<FailureCode, string>> = {
  "key.invalid": 'ApiKey realm="casefile", header="X-API-Key"',
  "operator.invalid": 'Bearer realm="casefile operator"',
  "sign_in.invalid_link": 'Bearer realm="casefile operator"',
};

/** An expected failure that only exists in HTTP, with its headers. */
export class HttpRefusal extends Error {
  constructor(
    readonly code: HttpCode,
    message: string,
    readonly details: {
      readonly problems?: readonly Problem[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.name = "HttpRefusal";
  }
}

export const methodRefusal = (methods: readonly string[]) =>
  new HttpRefusal("route.method", `This path supports ${methods.join(" and ")}.`, {
    headers: { allow: methods.join(", ") },
  });

/** One problem for each invalid field; a schema's own `error` text comes first. */
export function invalidInput(error: ValidationError): HttpRefusal {
  const faults = new Map<string, Problem>();
  for (const fault of error.all) {
    const problem = schemaProblem(fault as SchemaFault);
    if (!faults.has(problem.pointer)) faults.set(problem.pointer, problem);
  }
  const problems = [...faults.values()].slice(0, 20);
  const [first] = problems;
  return new HttpRefusal(
    "request.invalid",
    first && /^(?:Unknown|Invalid) /.test(first.detail)
      ? first.detail
      : `Correct ${first?.pointer || "the input"}: ${first?.detail ?? "it is invalid."}`,
    { problems },
  );
}

/**
 * The response to any error, as RFC 9457 problem details. Unexpected errors are bugs, whose text is not shown.
 *
 * @param requestId in the body, so that a report can be matched with the log
 */
export function problemResponse(error: unknown, requestId: string): Response {
  const refusal = error instanceof Failure || error instanceof HttpRefusal ? error : undefined;
  const code = refusal?.code ?? "internal";
  const { status, title } = PROBLEMS[code];
  const internal = status === 500;
  const details = refusal?.details ?? {};
  const retryAfter = "retryAfterSeconds" in details ? details.retryAfterSeconds : undefined;
  const challenge = refusal instanceof Failure ? CHALLENGES[refusal.code] : undefined;
  const body = {
    type: `urn:casefile:problem:${internal ? "internal" : code}`,
    title,
    status,
    detail: internal
      ? "Internal error. Try again; if it persists, report the request id to the operator."
      : refusal?.message,
    code: internal ? "internal" : code,
    request_id: requestId,
    ...(details.problems && !internal ? { errors: details.problems } : {}),
    ...("unknown" in details && details.unknown ? { unknown: details.unknown } : {}),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
      ...(retryAfter !== undefined
        ? { "retry-after": String(retryAfter) }
        : status === 503
          ? { "retry-after": "5" }
          : {}),
      ...("headers" in details ? details.headers : {}),
    },
  });
}
