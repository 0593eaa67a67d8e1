import { afterEach, describe, expect, test } from "bun:test";
import { Resolver } from "node:dns/promises";
import { connect } from "node:tls";
import { type Box, openBox } from "./box.ts";
import { brightpine } from "./brightpine.ts";
import type { World } from "./company.ts";

let box: Box | undefined;
const open = async (world: World) => {
  box = await openBox(world);
  return box;
};
afterEach(async () => {
  await box?.close();
  box = undefined;
});

/** As the product does: to the address in the URL, with the name in the Host header and the TLS hello. */
function visit(
  { connectPorts, ca }: Box,
  url: string,
  init: BunFetchRequestInit & { decompress?: boolean } = {},
): Promise<Response> {
  const { protocol, host, pathname, search } = new URL(url);
  const port = connectPorts.get(protocol === "https:" ? 443 : 80);
  return fetch(`${protocol}//127.0.0.1:${port}${pathname}${search}`, {
    redirect: "manual",
    signal: AbortSignal.timeout(20_000),
    ...init,
    headers: { host, ...init.headers },
    tls: { ca, serverName: host },
  });
}

describe("the web", () => {
  test.each([
    ["https://brightpine.test/", 200, "<title>Brightpine</title>"],
    ["https://www.brightpine.test/", 503, "down"],
    ["https://brightpine.test/missing", 404, "<title>Not found</title>"],
    ["https://brightpine.test/slow?x=1", 200, "late"],
    ["https://brightpine.test/docs/a/b", 200, "any document"],
    ["https://crt.sh/?q=a", 200, "by query"],
    ["https://crt.sh/?q=b", 200, "any query"],
    ["https://boards-api.greenhouse.io/v1/boards/brightpine/jobs?content=true", 200, '{"jobs":[]}'],
  ])("%s answers %i", async (url, status, body) => {
    const response = await visit(await open(brightpine), url);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(body);
    expect(box?.hits).toMatchObject([{ kind: "http", method: "GET", url }]);
  });

  test("headers are served as described, including repeated ones", async () => {
    const { headers } = await visit(await open(brightpine), "https://brightpine.test/robots.txt");
    expect(headers.get("content-type")).toBe("text/plain");
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  test("port 80 redirects a company's visitors to https", async () => {
    const response = await visit(await open(brightpine), "http://brightpine.test/old");
    expect([response.status, response.headers.get("location")]).toEqual([301, "https://brightpine.test/old"]);
  });

  test("a request for a host other than the connection's is misdirected", async () => {
    const response = await visit(await open(brightpine), "https://brightpine.test/", { headers: { host: "crt.sh" } });
    expect(response.status).toBe(421);
  });

  test("a client that does not trust the box's authority is refused", async () => {
    const { connectPorts } = await open(brightpine);
    const untrusting = visit({ ...(await open(brightpine)), connectPorts, ca: "" }, "https://brightpine.test/");
    await expect(untrusting).rejects.toThrow();
  });

  test("a certificate has the configured names and issuer", async () => {
    const certificate = { names: ["brightpine.test", "partner.test"], issuer: "Box Trust" };
    const { connectPorts, ca } = await open({
      companies: [{ domain: "brightpine.test", pages: { "/": "" }, certificate }],
    });
    const socket = connect({ host: "127.0.0.1", port: connectPorts.get(443)!, ca, servername: "brightpine.test" });
    await new Promise((done, fail) => socket.once("secureConnect", done).once("error", fail));
    const peer = socket.getPeerCertificate();
    socket.destroy();
    expect(peer.subjectaltname).toBe("DNS:brightpine.test, DNS:partner.test");
    expect(peer.issuer).toMatchObject({ O: "Box Trust", CN: "Box Trust R1" });
  });

  test("a new description applies from the next request", async () => {
    const opened = await open(brightpine);
    opened.describe({ companies: [{ domain: "brightpine.test", pages: { "/": "changed" } }] });
    expect(await (await visit(opened, "https://brightpine.test/")).text()).toBe("changed");
  });
});

describe("a faulty host", () => {
  const faulty = (fault: Extract<NonNullable<World["faults"]>[number], { host: string }>["fault"]) =>
    open({ ...brightpine, faults: [{ host: "brightpine.test", fault }] });
  const home = "https://brightpine.test/";

  test.each(["hang", "slow-tls"] as const)("%s never responds", async (fault) => {
    const asked = visit(await faulty(fault), home, { signal: AbortSignal.timeout(150) });
    await expect(asked).rejects.toThrow(/timed out/);
    expect((await visit(box!, "https://crt.sh/")).status).toBe(200);
  });

  test("refuse returns an address where no server listens", async () => {
    const resolver = new Resolver();
    resolver.setServers([(await faulty("refuse")).dns]);
    expect(await resolver.resolve4("brightpine.test")).toEqual(["127.0.0.9"]);
    await expect(fetch(`https://127.0.0.9:${box!.connectPorts.get(443)}/`)).rejects.toThrow(/connect/i);
  });

  test.each(["reset", "garbage"] as const)("%s breaks the request", async (fault) => {
    const whole = visit(await faulty(fault), home).then((response) => response.text());
    await expect(whole).rejects.toThrow(/socket|connection|malformed|invalid|reset|closed/i);
  });

  test("drip sends a byte at a time", async () => {
    const { body } = await visit(await faulty("drip"), home);
    const { value } = await body!.getReader().read();
    expect(value).toHaveLength(1);
  });

  test.each(["endless", "bomb"] as const)("%s exceeds what a client should read", async (fault) => {
    const { body } = await visit(await faulty(fault), home);
    let read = 0;
    for await (const chunk of body!) {
      read += chunk.length;
      if (read > 8_000_000) break;
    }
    expect(read).toBeGreaterThan(8_000_000);
  });

  test("the bomb is small on the wire and decompresses to 512 MiB", async () => {
    const response = await visit(await faulty("bomb"), home, { decompress: false });
    const packed = Buffer.from(await response.arrayBuffer());
    expect(packed.length).toBeLessThan(700_000);
    expect(packed.readUInt32LE(packed.length - 4)).toBe(512 * 1_048_576);
  });

  test("header-flood sends 5000 headers", async () => {
    const { connectPorts, ca } = await faulty("header-flood");
    const socket = connect({ host: "127.0.0.1", port: connectPorts.get(443)!, ca, servername: "brightpine.test" });
    socket.write("GET / HTTP/1.1\r\nhost: brightpine.test\r\n\r\n");
    let head = "";
    for await (const bytes of socket) {
      head += bytes;
      if (head.includes("\r\n\r\n")) break;
    }
    expect(head.match(/^x-flood-\d+: /gm)).toHaveLength(5_000);
  });

  test("a fault on one path does not affect the others", async () => {
    const opened = await open({ ...brightpine, faults: [{ host: "brightpine.test", path: "/", fault: "hang" }] });
    expect((await visit(opened, "https://brightpine.test/robots.txt")).status).toBe(200);
  });
});
