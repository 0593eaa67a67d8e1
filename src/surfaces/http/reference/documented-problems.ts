import { PROBLEMS } from "../problems.ts";
import { problemSchema } from "../schemas.ts";
import type { Operation } from "./openapi-shape.ts";

type Code = keyof typeof PROBLEMS;

/** What is a fault inside is told under one code alone. */
const CODES = Object.entries(PROBLEMS).filter(([code, { status }]) => status !== 500 || code === "internal");
const STATUSES = [...new Set(CODES.map(([, { status }]) => status))].sort((a, b) => a - b);

/** `Problem`, and for each status what it narrows: the status and the codes that it may tell. */
export const problemSchemas: Readonly<Record<string, object>> = Object.fromEntries([
  ["Problem", { ...problemSchema, description: "RFC 9457 problem details." }],
  ...STATUSES.map((status) => [
    `Problem${status}`,
    {
      allOf: [
        { $ref: "#/components/schemas/Problem" },
        {
          type: "object",
          properties: {
            status: { type: "integer", const: status },
            code: { type: "string", enum: CODES.filter(([, words]) => words.status === status).map(([code]) => code) },
          },
        },
      ],
    },
  ]),
]);

const ADVICE: Partial<Record<Code, string>> = {
  "request.not_json": "The body must be one JSON value in UTF-8.",
  "key.invalid": "Send a key of POST /v1/keys as X-API-Key.",
  "operator.invalid": "Send the operator token as `Authorization: Bearer`.",
  "operator.only": "Metrics are told on this machine only, unless server.metrics_public is set.",
  "route.method": "This path takes GET and HEAD.",
  "request.not_acceptable": "This path answers application/json; ask for it in Accept.",
  "request.too_large": "A body may have at most 64 KiB.",
  "request.media_type": "Send the body as application/json.",
  "request.invalid": "Correct /limit: Give a whole number from 1 to 100.",
  "domain.not_found": "brightpine.example does not exist in DNS; check its spelling.",
  "domain.invalid": "Give a company's domain, such as acme.com.",
  "company.not_found": "No company has the slug harborline; GET /v1/companies?q= finds it.",
  "study.not_found": "No case study has this id.",
  "correction.not_found": "This field was not corrected; the case study lists those that were.",
  "tool.not_found": "No tool has this name; did you mean Stripe?",
  "submission.not_found": "No submission has this id.",
  "job.not_found": "No job has this number.",
  "key.not_found": "No key has this id or address.",
  "model.not_found": "There is no model of this name; list the models to find it.",
  "backup.not_found": "There is no backup of this name.",
  "watch.not_found": "brightpine.example is not watched; list the watches to find what is.",
  "webhook.not_found": "No webhook has this id; list the webhooks to find it.",
  "watch.limit": "At most 1000 domains are watched; remove one first.",
  "webhook.exists":
    "wh_7w2m9x4tq0c1k5r8z3vb is told at this address already; rotate its secret if it was lost, or remove it first.",
  "webhook.limit": "At most 20 endpoints are told; remove one first.",
  "key.exists": "This address has an active key; ask the operator for a new one.",
  "company.exists": "Another company has this slug; merge them, or choose another.",
  "submission.conflict": "The submission is rejected; retry it before it can be approved.",
  "quota.exceeded": "The monthly limit of 1000 requests is used up.",
  "rate.exceeded": "At most 20 requests an hour come from one address; ask again later.",
  "service.overloaded": "Too many scans run at once; ask again in a few seconds.",
  internal: "Something went wrong inside; try again, and tell the operator the request id.",
};

/** An example of each problem that an operation may show. */
export const problemExamples: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(ADVICE).map(([code, detail]) => {
    const { status, title } = PROBLEMS[code as Code];
    const value = {
      type: `urn:casefile:problem:${code}`,
      title,
      status,
      detail,
      code,
      request_id: "0199a1f4-7c1e-7000-8000-1f0c5f1d2a3b",
      ...(code === "request.invalid"
        ? { errors: [{ pointer: "/limit", detail: "Give a whole number from 1 to 100." }] }
        : {}),
      ...(code === "company.not_found" ? { unknown: ["harborline"] } : {}),
    };
    return [code, { summary: title, value }];
  }),
);

const NOT_FOUND: readonly (readonly [RegExp, Code])[] = [
  [/\/enrich/, "domain.not_found"],
  [/\/(?:companies|compare)/, "company.not_found"],
  [/\/corrections/, "correction.not_found"],
  [/\/casestudies/, "study.not_found"],
  [/\/submissions/, "submission.not_found"],
  [/\/feedback/, "domain.not_found"],
  [/\/fingerprints/, "tool.not_found"],
  [/\/jobs/, "job.not_found"],
  [/\/keys/, "key.not_found"],
  [/\/backups/, "backup.not_found"],
  [/\/models/, "model.not_found"],
  [/\/watches/, "watch.not_found"],
  [/\/webhooks/, "webhook.not_found"],
];

const CONFLICTS: readonly (readonly [RegExp, Code])[] = [
  [/^\/v1\/keys$/, "key.exists"],
  [/\/companies/, "company.exists"],
  [/\/watches/, "watch.limit"],
  [/\/webhooks/, "webhook.exists"],
  [/\/webhooks/, "webhook.limit"],
];

const ANY: Readonly<Record<number, readonly Code[]>> = {
  400: ["request.not_json"],
  403: ["operator.only"],
  405: ["route.method"],
  406: ["request.not_acceptable"],
  413: ["request.too_large"],
  415: ["request.media_type"],
  500: ["internal"],
  503: ["service.overloaded"],
};

/** Codes of which the document shows an example at a status of an operation. */
export function exampleCodesOf(path: string, { security }: Operation, status: number): readonly Code[] {
  const isKeyed = security.some((way) => "key" in way);
  if (status === 401) return [isKeyed ? "key.invalid" : "operator.invalid"];
  if (status === 404)
    return NOT_FOUND.filter(([part]) => part.test(path))
      .map(([, code]) => code)
      .slice(0, 1);
  if (status === 409) {
    const conflicts = CONFLICTS.filter(([part]) => part.test(path)).map(([, code]) => code);
    return conflicts.length > 0 ? conflicts : ["submission.conflict"];
  }
  if (status === 422) return /\/enrich/.test(path) ? ["request.invalid", "domain.invalid"] : ["request.invalid"];
  if (status === 429) return [isKeyed ? "quota.exceeded" : "rate.exceeded"];
  return ANY[status] ?? [];
}
