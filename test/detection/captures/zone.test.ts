import { describe, expect, test } from "bun:test";
import type { FailureCode } from "../../../src/core/errors.ts";
import { capture, recordsOf, refusalOf } from "./read.ts";

describe("an octoDNS zone", () => {
  const zone = `---
'':
  - type: MX
    values:
      - exchange: mx1.widget.test.
        preference: 10
      - exchange: mx2.widget.test.
        preference: 20
  - type: TXT
    values:
      - v=spf1 include:spf.widget.test -all
      - "v=DKIM1\\\\; k=rsa"
  - type: CAA
    value: { flags: 0, tag: issue, value: ca.widget.test }
  - type: NS
    values: [ns1.widget.test., ns2.widget.test.]
www:
  ttl: 300
  type: CNAME
  value: acme.widget.test.
_sip._tls:
  type: SRV
  value: { priority: 1, weight: 2, port: 443, target: sip.widget.test. }
shop:
  type: Cloudflare/ALIAS
  value: shops.widget.test.
geo: { type: GEO, value: x }
`;

  test("with a list of records or one record for each label is read", () => {
    const snapshot = capture(zone, { name: "acme.example.yaml" });
    expect(snapshot).toMatchObject({ domain: "acme.example", origin: "records", zone: true, http: [] });
    expect(recordsOf(snapshot)).toEqual([
      "acme.example MX: 10 mx1.widget.test, 20 mx2.widget.test",
      "acme.example TXT: v=spf1 include:spf.widget.test -all, v=DKIM1; k=rsa",
      "acme.example CAA: issue ca.widget.test",
      "acme.example NS: ns1.widget.test, ns2.widget.test",
      "www.acme.example CNAME: acme.widget.test",
      "_sip._tls.acme.example SRV: 1 sip.widget.test",
      "shop.acme.example CNAME: shops.widget.test",
    ]);
  });

  test("accepts the older names of its fields", () => {
    const text =
      "'': {type: MX, values: [{priority: 5, value: mx.widget.test.}]}\nwww: {type: cname, value: w.widget.test.}";
    expect(recordsOf(capture(text))).toEqual([
      "acme.example MX: 5 mx.widget.test",
      "www.acme.example CNAME: w.widget.test",
    ]);
  });

  test("may be below the company's registrable domain", () => {
    expect(recordsOf(capture("www: {type: CNAME, value: w.widget.test.}", { name: "eu.acme.example.yml" }))).toEqual([
      "www.eu.acme.example CNAME: w.widget.test",
    ]);
  });

  test("takes its name from the given address", () => {
    const text = "www: {type: CNAME, value: w.widget.test.}";
    expect(capture(text, { name: "zone.yaml", url: "https://acme.example/" }).domain).toBe("acme.example");
    expect(capture(text, { name: "zone.yaml", url: "acme.example" }).domain).toBe("acme.example");
  });

  test.each<[string, FailureCode]>([
    ["https://example.com/", "domain.reserved"],
    ["co.uk", "domain.invalid"],
    ["ftp://acme.example/", "snapshot.invalid"],
  ])("given %s as its address, is refused for that address", (url, code) => {
    expect(refusalOf("www: {type: CNAME, value: w.widget.test.}", { name: "acme.example.yaml", url }).code).toBe(code);
  });

  test("without a name is refused with advice", () => {
    const { code, message } = refusalOf("www: {type: CNAME, value: w.widget.test.}", { name: "zone.yaml" });
    expect(code).toBe("snapshot.invalid");
    expect(message).toContain("--url");
  });

  test("whose references expand to millions of records is truncated", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `l${index}: {type: TXT, values: *all}`);
    const text = `x: {type: TXT, values: &all [${Array.from({ length: 2_000 }, (_, index) => `v${index}`).join(",")}]}\n${many.join("\n")}`;
    expect(capture(text).dns.flatMap(({ records }) => records).length).toBeLessThanOrEqual(20_000);
  });
});

describe("a zone file", () => {
  const zone = `; the zone of a company
$TTL 3600
$ORIGIN acme.example.
@ IN SOA ns1.widget.test. hostmaster.acme.example. (
      2026010101 ; serial
      7200       ; refresh
      3600 1209600 3600 )
      IN NS ns1.widget.test.
      IN NS ns2.widget.test.
@ 300 IN MX 10 mx.widget.test.
  300 MX 20 backup
www IN CNAME acme.widget.test. ; an alias (see "above"
_dmarc 1h IN TXT "v=DMARC1; p=none" ; a comment
long IN TXT ( "one (in quotes; not a comment) "
              "two \\"quoted\\"" )
@ IN CAA 0 issue "ca.widget.test"
$ORIGIN eu.acme.example.
shop CNAME shops.widget.test.
absolute.acme.example. IN A 192.0.2.7
hinfo IN HINFO "a" "b"
`;

  test("is read with its origin, relative names, parentheses and quotes", () => {
    const snapshot = capture(zone, { name: "zone.txt" });
    expect(snapshot).toMatchObject({ domain: "acme.example", origin: "records", zone: true });
    expect(recordsOf(snapshot)).toEqual([
      "acme.example SOA: ns1.widget.test hostmaster.acme.example",
      "acme.example NS: ns1.widget.test, ns2.widget.test",
      "acme.example MX: 10 mx.widget.test, 20 backup.acme.example",
      "www.acme.example CNAME: acme.widget.test",
      "_dmarc.acme.example TXT: v=DMARC1; p=none",
      'long.acme.example TXT: one (in quotes; not a comment) two "quoted"',
      "acme.example CAA: issue ca.widget.test",
      "shop.eu.acme.example CNAME: shops.widget.test",
      "absolute.acme.example A: 192.0.2.7",
    ]);
  });

  test("without an origin uses the name of its file", () => {
    expect(recordsOf(capture("www IN CNAME acme.widget.test.\n", { name: "acme.example.zone" }))).toEqual([
      "www.acme.example CNAME: acme.widget.test",
    ]);
  });

  test.each(["$ORIGIN acme.example.", "$TTL 300"])("that is recognisable only by %s is read", (directive) => {
    expect(recordsOf(capture(`${directive}\nwww 60 CNAME a.widget.test.\n`))).toEqual([
      "www.acme.example CNAME: a.widget.test",
    ]);
  });

  test("with a relative origin appends the previous one", () => {
    const text = "$ORIGIN acme.example.\n$ORIGIN eu\n$ORIGIN shop\nwww IN CNAME a.widget.test.\n";
    expect(recordsOf(capture(text))).toEqual(["www.shop.eu.acme.example CNAME: a.widget.test"]);
  });

  test("whose parenthesis is never closed is read to its end", () => {
    expect(recordsOf(capture('@ IN TXT ( "a"\n"b"\n'))).toEqual(["acme.example TXT: ab"]);
  });
});

describe("the output of dig", () => {
  const answer = `
; <<>> DiG 9.18 <<>> www.acme.example
;; global options: +cmd
;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 1
;; QUESTION SECTION:
;www.acme.example.		IN	A

;; ANSWER SECTION:
www.acme.example.	300	IN	CNAME	acme.widget.test.
acme.widget.test.	60	IN	A	192.0.2.7

;; AUTHORITY SECTION:
example.		86400	IN	NS	a.nic.test.
.			86400	IN	NS	a.root.test.

;; Query time: 1 msec
`;

  test("is read with its answers, and the company is the shortest name in it", () => {
    const snapshot = capture(answer, { name: "answer.txt", allowedReservedTlds: ["example"] });
    expect(snapshot.domain).toBe("www.acme.example");
    expect(recordsOf(snapshot)).toContain("www.acme.example CNAME: acme.widget.test");
    expect(recordsOf(snapshot)).toContain("acme.widget.test A: 192.0.2.7");
  });

  test("in short form is refused with advice", () => {
    const { code, message } = refusalOf("10 mx.widget.test.\n20 mx2.widget.test.\n");
    expect(code).toBe("snapshot.invalid");
    expect(message.length).toBeGreaterThan(20);
  });

  test("of a reserved name is refused as reserved", () => {
    expect(refusalOf(answer, { name: "answer.txt", allowedReservedTlds: [] }).code).toBe("domain.reserved");
  });
});
