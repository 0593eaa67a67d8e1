import ipaddr from "ipaddr.js";
import { Failure } from "../vocabulary/failure.ts";

/** Limits calls that carry no key, by the address of the client. Kept in memory: a restart forgets. */
export interface ClientLimits {
  /**
   * Counts one call. A refused call does not count, so that a client that waits as told gets through.
   *
   * @throws Failure `rate.exceeded` with `retryAfterSeconds`
   */
  take(address: string): void;
}

export interface ClientLimitsOptions {
  /** Calls in any span of one hour. */
  readonly perHour: number;
  readonly clock: () => Date;
  /** Clients remembered at once; past it the one that was seen longest ago is forgotten. */
  readonly maxClients?: number;
}

const HOUR_MS = 3_600_000;

export function createClientLimits({ perHour, clock, maxClients = 10_000 }: ClientLimitsOptions): ClientLimits {
  /** Times of the calls of the last hour, oldest first; the client that was seen longest ago stands first. */
  const calls = new Map<string, number[]>();

  return {
    take(address) {
      const client = clientOf(address);
      const now = clock().getTime();
      const recent = (calls.get(client) ?? []).filter((time) => time > now - HOUR_MS);
      calls.delete(client);
      calls.set(client, recent);
      if (calls.size > maxClients) {
        for (const first of calls.keys()) {
          calls.delete(first);
          break;
        }
      }
      if (recent.length < perHour) {
        recent.push(now);
        return;
      }
      const oldest = recent[0] ?? now;
      throw new Failure("rate.exceeded", "Too many calls from this address; wait as long as Retry-After says.", {
        retryAfterSeconds: Math.max(1, Math.ceil((oldest + HOUR_MS - now) / 1_000)),
      });
    },
  };
}

/** One subscriber commonly holds a whole /64 of IPv6; an IPv4 address written as IPv6 is the same client. */
function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(":")}::/64` : parsed.toString();
}
