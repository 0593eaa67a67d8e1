import { STATUS_TEXT } from "../http/openapi.ts";
import { CHALLENGES, PROBLEMS } from "../http/problems.ts";
import { problemSchema } from "../http/schemas.ts";
import examples from "./examples.json";

/** The parts of an OpenAPI 3.1 document that are used here. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: object;
  readonly servers?: readonly object[];
  readonly tags?: readonly object[];
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers?: Readonly<Record<string, object>>;
    readonly examples?: Readonly<Record<string, object>>;
    readonly securitySchemes?: Readonly<Record<string, object>>;
  };
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  responses: Record<string, Answer>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: object;
  example?: unknown;
}

export interface Answer {
  readonly description: string;
  headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Media>>;
  /** Has no entity tag. Removed before the document is sent. */
  uncached?: boolean;
}

interface Media {
  schema?: object;
  example?: unknown;
  examples?: Readonly<Record<string, object>>;
}

const header = (description: string, schema: object, example: string | number, required: boolean) => ({
  description,
  schema,
  example,
  required,
});
const text = { type: "string" };
const challenge = (what: string, text = "") =>
  header(`The challenge of RFC 9110: ${what}.`, { type: "string", const: text }, text, true);

/** Response headers, by their name in `components`. */
const HEADERS = {
  RequestId: header(
    "Id of the request: the client's if valid, otherwise a new one. The log contains it too.",
    { type: "string", minLength: 1, maxLength: 128 },
    "0199a1f4-7c1e-7000-8000-1f0c5f1d2a3b",
    true,
  ),
  RateLimitPolicy: header(
    "Requests allowed per calendar month (UTC), and the length of the month in seconds.",
    text,
    '"monthly";q=1000;w=2678400',
    true,
  ),
  RateLimit: header("Requests left in the month, and seconds until it ends.", text, '"monthly";r=941;t=123456', true),
  RateLimitPolicyOnceKnown: header(
    "As with status 200, if the key was verified.",
    text,
    '"monthly";q=1000;w=2678400',
    false,
  ),
  RateLimitOnceKnown: header("As with status 200, if the key was verified.", text, '"monthly";r=941;t=123456', false),
  RetryAfter: header("Seconds to wait.", { type: "integer", minimum: 0 }, 30, true),
  ETag: header("Send it back as `If-None-Match`.", text, 'W/"1x8k2m9c4v7q"', true),
  KeyChallenge: challenge("a key in `X-API-Key`", CHALLENGES["key.invalid"]),
  OperatorChallenge: challenge("the operator token", CHALLENGES["operator.invalid"]),
  Allow: header("Methods that this path supports.", text, "GET, HEAD", true),
  ETagOfJson: header("Of JSON; send it back as `If-None-Match`.", text, 'W/"1x8k2m9c4v7q"', false),
  ContentDispositionOfFile: header(
    "The file name, with `format`.",
    text,
    'attachment; filename="batch_m9x4tq0c1k7w2r8z3vb5.csv"',
    false,
  ),
  ContentDisposition: header("The file name.", text, 'attachment; filename="casefile-2026-05-04.tar.zst"', true),
} as const;

/** A request and its answer, recorded by `npm run generate:examples`. */
export interface Example {
  /** By name, of the path and the query. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  /** Absent when the answer has no JSON. */
  readonly answer?: unknown;
  /** Of an answer that refuses without being a problem. */
  readonly refusal?: unknown;
}

/** By operation id. A test reports operations without an example. */
const EXAMPLES: Readonly<Record<string, Example>> = examples;

type Kept = keyof typeof HEADERS;

/** Statuses that follow the verification of the key. */
const AFTER_AUTH = new Set([200, 202, 304, 404, 409, 422, 429]);
/** Statuses that may come before or after the verification of the key. */
const MAYBE_AFTER_AUTH = new Set([400, 413, 500, 503]);

/** The headers of one response, as references. */
function headersOf(method: string, operation: Operation, status: number): Record<string, object> {
  const isKeyed = operation.security.some((way) => "key" in way);
  const hasTag = "304" in operation.responses;
  const hasFiles = "text/csv" in (operation.responses["200"]?.content ?? {});
  const named: [string, Kept, boolean][] = [
    ["X-Request-Id", "RequestId", true],
    ["RateLimit-Policy", "RateLimitPolicy", isKeyed && AFTER_AUTH.has(status)],
    ["RateLimit", "RateLimit", isKeyed && AFTER_AUTH.has(status)],
    ["RateLimit-Policy", "RateLimitPolicyOnceKnown", isKeyed && MAYBE_AFTER_AUTH.has(status)],
    ["RateLimit", "RateLimitOnceKnown", isKeyed && MAYBE_AFTER_AUTH.has(status)],
    ["Retry-After", "RetryAfter", status === 429 || status === 503],
    ["ETag", "ETag", method === "get" && hasTag && !hasFiles && (status === 200 || status === 304)],
    ["ETag", "ETagOfJson", hasFiles && (status === 200 || status === 304)],
    ["Content-Disposition", "ContentDispositionOfFile", hasFiles && status === 200],
    ["WWW-Authenticate", "KeyChallenge", isKeyed && status === 401],
    ["WWW-Authenticate", "OperatorChallenge", !isKeyed && status === 401],
    ["Allow", "Allow", status === 405],
    ["Content-Disposition", "ContentDisposition", operation.operationId === "downloadBackup" && status === 200],
  ];
  return Object.fromEntries(
    named.filter(([, , carried]) => carried).map(([name, kept]) => [name, { $ref: `#/components/headers/${kept}` }]),
  );
}

type Code = keyof typeof PROBLEMS;

/** Internal errors have one public code. */
const CODES = Object.entries(PROBLEMS).filter(([code, { status }]) => status !== 500 || code === "internal");
const STATUSES = [...new Set(CODES.map(([, { status }]) => status))].sort((a, b) => a - b);

/** `Problem`, and one schema per status with its codes. */
const problemSchemas: Readonly<Record<string, object>> = Object.fromEntries([
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
  "operator.only": "Metrics are available on this machine only, unless server.metrics_public is set.",
  "origin.refused":
    'Pages of the origin "https://pages.example" are not allowed: if this is an address of the service, start it with --server-origins https://pages.example.',
  "host.refused":
    'Unknown host "casefile.example": if this is a name of the service, start it with --server-origins http://casefile.example.',
  "route.method": "This path supports GET and HEAD.",
  "request.not_acceptable": "This path returns application/json; list it in Accept.",
  "request.too_large": "The body may have at most 64 KiB.",
  "request.media_type": "Send the body as application/json.",
  "request.invalid": 'Invalid limit "0": give a whole number from 1 to 100.',
  "domain.not_found": "brightpine.example does not exist in DNS; check the spelling.",
  "history.not_found": 'No scan or recording of "brightpine.example" is stored; scan it first.',
  "domain.invalid": "Give a company's domain, such as acme.com.",
  "company.not_found": 'No company has the slug "harborline": did you mean harbourline?',
  "industry.not_found": 'Unknown industry "bankng": did you mean Banking?',
  "study.not_found": "No case study has this id; search or list to find one.",
  "correction.not_found": "This field has no correction; the case study lists its corrected fields.",
  "tool.not_found": 'Unknown tool "strpe"; did you mean Stripe?',
  "submission.not_found": "No submission has this id; list the submissions to find it.",
  "job.not_found": "No failed job has this id; list the jobs to find it.",
  "key.not_found": 'No active key has the email or id "ana@acme.example": list the keys to find it.',
  "model.not_found": 'No model has the name "custom": list the models to see their names.',
  "backup.not_found": 'No backup has the name "casefile-2026-05-04.tar.zst": list the backups to find it.',
  "watch.not_found": "brightpine.example is not watched; list the watches to see which are.",
  "operator.forbidden": "This needs the role admin, and yours is reader: ask an admin.",
  "operator.not_found": 'No operator has the name or id "Bo": list the operators to find it.',
  "operator.conflict": "This is the last admin: make another operator an admin first.",
  "session.not_found": 'No open session has the id "ses_7w2m9x4tq0c1k5r8": list the sessions to find it.',
  "webhook.not_found": "No webhook has this id; list the webhooks to find it.",
  "batch.not_found": "No batch has this id; list the batches to find it.",
  "batch.conflict": "The batch is done; only a running batch can be paused.",
  "stack.operator_only":
    "The operator has hidden the stack index from API keys; send the operator token as `Authorization: Bearer`.",
  "opt_out.not_found": '"acme.example" cannot be removed: list the opt-outs to see them.',
  "domain.opted_out":
    "brightpine.example has opted out of all requests (brightpine.example); nothing is requested from it. The operator keeps the list.",
  "watch.limit": "At most 1000 domains can be watched; remove one first.",
  "webhook.exists":
    "Webhook wh_7w2m9x4tq0c1k5r8z3vb already has this URL; rotate its secret if you lost it, or remove it first.",
  "webhook.limit": "At most 20 webhooks are allowed; remove one first.",
  "key.exists": "This email address already has an active key. If you lost the key, ask the operator to reissue it.",
  "key.sign_up_closed": "Sign-up is closed; ask the operator for a key.",
  "company.exists": "Another company has the slug harbourline; merge the two instead.",
  "submission.conflict": "The submission is rejected; this action requires the state review.",
  "quota.exceeded":
    "The monthly limit is used up. Wait for the next month (UTC), or ask the operator for a higher limit.",
  "rate.exceeded": "Too many requests from this address. Wait for the seconds in Retry-After.",
  "service.overloaded": "Too many scans are running; try again in a few seconds.",
  internal: "Internal error. Try again; if it persists, report the request id to the operator.",
};

/** One example of each problem code. */
const problemExamples: Readonly<Record<string, object>> = Object.fromEntries(
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
        ? { errors: [{ pointer: "/limit", detail: 'Invalid limit "0": give a whole number from 1 to 100.' }] }
        : {}),
      ...(code === "company.not_found" ? { unknown: ["harborline"] } : {}),
    };
    return [code, { summary: title, value }];
  }),
);

const NOT_FOUND: readonly (readonly [RegExp, Code])[] = [
  [/\/enrich\/batches/, "batch.not_found"],
  [/\/history$/, "history.not_found"],
  [/^\/v1\/(?:tools|domains)/, "tool.not_found"],
  [/\/enrich/, "domain.not_found"],
  [/\/prospects/, "domain.not_found"],
  [/^\/v1\/companies$/, "industry.not_found"],
  [/\/(?:companies|compare)/, "company.not_found"],
  [/\/vendor-tools/, "company.not_found"],
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
  [/\/opt-outs/, "opt_out.not_found"],
  [/\/webhooks/, "webhook.not_found"],
  [/\/operators/, "operator.not_found"],
  [/\/sessions/, "session.not_found"],
];

/** Lists and searches, whose filters name companies and industries. */
const FILTERED = /\/casestudies(?:\/semantic|\/batch)?$/;

const CONFLICTS: readonly (readonly [RegExp, Code])[] = [
  [/^\/v1\/keys$/, "key.exists"],
  [/\/enrich\/batches/, "batch.conflict"],
  [/\/companies/, "company.exists"],
  [/\/watches/, "watch.limit"],
  [/\/webhooks/, "webhook.exists"],
  [/\/webhooks/, "webhook.limit"],
  [/\/operators/, "operator.conflict"],
];

const ANY: Readonly<Record<number, readonly Code[]>> = {
  400: ["request.not_json"],
  403: ["origin.refused", "stack.operator_only"],
  405: ["route.method"],
  406: ["request.not_acceptable"],
  413: ["request.too_large"],
  415: ["request.media_type"],
  421: ["host.refused"],
  500: ["internal"],
  503: ["service.overloaded"],
};

/** Routes that may request a domain. */
const MAY_BE_OPTED_OUT = /\/(?:enrich(?:-stream)?\/\{domain\}|submit|watches\/\{domain\})$/;

/** The codes whose examples are shown for a status of an operation. */
function exampleCodesOf(path: string, { security }: Operation, status: number): readonly Code[] {
  const isKeyed = security.some((way) => "key" in way);
  if (status === 403 && path === "/metrics") return ["operator.only", "origin.refused"];
  if (status === 403 && MAY_BE_OPTED_OUT.test(path)) return ["domain.opted_out", "origin.refused"];
  if (status === 403 && security.some((way) => "operator" in way)) return ["operator.forbidden", "origin.refused"];
  if (status === 403 && path === "/v1/keys") return ["key.sign_up_closed", "origin.refused"];
  if (status === 401) return [isKeyed ? "key.invalid" : "operator.invalid"];
  if (status === 404 && FILTERED.test(path)) return ["company.not_found", "industry.not_found"];
  if (status === 404)
    return NOT_FOUND.filter(([part]) => part.test(path))
      .map(([, code]) => code)
      .slice(0, 1);
  if (status === 409) {
    const conflicts = CONFLICTS.filter(([part]) => part.test(path)).map(([, code]) => code);
    return conflicts.length > 0 ? conflicts : ["submission.conflict"];
  }
  if (status === 422)
    return /\/enrich|\/prospects/.test(path) ? ["request.invalid", "domain.invalid"] : ["request.invalid"];
  if (status === 429 && path === "/v1/keys/rotate") return ["rate.exceeded"];
  if (status === 429) return [isKeyed ? "quota.exceeded" : "rate.exceeded"];
  return ANY[status] ?? [];
}

/**
 * Completes the document: adds headers, examples and problems to every response, moves repeated schemas to
 * `components`, and removes internal keywords.
 *
 * @param generated the plugin's document of the routes' schemas
 * @throws Error when two schemas have one title
 */
export function complete(generated: unknown): OpenApi {
  const schemas: Record<string, object> = {};
  // The type is lost in the conversion to JSON.
  const document = hoistSchemas(withoutInternals(generated), schemas) as OpenApi;
  const used = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      completeOperation(path, method, operation);
      for (const status of Object.keys(operation.responses)) used.add(`Problem${status}`);
    }
  }
  const problems = Object.entries(problemSchemas).filter(([name]) => name === "Problem" || used.has(name));
  return {
    ...document,
    servers: [{ url: "/", description: "This service." }],
    components: {
      ...document.components,
      schemas: { ...sorted(schemas), ...Object.fromEntries(problems) },
      headers: HEADERS,
      examples: problemExamples,
    },
  };
}

function completeOperation(path: string, method: string, operation: Operation): void {
  const example = EXAMPLES[operation.operationId] ?? {};
  for (const parameter of operation.parameters ?? []) {
    const value = example.parameters?.[parameter.name];
    if (value !== undefined) parameter.example = value;
  }
  for (const media of Object.values(operation.requestBody?.content ?? {})) media.example = example.body;
  addEveryAnswer(method, operation);
  for (const [status, answer] of Object.entries(operation.responses)) {
    const headers = headersOf(method, operation, Number(status));
    if (Object.keys(headers).length > 0) answer.headers = headers;
    for (const [type, media] of Object.entries(answer.content ?? {})) {
      if (type === "application/problem+json") {
        media.schema = { $ref: `#/components/schemas/Problem${status}` };
        media.examples = Object.fromEntries(
          exampleCodesOf(path, operation, Number(status)).map((code) => [
            code,
            { $ref: `#/components/examples/${code}` },
          ]),
        );
      } else if (type in FILE_EXAMPLES) media.example = FILE_EXAMPLES[type];
      else media.example = status.startsWith("2") ? example.answer : example.refusal;
    }
  }
  operation.responses = sorted(operation.responses);
}

/** Responses that the handler gives for all routes. */
function addEveryAnswer(method: string, { responses }: Operation): void {
  const refuses = (status: number): Answer => ({
    description: STATUS_TEXT[status] ?? "Problem.",
    content: { "application/problem+json": {} },
  });
  const cached = responses["200"]?.content?.["application/json"];
  if (method === "get" && cached && !responses["200"]?.uncached) {
    responses["304"] = {
      description: "Not modified: the client's copy, named in `If-None-Match`, is current. No body.",
    };
  }
  for (const answer of Object.values(responses)) delete answer.uncached;
  // The type and size of a body are checked before the route is known.
  for (const status of [403, 405, 421, 500, ...(TAKES_BODY.has(method) ? [413, 415] : [])])
    responses[status] ??= refuses(status);
}

/** The beginnings of files. */
const FILE_EXAMPLES: Readonly<Record<string, string>> = {
  "text/markdown":
    "# brightpine.example\n\n## Tools in use\n\n- Gauge (Analytics), in use, first seen 2026-05-01, last seen 2026-05-04. [1]\n",
  "text/html": '<!doctype html><html lang="en"><head><title>brightpine.example</title></head><body>…</body></html>',
  "text/csv":
    "account,input,domain,status,tools_detected,tools\r\nA-17,brightpine.example,brightpine.example,done,1,Postbox\r\n",
  "application/x-ndjson":
    '{"input":"brightpine.example","domain":"brightpine.example","status":"done","tools_detected":1,"tools":[{"tool":"Postbox","category":"Email"}]}\n',
  "application/vnd.apache.parquet": "PAR1",
};
const TAKES_BODY = new Set(["post", "put", "patch"]);

const NAME = /^[A-Z][A-Za-z0-9]{1,60}$/;

/** Moves each schema with a title to `schemas` and puts a reference in its place. */
function hoistSchemas(value: unknown, schemas: Record<string, object>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoistSchemas(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hoistSchemas(item, schemas)]));
  const { title, type } = inner;
  if (typeof title !== "string" || typeof type !== "string" || !NAME.test(title)) return inner;
  const { title: _, ...schema } = inner;
  if (schemas[title] && JSON.stringify(schemas[title]) !== JSON.stringify(schema))
    throw new Error(`two different schemas have the title ${title}`);
  schemas[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}

/** Query numbers as integers, and without the error texts of schemas. */
const withoutInternals = (document: unknown): unknown =>
  JSON.parse(JSON.stringify(document), (name, value) => {
    if (name === "schema" && Object(value).integer !== undefined) return value.integer;
    return name === "error" && typeof value === "string" ? undefined : value;
  });

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
