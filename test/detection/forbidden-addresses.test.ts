import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { fernhill } from "../services/fernhill.ts";
import { type Boxed, openBoxed, requestsOf } from "./boxed.ts";

/** The box is at 127.0.0.1; all other addresses of the machine represent forbidden ones. */
const ALLOWED = "127.0.0.1/32";

let boxed: Boxed | undefined;
let internal: Server;
/** Connections that reached a forbidden address. A test's connection beyond the machine fails it by itself. */
let reached: string[];
beforeEach(() => {
  reached = [];
  internal = createServer((socket) => {
    reached.push(String(socket.localAddress));
    socket.destroy();
  });
});
afterEach(async () => {
  await boxed?.close();
  boxed = undefined;
  internal.close();
});

/** Listens on a forbidden address, on the ports of the box's URLs. */
async function listenInternally(): Promise<void> {
  internal.listen(boxed?.box.connectPorts.get(80) ?? 0, "127.0.0.2");
  await once(internal, "listening");
}

describe("a redirect into a network that is not allowed", () => {
  test.each([
    ["http://127.0.0.1:22/", "port 22 is not allowed"],
    ["http://127.0.0.2/", "the address 127.0.0.2 is not allowed"],
    ["http://2130706434/", "the address 127.0.0.2 is not allowed"],
    ["http://0x7f.0.0.2/", "the address 127.0.0.2 is not allowed"],
    ["http://[::ffff:127.0.0.2]/", "the address ::ffff:7f00:2 is not allowed"],
    ["http://169.254.169.254/latest/meta-data/", "the address 169.254.169.254 is not allowed"],
    ["http://[::1]/", "the address ::1 is not allowed"],
    ["http://inner.dns.test/", "the address 10.0.0.1 is not allowed"],
    ["http://near.dns.test/", "the address 127.0.0.2 is not allowed"],
    ["https://six.dns.test/", "the address fd00::1 is not allowed"],
    ["http://user:word@fernhill.test/", "a user or password in the URL is not allowed"],
    ["file:///etc/passwd", "the scheme file: is not allowed"],
    ["gopher://127.0.0.2/", "the scheme gopher: is not allowed"],
  ])("to %s is not followed, and the recording has the reason", async (target, why) => {
    const zone = {
      "inner.dns.test": { A: "10.0.0.1" },
      "near.dns.test": { A: "127.0.0.2" },
      "six.dns.test": { AAAA: "fd00::1" },
    };
    boxed = await openBoxed({ ...fernhill({ redirect: target }), zone }, { flags: { "net-allow-cidrs": ALLOWED } });
    await listenInternally();
    const { sources } = await boxed.enrich("fernhill.test");
    expect(reached).toEqual([]);
    const hosts = new Set(requestsOf(boxed.box.hits).map((url) => new URL(url).hostname));
    expect([...hosts]).toEqual(["fernhill.test"]);
    const refused = (await boxed.store.scans.latestSnapshot("fernhill.test"))?.http.filter(
      ({ status }) => status === "refused",
    );
    expect(refused?.map(({ detail }) => detail)).toEqual([why]);
    expect(sources.find(({ source }) => source === "bundles")?.status).toBe("failed");
    expect(boxed.bugs).toEqual([]);
  });
});

test("a domain with a forbidden address is not visited", async () => {
  const world = { companies: [{ domain: "fernhill.test", records: { "": { A: "127.0.0.2" } }, pages: { "/": "" } }] };
  boxed = await openBoxed(world, { flags: { "net-allow-cidrs": ALLOWED } });
  await listenInternally();
  const { sources } = await boxed.enrich("fernhill.test");
  expect(reached).toEqual([]);
  expect(requestsOf(boxed.box.hits)).toEqual([]);
  expect(sources.find(({ source }) => source === "home-page")?.status).toBe("failed");
});

test("a name whose address changes between two lookups is only connected to at vetted addresses", async () => {
  const faults = [{ name: "fernhill.test", fault: "rebind", second: "127.0.0.2" } as const];
  boxed = await openBoxed({ ...fernhill(), faults }, { flags: { "net-allow-cidrs": ALLOWED } });
  await listenInternally();
  await boxed.enrich("fernhill.test");
  const asked = boxed.box.hits.filter((hit) => hit.kind === "dns" && hit.name === "fernhill.test" && hit.type === "A");
  // The second answer was given, and no connection was made to its address.
  expect(asked.length).toBeGreaterThan(1);
  expect(reached).toEqual([]);
});
