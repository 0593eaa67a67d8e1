/** One call under way. */
export interface CallInFlight {
  /** Aborted when the client took the call back. */
  readonly signal: AbortSignal;
  leave(): void;
}

export interface CallsInFlight {
  enter(caller: string, id: string | number): CallInFlight;
  /** Ends a call. Nothing happens when the caller has no such call, or two of that id: nobody could tell which is meant. */
  cancel(caller: string, id: string | number): void;
}

/**
 * Calls that another request may cancel. Older revisions take a call back with a message of its own, which over HTTP
 * comes as a request of its own.
 */
export function createCallsInFlight(): CallsInFlight {
  const calls = new Map<string, Set<AbortController>>();
  return {
    enter(caller, id) {
      const name = JSON.stringify([caller, id]);
      const call = new AbortController();
      const same = calls.get(name) ?? new Set();
      calls.set(name, same.add(call));
      return {
        signal: call.signal,
        leave() {
          same.delete(call);
          if (same.size === 0 && calls.get(name) === same) calls.delete(name);
        },
      };
    },
    cancel(caller, id) {
      const [call, ...more] = calls.get(JSON.stringify([caller, id])) ?? [];
      if (more.length === 0) call?.abort(new Error("the client took the call back"));
    },
  };
}
