import ipaddr from "ipaddr.js";
import { Failure } from "../core/errors.ts";
import type { CountedCalls, SharedState } from "../db/shared-state.ts";

/** Limits requests without a key, by client address. */
export interface ClientLimits {
  /**
   * Counts one request. Refused requests do not count, so a client that waits for `Retry-After` gets through.
   *
   * @throws Failure `rate.exceeded` with `retryAfterSeconds`
   */
  take(address: string): void | Promise<void>;
}

const HOUR_MS = 3_600_000;

/** No window of one hour contains more than `perHour` calls. */
function count(times: readonly number[], now: number, perHour: number): CountedCalls {
  const recent = times.filter((time) => time > now - HOUR_MS);
  if (recent.length < perHour) return { recent: [...recent, now], waitMs: 0 };
  return { recent, waitMs: (recent[0] ?? now) + HOUR_MS - now };
}

function refuse(waitMs: number): void {
  if (waitMs === 0) return;
  throw new Failure("rate.exceeded", "Too many requests from this address. Wait for the seconds in Retry-After.", {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}

interface ClientLimitsOptions {
  /** Requests in any 60 minutes. */
  readonly perHour: number;
  readonly clock: () => Date;
  /** Above this the client seen longest ago is forgotten. */
  readonly maxClients?: number;
}

/** Limits of one process, in memory: a restart resets them. */
export function createClientLimits({ perHour, clock, maxClients = 10_000 }: ClientLimitsOptions) {
  /** The client seen longest ago comes first. */
  const calls = new Map<string, readonly number[]>();
  return {
    take(address: string): void {
      const client = clientOf(address);
      const { recent, waitMs } = count(calls.get(client) ?? [], clock().getTime(), perHour);
      calls.delete(client);
      calls.set(client, recent);
      if (calls.size > maxClients) {
        for (const first of calls.keys()) {
          calls.delete(first);
          break;
        }
      }
      refuse(waitMs);
    },
  } satisfies ClientLimits;
}

/** Limits that the nodes of a database share. */
export const createSharedClientLimits = (
  { countCall }: Pick<SharedState, "countCall">,
  perHour: number,
): ClientLimits => ({
  async take(address) {
    const { waitMs } = await countCall(clientOf(address), (times, now) => count(times, now, perHour));
    refuse(waitMs);
  },
});

/** A subscriber usually has a whole IPv6 /64. An IPv4-mapped IPv6 address counts as its IPv4 address. */
function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(":")}::/64` : parsed.toString();
}
