import type { TSchema } from "@sinclair/typebox";
import { problemSchema } from "./schemas.ts";

/** What a status says, whichever operation answers it. */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "The body is not JSON.",
  401: "The key is missing, unknown or revoked.",
  403: "Not from where the request comes from.",
  404: "It does not exist.",
  405: "The path takes other methods; `Allow` names them.",
  406: "The client accepts no type that this path answers.",
  409: "It exists already, or stands at another stage.",
  413: "The body is over 64 KiB.",
  415: "The body is not application/json.",
  422: "Well-formed but invalid; `errors` points at each fault.",
  429: "Over the limit; `Retry-After` says how long to wait.",
  500: "A fault of the service. Nothing of its inside is told; the request id finds it.",
  503: "Starting, stopping, overloaded, or DNS cannot be reached; `Retry-After` says when to ask again.",
};

interface Answer {
  readonly status: number;
  readonly text: string;
  /** Absent when there is no body. */
  readonly schema?: TSchema;
  readonly type?: string;
  /** A GET of JSON has an entity tag unless it says not. */
  readonly tagged?: boolean;
}

/** The OpenAPI detail of a route: its answer, every problem that it may answer with, and what opens it. */
export function openApiDetail(
  operationId: string,
  summary: string,
  tag: string,
  answer: Answer,
  problems: readonly number[] = [],
  options: { readonly scheme?: "key" | "operator" } = {},
) {
  const content = (type: string, schema: TSchema) => ({ [type]: { schema: schema as object } });
  return {
    operationId,
    summary,
    tags: [tag],
    security: options.scheme ? [{ [options.scheme]: [] }] : [],
    responses: {
      [answer.status]: {
        description: answer.text,
        ...(answer.tagged === false ? { uncached: true } : {}),
        ...(answer.schema ? { content: content(answer.type ?? "application/json", answer.schema) } : {}),
      },
      ...Object.fromEntries(
        problems.map((status) => [
          status,
          {
            description: STATUS_TEXT[status] ?? "Problem.",
            content: content("application/problem+json", problemSchema),
          },
        ]),
      ),
    },
  };
}
