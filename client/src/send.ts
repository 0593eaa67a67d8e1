import { CasefileProblem, problemOf } from "./problem.ts";

export interface SendOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Attempts after the first; 0 for none. */
  readonly retries: number;
  /** If the service asks for a longer wait, the problem is thrown instead. */
  readonly mostWaitSeconds: number;
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Statuses after which a retry may succeed. */
const RETRIED = new Set([429, 503]);

/**
 * Sends a request and retries it when the service asks for that.
 *
 * @returns a 2xx response
 * @throws CasefileProblem for any other response, and `server.unreachable` without one; the reason of the signal
 */
export async function send(
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  { fetch, retries, mostWaitSeconds, wait }: SendOptions,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await reach(url, init, signal, fetch);
    if (response.ok) return response;
    const problem = await problemOf(response);
    const seconds = problem.more.retryAfterSeconds ?? 2 ** attempt;
    if (!RETRIED.has(problem.status) || attempt >= retries || seconds > mostWaitSeconds) throw problem;
    await wait(seconds * 1_000, signal);
  }
}

/** Sends a request once. @throws CasefileProblem `server.unreachable` without a response; the reason of the signal */
export function reach(
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  fetch: SendOptions["fetch"],
): Promise<Response> {
  // A redirect would send the API key to another host; the service never redirects.
  const asked: RequestInit = { ...init, redirect: "error", ...(signal ? { signal } : {}) };
  return fetch(url, asked).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw unreachable(url);
  });
}

/** In a browser, a missing response and a response that CORS forbids look the same. */
function unreachable(url: string): CasefileProblem {
  const where = url.replace(/^(\w+:\/\/[^/]*).*$/, "$1");
  // Only browsers have it.
  const page: { readonly href: string; readonly origin: string } | undefined = Reflect.get(globalThis, "location");
  const advice =
    page !== undefined && new URL(url, page.href).origin !== page.origin
      ? `Pages of ${page.origin} cannot read responses of ${where}; serve both under one origin.`
      : `Cannot connect to ${where}; check the address and that the service is running.`;
  return new CasefileProblem(0, "server.unreachable", advice);
}

/** Waits until the time is over or the signal is aborted. @throws the reason of the signal */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", leave, { once: true });
  });
