import { CasefileProblem, problemOf } from "./problem.ts";

export interface SendOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Attempts after the first; 0 for none. */
  readonly retries: number;
  /** A longer wait than this is not waited: the problem is thrown with its seconds. */
  readonly mostWaitSeconds: number;
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Statuses after which the same request may go well: busy, starting, or over a limit. */
const AGAIN = new Set([429, 503]);

/**
 * Sends a request, again when the service says when to ask again.
 *
 * @returns an answer of 2xx
 * @throws CasefileProblem for any other, and `server.unreachable` when nothing answers; the signal's reason
 */
export async function send(
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  { fetch, retries, mostWaitSeconds, wait }: SendOptions,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    // A redirect would take the key to a host that nobody chose; the service has none.
    const asked: RequestInit = { ...init, redirect: "error", ...(signal ? { signal } : {}) };
    const response = await fetch(url, asked).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw unreachable(url);
    });
    if (response.ok) return response;
    const problem = await problemOf(response);
    const seconds = problem.more.retryAfterSeconds ?? 2 ** attempt;
    if (!AGAIN.has(problem.status) || attempt >= retries || seconds > mostWaitSeconds) throw problem;
    await wait(seconds * 1_000, signal);
  }
}

/** A browser does not tell whether nothing answers or whether the page may not read the answer. */
function unreachable(url: string): CasefileProblem {
  const where = url.replace(/^(\w+:\/\/[^/]*).*$/, "$1");
  // Only in a browser is there one.
  const page: { readonly href: string; readonly origin: string } | undefined = Reflect.get(globalThis, "location");
  const advice =
    page !== undefined && new URL(url, page.href).origin !== page.origin
      ? `A page of ${page.origin} cannot read what ${where} answers; serve both under one origin.`
      : `Nothing answers at ${where}; check the address, and that the service runs.`;
  return new CasefileProblem(0, "server.unreachable", advice);
}

/** Waits, and no longer than until the signal is aborted. @throws the signal's reason */
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
