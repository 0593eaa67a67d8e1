import { useEffect, useState } from "preact/hooks";
import { ApiError, request } from "./api-client.ts";
import type { ServiceInfo } from "./api-types.ts";
import { isReturning } from "./router.ts";

export type QueryState<T> =
  | { readonly state: "loading"; readonly previous: T | undefined }
  | { readonly state: "loaded"; readonly data: T }
  | { readonly state: "failed"; readonly error: ApiError };

/** Data of this tab by name, for Back. */
const kept = new Map<string, unknown>();
const MAX_KEPT = 40;

/** @param name unique in the console, with whose key it was loaded */
export function keep(name: string, data: unknown): void {
  kept.delete(name);
  kept.set(name, data);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
}

/** What was kept, when the page was reached by Back or Forward. */
export const recall = <T>(name: string | undefined): T | undefined =>
  name !== undefined && isReturning() ? (kept.get(name) as T | undefined) : undefined;

/**
 * Loads data when the page is shown and whenever one of `inputs` changes. The previous result stays available while the
 * next one loads, so that the page does not flicker.
 *
 * @param load null loads nothing
 * @param name keeps the data under it: Back then shows the same again and does not ask, which would count as a request
 * @returns the state, and a function that loads the data again
 */
export function useQuery<T>(
  load: ((signal: AbortSignal) => Promise<T>) | null,
  inputs: readonly unknown[],
  name?: string,
): readonly [QueryState<T>, () => void] {
  const [result, setResult] = useState<QueryState<T>>(() => {
    const data = recall<T>(name);
    return data === undefined ? { state: "loading", previous: undefined } : { state: "loaded", data };
  });
  const [turn, setTurn] = useState(0);
  // `load` is a new function on every render, so it is not a dependency.
  useEffect(() => {
    if (!load) return;
    const before = turn === 0 ? recall<T>(name) : undefined;
    if (before !== undefined) {
      setResult((now) => (now.state === "loaded" && now.data === before ? now : { state: "loaded", data: before }));
      return;
    }
    const controller = new AbortController();
    setResult((before) => ({ state: "loading", previous: before.state === "loaded" ? before.data : undefined }));
    load(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return;
        if (name !== undefined) keep(name, data);
        setResult({ state: "loaded", data });
      },
      (error) => {
        if (!controller.signal.aborted) setResult({ state: "failed", error: toApiError(error) });
      },
    );
    return () => controller.abort();
  }, [...inputs, turn]);
  return [result, () => setTurn((before) => before + 1)];
}

/** An error of the page itself is shown too, but not as one of the service. */
export const toApiError = (error: unknown): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError(-1, {
        title: "This page failed",
        detail: "Reload the page. If that does not help, contact the operator.",
      });

export interface Mutation {
  readonly busy: boolean;
  readonly error: ApiError | null;
  /** Runs the work; false when it failed. */
  run(work: () => Promise<unknown>): Promise<boolean>;
}

/** Tracks a request that changes something: whether it is running, and why it failed. */
export function useMutation(): Mutation {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  return {
    busy,
    error,
    async run(work) {
      setBusy(true);
      setError(null);
      try {
        await work();
        return true;
      } catch (failure) {
        setError(toApiError(failure));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

let info: Promise<ServiceInfo> | undefined;

/** What an older node does not answer yet: while a service is updated, the nodes behind it differ. */
const ABSENT: Omit<ServiceInfo, "version" | "stats"> = {
  sign_up: "open",
  sign_up_domains: [],
  index_hidden: false,
  areas: [],
  signals: {},
  examples: [],
  preview: null,
  case_studies: [],
};

/** What every page may need to know about the service, requested once. */
export function serviceInfo(): Promise<ServiceInfo> {
  info ??= request<ServiceInfo>("/console/start").then(
    (answer) => ({ ...ABSENT, ...answer }),
    (error) => {
      info = undefined;
      throw error;
    },
  );
  return info;
}
