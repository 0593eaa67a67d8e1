import type { Handler } from "../jobs/runner.ts";
import type { Door } from "../net/door.ts";
import { retryAfterMs } from "../net/web/headers.ts";
import type { Attempt, Outgoing, Webhooks } from "../store/watches/webhooks.ts";
import { nextAttempt } from "./retries.ts";
import { signedHeaders } from "./sign.ts";

export interface DeliveryParts {
  /** Guarded as every other: a private address is refused unless it is allowed. Of an answer only the status counts. */
  readonly door: Pick<Door, "http">;
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
