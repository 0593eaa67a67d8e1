import { describe, expect, test } from "bun:test";
import { createAddressCheck } from "../../src/http/address-check.ts";
import { open, problemOf } from "./opened.ts";

const check = createAddressCheck({ host: "nas.lan", origins: ["https://casefile.acme.example/", "http://cf:8080"] });
const sent = (headers: Record<string, string>) => {
  try {
    check(new Headers(headers));
    return "allowed";
  } catch (error) {
    return Object(error).code;
  }
};

describe("a Host header", () => {
  test.each([
    "localhost",
    "LOCALHOST:7171",
    "localhost.:7171",
    "127.0.0.1:7171",
    "127.9.9.9",
    "[::1]:7171",
    "[::ffff:127.0.0.1]",
    "192.168.1.5:7171",
    "[fd00::5]:80",
    "nas.lan:7171",
    "NAS.lan.",
    "casefile.acme.example",
    "casefile.acme.example:8443",
    "cf",
    "",
  ])("%p is allowed", (host) => {
    expect(sent({ host })).toBe("allowed");
  });

  test.each([
    "evil.example",
    "evil.example:7171",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "casefile.acme.example.evil.example",
    "acme.example",
    "x.localhost",
    "localhost, evil.example",
    "evil.example@localhost",
    "localhost/evil",
    "localhost:99999",
    "localhost:",
    "[::1",
    "<>",
    "a".repeat(300),
  ])("%p is refused", (host) => {
    expect(sent({ host })).toBe("host.refused");
  });
});

describe("an Origin header", () => {
  test.each([
    ["127.0.0.1:7171", "http://127.0.0.1:7171"],
    ["192.168.1.5:7171", "http://192.168.1.5:7171"],
    ["192.168.1.5", "https://192.168.1.5"],
    ["nas.lan:7171", "http://nas.lan:7171"],
    ["127.0.0.1:7171", "http://localhost:3000"],
    ["127.0.0.1:7171", "https://casefile.acme.example"],
    ["casefile.acme.example", "https://casefile.acme.example"],
    ["cf:8080", "http://cf:8080"],
    ["127.0.0.1:7171", ""],
  ])("to %s from %p is allowed", (host, origin) => {
    expect(sent({ host, origin })).toBe("allowed");
  });

  test.each([
    ["127.0.0.1:7171", "http://evil.example"],
    ["127.0.0.1:7171", "http://evil.example:7171"],
    ["127.0.0.1:7171", "http://192.168.1.5:7171"],
    ["127.0.0.1:7171", "http://localhost.evil.example"],
    ["127.0.0.1:7171", "http://casefile.acme.example"],
    ["192.168.1.5:7171", "http://192.168.1.5:8080"],
    ["127.0.0.1:7171", "null"],
    ["127.0.0.1:7171", "file://"],
    ["localhost", "chrome-extension://localhost"],
    ["127.0.0.1:7171", "nonsense"],
    ["127.0.0.1:7171", `http://${"a".repeat(9_000)}.example`],
  ])("to %s from %p is refused", (host, origin) => {
    expect(sent({ host, origin })).toBe("origin.refused");
  });
});

test.each([
  "/",
  "/healthz",
  "/readyz",
  "/metrics",
  "/llms.txt",
  "/openapi.json",
  "/v1/stats",
  "/console/start",
  "/nothing",
])("%s is refused under a foreign name, with what to configure", async (path) => {
  const { ask } = await open();
  const answer = await ask(path, { headers: { host: "evil.example:7171", accept: "text/html,*/*" } });
  expect(answer.status).toBe(421);
  const { code, detail } = await problemOf(answer);
  expect(code).toBe("host.refused");
  expect(detail).toBe(
    'Unknown host "evil.example:7171": if this is a name of the service, start it with --server-origins http://evil.example:7171.',
  );
});

test("nothing is changed for a page of a foreign origin", async () => {
  const { ask, app } = await open();
  const headers = { host: "127.0.0.1:7171", origin: "http://evil.example" };
  const issued = await ask("/v1/keys", { json: { email: "ana@brightpine.test" }, headers });
  expect((await problemOf(issued)).detail).toBe(
    'Pages of the origin "http://evil.example" are not allowed: if this is an address of the service, start it with --server-origins http://evil.example.',
  );
  expect((await ask("/mcp", { json: {}, headers })).status).toBe(403);
  expect((await ask("/console/session", { method: "POST", headers })).status).toBe(403);
  expect((await app.accounts.list()).total).toBe(0);
});
