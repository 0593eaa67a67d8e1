import type { Scanner } from "../../../src/detection/scanners/scanner.ts";
import type { Signal } from "../../../src/detection/signals.ts";
import type { Visit } from "../../../src/detection/visit/visit.ts";
import { type Facts, fakeVisit } from "./fake-visit.ts";

/** What a scanner emits about the facts, each as `kind value @ location`, sorted. */
export async function seenBy(scanner: Scanner, facts: Facts): Promise<string[]> {
  const seen: string[] = [];
  await scanner.scan(fakeVisit(facts), ({ kind, value, location }) => seen.push(`${kind} ${value} @ ${location}`));
  return seen.sort();
}

/** The signals that a scanner emits for a visit, in order. */
export async function emittedBy(scanner: Scanner, visit: Visit): Promise<Signal[]> {
  const signals: Signal[] = [];
  await scanner.scan(visit, (signal) => signals.push(signal));
  return signals;
}
