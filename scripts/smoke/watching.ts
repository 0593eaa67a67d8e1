import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { Machine } from "./machine.ts";

/** Watches, and a webhook whose Standard Webhooks signature is verified by a local receiver. */
export async function watching({ json, run, check, work }: Machine): Promise<void> {
  const received: { readonly headers: Headers; readonly body: string }[] = [];
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      received.push({ headers: request.headers, body: await request.text() });
      return new Response(null, { status: received.length > 1 ? 410 : 204 });
    },
  });
  try {
    const dataDir = ["--data-dir", join(work, "casefile-data", "watching")];
    const reach = ["--net-allow-cidrs", "127.0.0.1/32", "--net-extra-ports", String(receiver.port)];
    await json(["watch", "add", "acme.com", "--every", "2d", ...dataDir]);
    const listed: { watches: { domain: string; every_hours: number }[] } = await json(["watch", "list", ...dataDir]);
    check(
      "stores a watch",
      listed.watches.map(({ domain, every_hours }) => `${domain} ${every_hours}`).join() === "acme.com 48",
    );

    const { id, secret }: { id: string; secret: string } = await json([
      "webhooks",
      "add",
      `http://127.0.0.1:${receiver.port}/hook`,
      ...dataDir,
      ...reach,
    ]);
    await json(["webhooks", "test", id, ...dataDir, ...reach]);
    const [first] = received;
    check("signs a webhook message", first !== undefined && isSigned(first, secret));
    const again = await run(["webhooks", "test", id, ...dataDir, ...reach]);
    check("reports an endpoint that rejects a message", again.code === 1 && received.length === 2);
    const refused = await run(["webhooks", "add", "http://127.0.0.1/hook", ...dataDir]);
    check("refuses a loopback endpoint unless allowed", refused.code !== 0 && refused.err.includes("127.0.0.1"));
  } finally {
    await receiver.stop(true);
  }
}

function isSigned({ headers, body }: { readonly headers: Headers; readonly body: string }, secret: string): boolean {
  const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return headers.get("webhook-signature") === `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}
