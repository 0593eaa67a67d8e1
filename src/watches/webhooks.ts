import { createHmac } from "node:crypto";
import type { ToolChange } from "../detection/compare.ts";
import type { Handler } from "../jobs/runner.ts";
import { type NetworkClient, type NetworkSettings, openNetworkClient } from "../net/client.ts";
import { retryAfterMs } from "../net/exchange.ts";
import type { Attempt, OutgoingMessage, WebhookRepository } from "./repository.ts";

export const TOOLS_CHANGED = "domain.tools_changed";
export const TEST = "webhook.test";

/** Tools of each kind in one message; about 80 kB. */
const MAX_TOOLS = 100;

/** The body of a message about changes; it is signed as it is. */
export function changesMessage(
  domain: string,
  at: string,
  { changes, toolsDetected }: { readonly changes: readonly ToolChange[]; readonly toolsDetected: number },
): string {
  const toolsOf = (kind: ToolChange["change"]) =>
    changes
      .filter(({ change }) => change === kind)
      .slice(0, MAX_TOOLS)
      .map(({ change: _, ...tool }) => tool);
  const [appeared, disappeared] = [toolsOf("appeared"), toolsOf("disappeared")];
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

export const BATCH_FINISHED = "batch.finished";

/** The message about a finished batch. */
export const batchMessage = (at: string, data: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ type: BATCH_FINISHED, timestamp: at, data });

export const testMessage = (at: Date): string => JSON.stringify({ type: TEST, timestamp: at.toISOString(), data: {} });

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A secret in the format of the Standard Webhooks libraries: `whsec_` and 32 random bytes in base64. */
export const makeSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64");

/**
 * The three headers of Standard Webhooks (standardwebhooks.com, version 1, symmetric).
 *
 * @param secrets each adds a signature: a receiver that knows any of them accepts the message
 * @param id the same in every attempt, so that a receiver can recognise duplicates
 * @param at when the message is sent; receivers reject old messages, so each attempt has its own
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

/** Seconds between attempts, as Standard Webhooks recommends: ten attempts in three days. */
const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
/** A longer `Retry-After` is ignored: it may be a mistake. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/**
 * @param attempts so far, 1 or more
 * @param random 0–1: adds up to 10% of jitter
 * @param retryAfter seconds that the receiver asks to wait
 * @returns seconds until the next attempt, at least `retryAfter` up to a day; null after the last attempt
 */
export function nextAttempt(attempts: number, random: () => number, retryAfter = 0): number | null {
  const wait = RETRY_SECONDS[attempts - 1];
  if (wait === undefined) return null;
  return Math.round(Math.max(wait, Math.min(retryAfter, MAX_RETRY_AFTER_SECONDS)) * (1 + random() / 10));
}

/** Standard Webhooks asks senders to wait 15 to 30 seconds. */
const RESPONSE_MS = 20_000;
/** Only the status of a response is read. */
const RESPONSE_BYTES = 4_096;

/** A network client of its own for deliveries, because receivers may be slow. */
export const openWebhookNetwork = (settings: NetworkSettings): NetworkClient =>
  openNetworkClient({
    ...settings,
    firstByteMs: RESPONSE_MS,
    exchangeMs: RESPONSE_MS,
    pageBytes: RESPONSE_BYTES,
    rawBytes: RESPONSE_BYTES,
  });

export interface SendOptions {
  /** Refuses private addresses unless they are allowed. */
  readonly network: Pick<NetworkClient, "http">;
  readonly clock: () => Date;
  /** 0–1, for the jitter. */
  readonly random: () => number;
}

const GONE = 410;
/** Statuses whose `Retry-After` is respected: too many requests, and unavailable. */
const BUSY = new Set([429, 503]);

/**
 * Sends a message once. Any 2xx delivers it, and 410 disables the endpoint. Everything else, redirects included, is
 * retried. Rejects only when `signal` aborts: the result is then unknown, and the message is sent again under its id.
 *
 * @param attempts including this one
 */
export async function send(
  { network, clock, random }: SendOptions,
  { delivery, body, webhook, secrets }: OutgoingMessage,
  attempts: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const headers = signedHeaders(secrets, { id: delivery.id, at: clock(), body });
  const options = { method: "POST", body, headers, accept: "*/*", follow: false } as const;
  const { final } = await network.http(webhook.url, options, signal);
  const status = final.status === "ok" ? final.code : null;
  if (status !== null && status >= 200 && status < 300)
    return { attempts, state: "delivered", status, error: null, retryInSeconds: null, webhook: "active" };
  const error = status === null ? `Not reached: ${final.detail ?? "no response"}.` : `The endpoint answered ${status}.`;
  if (status === GONE) return { attempts, state: "failed", status, error, retryInSeconds: null, webhook: "disabled" };
  const retryAfter = status !== null && BUSY.has(status) ? (retryAfterMs(final, clock().getTime()) ?? 0) / 1_000 : 0;
  const retryInSeconds = nextAttempt(attempts, random, retryAfter);
  if (retryInSeconds === null) return { attempts, state: "failed", status, error, retryInSeconds, webhook: "failing" };
  return { attempts, state: "waiting", status, error, retryInSeconds };
}

/** Handles a due delivery: sends it unless its endpoint is disabled, and records the attempt. */
export const deliver =
  (webhooks: Pick<WebhookRepository, "findOutgoing" | "recordAttempt">, options: SendOptions): Handler =>
  async ({ payload, attempts }, signal) => {
    const outgoing = await webhooks.findOutgoing(String(payload.id));
    // Undefined when the endpoint was removed.
    if (!outgoing) return undefined;
    const { delivery, webhook } = outgoing;
    const attempt: Attempt =
      webhook.state === "disabled"
        ? {
            attempts: delivery.attempts - 1,
            state: "failed",
            status: delivery.last_status,
            error: "The endpoint is disabled.",
            retryInSeconds: null,
          }
        : await send(options, outgoing, attempts, signal);
    await webhooks.recordAttempt(delivery.id, attempt);
    return undefined;
  };
