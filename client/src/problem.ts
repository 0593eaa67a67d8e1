import type { Problem, ProblemCode } from "./schema.ts";

/** An error response of the service: RFC 9457 problem details. */
export class CasefileProblem extends Error {
  override readonly name = "CasefileProblem";

  /**
   * @param status of the response; 0 if there was none
   * @param code stable; `http.STATUS` when the response is not a problem of the service, such as an error page of a proxy
   * @param detail one sentence that says what to do
   */
  constructor(
    readonly status: number,
    readonly code: ProblemCode | (string & {}),
    readonly detail: string,
    readonly more: {
      readonly title?: string | undefined;
      /** Finds the request in the log of the service. */
      readonly requestId?: string | undefined;
      /** Invalid fields, by JSON pointer. */
      readonly problems?: readonly { readonly pointer: string; readonly detail: string }[] | undefined;
      /** Unknown slugs. */
      readonly unknown?: readonly string[] | undefined;
      /** Seconds to wait, as the service says. */
      readonly retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(detail);
  }

  get problems(): readonly { readonly pointer: string; readonly detail: string }[] {
    return this.more.problems ?? [];
  }
}

/** Characters of a foreign error page that are kept. */
const MAX_TEXT = 300;

/** Reads a response that is not 2xx. */
export async function problemOf(response: Response): Promise<CasefileProblem> {
  const text = await response.text().catch(() => "");
  const retryAfterSeconds = secondsOf(response.headers.get("retry-after"));
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const problem = parsed(text);
  if (!problem) {
    const detail = `Unexpected response with status ${response.status}: ${text.slice(0, MAX_TEXT)}`;
    return new CasefileProblem(response.status, `http.${response.status}`, detail, { requestId, retryAfterSeconds });
  }
  return new CasefileProblem(response.status, problem.code, problem.detail, {
    title: problem.title,
    requestId: problem.request_id,
    problems: problem.errors,
    unknown: problem.unknown,
    retryAfterSeconds,
  });
}

function parsed(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isProblem(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" &&
  value !== null &&
  ["code", "detail", "title"].every((name) => typeof Reflect.get(value, name) === "string");

/** Seconds of a `Retry-After`, which may be a number or a date in GMT. */
export function secondsOf(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  // Date.parse would read a bare "1.5" as a day in January.
  const at = header.trim().endsWith(" GMT") ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
