import { expect, test } from "bun:test";
import { dkim } from "../../../src/detection/scanners/mail.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

test("a selector that is an alias shows the key's vendor, and not the servers of that vendor", async () => {
  const dns = {
    "s1._domainkey.acme.example CNAME": ["s1.acme.sender.test"],
    "s1.acme.sender.test CNAME": ["key.dkim.infrastructure.test"],
    "key.dkim.infrastructure.test TXT": ["v=DKIM1; p=AAAABBBB"],
  };
  expect(await seenBy(dkim, { dns })).toEqual(["dns.dkim s1.acme.sender.test @ s1._domainkey.acme.example CNAME"]);
});

test.each([
  ["v=DKIM1; k=rsa; p=MIGfMA0G", true],
  ["k=rsa;p=MIGfMA0G", true],
  ["v=DKIM1; p=", false],
  ["v=spf1 -all", false],
])("a key published directly counts for its selector: %s %p", async (record, seen) => {
  const signal = "dns.dkim-selector google @ google._domainkey.acme.example TXT";
  expect(await seenBy(dkim, { dns: { "google._domainkey.acme.example TXT": [record] } })).toEqual(seen ? [signal] : []);
});

test("a wildcard under _domainkey emits nothing", async () => {
  expect(await seenBy(dkim, { dns: { "*._domainkey.acme.example TXT": ["v=DKIM1; p=MIGfMA0G"] } })).toEqual([]);
  expect(await seenBy(dkim, { dns: { "*.acme.example CNAME": ["parking.test"] } })).toEqual([]);
});

test("selectors that are only known from a zone are scanned", async () => {
  const dns = {
    "hs1-1234._domainkey.acme.example CNAME": ["acme.hosted.test"],
    "x9._domainkey.news.acme.example TXT": ["v=DKIM1; p=MIGfMA0G"],
  };
  const known = { names: ["hs1-1234._domainkey.acme.example", "x9._domainkey.news.acme.example"] };
  expect(await seenBy(dkim, { dns, known })).toEqual([
    "dns.dkim acme.hosted.test @ hs1-1234._domainkey.acme.example CNAME",
    "dns.dkim-selector x9 @ x9._domainkey.news.acme.example TXT",
  ]);
});

test("keys that a vendor's servers answer for show the vendor", async () => {
  expect(await seenBy(dkim, { dns: { "_domainkey.acme.example NS": ["ns.hosted.test"] } })).toContain(
    "dns.cname ns.hosted.test @ _domainkey.acme.example NS",
  );
});

test("at most sixteen selectors are queried at once", async () => {
  const visit = fakeVisit();
  let open = 0;
  let most = 0;
  const counted = {
    ...visit,
    async dns(...question: Parameters<typeof visit.dns>) {
      most = Math.max(most, ++open);
      await Promise.resolve();
      open--;
      return visit.dns(...question);
    },
  };
  await dkim.scan(counted, () => {});
  expect(most).toBe(16);
});
