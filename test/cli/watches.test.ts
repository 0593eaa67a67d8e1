import { describe, expect, test } from "bun:test";
import { openStore } from "../../src/store.ts";
import { openFakeApp } from "../services/fake-app.ts";
import { run } from "./fake-host.ts";

const AT = "2026-05-04T12:00:00.000Z";
const clock = () => new Date(AT);

async function commands() {
  const store = await openStore({ dataDir: ":memory:", clock });
  const app = await openFakeApp({ store, clock });
  const command = (...argv: string[]) => run(argv, { app });
  const json = async (...argv: string[]) => JSON.parse((await command(...argv, "--json")).out);
  return { store, app, command, json };
}

const WATCH = {
  ...{ domain: "brightpine.test", every_hours: 168, paused: false, tools_detected: 0, last_scan_at: null },
  ...{ last_outcome: null, last_error: null, next_scan_at: AT, created_at: AT },
};

describe("watch", () => {
  test("accepts a URL, and prints the interval", async () => {
    const { command } = await commands();
    expect(await command("watch", "https://www.brightpine.test/about")).toMatchObject({
      code: 0,
      out: "brightpine.test is scanned every 7d while the service runs: casefile serve\n",
      err: "",
      left: 0,
    });
  });

  test("prints the JSON of the API", async () => {
    const { json } = await commands();
    expect(await json("watch", "brightpine.test")).toEqual(WATCH);
    expect(await json("watch", "list")).toEqual({ watches: [WATCH], total: 1, next_cursor: null });
    expect(await json("watch", "changes")).toEqual({ changes: [], total: 0, next_cursor: null });
    expect(await json("watch", "remove", "brightpine.test")).toEqual(WATCH);
  });

  test.each([
    ["1h", 1],
    ["12h", 12],
    ["7d", 168],
    ["2w", 336],
    ["365d", 8_760],
  ])("--every %s means %i hours", async (time, hours) => {
    const { json } = await commands();
    expect(await json("watch", "brightpine.test", "--every", time)).toMatchObject({ every_hours: hours });
  });

  test.each(["0h", "30m", "366d", "7", "d", "-1d"])("--every %s exits with 2", async (time) => {
    const { command } = await commands();
    const { code, err } = await command("watch", "brightpine.test", `--every=${time}`);
    expect([code, err]).toEqual([2, expect.stringContaining("Give 1h to 365d, such as 12h, 7d or 2w.")]);
  });

  test("keeps its interval, and resumes after a pause", async () => {
    const { command, json } = await commands();
    await command("watch", "brightpine.test", "--every", "30h");
    expect((await command("watch", "brightpine.test", "--paused")).out).toBe(
      "brightpine.test is paused. Watch it again to resume.\n",
    );
    expect((await command("watch", "list")).out).toContain(
      "brightpine.test  30h    never                     0      paused",
    );
    expect(await json("watch", "brightpine.test")).toMatchObject({ every_hours: 30, paused: false });
  });

  test.each([
    [["watch"], 2, "missing required argument 'domain'"],
    [["watch", "lst"], 2, 'casefile: "lst" has no ending such as .com; give a domain such as acme.com.'],
    [
      ["watch", "remove", "brightpine.test"],
      1,
      "casefile: brightpine.test is not watched; list the watches to see which are.",
    ],
    [
      ["watch", "changes", "--since", "yesterday"],
      2,
      'casefile: Unknown since "yesterday": give a date or a timestamp, such as 2026-05-04.\n',
    ],
  ])("%j exits with %i", async (argv, code, words) => {
    const { command } = await commands();
    const ran = await command(...argv);
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(words)]);
  });

  test("list marks an early rescan", async () => {
    const { command, store } = await commands();
    await command("watch", "brightpine.test");
    const look = {
      at: AT,
      outcome: "unchanged",
      toolsDetected: 3,
      baseline: {},
      changes: [],
      intervalFactor: 1,
    } as const;
    await store.watches.recordScan("brightpine.test", { ...look, needsVerification: true }, async () => {});
    expect((await command("watch", "list")).out).toContain("unchanged  3      2026-05-04 13:00 to verify");
    await store.watches.recordScan("brightpine.test", { ...look, needsVerification: false }, async () => {});
    expect((await command("watch", "list")).out).toMatch(/ 3 {6}2026-05-11 12:00 *\n/);
  });

  test("prints changes as a table, and a hint when there is nothing", async () => {
    const { command, store } = await commands();
    expect((await command("watch", "list")).out).toBe("No watches. Add one: casefile watch DOMAIN\n");
    expect((await command("watch", "changes")).out).toBe("No changes.\n");
    await command("watch", "brightpine.test");
    await store.watches.recordScan(
      "brightpine.test",
      {
        ...{ at: AT, outcome: "changed", toolsDetected: 3, baseline: {}, needsVerification: false, intervalFactor: 1 },
        changes: [
          {
            ...{ change: "disappeared", tool_id: "gauge", tool: "Gauge", category: "Analytics" },
            ...{ confidence: 0.9, evidence: "html.script \u001b[2Jcdn.gauge.test" },
          },
        ],
      },
      async () => {},
    );
    expect((await command("watch", "changes", "brightpine.test", "--since", "2026-05-01")).out).toBe(
      [
        "WHEN (UTC)        DOMAIN           CHANGE       TOOL   CATEGORY   FIRST SEEN  LAST SEEN   EVIDENCE",
        "2026-05-04 12:00  brightpine.test  disappeared  Gauge  Analytics  2026-05-04  2026-05-04  html.scri…",
        "1 of 1\n",
      ].join("\n"),
    );
  });
});

describe("webhooks", () => {
  const URL = "https://hooks.brightpine.test/casefile";

  test("add shows the secret, and nothing else does", async () => {
    const { command, json } = await commands();
    const { out } = await command("webhooks", "add", URL);
    const [id, secret] = out.split("\n");
    expect(out).toBe(
      `${id}\n${secret}\nKeep the secret: it is shown only once. Test it: casefile webhooks test ${id}\n`,
    );
    expect([id, secret]).toEqual([expect.stringMatching(/^wh_\w{20}$/), expect.stringMatching(/^whsec_[\w+/]{43}=$/)]);
    const webhook = { id, url: URL, state: "active", created_at: AT, last_success_at: null };
    expect(await json("webhooks")).toEqual({ webhooks: [webhook], total: 1, next_cursor: null });
    const rotated = await json("webhooks", "rotate", id ?? "");
    expect(rotated).toEqual({ ...webhook, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.secret).not.toBe(secret);
    expect(await json("webhooks", "remove", id ?? "")).toEqual(webhook);
  });

  test("test sends a message at once, and deliveries lists it", async () => {
    const { command, json, app } = await commands();
    const { id } = await app.watches.addWebhook(URL);
    expect((await command("webhooks", "test", id)).out).toBe("Delivered: the endpoint answered 204.\n");
    const { deliveries } = await json("webhooks", "deliveries", id, "--state", "delivered");
    expect(deliveries).toEqual([
      {
        id: expect.stringMatching(/^msg_\w{24}$/),
        ...{ webhook_id: id, type: "webhook.test", state: "delivered", attempts: 1, last_status: 204 },
        ...{ last_error: null, next_attempt_at: null, created_at: AT },
      },
    ]);
    expect((await command("webhooks", "deliveries")).out).toContain("webhook.test  delivered  1");
    expect((await command("webhooks", "deliveries", "--state", "failed")).out).toBe("No deliveries.\n");
    expect((await command("webhooks")).out).toContain(`${id}  active  2026-05-04 12:00    ${URL.slice(0, 20)}`);
  });

  test("a failed test exits with 1, with JSON too", async () => {
    const { command, app } = await commands();
    const { id } = await app.watches.addWebhook("https://hooks.brightpine.test/broken");
    const words = "casefile: The endpoint did not accept the test message. Correct the endpoint, then test it again.\n";
    expect(await command("webhooks", "test", id)).toMatchObject({
      ...{ code: 1, out: "Not delivered. The endpoint answered 500.\n", err: words },
    });
    const { code, out } = await command("webhooks", "test", id, "--json");
    expect([code, JSON.parse(out)]).toEqual([1, expect.objectContaining({ state: "failed", last_status: 500 })]);
  });

  test.each([
    [
      ["webhooks", "add", "http://localhost/"],
      2,
      "casefile: Cannot use this URL: localhost is this machine, whose address 127.0.0.1 is not allowed. To allow it, change net.allow_cidrs.\n",
    ],
    [
      ["webhooks", "add", "https://hooks.test:8443/"],
      2,
      ": port 8443 is not allowed. To allow it, change net.extra_ports",
    ],
    [
      ["webhooks", "add", "ftp://hooks.test/"],
      2,
      "Cannot use this URL: the scheme ftp: is not allowed. Give another http or https URL.\n",
    ],
    [
      ["webhooks", "add", "hooks.test/a"],
      2,
      'casefile: "hooks.test/a" is not a URL: give an http or https URL, such as https://hooks.acme.com/casefile.\n',
    ],
    [["webhooks", "remove", "wh_nobody"], 1, 'No webhook has the id "wh_nobody"; list the webhooks to find it.'],
    [["webhooks", "test", "wh_nobody"], 1, 'No webhook has the id "wh_nobody"; list the webhooks to find it.'],
    [["webhooks", "deliveries", "--state", "lost"], 2, "Allowed choices are waiting, delivered, failed."],
  ])("%j exits with %i", async (argv, code, words) => {
    const { command } = await commands();
    const ran = await command(...argv);
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(words)]);
  });

  test("list prints that there are none", async () => {
    const { command } = await commands();
    expect((await command("webhooks")).out).toBe("No webhooks.\n");
  });
});
