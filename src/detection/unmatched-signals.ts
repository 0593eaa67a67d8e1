import { type Domain, registeredDomain } from "../core/domain.ts";
import { SIGNALS, type Signal } from "./signals.ts";
import type { UnmatchedSignal } from "./types.ts";

/** Gathers what one scan saw and no rule knew. */
export interface UnmatchedCollector {
  add(signal: Signal, isKnown: boolean): void;
  /** By kind and value, each once. */
  list(): readonly UnmatchedSignal[];
}

/** A page that names strangers without end. */
const MOST = 5_000;

/**
 * A registered domain is known as soon as a rule knew one of its hosts on the same way of looking: the hosts of a
 * vendor come in crowds, and one rule for one of them will do.
 */
export function createUnmatchedCollector(domain: Pick<Domain, "name">): UnmatchedCollector {
  const seen = new Map<string, UnmatchedSignal>();
  const known = new Set<string>();

  return {
    add(signal, isKnown) {
      const unknown = unknownIn(signal);
      if (!unknown || unknown.value === domain.name || registeredDomain(domain.name) === unknown.value) return;
      const key = `${unknown.kind} ${unknown.value}`;
      if (isKnown) known.add(key);
      else if (!seen.has(key) && seen.size < MOST) seen.set(key, unknown);
    },
    list: () => [...seen].filter(([key]) => !known.has(key)).map(([, unknown]) => unknown),
  };
}

/** The signal as which an entry of the queue would come again: to learn whether a rule knows it by now. */
export function signalOf({ kind, value, example }: UnmatchedSignal): Signal {
  const location = "queue";
  if (kind === "verification") return { kind: "dns.txt", value: `${value}a1b2c3d4e5f6`, location };
  if (kind === "alias") return { kind: "dns.cname", value: example, location };
  return { kind: "html.script", value: `https://${example}/`, location };
}

function unknownIn({ kind, value }: Signal): UnmatchedSignal | undefined {
  if (kind === "dns.txt") {
    const start = verificationStart(value);
    return start === undefined ? undefined : { kind: "verification", value: start, example: start };
  }
  const unknownKind = kind === "html.script" ? "script" : kind === "dns.cname" ? "alias" : undefined;
  if (!unknownKind) return undefined;
  const host = (SIGNALS[kind].shape === "url" ? URL.parse(value)?.hostname : value)?.toLowerCase();
  const registered = host && registeredDomain(host);
  return registered && host.length <= 253 ? { kind: unknownKind, value: registered, example: host } : undefined;
}

/** `vendor-site-verification=`, and nothing of what follows it; words that a person wrote are no verification. */
const START = /^([a-z][a-z0-9._-]{2,59}[=:])\s{0,3}\S{3,4000}$/i;
/** Records of their own, which have scanners of their own. */
const POLICY = /^(?:v|k|p|o|t)=|^v=/i;
/** A label or a key that is as random as what follows it. */
const RANDOM = /\d{4,}|[0-9a-f]{16,}/i;

function verificationStart(text: string): string | undefined {
  const start = START.exec(text)?.[1]?.toLowerCase();
  return start && !POLICY.test(text) && !RANDOM.test(start) ? start : undefined;
}
