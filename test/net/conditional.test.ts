import { afterEach, expect, test } from "bun:test";
import { type NetworkClient, openNetworkClient } from "../../src/net/client.ts";
import type { HttpOptions } from "../../src/net/exchange.ts";
import { answerFrom, closeAll, never, response, serveDns, serveRaw, settings } from "./loopback.ts";

let door: NetworkClient | undefined;

afterEach(() => {
  door?.close();
  closeAll();
});

async function ask(answer: Parameters<typeof serveRaw>[0], options: HttpOptions) {
  const site = await serveRaw(answer);
  const dns = await serveDns(answerFrom([{ name: "acme.example", type: "A", data: "127.0.0.1" }]));
  door = openNetworkClient(settings({ dnsServers: [dns.address], connectPorts: new Map([[80, site.port]]) }));
  const { final, hops } = await door.http("http://acme.example/", options, never);
  return { final, hops, heads: site.heads };
}

const CONDITION = { ifNoneMatch: 'W/"a 1"', ifModifiedSince: "Tue, 03 Feb 2026 10:00:00 GMT" };
const unchanged = response("", ["ETag: x"], "304 Not Modified");

test("a condition is sent unchanged, and 304 is a valid response", async () => {
  const { final, heads } = await ask((socket) => socket.end(unchanged), CONDITION);
  expect([final.status, final.code, final.body]).toEqual(["ok", 304, ""]);
  expect(heads[0]).toContain('\r\nIf-None-Match: W/"a 1"\r\n');
  expect(heads[0]).toContain("\r\nIf-Modified-Since: Tue, 03 Feb 2026 10:00:00 GMT\r\n");
});

test("no condition headers are sent without a condition", async () => {
  const { heads } = await ask((socket) => socket.end(response("whole")), {});
  expect(heads[0]).not.toMatch(/if-/i);
});

test("a condition is not sent to a redirect target", async () => {
  const { heads } = await ask(
    (socket, head) =>
      socket.end(head.startsWith("GET / ") ? response("", ["Location: /b"], "302 Found") : response("whole")),
    CONDITION,
  );
  expect(heads.map((head) => /if-/i.test(head))).toEqual([true, false]);
});

test.each([
  ["a line break", '"a"\r\nX-Evil: 1'],
  ["a letter outside ASCII", '"ü"'],
  ["nothing", ""],
  ["a flood", "a".repeat(1_025)],
])("a validator that contains %s is dropped", async (_name, tag) => {
  const { final, heads } = await ask((socket) => socket.end(response("whole")), { ifNoneMatch: tag });
  expect(final.body).toBe("whole");
  expect(heads[0]).not.toMatch(/if-none-match|x-evil/i);
});
