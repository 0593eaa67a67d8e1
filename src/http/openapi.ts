import type { TSchema } from "@sinclair/typebox";
import { problemSchema } from "./schemas.ts";

/** Descriptions of error statuses, for all operations. */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "The body is not JSON.",
  401: "The key is missing, unknown or revoked.",
  403: "Not allowed from this address or origin.",
  404: "Not found.",
  405: "The path has other methods; see `Allow`.",
  406: "`Accept` does not include the type of the response.",
  409: "It exists already, or its state does not allow this.",
  413: "The body is over 64 KiB.",
  415: "The body is not application/json.",
  421: "The `Host` header has a name that the service does not know.",
  422: "Invalid input; `errors` lists each problem.",
  429: "Over the limit; wait for `Retry-After` seconds.",
  500: "Internal error. Search the log for the request id.",
  503: "Starting, stopping, overloaded, or DNS is unreachable; retry after `Retry-After` seconds.",
};

interface Answer {
  readonly status: number;
  readonly text: string;
  /** Absent if there is no body. */
  readonly schema?: TSchema;
  readonly type?: string;
  /** Media types of the same content as a file. */
  readonly files?: readonly string[];
  /** Whether a GET has an entity tag; true by default. */
  readonly tagged?: boolean;
}

/** The OpenAPI detail of a route: its response, its problems, and the authentication it needs. */
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
        ...(answer.schema
          ? {
              content: {
                ...content(answer.type ?? "application/json", answer.schema),
                ...Object.fromEntries((answer.files ?? []).map((type) => [type, { schema: { type: "string" } }])),
              },
            }
          : {}),
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
