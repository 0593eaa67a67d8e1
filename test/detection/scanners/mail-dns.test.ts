import { expect, test } from "bun:test";
import { mailDns } from "../../../src/detection/scanners/mail.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

test("every mail exchange is a signal, except the null MX", async () => {
  const dns = { "acme.example MX": ["10 mx1.vendor.test", "20 MX2.vendor.test.", "0 ."] };
  expect(await seenBy(mailDns, { dns })).toEqual([
    "dns.mx mx1.vendor.test @ acme.example MX",
    "dns.mx mx2.vendor.test @ acme.example MX",
  ]);
});

test("an exchange under the company's name is identified by its alias", async () => {
  const dns = { "acme.example MX": ["10 in.acme.example"], "in.acme.example CNAME": ["mx.vendor.test"] };
  expect(await seenBy(mailDns, { dns })).toContain("dns.mx mx.vendor.test @ in.acme.example CNAME");
});

test("an SPF record is followed only under the company's names", async () => {
  const dns = {
    "acme.example TXT": ["v=spf1 include:_spf.acme.example include:_spf.vendor.test -all"],
    "_spf.acme.example TXT": ["v=spf1 include:mail.other.test redirect=_spf2.acme.example"],
    "_spf2.acme.example TXT": ["v=spf1 exists:%{i}._spf.third.test include:acme.example -all"],
    "_spf.vendor.test TXT": ["v=spf1 include:infrastructure.test -all"],
  };
  expect(await seenBy(mailDns, { dns })).toEqual([
    "dns.spf _spf.third.test @ _spf2.acme.example TXT (end of a name with macros)",
    "dns.spf _spf.vendor.test @ acme.example TXT",
    "dns.spf mail.other.test @ _spf.acme.example TXT",
  ]);
});

test("a first-party name that is an alias of a vendor shows the vendor, not the vendor's includes", async () => {
  const dns = {
    "acme.example TXT": ["v=spf1 include:_spf.acme.example -all"],
    "_spf.acme.example CNAME": ["acme.hosted-spf.test"],
    "acme.hosted-spf.test TXT": ["v=spf1 include:infrastructure.test -all"],
  };
  expect(await seenBy(mailDns, { dns })).toEqual(["dns.spf acme.hosted-spf.test @ _spf.acme.example CNAME"]);
});

test("a chain of first-party SPF records ends after ten lookups", async () => {
  const links = Array.from({ length: 30 }, (_, at): [string, string[]] => [
    `s${at}.acme.example TXT`,
    [`v=spf1 include:s${at + 1}.acme.example -all`],
  ]);
  const visit = fakeVisit({
    dns: { "acme.example TXT": ["v=spf1 include:s0.acme.example -all"], ...Object.fromEntries(links) },
  });
  await mailDns.scan(visit, () => {});
  expect(visit.asked.filter((question) => /^s\d+\./.test(question))).toHaveLength(10);
});

test("a wildcard answer is no signal for the names that senders use", async () => {
  const dns = {
    "*.acme.example MX": ["10 mx.vendor.test"],
    "*.acme.example TXT": ["v=spf1 include:_spf.vendor.test -all"],
    "send.acme.example MX": ["10 bounce.sender.test"],
  };
  expect(await seenBy(mailDns, { dns })).toEqual(["dns.mx bounce.sender.test @ send.acme.example MX"]);
});

test("the names of a recorded zone are scanned too, but not through an alias", async () => {
  const dns = {
    "court.acme.example MX": ["10 mx.vendor.test"],
    "list.acme.example CNAME": ["lists.other.test"],
    "lists.other.test MX": ["10 mx.other.test"],
    "lists.other.test TXT": ["v=spf1 include:infrastructure.test -all"],
  };
  const known = { names: ["court.acme.example", "list.acme.example", "court.stranger.test"] };
  expect(await seenBy(mailDns, { dns, known })).toEqual(["dns.mx mx.vendor.test @ court.acme.example MX"]);
});
