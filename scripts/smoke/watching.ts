import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { Machine } from "./machine.ts";

/** What is watched, and a webhook that a receiver of one's own verifies by Standard Webhooks. */
export async function watching({ json, run, check, work }: Machine): Promise<void> {
  const taken: { readonly headers: Headers; readonly body: string }[] = [];
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      taken.push({ headers: request.headers, body: await request.text() });
      return new Response(null, { status: taken.length > 1 ? 410 : 204 });
    },
  });
  try {
    const own = ["--data-dir", join(work, "casefile-data", "watching")];
    const reach = ["--net-allow-cidrs", "127.0.0.1/32", "--net-extra-ports", String(receiver.port)];
    await json(["watch", "add", "acme.com", "--every", "2d", ...own]);
    const listed: { watches: { domain: string; every_hours: number }[] } = await json(["watch", "list", ...own]);
    check(
      "keeps what is watched",
      listed.watches.map(({ domain, every_hours }) => `${domain} ${every_hours}`).join() === "acme.com 48",
    );

    const { id, secret }: { id: string; secret: string } = await json([
      "webhooks",
      "add",
      `http://127.0.0.1:${receiver.port}/hook`,
      ...own,
      ...reach,
    ]);
    await json(["webhooks", "test", id, ...own, ...reach]);
    const [first] = taken;
    check("signs what it tells an endpoint", first !== undefined && isSigned(first, secret));
    const again = await run(["webhooks", "test", id, ...own, ...reach]);
    check("says when an endpoint does not take it", again.code === 1 && taken.length === 2);
    const refused = await run(["webhooks", "add", "http://127.0.0.1/hook", ...own]);
    check("tells no address of this machine unless it may", refused.code !== 0 && refused.err.includes("127.0.0.1"));
  } finally {
    await receiver.stop(true);
  }
}

function isSigned({ headers, body }: { readonly headers: Headers; readonly body: string }, secret: string): boolean {
  const told = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return headers.get("webhook-signature") === `v1,${createHmac("sha256", key).update(told).digest("base64")}`;
}
