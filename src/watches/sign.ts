import { createHmac } from "node:crypto";

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
