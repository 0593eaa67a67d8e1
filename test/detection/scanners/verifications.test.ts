import { expect, test } from "bun:test";
import { verifications } from "../../../src/detection/scanners/dns.ts";
import { seenBy } from "./emitted-by.ts";

test("every TXT string at the apex is a signal, except SPF", async () => {
  const dns = { "acme.example TXT": ["vendor-verification=1", "v=spf1 -all", "", "v=spf10 no record"] };
  expect(await seenBy(verifications, { dns })).toEqual([
    "dns.txt v=spf10 no record @ acme.example TXT",
    "dns.txt vendor-verification=1 @ acme.example TXT",
  ]);
});

test("a name with a leading underscore identifies the vendor, so it is joined to the string", async () => {
  const dns = { "_github-challenge-acme-org.acme.example TXT": ["0123456789"] };
  expect(await seenBy(verifications, { dns })).toEqual([
    "dns.txt 0123456789 @ _github-challenge-acme-org.acme.example TXT",
    "dns.txt _github-challenge-acme-org=0123456789 @ _github-challenge-acme-org.acme.example TXT",
  ]);
});

test("and so does a name that Azure reads", async () => {
  const dns = { "asuid.acme.example TXT": ["58D08003"] };
  expect(await seenBy(verifications, { dns })).toContain("dns.txt asuid=58D08003 @ asuid.acme.example TXT");
});

test("strings behind an alias belong to the vendor, not to the company", async () => {
  const dns = { "www.acme.example CNAME": ["sites.vendor.test"], "sites.vendor.test TXT": ["other-verification=1"] };
  expect(await seenBy(verifications, { dns })).toEqual([]);
});

test("a verification delegated to a vendor by alias shows the vendor", async () => {
  const dns = { "_acme-challenge.acme.example CNAME": ["acme.validations.test"] };
  expect(await seenBy(verifications, { dns })).toEqual([
    "dns.cname acme.validations.test @ _acme-challenge.acme.example CNAME",
  ]);
});

test("wildcard answers emit nothing", async () => {
  expect(await seenBy(verifications, { dns: { "*.acme.example TXT": ["parked"] } })).toEqual([]);
  expect(await seenBy(verifications, { dns: { "*.acme.example CNAME": ["parking.test"] } })).toEqual([]);
});

test("names of a recorded zone count, except mail policies and keys, which have their own scanners", async () => {
  const dns = {
    "team.acme.example TXT": ["vendor-verification=2"],
    "_dmarc.acme.example TXT": ["v=DMARC1; p=none"],
    "k1._domainkey.acme.example TXT": ["v=DKIM1; p=AAAA"],
  };
  expect(
    await seenBy(verifications, { dns, known: { names: Object.keys(dns).map((key) => key.slice(0, -4)) } }),
  ).toEqual(["dns.txt vendor-verification=2 @ team.acme.example TXT"]);
});

test("a long string is truncated to the limit of a signal", async () => {
  const [seen] = await seenBy(verifications, { dns: { "acme.example TXT": ["x".repeat(9_000)] } });
  expect(seen).toBe(`dns.txt ${"x".repeat(4_096)} @ acme.example TXT`);
});
