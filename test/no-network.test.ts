import { afterEach, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns";
import { Resolver as PromisedResolver } from "node:dns/promises";
import { request } from "node:http";
import { request as requestTls } from "node:https";
import { connect, createConnection, Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { isLoopback, takeAttempts } from "./no-network.ts";

/** A documentation address (RFC 5737): nobody answers there, should a guard be broken. */
const OUTSIDE = "192.0.2.1";

const servers: { stop(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

function outsideResolver<T extends { setServers(servers: readonly string[]): void }>(resolver: T): T {
  resolver.setServers([`${OUTSIDE}:53`]);
  return resolver;
}

test.each<[string, () => unknown]>([
  ["fetch", () => fetch(`http://${OUTSIDE}/`)],
  ["fetch of a request", () => fetch(new Request(`https://${OUTSIDE}/`))],
  ["fetch of a name", () => fetch("https://acme.test/")],
  ["net.connect", () => connect({ host: OUTSIDE, port: 80 })],
  ["net.createConnection", () => createConnection(80, OUTSIDE)],
  ["a socket of one's own", () => new Socket().connect(80, "acme.test")],
  ["tls.connect", () => connectTls({ host: OUTSIDE, port: 443 })],
  ["http.request", () => request(`http://${OUTSIDE}/`).end()],
  ["https.request", () => requestTls(`https://${OUTSIDE}/`).end()],
  ["Bun.connect", () => Bun.connect({ hostname: OUTSIDE, port: 80, socket: { data() {} } })],
  ["dgram send", () => createSocket("udp4").send("x", 53, OUTSIDE)],
  ["dgram send of a part", () => createSocket("udp4").send(Buffer.from("xyz"), 0, 2, 53, OUTSIDE, () => {})],
  ["dgram connect", () => createSocket("udp4").connect(53, OUTSIDE)],
  ["Bun.udpSocket", () => Bun.udpSocket({ connect: { hostname: OUTSIDE, port: 53 } })],
  ["dns.Resolver", () => outsideResolver(new Resolver()).resolve4("acme.test", () => {})],
  ["dns.promises.Resolver", () => outsideResolver(new PromisedResolver()).resolve("acme.test", "MX")],
])("%s to the outside throws", async (_, call) => {
  expect(async () => await call()).toThrow("real network");
  expect(takeAttempts()).toHaveLength(1);
});

test("a connection to this machine goes through", async () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("here") });
  servers.push(server);
  expect(await (await fetch(server.url)).text()).toBe("here");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: "127.0.0.1", port: server.port ?? 0 }, resolve).on("error", reject);
  await promise;
  socket.destroy();
});

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["::1", true],
  ["[::1]", true],
  ["::ffff:127.0.0.1", true],
  ["localhost", true],
  ["127.0.0.1.acme.test", false],
  ["0.0.0.0", false],
  ["10.0.0.1", false],
  ["169.254.169.254", false],
  ["localhost.acme.test", false],
])("%s is this machine: %p", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
