import { afterEach, expect, test } from "bun:test";
import { openNetworkClient } from "../../src/net/client.ts";
import { createOptOutMatcher, parseOptOut } from "../../src/net/opt-outs.ts";
import { answerFrom, closeAll, never, response, serveDns, serveRaw, settings } from "./loopback.ts";

afterEach(closeAll);

test.each([
  [
    "acme.example",
    "acme.example",
    ["acme.example", "WWW.acme.example", "a.b.acme.example."],
    ["acme.test", "xacme.example"],
  ],
  ["https://Acme.Example/customers?x=1", "acme.example", ["acme.example"], ["example"]],
  ["bücher.example", "xn--bcher-kva.example", ["shop.xn--bcher-kva.example"], ["bucher.example"]],
  ["*.acme.example", "*.acme.example", ["www.acme.example", "a.b.acme.example"], ["acme.example"]],
  ["acme.*", "acme.*", ["acme.com", "www.acme.de"], ["acme.co.uk", "notacme.com"]],
  [
    "*-bank.example",
    "*-bank.example",
    ["red-bank.example", "www.red-bank.example"],
    ["bank.example", "a.b-bank.example.com"],
  ],
])("%s covers the domain and what is below it", (written, pattern, covered, free) => {
  expect(parseOptOut(written)).toBe(pattern);
  const match = createOptOutMatcher(["other.example", pattern]);
  expect(covered.map((host) => match(host))).toEqual(covered.map(() => pattern));
  expect(free.map((host) => match(host))).toEqual(free.map(() => undefined));
});

test.each([
  "",
  "acme",
  "*",
  "*.*",
  "10.0.0.1",
  "[::1]",
  "a b.example",
  "-a.example",
  "**a*b*c*d*e.example",
  "a".repeat(300),
])("%j is refused", (written) => {
  expect(() => parseOptOut(written)).toThrow("is not a domain or a pattern");
});

test("the client sends an opted-out host nothing: no DNS query, no connection, no redirect", async () => {
  const asked: string[] = [];
  const site = await serveRaw((socket, head) => {
    asked.push(/^Host: (.+)$/m.exec(head)?.[1]?.trim() ?? "");
    socket.end(response("", ["Location: http://www.acme.example/"], "302 Found"));
  });
  const answer = answerFrom([
    { name: "open.example", type: "A", data: "127.0.0.1" },
    { name: "www.acme.example", type: "A", data: "127.0.0.1" },
  ]);
  const dns = await serveDns(answer);
  const match = createOptOutMatcher(["acme.example"]);
  const client = openNetworkClient(
    settings({
      dnsServers: [dns.address],
      connectPorts: new Map([[80, site.port]]),
      optOuts: { match: async (host) => match(host) },
    }),
  );
  const { hops, final } = await client.http("http://open.example/", {}, never);
  expect([hops.length, final.url, final.status, final.fault]).toEqual([
    2,
    "http://www.acme.example/",
    "refused",
    "opted_out",
  ]);
  expect(await client.dns("_dmarc.acme.example", "TXT", never)).toMatchObject({ status: "refused", records: [] });
  expect(await client.certificate("acme.example", never)).toMatchObject({ status: "refused" });
  expect((await client.http("http://acme.example./", {}, never)).final.fault).toBe("opted_out");
  expect(asked).toEqual(["open.example"]);
  client.close();
});

test.each(["acme.example.", "acme.example..", "www.acme.example..."])(
  "a host with dots at its end is covered: %s",
  (host) => {
    expect(createOptOutMatcher(["acme.example"])(host)).toBe("acme.example");
  },
);
