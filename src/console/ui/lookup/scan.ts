import { useEffect, useState } from "preact/hooks";
import type { Phase } from "../../../detection/types.ts";
import { apiKey } from "../api-key.ts";
import type { Enrichment, StreamEvent, Tool } from "../api-types.ts";
import { ask, type Refusal, stream } from "../ask.ts";
import { useObservable } from "../observable.ts";
import { refusalOf } from "../use-answer.ts";

/** In the order in which they normally end. */
export const PHASES = [
  "identity",
  "website",
  "hosting",
  "subdomains",
  "hiring",
  "disclosures",
] as const satisfies readonly Phase[];

export interface Scan {
  /** Names and categories while the scan runs; with evidence when it is over. */
  readonly tools: readonly Tool[];
  /** The phase that is under way; null when none is. */
  readonly phase: Phase | null;
  /** Tools that were new when a phase was told. */
  readonly found: Readonly<Partial<Record<Phase, number>>>;
  readonly result: Enrichment | null;
  readonly refusal: Refusal | null;
}

const BEGINNING: Scan = { tools: [], phase: "identity", found: {}, result: null, refusal: null };

/** A century: what is stored is shown, however old it is. */
const ANY_AGE = 99_999_999;

/**
 * Looks a company up: the stream first, so that tools show as they are found, then the whole result, which is stored by
 * then. A recorded example is told to anyone.
 *
 * @param turn 0 accepts a stored result; each later turn looks anew
 */
export function useScan(domain: string, example: boolean, turn: number): Scan {
  const key = useObservable(apiKey);
  const [scan, show] = useState<Scan>(BEGINNING);
  useEffect(() => {
    const patience = new AbortController();
    const tell = (change: (before: Scan) => Scan) => {
      if (!patience.signal.aborted) show(change);
    };
    show(BEGINNING);
    run(domain, example && turn === 0, turn > 0, patience.signal, (event) =>
      tell((before) => after(before, event)),
    ).then(
      (result) => tell((before) => ({ ...before, phase: null, tools: result.tools, result })),
      (error) => tell((before) => ({ ...before, phase: null, refusal: refusalOf(error) })),
    );
    return () => patience.abort();
  }, [domain, example, turn, key]);
  return scan;
}

async function run(
  domain: string,
  example: boolean,
  anew: boolean,
  signal: AbortSignal,
  heard: (event: StreamEvent) => void,
): Promise<Enrichment> {
  const name = encodeURIComponent(domain);
  if (example) return ask(`/console/example/${name}`, { signal });
  for await (const event of stream(`/v1/enrich-stream/${name}${anew ? "?max_age=0" : ""}`, signal)) heard(event);
  return ask(`/v1/enrich/${name}?include=evidence,sources&max_age=${ANY_AGE}`, { signal });
}

function after(before: Scan, { phase, tools }: StreamEvent): Scan {
  const at = PHASES.find((name) => name === phase) ?? null;
  const news = tools.length - before.tools.length;
  return {
    ...before,
    tools,
    phase: at ?? before.phase,
    found: at ? { ...before.found, [at]: (before.found[at] ?? 0) + news } : before.found,
  };
}
