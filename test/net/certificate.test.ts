import { afterEach, expect, test } from "bun:test";
import { openNetworkClient } from "../../src/net/client.ts";
import { openAuthority } from "../box/authority.ts";
import { answerFrom, closeAll, HASTY, never, type Raw, serveDns, serveRaw, settings } from "./loopback.ts";

afterEach(closeAll);

const authority = openAuthority();

async function doorTo(site: Raw, more: Parameters<typeof settings>[0] = {}) {
  const dns = await serveDns(
    answerFrom([
      { name: "acme.example", type: "A", data: "127.0.0.1" },
      { name: "inside.example", type: "A", data: "192.168.0.1" },
    ]),
  );
  const connectPorts = new Map([[443, site.port]]);
  return openNetworkClient(settings({ dnsServers: [dns.address], connectPorts, extraCa: authority.root, ...more }));
}

test("a certificate is read with its issuer, names and dates", async () => {
  const from = new Date("2020-01-01T00:00:00.000Z");
  const to = new Date("2120-01-01T00:00:00.000Z");
  const names = ["acme.example", "*.ACME.example", "acme.example", "shop.vendor.example"];
  const site = await serveRaw(() => {}, authority.issue({ names, issuer: "Honest Trust", from, to }));
  const door = await doorTo(site);
  expect(await door.certificate("ACME.example.", never)).toEqual({
    host: "acme.example",
    status: "ok",
    issuer: { organisation: "Honest Trust", name: "Honest Trust R1" },
    subject: "acme.example",
    names: ["acme.example", "*.acme.example", "shop.vendor.example"],
    valid_from: from.toISOString(),
    valid_to: to.toISOString(),
  });
});

test.each([
  ["another name", authority.issue({ names: ["other.example"] }), "ERR_TLS_CERT_ALTNAME_INVALID"],
  ["an unknown authority", openAuthority().issue({ names: ["acme.example"] }), "CERT_SIGNATURE_FAILURE"],
])("a certificate with %s is read and marked as untrusted", async (_, identity, code) => {
  const site = await serveRaw(() => {}, identity);
  const answer = await (await doorTo(site)).certificate("acme.example", never);
  expect([answer.status, answer.names.length, answer.detail]).toEqual(["ok", 1, `not trusted (${code})`]);
});

test("at most 500 names are kept", async () => {
  const names = Array.from({ length: 700 }, (_, i) => `n${i}.acme.example`);
  const site = await serveRaw(() => {}, authority.issue({ names }));
  expect((await (await doorTo(site)).certificate("acme.example", never)).names).toHaveLength(500);
});

test.each([
  ["a server that says nothing", "acme.example", "timeout", (() => {}) as () => void],
  ["a name with a private address", "inside.example", "refused", () => {}],
  ["a private address", "10.0.0.1", "refused", () => {}],
  ["a name without an address", "gone.example", "failed", () => {}],
  ["what is no host", "acme.example/path", "refused", () => {}],
  ["a host with a port", "acme.example:22", "refused", () => {}],
])("%s gives a status and no certificate", async (_, host, status, answer) => {
  const site = await serveRaw(answer);
  const {
    status: actual,
    issuer,
    names,
  } = await (await doorTo(site, status === "timeout" ? HASTY : {})).certificate(host, never);
  expect([actual, issuer, names]).toEqual([status as "failed", null, []]);
});

test("a server without TLS, or no server, is a failure", async () => {
  const site = await serveRaw(() => {});
  for (const socket of site.sockets) socket.destroy();
  const plain = await Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.end("220 mail.acme.example ESMTP\r\n") },
  });
  const door = await doorTo({ ...site, port: plain.port });
  expect((await door.certificate("acme.example", never)).status).toBe("failed");
  plain.stop(true);
  // A released port may be in use again; no server listens on this one.
  const nobody = await doorTo({ ...site, port: 1 });
  expect((await nobody.certificate("acme.example", never)).status).toBe("failed");
});
