import { apiKey, quota } from "./api-key.ts";
import type { ProblemBody, StreamEvent } from "./api-types.ts";
import { signedIn } from "./operator/signed-in.ts";

/** Why an answer is none; status 0 when the service could not be reached. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: Partial<ProblemBody>,
    readonly retryAfter: number | null = null,
  ) {
    super(problem.detail ?? "The service gave an answer that this page does not understand.");
    this.name = "Refusal";
  }
  /** What is wrong with one field of what was sent. */
  at(pointer: string): string | undefined {
    return this.problem.errors?.find((error) => error.pointer === pointer)?.detail;
  }
}

export interface Asked {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const OFFLINE = {
  title: "No connection",
  detail: "The service cannot be reached. Check that it runs and that this device is connected, then try again.",
};

/** Every question of the console goes through here, and only to the service that served it. */
async function send(path: string, { method, json, headers, signal }: Asked): Promise<Response> {
  const key = apiKey.get();
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: method ?? (json === undefined ? "GET" : "POST"),
      credentials: "same-origin",
      headers: {
        ...(key && path.startsWith("/v1/") ? { "x-api-key": key } : {}),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(0, OFFLINE);
  }
  readQuota(answer.headers);
  if (answer.ok) return answer;
  const text = await answer.text();
  const seconds = Number(answer.headers.get("retry-after") ?? "");
  throw new Refusal(answer.status, problemIn(text), Number.isFinite(seconds) && seconds > 0 ? seconds : null);
}

/** @throws Refusal, or the signal's reason */
export async function ask<T>(path: string, asked: Asked = {}): Promise<T> {
  const answer = await send(path, asked);
  return answer.status === 204 ? (undefined as T) : await answer.json();
}

/** For the operator: the mark tells the service that no other site's page asks. */
export async function askAsOperator<T>(path: string, asked: Asked = {}): Promise<T> {
  try {
    return await ask<T>(path, { ...asked, headers: { ...asked.headers, "x-casefile-console": "1" } });
  } catch (error) {
    // The session is over: the page asks to sign in again.
    if (error instanceof Refusal && error.status === 401) signedIn.set(false);
    throw error;
  }
}

/** For the few answers of the console that need the key and do not count. */
export const askKeyed = <T>(path: string, asked: Asked = {}): Promise<T> =>
  ask(path, { ...asked, headers: { ...asked.headers, ...(apiKey.get() ? { "x-api-key": apiKey.get() ?? "" } : {}) } });

/**
 * The events of a scan, as they come. `EventSource` cannot send a key.
 *
 * @throws Refusal, also when the stream ends before it says that it is done
 */
export async function* stream(path: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const answer = await send(path, { headers: { accept: "text/event-stream" }, signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  try {
    while (reader) {
      const { value, done } = await reader.read();
      if (done) break;
      waiting += value;
      const events = waiting.split("\n\n");
      waiting = events.pop() ?? "";
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data === undefined) continue;
        const told: StreamEvent = JSON.parse(data);
        yield told;
        if (told.done) return;
      }
    }
  } catch (error) {
    if (signal.aborted || error instanceof Refusal) throw error;
    throw new Refusal(0, OFFLINE);
  } finally {
    await reader?.cancel().catch(() => {});
  }
  throw new Refusal(0, { title: "The scan broke off", detail: "The stream ended before the scan did. Try again." });
}

function problemIn(text: string): Partial<ProblemBody> {
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
