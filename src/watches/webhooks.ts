import { createHmac } from "node:crypto";
import type { Handler } from "../jobs/runner.ts";
import type { NetworkClient } from "../net/client.ts";
import { retryAfterMs } from "../net/exchange.ts";
import type { Attempt, Outgoing, Webhooks } from "./repository.ts";
import type { ToolChange } from "./types.ts";

export const TOOLS_CHANGED = "domain.tools_changed";
export const TEST = "webhook.test";

/** Tools of each kind that a message tells; about 80 kB. */
const MOST_TOOLS = 100;

/** What a change is told as: the body of a message, which is signed as it is. */
export function changesMessage(
  domain: string,
  at: string,
  { changes, toolsDetected }: { readonly changes: readonly ToolChange[]; readonly toolsDetected: number },
): string {
  const told = (kind: ToolChange["change"]) =>
    changes
      .filter(({ change }) => change === kind)
      .slice(0, MOST_TOOLS)
      .map(({ change: _, ...tool }) => tool);
  const [appeared, disappeared] = [told("appeared"), told("disappeared")];
  return JSON.stringify({
    type: TOOLS_CHANGED,
    timestamp: at,
    data: {
      domain,
      appeared,
      disappeared,
      omitted: changes.length - appeared.length - disappeared.length,
      tools_detected: toolsDetected,
      scanned_at: at,
    },
  });
}

export const testMessage = (at: Date): string => JSON.stringify({ type: TEST, timestamp: at.toISOString(), data: {} });

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A secret as receivers' libraries take it: `whsec_` and 32 random bytes in base64. */
export const makeSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64");

/**
 * The three headers of Standard Webhooks (standardwebhooks.com, version 1, symmetric).
 *
 * @param secrets each signs: a receiver that knows any of them takes the message
 * @param id the same at every attempt, so that a receiver can tell a message that it has
 * @param at when it is sent; a receiver refuses what is too old, so each attempt has its own
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

/**
 * Seconds between attempts, as Standard Webhooks recommends: seconds for a hiccup, minutes for a restart, hours for a
 * day on which nobody is there. Ten attempts in three days.
 */
const WAITS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** Beyond it a receiver's wish is not followed: it may be a mistake, or its way to be forgotten. */
const LONGEST_WISH = 86_400;

/**
 * @param attempts so far, 1 or more
 * @param random 0–1: up to a tenth is added, so that what failed together is not tried together
 * @param wished seconds for which the receiver asks to be left alone
 * @returns seconds until the next attempt, not less than it wished, up to a day; null when it is given up
 */
export function nextAttempt(attempts: number, random: () => number, wished = 0): number | null {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? null : Math.round(Math.max(wait, Math.min(wished, LONGEST_WISH)) * (1 + random() / 10));
}

interface DeliveryParts {
  /** Guarded as every other: a private address is refused unless it is allowed. Of an answer only the status counts. */
  readonly door: Pick<NetworkClient, "http">;
  readonly webhooks: Pick<Webhooks, "outgoing" | "attempted">;
  readonly clock: () => Date;
  /** 0–1, for the jitter. */
  readonly random: () => number;
}

const GONE = 410;
/** Too many requests, and unavailable: `Retry-After` tells until when. */
const BUSY = new Set([429, 503]);

/**
 * Sends a message once, and says what came of it: taken with any 2xx; with 410 the endpoint wants no more, ever;
 * anything else, a redirect too, is tried again, not before `Retry-After` when it is busy. Rejects only when `signal` aborts: then nobody knows, and the message is
 * sent again under its id.
 *
 * @param attempts so far, with this one
 */
export async function attempt(
  { door, clock, random }: Omit<DeliveryParts, "webhooks">,
  { delivery, body, webhook, secrets }: Outgoing,
  attempts: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const headers = signedHeaders(secrets, { id: delivery.id, at: clock(), body });
  const { final } = await door.http(
    webhook.url,
    { method: "POST", body, headers, accept: "*/*", follow: false },
    signal,
  );
  const status = final.status === "ok" ? final.code : null;
  if (status !== null && status >= 200 && status < 300)
    return { attempts, state: "delivered", status, error: null, againInSeconds: null, webhook: "active" };
  const error = status === null ? `It was not reached: ${final.detail ?? "no answer"}.` : `It answered ${status}.`;
  if (status === GONE) return { attempts, state: "failed", status, error, againInSeconds: null, webhook: "disabled" };
  const wished = status !== null && BUSY.has(status) ? (retryAfterMs(final, clock().getTime()) ?? 0) / 1_000 : 0;
  const againInSeconds = nextAttempt(attempts, random, wished);
  if (againInSeconds === null) return { attempts, state: "failed", status, error, againInSeconds, webhook: "failing" };
  return { attempts, state: "waiting", status, error, againInSeconds };
}

/** Delivers what is due. */
export const deliverDue =
  (parts: DeliveryParts): Handler =>
  async ({ payload, attempts }, signal) => {
    const outgoing = await parts.webhooks.outgoing(String(payload.id));
    // Its endpoint was removed.
    if (!outgoing) return undefined;
    const { delivery, webhook } = outgoing;
    const result: Attempt =
      webhook.state === "disabled"
        ? {
            ...{ attempts: delivery.attempts - 1, state: "failed", status: delivery.last_status },
            ...{ error: "The endpoint is disabled.", againInSeconds: null },
          }
        : await attempt(parts, outgoing, attempts, signal);
    await parts.webhooks.attempted(delivery.id, result);
    return undefined;
  };
