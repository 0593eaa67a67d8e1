import { afterAll, describe, expect, test } from "bun:test";
import { createClient } from "../../client/src/index.ts";
import type { Check } from "../../src/health/doctor.ts";
import { run } from "./fake-host.ts";

const CHECKS: readonly Check[] = [
  { id: "room", title: "Room on its disk", status: "ok", detail: "9,000 MiB are free.", remedy: null },
  { id: "dns", title: "DNS", status: "warning", detail: "No answer.", remedy: "Name servers that answer." },
  { id: "source-x", title: "X", status: "skipped", detail: "Switched off by sources.x.", remedy: null },
];
const BROKEN: Check = {
  id: "database",
  title: "Database",
  status: "failed",
  detail: "It is damaged:\u001b[2J page 3.",
  remedy: "Restore a backup.",
};

test("each check is a line with its remedy, and a healthy installation exits with 0", async () => {
  const { code, out } = await run(["doctor"], { checks: CHECKS });
  expect(code).toBe(0);
  expect(out).toBe(
    "ok  Room on its disk: 9,000 MiB are free.\n" +
      "!!  DNS: No answer.\n    Name servers that answer.\n" +
      "--  X: Switched off by sources.x.\n" +
      "\n3 checks, 0 failed, 1 with a warning.\n",
  );
});

test("a failed check exits with 1, and control characters in its output are escaped", async () => {
  const { code, out, err } = await run(["doctor", "--offline"], { checks: [...CHECKS, BROKEN] });
  expect(code).toBe(1);
  expect(out).toContain("XX  Database: It is damaged: [2J page 3.\n    Restore a backup.\n");
  expect(err).toContain("Follow the remedy of each failed check");
});

test("--json prints one document", async () => {
  const { out } = await run(["doctor", "--json"], { checks: CHECKS });
  expect(JSON.parse(out)).toEqual({ checks: CHECKS, failed: 0, warnings: 1 });
});

describe("health", () => {
  let response = Response.json({ status: "ready", reason: null, alarms: ["2 jobs failed."] });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => response });
  afterAll(() => server.stop(true));
  const address = server.url.origin;
  const connect = (url: string) => createClient({ baseUrl: url });

  test("is ready, with what the operator should know", async () => {
    const { code, out } = await run(["health", "--server", address], { host: { connect } });
    expect([code, out]).toEqual([0, `${address} is ready.\n!!  2 jobs failed.\n`]);
  });

  test.each([
    [
      () => Response.json({ status: "not ready", reason: "The service is starting.", alarms: [] }, { status: 503 }),
      "is not ready. The service is starting.",
    ],
    [() => new Response("<html>"), "does not respond as Casefile does."],
    [() => Response.redirect("http://127.0.0.1:1/"), "Cannot connect to"],
  ])("exits with 1 when the service is not: %#", async (answer, message) => {
    response = answer();
    const { code, err } = await run(["health", "--server", address], { host: { connect } });
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });

  test("exits with 2 for an invalid time", async () => {
    expect((await run(["health", "--timeout", "0"])).code).toBe(2);
  });
});
