import { expect, test } from "bun:test";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createRelay } from "../../examples/slack-relay.ts";
import { connect } from "../../src/db/database.ts";
import { openBox } from "../box/box.ts";
import { openBoxedApp, until } from "../services/boxed-app.ts";
import { inDirectory } from "../store/examples.ts";

/** The recipe "Nightly watch to Slack", whole: scans, webhooks, the relay, and a receiver with Slack's shape. */
test("a change of a watched company, a finished list and a test message arrive at Slack once", async () => {
  const page = (tools: string) => `<title>Brightpine</title>${tools}`;
  const hubspot = '<script src="https://js.hs-scripts.com/123456.js"></script>';
  const stripe = '<script src="https://js.stripe.com/v3/"></script>';
  const world = (tools: string) => ({
    companies: [{ domain: "brightpine.test", pages: { "/": page(tools), "www/": page(tools) } }],
  });
  const box = await openBox(world(hubspot));
  const texts: string[] = [];
  const slack = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      texts.push(((await request.json()) as { text: string }).text);
      return new Response("ok");
    },
  });
  // The secret is known once the webhook is added, and the webhook needs the relay's address.
  const secrets: string[] = [];
  const relay = createRelay({ secrets, slackUrl: slack.url.href });
  await new Promise<void>((listening) => relay.listen(0, "127.0.0.1", listening));
  const { port } = relay.address() as AddressInfo;
  try {
    await inDirectory(async (dataDir) => {
      const app = await openBoxedApp(box, dataDir, { "net-extra-ports": [String(port)] });
      const working = [app.watches.startWatching(), app.batches.startWorker()];
      try {
        const { id: webhook, secret } = await app.watches.addWebhook(`http://127.0.0.1:${port}/`);
        secrets.push(secret);
        expect(await app.watches.testWebhook(webhook)).toMatchObject({ state: "delivered" });

        const scanned = async () => (await app.watches.listWatches()).watches[0]?.last_scan_at ?? null;
        await app.watches.watch("brightpine.test");
        await until(async () => (await scanned()) !== null);
        box.describe(world(hubspot + stripe));
        const owner = { owner: "" };
        const { id: batch } = await app.batches.create(owner, [{ input: "brightpine.test" }], {
          webhook,
          maxAgeSeconds: 0,
        });
        await until(async () => (await app.batches.get(owner, batch)).state === "done");

        // The next rescan is a week away.
        const first = await scanned();
        const database = connect(join(dataDir, "casefile.sqlite"));
        database.run("update watches set run_after = '2020-01-01T00:00:00.000Z'");
        database.close();
        await app.watches.watch("brightpine.test");
        await until(async () => (await scanned()) !== first);
        await until(async () => (await app.watches.listDeliveries({ state: "waiting" })).deliveries.length === 0);
        expect(texts).toEqual([
          "Casefile can post here.",
          `Batch ${batch} is finished: 1 done, 0 failed`,
          "*brightpine.test* changed its tools\nNew: Stripe (Payments)",
        ]);
      } finally {
        for (const each of working) await each.stop();
        await app.close();
      }
    });
  } finally {
    relay.close();
    await slack.stop(true);
    await box.close();
  }
}, 60_000);
