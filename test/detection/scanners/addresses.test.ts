import { expect, test } from "bun:test";
import { addresses } from "../../../src/detection/scanners/dns.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

const sources = { asnZone: "origin.asn.test", asn6Zone: "origin6.asn.test" };
const V6 = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2";

test("an address shows its reverse name and its autonomous systems, for IPv4 and IPv6", async () => {
  const dns = {
    "acme.example A": ["198.51.100.7"],
    "acme.example AAAA": ["2001:db8::1"],
    "7.100.51.198.in-addr.arpa PTR": ["edge-7.vendor.test"],
    "7.100.51.198.origin.asn.test TXT": ["64500 64501 | 198.51.100.0/24 | ZZ | registry | 2024-01-01"],
    [`${V6}.ip6.arpa PTR`]: ["edge6.vendor.test"],
    [`${V6}.origin6.asn.test TXT`]: ["64502 | 2001:db8::/32 | ZZ | registry |"],
  };
  expect(await seenBy(addresses, { dns, sources })).toEqual([
    "dns.ptr edge-7.vendor.test @ 198.51.100.7 PTR",
    "dns.ptr edge6.vendor.test @ 2001:db8::1 PTR",
    "net.asn AS64500 @ 198.51.100.7 ASN",
    "net.asn AS64501 @ 198.51.100.7 ASN",
    "net.asn AS64502 @ 2001:db8::1 ASN",
  ]);
});

test("www is detected by its alias", async () => {
  const dns = { "www.acme.example CNAME": ["acme.cdn.test"], "acme.cdn.test CNAME": ["edge.infrastructure.test"] };
  expect(await seenBy(addresses, { dns })).toEqual(["dns.cname acme.cdn.test @ www.acme.example CNAME"]);
});

test("an address behind a vendor's host belongs to the vendor, and is not looked up", async () => {
  const dns = {
    "www.acme.example CNAME": ["acme.cdn.test"],
    "www.acme.example A": ["198.51.100.7"],
    "7.100.51.198.in-addr.arpa PTR": ["edge-7.infrastructure.test"],
  };
  expect(await seenBy(addresses, { dns })).toEqual(["dns.cname acme.cdn.test @ www.acme.example CNAME"]);
});

test("an address behind a host of the company belongs to the company", async () => {
  const dns = {
    "www.acme.example CNAME": ["web.acme.example"],
    "www.acme.example A": ["198.51.100.7"],
    "7.100.51.198.in-addr.arpa PTR": ["edge-7.vendor.test"],
  };
  expect(await seenBy(addresses, { dns })).toEqual(["dns.ptr edge-7.vendor.test @ 198.51.100.7 PTR"]);
});

test("at most six addresses are looked up, and no private ones", async () => {
  const dns = {
    "acme.example A": [
      "10.0.0.1",
      "127.0.0.1",
      "100.64.0.1",
      ...Array.from({ length: 30 }, (_, n) => `198.51.100.${n}`),
    ],
    "acme.example AAAA": ["fe80::1", "::ffff:192.168.0.1"],
  };
  const visit = fakeVisit({ dns, sources });
  await addresses.scan(visit, () => {});
  const reverse = visit.asked.filter((question) => question.endsWith(" PTR"));
  expect(reverse.length).toBeLessThanOrEqual(6);
  expect(reverse.length).toBeGreaterThan(2);
  for (const question of reverse) expect(question).toEndWith(".100.51.198.in-addr.arpa PTR");
});

test("with the system lookup disabled no server is queried for it", async () => {
  const visit = fakeVisit({ dns: { "acme.example A": ["198.51.100.7"] } });
  await addresses.scan(visit, () => {});
  expect(visit.asked.filter((question) => question.includes("TXT"))).toEqual([]);
});
