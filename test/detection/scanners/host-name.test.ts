import { expect, test } from "bun:test";
import { asHost, isThirdParty, thirdPartyHost } from "../../../src/detection/scanners/dns-names.ts";

const ACME = { name: "acme.example", label: "acme" };

test.each([
  ["MX1.Vendor.TEST.", "mx1.vendor.test"],
  ["_dmarc.vendor.test", "_dmarc.vendor.test"],
  ["  vendor.test ", "vendor.test"],
])("a host name is lower case without the trailing dot: %s", (text, host) => expect(asHost(text)).toBe(host));

test.each([
  ".",
  "",
  "localhost",
  "192.0.2.1",
  "a b.test",
  "*.vendor.test",
  "a..test",
  "-a.test",
  `${"a".repeat(64)}.test`,
  "a.test:80",
])("%s is not a host name", (text) => expect(asHost(text)).toBeUndefined());

test("a host is third-party unless it is under the domain, label by label", () => {
  expect(thirdPartyHost("www.acme.example", ACME)).toBeUndefined();
  expect(thirdPartyHost("notacme.example", ACME)).toBe("notacme.example");
});

test.each([
  ["cdn.acme.example", false],
  ["edge.acmecdn.test", false],
  ["acme.vendor.test", true],
  ["vendor.test", true],
])("%s is run by a third party: %p", (host, foreign) => expect(isThirdParty(host, ACME)).toBe(foreign));

test("a short label does not indicate a sister domain", () => {
  expect(isThirdParty("abcvendor.test", { name: "abc.example", label: "abc" })).toBe(true);
});
