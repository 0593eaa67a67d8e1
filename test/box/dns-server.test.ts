import { afterEach, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { type Box, openBox } from "./box.ts";
import { brightpine } from "./brightpine.ts";
import type { World } from "./company.ts";
import { type Packet, packets } from "./dns-wire.ts";

let box: Box | undefined;
const open = async (world: World) => {
  box = await openBox(world);
  return box;
};
afterEach(async () => {
  await box?.close();
  box = undefined;
});

const resolver = ({ dns }: Box) => {
  const client = new Resolver({ timeout: 20_000, tries: 1 });
  client.setServers([dns]);
  return client;
};
/** One question over UDP, to see what Bun's own resolver hides: the code of an empty answer. */
async function ask({ dns }: Box, name: string, type: string): Promise<Packet> {
  const socket = createSocket("udp4");
  const query = packets.encode({ id: 7, type: "query", flags: 0x100, questions: [{ name, type }] });
  const answered = once(socket, "message");
  socket.send(query, Number(dns.split(":")[1]), "127.0.0.1");
  const [bytes] = await answered;
  socket.close();
  return packets.decode(bytes);
}
const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : error);

describe("DNS", () => {
  test("answers over UDP as described", async () => {
    const dns = resolver(await open(brightpine));
    expect(await dns.resolveMx("brightpine.test")).toContainEqual({
      priority: 20,
      exchange: "alt1.aspmx.l.google.com",
    });
    expect(await dns.resolveTxt("_dmarc.brightpine.test")).toEqual([["v=DMARC1; p=none"]]);
    expect(await dns.resolveTxt("1.0.0.127.origin.asn.test")).toEqual([["64500 | 127.0.0.0/8 | ZZ"]]);
    expect(box?.hits.map((hit) => hit.kind === "dns" && `${hit.over} ${hit.type} ${hit.name}`)).toContain(
      "udp MX brightpine.test",
    );
  });

  test("resends a long answer over TCP, in strings of 255 bytes", async () => {
    // Bun returns each string as a separate record; Node would return one list of eight.
    const strings = (await resolver(await open(brightpine)).resolveTxt("long.brightpine.test")).flat();
    expect(strings.join("")).toBe("x".repeat(2_000));
    expect(strings).toHaveLength(8);
    expect(box?.hits.flatMap((hit) => (hit.kind === "dns" ? [hit.over] : []))).toEqual(["udp", "tcp"]);
  });

  test.each([
    ["brightpine.test", ["127.0.0.1"]],
    ["boards-api.greenhouse.io", ["127.0.0.1"]],
    ["shop.brightpine.test", ["127.0.0.1"]],
    ["a.deep.brightpine.test", ["127.0.0.5"]],
    ["BRIGHTPINE.test", ["127.0.0.1"]],
  ])("gives %s an address", async (name, addresses) => {
    expect(await resolver(await open(brightpine)).resolve4(name)).toEqual(addresses);
  });

  test("a wildcard answers for names that are not described", async () => {
    expect(await resolver(await open(brightpine)).resolveCname("x.apps.brightpine.test")).toEqual([
      "ingress.cloud.test",
    ]);
  });

  test.each([
    ["nowhere.brightpine.test", 3, 0],
    ["nowhere.invalid", 3, 0],
    ["deep.brightpine.test", 0, 0],
    ["_dmarc.brightpine.test", 0, 0],
    ["status.brightpine.test", 0, 1],
  ])("has no address for %s: code %i, %i aliases", async (name, code, aliases) => {
    const reply = await ask(await open(brightpine), name, "A");
    expect([reply.flags & 15, reply.answers?.length]).toEqual([code, aliases]);
  });

  test.each([
    ["servfail", "ESERVFAIL"],
    ["refused", "EREFUSED"],
    ["garbage", "EBADRESP"],
  ] as const)("the fault %s is an error %s", async (fault, code) => {
    const dns = resolver(await open({ ...brightpine, faults: [{ name: "brightpine.test", fault }] }));
    expect(await dns.resolve4("brightpine.test").catch(codeOf)).toBe(code);
    expect(await dns.resolveTxt("_dmarc.brightpine.test")).toHaveLength(1);
  });

  test("a question that hangs is received and never answered", async () => {
    const opened = await open({ ...brightpine, faults: [{ name: "brightpine.test", fault: "hang" }] });
    let answered = false;
    void ask(opened, "brightpine.test", "A").then(() => {
      answered = true;
    });
    await ask(opened, "crt.sh", "A");
    expect(opened.hits).toMatchObject([{ name: "brightpine.test" }, { name: "crt.sh" }]);
    expect(answered).toBe(false);
  });

  test("an answer with the wrong id answers another question", async () => {
    const opened = await open({ ...brightpine, faults: [{ name: "brightpine.test", fault: "wrong-id" }] });
    expect((await ask(opened, "brightpine.test", "A")).id).not.toBe(7);
  });

  test("a loop of aliases never resolves to an address", async () => {
    const opened = await open({ ...brightpine, faults: [{ name: "brightpine.test", fault: "loop" }] });
    const { answers } = await ask(opened, "brightpine.test", "A");
    expect(answers).toMatchObject([{ data: "loop.brightpine.test" }, { data: "brightpine.test" }]);
  });

  test("a truncated answer is complete over TCP", async () => {
    const dns = resolver(await open({ ...brightpine, faults: [{ name: "*.test", type: "A", fault: "truncate" }] }));
    expect(await dns.resolve4("brightpine.test")).toEqual(["127.0.0.1"]);
  });

  test("a rebinding name has another address at the second lookup", async () => {
    const dns = resolver(await open({ ...brightpine, faults: [{ name: "brightpine.test", fault: "rebind" }] }));
    expect(await dns.resolve4("brightpine.test")).toEqual(["127.0.0.1"]);
    expect(await dns.resolve4("brightpine.test")).toEqual(["169.254.169.254"]);
  });
});
