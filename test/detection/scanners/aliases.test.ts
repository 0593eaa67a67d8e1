import { expect, test } from "bun:test";
import { aliases } from "../../../src/detection/scanners/dns.ts";
import { COMMON_SUBDOMAINS } from "../../../src/detection/scanners/dns-names.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

test("an alias of a vendor's host is detected, even when the host no longer answers", async () => {
  expect(await seenBy(aliases, { dns: { "status.acme.example CNAME": ["acme.status.test"] } })).toEqual([
    "dns.cname acme.status.test @ status.acme.example CNAME",
  ]);
});

test("the chain ends at the first third-party host", async () => {
  const dns = {
    "help.acme.example CNAME": ["desk.acme.example"],
    "desk.acme.example CNAME": ["help.acmecdn.test"],
    "help.acmecdn.test CNAME": ["acme.desk.test"],
    "acme.desk.test CNAME": ["edge.infrastructure.test"],
  };
  expect(await seenBy(aliases, { dns })).toEqual([
    "dns.cname acme.desk.test @ help.acme.example CNAME",
    "dns.cname help.acmecdn.test @ help.acme.example CNAME",
  ]);
});

test("a loop of aliases ends", async () => {
  const dns = { "go.acme.example CNAME": ["info.acme.example"], "info.acme.example CNAME": ["go.acme.example"] };
  expect(await seenBy(aliases, { dns })).toEqual([]);
});

test("under a wildcard only names that differ from it count, and the wildcard counts once", async () => {
  const dns = { "*.acme.example CNAME": ["sites.test"], "jobs.acme.example CNAME": ["acme.jobs.test"] };
  expect(await seenBy(aliases, { dns })).toEqual([
    "dns.cname acme.jobs.test @ jobs.acme.example CNAME",
    "dns.cname sites.test @ *.acme.example CNAME",
  ]);
});

test("names of a recorded zone are scanned, except DKIM aliases, which have their own scanner", async () => {
  const dns = {
    "xyzzy.acme.example CNAME": ["acme.vendor.test"],
    "k1._domainkey.acme.example CNAME": ["k1.sender.test"],
  };
  const known = { names: ["xyzzy.acme.example", "k1._domainkey.acme.example"] };
  expect(await seenBy(aliases, { dns, known })).toEqual(["dns.cname acme.vendor.test @ xyzzy.acme.example CNAME"]);
});

test("signals are emitted as answers arrive, not at the end", async () => {
  const { promise: never } = Promise.withResolvers<never>();
  const { promise: seen, resolve } = Promise.withResolvers<string>();

  const visit = fakeVisit({ dns: { "status.acme.example CNAME": ["acme.status.test"] } });
  const stuck: typeof visit = {
    ...visit,
    dns: (name, type) => (name.startsWith("academy.") ? never : visit.dns(name, type)),
  };
  void aliases.scan(stuck, ({ value }) => resolve(value));
  expect(await seen).toBe("acme.status.test");
});

test("the guessed names are distinct single labels", () => {
  expect(new Set(COMMON_SUBDOMAINS).size).toBe(COMMON_SUBDOMAINS.length);
  expect(COMMON_SUBDOMAINS.filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
});
