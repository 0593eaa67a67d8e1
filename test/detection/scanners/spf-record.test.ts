import { expect, test } from "bun:test";
import { parseSpf } from "../../../src/detection/scanners/mail.ts";

test.each([
  ["include:_spf.vendor.test", { host: "_spf.vendor.test", record: true, partial: false }],
  ["?INCLUDE:_spf.Vendor.test", { host: "_spf.vendor.test", record: true, partial: false }],
  ["redirect=_spf.vendor.test", { host: "_spf.vendor.test", record: true, partial: false }],
  ["a:out.vendor.test/24", { host: "out.vendor.test", record: false, partial: false }],
  ["mx:vendor.test//64", { host: "vendor.test", record: false, partial: false }],
  ["ptr:vendor.test", { host: "vendor.test", record: false, partial: false }],
  ["exists:%{i}._spf.mta.vendor.test", { host: "_spf.mta.vendor.test", record: false, partial: true }],
  ["include:%{d2}x._ip.vendor.test", { host: "_ip.vendor.test", record: false, partial: true }],
])("%s contains a host", (term, host) => expect(parseSpf(`v=spf1 ip4:192.0.2.1 ${term} -all`)).toEqual([host]));

test.each([
  "-include:bad.test",
  "include:",
  "include: vendor.test",
  "exists:%{i}.test",
  "include:_spf.%{d}",
  "a",
  "mx/24",
  "ip4:192.0.2.1",
  "exp=explain.vendor.test",
])("%s contains no sending host", (term) => expect(parseSpf(`v=spf1 ${term} ~all`)).toEqual([]));

test("only a complete v=spf1 is an SPF record", () => {
  expect(parseSpf("v=spf10 include:vendor.test")).toEqual([]);
  expect(parseSpf("spf2.0/pra include:vendor.test")).toEqual([]);
});
