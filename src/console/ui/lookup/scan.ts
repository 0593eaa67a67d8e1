import { useEffect, useState } from "preact/hooks";
import type { Phase } from "../../../detection/types.ts";
import { ApiError, requestWithKey, streamEvents } from "../api-client.ts";
import type { Lookup, StreamEvent } from "../api-types.ts";
import { setCompanyIcon } from "../company-icons.ts";
import { apiKey } from "../credentials.ts";
import { addRecent } from "../device-lists.ts";
import { useObservable } from "../observable.ts";
import { toApiError } from "../queries.ts";
import { isReturning } from "../router.ts";

/** The phases of a scan, in the order in which they usually end. */
export const PHASES = [
  "identity",
  "website",
  "hosting",
  "subdomains",
  "hiring",
  "disclosures",
] as const satisfies readonly Phase[];

export interface RunningScan {
  readonly phase: (typeof PHASES)[number];
  /** Names and categories of the tools detected so far. */
  readonly tools: StreamEvent["tools"];
}

export interface LookupState {
  /** The stored result; null until it has arrived, or when there is none. */
  readonly lookup: Lookup | null;
  readonly scan: RunningScan | null;
  /** Tools that a scan detected before it was interrupted; only when nothing is stored. */
  readonly partial: StreamEvent["tools"];
  /** Why the look-up or a scan failed. */
  readonly error: ApiError | null;
  /** Names of the tools that a rescan of this page added. */
  readonly fresh: ReadonlySet<string>;
}

const INITIAL: LookupState = { lookup: null, scan: null, partial: [], error: null, fresh: new Set() };
/** Results of this tab by domain: Back shows one at once, and counts no request. */
const seen = new Map<string, LookupState>();
const MAX_SEEN = 20;

/**
 * Shows the stored result of a domain, and scans it when there is none or when a rescan is wanted. The stored result stays
 * while the scan runs and when it fails.
 *
 * @returns the state, and a function that rescans
 */
export function useLookup(domain: string): readonly [LookupState, () => void] {
  const key = useObservable(apiKey);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<LookupState>(() => (isReturning() && seen.get(domain)) || INITIAL);
  useEffect(() => {
    if (turn === 0 && state.lookup) return;
    const controller = new AbortController();
    const update = (change: (before: LookupState) => LookupState) => {
      if (!controller.signal.aborted) setState(change);
    };
    run(domain, turn > 0, controller.signal, update).catch((error) =>
      update((before) => ({
        ...before,
        scan: null,
        partial: before.lookup ? [] : (before.scan?.tools ?? []),
        error: toApiError(error),
      })),
    );
    return () => controller.abort();
  }, [domain, turn, key]);
  useEffect(() => {
    if (!state.lookup) return;
    addRecent(state.lookup.result.domain);
    if (seen.size >= MAX_SEEN) seen.clear();
    seen.set(domain, { ...state, scan: null });
  }, [state.lookup]);
  return [state, () => setTurn((before) => before + 1)];
}

/** An older node may not answer all parts. */
function completed(lookup: Lookup | null): Lookup | null {
  if (!lookup) return null;
  const { icon = null, about = [], history = null, result } = lookup as Pick<Lookup, "result"> & Partial<Lookup>;
  setCompanyIcon(result.domain, icon);
  return { icon, about, history, result };
}

async function run(
  domain: string,
  rescan: boolean,
  signal: AbortSignal,
  update: (change: (before: LookupState) => LookupState) => void,
): Promise<void> {
  update((before) => ({ ...before, error: null, partial: [] }));
  const name = encodeURIComponent(domain);
  const load = async () =>
    completed((await requestWithKey<{ lookup: Lookup | null }>(`/console/lookup/${name}`, { signal })).lookup);
  if (!rescan) {
    const lookup = await load();
    if (lookup) return update((before) => ({ ...before, lookup }));
  }
  update((before) => ({ ...before, scan: { phase: "identity", tools: [] } }));
  let last: StreamEvent | undefined;
  for await (const event of streamEvents(`/v1/enrich-stream/${name}${rescan ? "?max_age=0" : ""}`, signal)) {
    last = event;
    const phase = PHASES.find((each) => each === event.phase);
    update((before) => ({
      ...before,
      scan: { phase: phase ?? before.scan?.phase ?? "identity", tools: event.tools },
    }));
  }
  const lookup = await load();
  const failed = last?.stale_reason;
  update((before) => {
    const known = new Set(before.lookup?.result.tools.map(({ tool }) => tool));
    const added = before.lookup ? (lookup?.result.tools ?? []).filter(({ tool }) => !known.has(tool)) : [];
    return {
      lookup: lookup ?? before.lookup,
      scan: null,
      partial: [],
      // A stored result that could not be renewed is not an error of the request.
      error: failed === undefined ? null : new ApiError(0, { title: "Rescan failed", detail: failed }),
      fresh: new Set(added.map(({ tool }) => tool)),
    };
  });
}
