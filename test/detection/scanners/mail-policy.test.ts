import { expect, test } from "bun:test";
import { mailPolicy } from "../../../src/detection/scanners/mail.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

const DMARC = "_dmarc.acme.example TXT";

test.each([
  ["v=DMARC1; p=none; rua=mailto:a@reports.test", ["reports.test"]],
  [
    "v=DMARC1;p=none;RUA=mailto:a@One.test!10m, mailto:b@two.test;ruf=mailto:c@three.test",
    ["one.test", "three.test", "two.test"],
  ],
  ["v=DMARC1; p=none; rua=mailto:dmarc@acme.example,mailto:x@mail.acme.example", []],
  ["v=DMARC1; p=none; rua=reports.test; sp=mailto:a@reports.test", []],
  ["v=spf1 rua=mailto:a@reports.test", []],
])("%s reports to %p", async (record, hosts) => {
  const seen = await seenBy(mailPolicy, { dns: { [DMARC]: [record] } });
  expect(seen).toEqual(hosts.map((host) => `dns.dmarc ${host} @ ${DMARC}`));
});

test("a DMARC policy hosted by a vendor shows the vendor and the report recipients", async () => {
  const dns = {
    "_dmarc.acme.example CNAME": ["acme.hosted.test"],
    "acme.hosted.test TXT": ["v=DMARC1; p=reject; rua=mailto:a@reports.test"],
  };
  expect(await seenBy(mailPolicy, { dns })).toEqual([
    "dns.cname acme.hosted.test @ _dmarc.acme.example CNAME",
    `dns.dmarc reports.test @ ${DMARC}`,
  ]);
});

test("a DMARC name delegated to a vendor's servers shows the vendor", async () => {
  expect(await seenBy(mailPolicy, { dns: { "_dmarc.acme.example NS": ["ns1.hosted.test"] } })).toEqual([
    "dns.cname ns1.hosted.test @ _dmarc.acme.example NS",
  ]);
});

test("TLS reports go to an address or a URL, and BIMI shows the hosts of logo and certificate", async () => {
  const dns = {
    "_smtp._tls.acme.example TXT": ["v=TLSRPTv1; rua=mailto:a@reports.test,https://tls.other.test/v1?x=1"],
    "default._bimi.acme.example TXT": ["v=BIMI1; l=https://logos.test/a.svg; a=https://marks.test/a.pem"],
  };
  expect(await seenBy(mailPolicy, { dns })).toEqual([
    "dns.bimi logos.test @ default._bimi.acme.example TXT",
    "dns.bimi marks.test @ default._bimi.acme.example TXT",
    "dns.tls-rpt reports.test @ _smtp._tls.acme.example TXT",
    "dns.tls-rpt tls.other.test @ _smtp._tls.acme.example TXT",
  ]);
});

const POLICY = "https://mta-sts.acme.example/.well-known/mta-sts.txt";

test("an announced MTA-STS policy shows its host and the allowed mail hosts", async () => {
  const dns = {
    "_mta-sts.acme.example TXT": ["v=STSv1; id=1"],
    "mta-sts.acme.example CNAME": ["acme.policies.test"],
  };
  const http = {
    [POLICY]: "version: STSv1\r\nmode: enforce\r\nmx: *.mx.vendor.test\r\nmx: mail.acme.example\r\nmax_age: 1\r\n",
  };
  expect(await seenBy(mailPolicy, { dns, http })).toEqual([
    "dns.mta-sts acme.policies.test @ mta-sts.acme.example CNAME",
    `dns.mta-sts mx.vendor.test @ ${POLICY}`,
  ]);
});

test("an MTA-STS policy that is not announced is not fetched", async () => {
  const visit = fakeVisit({ http: { [POLICY]: "mx: mx.vendor.test" } });
  await mailPolicy.scan(visit, () => {});
  expect(visit.asked.filter((question) => question.startsWith("GET"))).toEqual([]);
});

test("DMARC records of a recorded zone's subdomains count", async () => {
  const dns = { "_dmarc.shop.acme.example TXT": ["v=DMARC1; p=none; rua=mailto:a@reports.test"] };
  const known = { names: ["_dmarc.shop.acme.example"] };
  expect(await seenBy(mailPolicy, { dns, known })).toEqual(["dns.dmarc reports.test @ _dmarc.shop.acme.example TXT"]);
});
