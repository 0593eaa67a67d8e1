import { expect, test } from "bun:test";
import { zone } from "../../../src/detection/scanners/dns.ts";
import { seenBy } from "./emitted-by.ts";

test("third-party name servers are signals", async () => {
  expect(await seenBy(zone, { dns: { "acme.example NS": ["NS1.dns.test.", "ns2.acme.example"] } })).toEqual([
    "dns.ns ns1.dns.test @ acme.example NS",
  ]);
});

test.each([
  ["ns1.dns.test hostmaster.dns.test", ["hostmaster.dns.test", "ns1.dns.test"]],
  ["ns1.acme.example it.desk.acme.example", []],
  ["ns1.acme.example jane\\.doe.consultants.test", ["consultants.test"]],
])("the SOA record %s contains third-party hosts", async (record, hosts) => {
  const seen = await seenBy(zone, { dns: { "acme.example SOA": [record] } });
  expect(seen).toEqual(hosts.map((host) => `dns.soa ${host} @ acme.example SOA`));
});

test.each([
  ["issue ca.test", "ca.test"],
  ["issuewild ca.test; accounturi=https://x.test/1", "ca.test"],
  ["issue ;", undefined],
  ["iodef mailto:abuse@watch.test", "watch.test"],
  ["iodef https://watch.test/report", "watch.test"],
  ["iodef mailto:security@acme.example", undefined],
])("the CAA record %s contains %p", async (record, host) => {
  const seen = await seenBy(zone, { dns: { "acme.example CAA": [record] } });
  expect(seen).toEqual(host === undefined ? [] : [`dns.caa ${host} @ acme.example CAA`]);
});

test("a zone part delegated to a vendor is a signal, the name servers of an alias are not", async () => {
  const dns = {
    "track.acme.example NS": ["ns1.vendor.test"],
    "shop.acme.example CNAME": ["shops.other.test"],
    "shops.other.test NS": ["ns1.infrastructure.test"],
    "shops.other.test CAA": ["issue ca.test"],
  };
  const known = { names: ["track.acme.example", "shop.acme.example"] };
  expect(await seenBy(zone, { dns, known })).toEqual(["dns.ns ns1.vendor.test @ track.acme.example NS"]);
});
