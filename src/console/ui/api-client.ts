import type { ProblemBody, StreamEvent } from "./api-types.ts";
import { apiKey, quota, signedIn } from "./credentials.ts";

/** An error response (RFC 9457); status 0 when the service could not be reached. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly problem: Partial<ProblemBody>,
    /** Seconds. */
    readonly retryAfter: number | null = null,
  ) {
    super(problem.detail ?? "The service sent a response that this page cannot read.");
  }
  /** What is wrong with one field of the request, by its JSON pointer. */
  fieldError(pointer: string): string | undefined {
    return this.problem.errors?.find((error) => error.pointer === pointer)?.detail;
  }
}

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly json?: unknown;
  /** A body that is not JSON; its type is in `headers`. */
  readonly body?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const OFFLINE = {
  title: "No connection",
  detail: "Cannot reach the service. Check that it is running and that this device is connected, then try again.",
};

/** Sends every request of the console, only to the service that serves the console. */
async function send(path: string, { method, json, body, headers, signal }: RequestOptions): Promise<Response> {
  const key = apiKey.get();
  let response: Response;
  try {
    response = await fetch(path, {
      method: method ?? (json === undefined && body === undefined ? "GET" : "POST"),
      credentials: "same-origin",
      headers: {
        ...(key && path.startsWith("/v1/") ? { "x-api-key": key } : {}),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, OFFLINE);
  }
  readQuota(response.headers);
  if (response.ok) return response;
  const seconds = Number(response.headers.get("retry-after") ?? "");
  const problem = parseProblem(await response.text());
  throw new ApiError(response.status, problem, Number.isFinite(seconds) && seconds > 0 ? seconds : null);
}

/** @throws ApiError, or the signal's reason */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  return response.status === 204 ? (undefined as T) : await response.json();
}

/** A response that is not JSON. @throws ApiError, or the signal's reason */
export async function requestFile(path: string, options: RequestOptions = {}): Promise<Blob> {
  return await (await send(path, options)).blob();
}

/** Requests with the operator's session. The header proves that no other site sent the request. */
export async function requestAsOperator<T>(path: string, options: RequestOptions = {}): Promise<T> {
  try {
    return await request<T>(path, { ...options, headers: { ...options.headers, "x-casefile-console": "1" } });
  } catch (error) {
    // The session has expired: the page shows the sign-in form.
    if (error instanceof ApiError && error.status === 401) signedIn.set(false);
    throw error;
  }
}

/** For the few paths under `/console/` that need the API key and do not count against the quota. */
export function requestWithKey<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const key = apiKey.get();
  return request(path, { ...options, headers: { ...options.headers, ...(key ? { "x-api-key": key } : {}) } });
}

/**
 * Yields the events of a scan as they arrive. `EventSource` cannot send the key.
 *
 * @throws ApiError, also when the stream ends before the event with `done: true`
 */
export async function* streamEvents(path: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const response = await send(path, { headers: { accept: "text/event-stream" }, signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  try {
    while (reader) {
      const { value, done } = await reader.read();
      if (done) break;
      buffer += value;
      const events = buffer.split("\n\n");
      buffer = events.pop() ?? "";
      for (const text of events) {
        const data = /^data: (.*)$/m.exec(text)?.[1];
        if (data === undefined) continue;
        const event: StreamEvent = JSON.parse(data);
        yield event;
        if (event.done) return;
      }
    }
  } catch (error) {
    if (signal.aborted || error instanceof ApiError) throw error;
    throw new ApiError(0, OFFLINE);
  } finally {
    await reader?.cancel().catch(() => {});
  }
  throw new ApiError(0, {
    title: "Scan interrupted",
    detail: "The connection closed before the scan ended. Try again.",
  });
}

function parseProblem(text: string): Partial<ProblemBody> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function readQuota(headers: Headers): void {
  const left = /r=(\d+);t=(\d+)/.exec(headers.get("ratelimit") ?? "");
  const limit = /q=(\d+)/.exec(headers.get("ratelimit-policy") ?? "")?.[1];
  if (left && limit) quota.set({ limit: Number(limit), remaining: Number(left[1]), reset: Number(left[2]) });
}
