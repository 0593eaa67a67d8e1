import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeMessage, encodeQuestion } from "../../src/net/dns-message.ts";
import { parseServer, systemServers } from "../../src/net/resolver.ts";
import { packets, parseQuery } from "../box/dns-wire.ts";
import { processorMs } from "../processor-time.ts";

const SANE = packets.encode({
  id: 7,
  type: "response",
  flags: 0x8180,
  questions: [{ name: "acme.example", type: "MX" }],
  answers: [
    { name: "acme.example", type: "MX", ttl: 9, data: { preference: 1, exchange: "mx.acme.example" } },
    { name: "acme.example", type: "TXT", ttl: 9, data: [Buffer.from("text")] },
    { name: "acme.example", type: "SOA", ttl: 9, data: { mname: "ns.acme.example", rname: "a.acme.example" } },
    { name: "acme.example", type: "CAA", ttl: 9, data: { flags: 0, tag: "issue", value: "ca.example" } },
  ],
});

test("another implementation can read a question", () => {
  const query = parseQuery(encodeQuestion(513, "_dmarc.acme.example", "TXT", true));
  expect(query).toMatchObject({ id: 513, question: { name: "_dmarc.acme.example", type: "TXT" }, udpLimit: 1_232 });
  expect(parseQuery(encodeQuestion(1, "", "NS", false))).toMatchObject({ question: { name: "." }, udpLimit: 512 });
});

test("random bytes decode to nothing or to a bounded message, and never throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => bounded(bytes)),
    { numRuns: 5_000 },
  );
});

test("a valid response with changed, missing or repeated bytes is read within its bounds", () => {
  const change = fc.record({ at: fc.nat(SANE.length - 1), to: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.nat(SANE.length), (changes, cut) => {
      const bytes = Buffer.from(SANE);
      for (const { at, to } of changes) bytes[at] = to;
      return bounded(bytes.subarray(0, cut)) && bounded(bytes);
    }),
    { numRuns: 5_000 },
  );
});

test("a header that announces 65,535 records of each kind costs nothing", () => {
  const bytes = Buffer.alloc(65_535, 0xff);
  bytes.set([0, 1, 0x81, 0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
  bytes.fill(0, 12);
  const started = processorMs();
  expect(decodeMessage(bytes)).toBeUndefined();
  expect(processorMs() - started).toBeLessThan(200);
});

test("a name has at most 127 pointers, so that many records cannot each follow a long chain", () => {
  const pointer = (to: number) => [0xc0 | (to >> 8), to & 0xff];
  const record = (name: number[], type: number, data: number[]) => [
    ...[...name, 0, type, 0, 1, 0, 0, 0, 9, data.length >> 8, data.length & 0xff],
    ...data,
  ];
  /** The first record has the root at byte 23 and pointers behind it, each to the one before; the second is named by the last. */
  const withPointers = (count: number) => {
    const links = Array.from({ length: count - 1 }, (_, link) => pointer(link === 0 ? 23 : 22 + 2 * link));
    const chain = record([0], 99, [0, ...links.flat()]);
    const named = record(pointer(20 + 2 * count), 1, [192, 0, 2, 1]);
    return Buffer.from([0, 1, 0x81, 0x80, 0, 0, 0, 2, 0, 0, 0, 0, ...chain, ...named]);
  };
  expect(decodeMessage(withPointers(127))?.answers).toMatchObject([{ name: "", value: "192.0.2.1" }]);
  expect(decodeMessage(withPointers(128))).toBeUndefined();
});

test("names that point at themselves, forwards, or grow without end are refused", () => {
  const head = [0, 1, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0];
  const itself = Buffer.from([...head, 0xc0, 12, 0, 1, 0, 1]);
  const forwards = Buffer.from([...head, 0xc0, 20, 0, 1, 0, 1, 0, 0, 0, 0]);
  const loop = Buffer.from([...head, 1, 97, 0xc0, 12, 0, 1, 0, 1]);
  const long = Buffer.from([
    ...head,
    ...Array(8)
      .fill([60, ...Array(60).fill(97)])
      .flat(),
    0,
    0,
    1,
    0,
    1,
  ]);
  expect([itself, forwards, loop, long].map(decodeMessage)).toEqual([undefined, undefined, undefined, undefined]);
});

test("a record's data cannot reach beyond its own length", () => {
  const bytes = Buffer.from(SANE);
  const at = bytes.indexOf(Buffer.from([0, 5, 4, 0x74]));
  bytes[at + 2] = 200;
  expect(decodeMessage(bytes)).toBeUndefined();
});

test("a dot inside a label does not make two labels", () => {
  const head = [0, 1, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0];
  const message = decodeMessage(Buffer.from([...head, 3, 97, 46, 98, 0, 0, 1, 0, 1]));
  expect(message?.question?.name).toBe("a\\046b");
});

test.each([
  ["192.0.2.1", { ip: "192.0.2.1", port: 53 }],
  ["192.0.2.1:5353", { ip: "192.0.2.1", port: 5353 }],
  ["2001:db8::1", { ip: "2001:db8::1", port: 53 }],
  ["[2001:db8::1]:5353", { ip: "2001:db8::1", port: 5353 }],
  ["dns.example", undefined],
  ["192.0.2.1:0", undefined],
  ["192.0.2.1:99999", undefined],
  ["[dns]:53", undefined],
])("a server is an address with or without a port: %s", (text, server) => {
  expect(parseServer(text)).toEqual(server);
});

test("without resolv.conf the servers of the runtime are used", () => {
  expect(Array.isArray(systemServers("/nowhere/resolv.conf"))).toBe(true);
});

function bounded(bytes: Uint8Array): boolean {
  const message = decodeMessage(bytes);
  if (!message) return true;
  const text = message.answers.reduce((sum, { value }) => sum + value.length, 0);
  return message.answers.length <= 200 && text <= 4 * bytes.length * 4 && text <= 400_000;
}
