import { describe, expect, spyOn, test } from "bun:test";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createRelay } from "../../examples/slack-relay.ts";
import { updateStacks } from "../../examples/watch-list.ts";
import { batchMessage, changesMessage, makeSecret, signedHeaders, testMessage } from "../../src/watches/webhooks.ts";
import { inDirectory } from "../store/examples.ts";

const ROOT = join(import.meta.dir, "../..");
const AT = new Date("2026-05-04T12:00:00Z");
const SECRET = makeSecret();

const change = (kind: "appeared" | "disappeared", tool: string) => ({
  change: kind,
  tool_id: tool.toLowerCase(),
  tool,
  category: "Payments",
  confidence: 0.99,
  evidence: "html.script https://js.example/",
  first_seen: AT.toISOString(),
  last_seen: AT.toISOString(),
});

/** A relay in front of a receiver with Slack's shape. */
async function relayed(
  run: (relay: {
    post(body: string, headers: Record<string, string>): Promise<number>;
    readonly texts: readonly string[];
    /** Statuses of Slack's next answers; 200 after them. */
    readonly answers: number[];
  }) => Promise<void>,
) {
  const texts: string[] = [];
  const answers: number[] = [];
  const slack = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const status = answers.shift() ?? 200;
      if (status === 200) texts.push(((await request.json()) as { text: string }).text);
      return new Response("ok", { status });
    },
  });
  const server = createRelay({ secrets: [SECRET], slackUrl: slack.url.href, now: () => AT.getTime() });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await run({
      post: async (body, headers) => (await fetch(url, { method: "POST", body, headers })).status,
      texts,
      answers,
    });
  } finally {
    server.close();
    await slack.stop(true);
  }
}

describe("the relay to Slack", () => {
  const changed = changesMessage("harbourline.example", AT.toISOString(), {
    changes: [change("appeared", "Stripe"), change("disappeared", "<!channel>")],
    toolsDetected: 31,
  });

  test("posts what Casefile signs, each message once", async () => {
    await relayed(async ({ post, texts }) => {
      const bodies = [changed, batchMessage(AT.toISOString(), { id: "b1", done: 9, failed: 1 }), testMessage(AT)];
      for (const [at, body] of bodies.entries()) {
        const headers = signedHeaders([makeSecret(), SECRET], { id: `msg_${at}`, at: AT, body });
        expect([await post(body, headers), await post(body, headers)]).toEqual([204, 204]);
      }
      expect(texts).toEqual([
        "*harbourline.example* changed its tools\nNew: Stripe (Payments)\nGone: &lt;!channel&gt; (Payments)",
        "Batch b1 is finished: 9 done, 1 failed",
        "Casefile can post here.",
      ]);
    });
  });

  test("refuses a wrong secret, another body, an old message and one without a signature", async () => {
    await relayed(async ({ post, texts }) => {
      const message = { id: "msg_1", at: AT, body: changed };
      const old = { ...message, at: new Date(AT.getTime() - 301_000) };
      expect([
        await post(changed, signedHeaders([makeSecret()], message)),
        await post(`${changed} `, signedHeaders([SECRET], message)),
        await post(changed, signedHeaders([SECRET], old)),
        await post(changed, { ...signedHeaders([SECRET], message), "webhook-timestamp": "soon" }),
        await post(changed, {}),
        await post("x".repeat(1024 * 1024 + 1), signedHeaders([SECRET], message)),
      ]).toEqual([401, 401, 401, 401, 401, 413]);
      expect(texts).toEqual([]);
    });
  });

  test("has Casefile send again what Slack did not accept", async () => {
    const errors = spyOn(console, "error").mockImplementation(() => {});
    try {
      await relayed(async ({ post, texts, answers }) => {
        answers.push(500);
        const headers = signedHeaders([SECRET], { id: "msg_1", at: AT, body: changed });
        expect([await post(changed, headers), await post(changed, headers)]).toEqual([502, 204]);
        expect(texts).toHaveLength(1);
      });
      expect(errors).toHaveBeenCalledTimes(1);
    } finally {
      errors.mockRestore();
    }
  });
});

describe("the watch list", () => {
  const row = (domain: string, tool: string | null, status = "done") =>
    JSON.stringify({ domain, status, tool, category: tool && "CRM" });

  test("has a sorted line for each tool, and keeps those of a domain whose scan failed", () => {
    const before = "acme.example\tCRM\tHubSpot\nlost.example\tCRM\tPipedrive\nnone.example\tCRM\tZoho\n";
    const rows = [
      row("acme.example", "Salesforce"),
      row("acme.example", "Attio"),
      row("lost.example", null, "failed"),
      row("none.example", null),
    ].join("\n");
    expect(updateStacks(before, rows)).toBe(
      "acme.example\tCRM\tAttio\nacme.example\tCRM\tSalesforce\nlost.example\tCRM\tPipedrive\n",
    );
  });
});

test("both programs run in Node without a package", async () => {
  await inDirectory(async (directory) => {
    const entrypoints = ["slack-relay", "watch-list"].map((name) => join(ROOT, `examples/${name}.ts`));
    const transpiler = new Bun.Transpiler({ loader: "ts", target: "node" });
    for (const file of entrypoints) {
      const script = transpiler.transformSync(
        // Versions of Node before 24 lack it.
        (await Bun.file(file).text()).replaceAll("import.meta.main", "true"),
      );
      expect([...script.matchAll(/ from "([^"]+)"/g)].map(([, name]) => name?.split(":")[0])).not.toContain("..");
      await Bun.write(join(directory, `${file.split("/").at(-1)}.mjs`), script);
    }
    const node = (args: string[], input = "") => {
      const run = Bun.spawnSync(["node", ...args], {
        cwd: directory,
        stdin: Buffer.from(input),
        env: { PATH: process.env.PATH },
      });
      return [run.exitCode, run.stderr.toString()];
    };
    expect(node(["slack-relay.ts.mjs"])).toEqual([2, expect.stringContaining("CASEFILE_WEBHOOK_SECRET")]);
    const input = '{"domain":"acme.example","status":"done","tool":"Attio","category":"CRM"}\n';
    expect(node(["watch-list.ts.mjs", "stacks.tsv"], input)).toEqual([0, ""]);
    expect(await Bun.file(join(directory, "stacks.tsv")).text()).toBe("acme.example\tCRM\tAttio\n");
  });
});
