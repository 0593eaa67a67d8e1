import type { Problem, ProblemCode } from "./schema.ts";

/** What a service refused, in its own words: RFC 9457 problem details. */
export class CasefileProblem extends Error {
  override readonly name = "CasefileProblem";

  /**
   * @param status of the answer; 0 when there was none
   * @param code stable; `http.STATUS` when the answer was no problem of the service, such as a proxy's own page
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
      /** Each fault of an input, by JSON pointer. */
      readonly problems?: readonly { readonly pointer: string; readonly detail: string }[] | undefined;
      /** Slugs that no company has. */
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

/** Longest piece of a foreign error page that is kept. */
const MOST_TEXT = 300;

/** Reads an answer that is not 2xx. */
export async function problemOf(response: Response): Promise<CasefileProblem> {
  const text = await response.text().catch(() => "");
  const retryAfterSeconds = secondsOf(response.headers.get("retry-after"));
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const told = parsed(text);
  if (!told) {
    const detail = `The answer is ${response.status} and no problem of the service: ${text.slice(0, MOST_TEXT)}`;
    return new CasefileProblem(response.status, `http.${response.status}`, detail, { requestId, retryAfterSeconds });
  }
  return new CasefileProblem(response.status, told.code, told.detail, {
    title: told.title,
    requestId: told.request_id,
    problems: told.errors,
    unknown: told.unknown,
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
  // Of a bare "1.5" the parser would make a day in January.
  const at = header.trim().endsWith(" GMT") ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
