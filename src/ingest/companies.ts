import { joinSnapshots } from "../detection/visit/join.ts";
import type { Snapshot } from "../net/snapshot.ts";

/** Detection reads so many pages of one recording. */
const PAGES = 20;
const CHARACTERS = 8 * 1_048_576;
const PARTS = 1_000;

/** Collects the records of each company, format and day, which become one recording. */
export interface Collector {
  add(snapshot: Snapshot): void;
  /** A recording that has as many pages as one may have. */
  full(): Snapshot | undefined;
  /** Whether the memory for records is used up. */
  isFull(): boolean;
  /** Removes and returns all recordings. */
  drain(): Snapshot[];
}

export function createCollector(capturedAt: string, now: () => number): Collector {
  const groups = new Map<string, { parts: [Snapshot, ...Snapshot[]]; pages: number }>();
  let characters = 0;
  let parts = 0;
  const joined = (key: string): Snapshot | undefined => {
    const group = groups.get(key);
    if (!group) return undefined;
    groups.delete(key);
    const [first, ...rest] = group.parts;
    return rest.length === 0 ? first : { ...joinSnapshots(group.parts), origin: first.origin };
  };
  let fullKey: string | undefined;
  return {
    add(given) {
      const snapshot = dated(given, capturedAt, now());
      const key = `${snapshot.domain} ${snapshot.origin} ${snapshot.captured_at.slice(0, 10)}`;
      const group = groups.get(key);
      if (group) group.parts.push(snapshot);
      else groups.set(key, { parts: [snapshot], pages: 0 });
      const known = groups.get(key);
      if (known) known.pages += snapshot.http.length;
      parts += 1;
      characters += snapshot.http.reduce((sum, { body }) => sum + body.length, 0);
      if ((known?.pages ?? 0) >= PAGES) fullKey = key;
    },
    full() {
      const key = fullKey;
      fullKey = undefined;
      return key === undefined ? undefined : joined(key);
    },
    isFull: () => characters >= CHARACTERS || parts >= PARTS,
    drain() {
      const all = [...groups.keys()].flatMap((key) => joined(key) ?? []);
      characters = 0;
      parts = 0;
      return all;
    },
  };
}

const EARLIEST = "1990";
const DAY_MS = 86_400_000;

/** With a date that can be true: history is built on it. A capture of Casefile itself is a recording like any other. */
function dated(snapshot: Snapshot, capturedAt: string, now: number): Snapshot {
  const at = new Date(snapshot.captured_at).toISOString();
  const isPlausible = at > EARLIEST && /^\d{4}-/.test(at) && Date.parse(at) <= now + DAY_MS;
  const origin = snapshot.origin.startsWith("casefile ") ? "snapshot" : snapshot.origin;
  return { ...snapshot, origin, captured_at: isPlausible ? at : capturedAt };
}
