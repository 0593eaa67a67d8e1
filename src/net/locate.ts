import { isIP } from "node:net";
import type { DnsAnswer } from "../vocabulary/snapshot.ts";
import type { Policy } from "./policy.ts";
import type { Resolver } from "./resolver.ts";

/** Addresses that a socket may be opened to, in the order of trying; or why there is none. */
export type Location =
  | { readonly addresses: readonly [string, ...string[]] }
  | { readonly status: "failed" | "timeout" | "refused"; readonly detail: string };

/** How many addresses of one host are tried before it counts as down. */
const MAX_ADDRESSES = 3;

/**
 * Looks a host up once and vets what comes back. Whoever connects must use these addresses and not the name:
 * a second look-up could answer with another one.
 */
export async function locate(
  host: string,
  policy: Policy,
  resolver: Pick<Resolver, "lookup">,
  signal: AbortSignal,
): Promise<Location> {
  const literal = host.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0) return choose([literal], policy) ?? refused(literal);
  const answers = await Promise.all([resolver.lookup(host, "A", signal), resolver.lookup(host, "AAAA", signal)]);
  // IPv4 first: a host without an IPv6 route is common, one without IPv4 is not.
  const found = answers.flatMap((answer) =>
    answer.records.flatMap(({ type, value }) => (type === "A" || type === "AAAA" ? value : [])),
  );
  const [first] = found;
  if (first !== undefined) return choose(found, policy) ?? refused(first);
  return unanswered(host, answers);
}

function choose(found: readonly string[], policy: Policy): Location | undefined {
  const [first, ...rest] = found.filter((ip) => policy.addressAllowed(ip));
  return first === undefined ? undefined : { addresses: [first, ...rest.slice(0, MAX_ADDRESSES - 1)] };
}

function refused(ip: string): Location {
  return { status: "refused", detail: `the address ${ip} is not allowed` };
}

function unanswered(host: string, answers: readonly DnsAnswer[]): Location {
  const open = answers.find(({ status }) => status === "timeout") ?? answers.find(({ status }) => status === "failed");
  const detail = open?.detail ?? `${host.slice(0, 253)} has no address`;
  return { status: open?.status === "timeout" ? "timeout" : "failed", detail };
}
