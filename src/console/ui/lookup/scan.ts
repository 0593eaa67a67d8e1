import { useEffect, useState } from "preact/hooks";
import type { Phase } from "../../../detection/types.ts";
import { type ApiError, request, streamEvents } from "../api-client.ts";
import type { Enrichment, StreamEvent, Tool } from "../api-types.ts";
import { apiKey } from "../credentials.ts";
import { useObservable } from "../observable.ts";
import { toApiError } from "../queries.ts";

/** The phases of a scan, in the order in which they usually end. */
export const PHASES = [
  "identity",
  "website",
  "hosting",
  "subdomains",
  "hiring",
  "disclosures",
] as const satisfies readonly Phase[];

export interface Scan {
  /** Only names and categories while the scan runs; with evidence when it has ended. */
  readonly tools: readonly Tool[];
  /** The running phase; null before and after the scan. */
  readonly phase: Phase | null;
  /** New tools by phase. */
  readonly found: Readonly<Partial<Record<Phase, number>>>;
  readonly result: Enrichment | null;
  readonly error: ApiError | null;
}

const INITIAL_SCAN: Scan = { tools: [], phase: "identity", found: {}, result: null, error: null };

/** Seconds: a stored result is shown however old it is. */
const ANY_AGE = 99_999_999;

/**
 * Scans a domain: streams the events, so that tools appear as they are detected, then loads the stored result with its
 * evidence. A recorded example needs no key.
 *
 * @param turn 0 accepts a cached result; every later value forces a new scan
 */
export function useScan(domain: string, example: boolean, turn: number): Scan {
  const key = useObservable(apiKey);
  const [scan, setScan] = useState<Scan>(INITIAL_SCAN);
  useEffect(() => {
    const controller = new AbortController();
    const update = (change: (before: Scan) => Scan) => {
      if (!controller.signal.aborted) setScan(change);
    };
    setScan(INITIAL_SCAN);
    runScan(domain, example && turn === 0, turn > 0, controller.signal, (event) =>
      update((before) => applyEvent(before, event)),
    ).then(
      (result) => update((before) => ({ ...before, phase: null, tools: result.tools, result })),
      (error) => update((before) => ({ ...before, phase: null, error: toApiError(error) })),
    );
    return () => controller.abort();
  }, [domain, example, turn, key]);
  return scan;
}

async function runScan(
  domain: string,
  example: boolean,
  rescan: boolean,
  signal: AbortSignal,
  onEvent: (event: StreamEvent) => void,
): Promise<Enrichment> {
  const name = encodeURIComponent(domain);
  if (example) return request(`/console/example/${name}`, { signal });
  for await (const event of streamEvents(`/v1/enrich-stream/${name}${rescan ? "?max_age=0" : ""}`, signal))
    onEvent(event);
  return request(`/v1/enrich/${name}?include=evidence,sources&max_age=${ANY_AGE}`, { signal });
}

function applyEvent(before: Scan, { phase, tools }: StreamEvent): Scan {
  const known = PHASES.find((name) => name === phase) ?? null;
  const added = tools.length - before.tools.length;
  return {
    ...before,
    tools,
    phase: known ?? before.phase,
    found: known ? { ...before.found, [known]: (before.found[known] ?? 0) + added } : before.found,
  };
}
