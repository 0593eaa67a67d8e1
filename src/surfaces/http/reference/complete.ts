import { STATUS_TEXT } from "../described.ts";
import { exampleCodesOf, problemExamples, problemSchemas } from "./documented-problems.ts";
import { EXAMPLES } from "./examples.ts";
import { HEADERS, headersOf } from "./headers.ts";
import type { Answer, OpenApi, Operation } from "./openapi-shape.ts";

/**
 * The document as a client should read it: every answer of every operation with its headers, its example and the
 * problems that it may tell, whatever stands in more places than one under a name, and no keyword that only this
 * program knows.
 *
 * @param generated what the routes' schemas say, as the plugin writes it
 * @throws Error when two schemas have one title
 */
export function complete(generated: unknown): OpenApi {
  const schemas: Record<string, object> = {};
  // The plugin writes what the routes say; the compiler cannot follow it through JSON.
  const document = hoisted(understood(generated), schemas) as OpenApi;
  const told = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      completeOperation(path, method, operation);
      for (const status of Object.keys(operation.responses)) told.add(`Problem${status}`);
    }
  }
  const problems = Object.entries(problemSchemas).filter(([name]) => name === "Problem" || told.has(name));
  return {
    ...document,
    servers: [{ url: "/", description: "Wherever this service runs." }],
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
      } else media.example = status.startsWith("2") ? example.answer : example.refusal;
    }
  }
  operation.responses = sorted(operation.responses);
}

/** What no route says of itself, because the entrance answers it for all of them. */
function addEveryAnswer(method: string, { responses }: Operation): void {
  const refuses = (status: number): Answer => ({
    description: STATUS_TEXT[status] ?? "Problem.",
    content: { "application/problem+json": {} },
  });
  const cached = responses["200"]?.content?.["application/json"];
  if (method === "get" && cached && !responses["200"]?.uncached) {
    responses["304"] = { description: "What the client has, as `If-None-Match` says, is still so. No body." };
  }
  for (const answer of Object.values(responses)) delete answer.uncached;
  // A body is judged by its kind and size before it is known that nobody wants it.
  for (const status of [405, 500, ...(TAKES_BODY.has(method) ? [413, 415] : [])]) responses[status] ??= refuses(status);
}

const TAKES_BODY = new Set(["post", "put", "patch"]);

const NAME = /^[A-Z][A-Za-z0-9]{1,60}$/;

/** Puts each schema with a title under that name, and a reference in its place. */
function hoisted(value: unknown, schemas: Record<string, object>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoisted(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hoisted(item, schemas)]));
  const { title, type } = inner;
  if (typeof title !== "string" || typeof type !== "string" || !NAME.test(title)) return inner;
  const { title: _, ...schema } = inner;
  if (schemas[title] && JSON.stringify(schemas[title]) !== JSON.stringify(schema))
    throw new Error(`two schemas are titled ${title}`);
  schemas[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}

/** Numbers of queries as numbers, and without the words of refusals. */
const understood = (document: unknown): unknown =>
  JSON.parse(JSON.stringify(document), (name, value) => {
    if (name === "schema" && Object(value).integer !== undefined) return value.integer;
    return name === "error" && typeof value === "string" ? undefined : value;
  });

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
