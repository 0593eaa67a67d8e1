import { useEffect, useState } from "preact/hooks";
import type { Level } from "../../../detection/levels.ts";
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

/** Levels of confidence, the best first. */
export const LEVELS = ["confirmed", "likely", "possible"] as const satisfies readonly Level[];

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
  let last: StreamEvent | undefined;
  for await (const event of streamEvents(`/v1/enrich-stream/${name}${rescan ? "?max_age=0" : ""}`, signal)) {
    last = event;
    onEvent(event);
  }
  const result = await request<Enrichment>(
    `/v1/enrich/${name}?include=evidence,sources,third_parties&max_age=any&min_confidence=possible`,
    { signal },
  );
  // With any age accepted, only the stream says that the result could not be renewed.
  return last?.stale && last.stale_reason !== undefined
    ? { ...result, stale: true, stale_reason: last.stale_reason }
    : result;
}

/** The part of a result that has at least this level. */
export function atLevel(result: Enrichment, least: Level): Enrichment {
  const wanted = LEVELS.slice(0, LEVELS.indexOf(least) + 1);
  const tools = result.tools.filter(({ level }) => level === undefined || wanted.includes(level));
  const byCategory = Map.groupBy(tools, ({ category }) => category);
  return {
    ...result,
    tools,
    tools_detected: tools.length,
    by_category: Object.fromEntries(
      [...byCategory].map(([category, members]) => [category, members.map(({ tool }) => tool)]),
    ),
  };
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
