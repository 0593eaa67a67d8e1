import { type Domain, registeredDomain } from "../core/domain.ts";
import { withoutSecretLabels } from "./redaction.ts";
import { hostOfSignal, type Signal } from "./signals.ts";
import type { UnmatchedSignal } from "./types.ts";

/** Limit per scan, against pages that name hosts without end. */
const MAX_SIGNALS = 5_000;

/**
 * Collects the signals of one scan that no rule matched. A registered domain counts as matched as soon as a rule matched
 * one of its hosts in a signal of the same kind: vendors use many hosts, and one rule for one of them is enough.
 */
export function createUnmatchedCollector(domain: Pick<Domain, "name">) {
  const unmatched = new Map<string, UnmatchedSignal>();
  const matched = new Set<string>();

  return {
    add(signal: Signal, isMatched: boolean): void {
      const entry = unmatchedSignalOf(signal);
      if (!entry || entry.value === domain.name || registeredDomain(domain.name) === entry.value) return;
      const key = `${entry.kind} ${entry.value}`;
      if (isMatched) matched.add(key);
      else if (!unmatched.has(key) && unmatched.size < MAX_SIGNALS) unmatched.set(key, entry);
    },
    /** Each kind and value once. */
    list: (): readonly UnmatchedSignal[] =>
      [...unmatched].filter(([key]) => !matched.has(key)).map(([, entry]) => entry),
  };
}

/** A signal that would produce this entry again, to check whether the present catalogue matches it. */
export function signalOf({ kind, value, example }: UnmatchedSignal): Signal {
  const location = "queue";
  if (kind === "verification") return { kind: "dns.txt", value: `${value}a1b2c3d4e5f6`, location };
  if (kind === "alias") return { kind: "dns.cname", value: example, location };
  return { kind: "html.script", value: `https://${example}/`, location };
}

function unmatchedSignalOf(signal: Signal): UnmatchedSignal | undefined {
  const { kind, value } = signal;
  if (kind === "dns.txt") {
    const prefix = verificationPrefix(value);
    return prefix === undefined ? undefined : { kind: "verification", value: prefix, example: prefix };
  }
  if (kind !== "html.script" && kind !== "dns.cname") return undefined;
  const host = hostOfSignal(signal);
  const registered = host && registeredDomain(host);
  if (!registered || host.length > 253) return undefined;
  return { kind: kind === "html.script" ? "script" : "alias", value: registered, example: withoutSecretLabels(host) };
}

/** `vendor-site-verification=`, without the token; a sentence is not a verification. */
const PREFIX = /^([a-z][a-z0-9._-]{2,59}[=:])\s{0,3}\S{3,4000}$/i;
/** Policy and key records, which other scanners read. */
const POLICY = /^(?:v|k|p|o|t)=|^v=/i;
/** A prefix that is itself a token. */
const RANDOM = /\d{4,}|[0-9a-f]{16,}/i;

/** The name of a verification record; undefined for any other text. */
export function verificationPrefix(text: string): string | undefined {
  const prefix = PREFIX.exec(text)?.[1]?.toLowerCase();
  return prefix && !POLICY.test(text) && !RANDOM.test(prefix) ? prefix : undefined;
}
