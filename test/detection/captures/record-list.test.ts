import { describe, expect, test } from "bun:test";
import { dkim } from "../../../src/detection/scanners/mail.ts";
import { replayVisit } from "../../../src/detection/visit/replay-visit.ts";
import { capture, recordsOf, refusalOf } from "./read.ts";

const read = (list: object) => capture(JSON.stringify({ domain: "acme.example", mx: [], ...list }), { name: "x.json" });

test("a record list returns its records", () => {
  const snapshot = read({
    captured: "2026-02-03",
    mx: ["10 mx.widget.test", "mx2.widget.test."],
    ns: "ns1.widget.test.",
    txt: ["v=spf1 include:spf.widget.test", "widget-verification=1"],
    spf: "v=spf1 include:spf.widget.test",
    caa: ['0 issue "ca.widget.test"'],
    soa: "ns1.widget.test. hostmaster.acme.example.",
    dmarc: "v=DMARC1; rua=mailto:d@widget.test",
    cname_www: "acme.widget.test",
    cname: { shop: "shops.widget.test", "docs.acme.example.": "docs.widget.test" },
    dkim: { "s1._domainkey": "s1.widget.test", "s2._domainkey": "TXT" },
  });
  expect(snapshot).toMatchObject({
    domain: "acme.example",
    origin: "records",
    zone: true,
    captured_at: "2026-02-03T00:00:00.000Z",
  });
  expect(recordsOf(snapshot)).toEqual([
    "acme.example MX: 10 mx.widget.test, mx2.widget.test",
    "acme.example NS: ns1.widget.test",
    "acme.example TXT: v=spf1 include:spf.widget.test, widget-verification=1",
    "acme.example SOA: ns1.widget.test hostmaster.acme.example",
    "acme.example CAA: issue ca.widget.test",
    "_dmarc.acme.example TXT: v=DMARC1; rua=mailto:d@widget.test",
    "www.acme.example CNAME: acme.widget.test",
    "shop.acme.example CNAME: shops.widget.test",
    "docs.acme.example CNAME: docs.widget.test",
    "s1._domainkey.acme.example CNAME: s1.widget.test",
    "s2._domainkey.acme.example TXT: v=DKIM1; p=published",
  ]);
});

test("a selector whose key is in the list counts as a DKIM signer", async () => {
  const visit = replayVisit(read({ dkim: { "widget._domainkey": "TXT", "k9._domainkey": "k9.widget.test" } }));
  const seen: string[] = [];
  await dkim.scan(visit, ({ kind, value }) => void seen.push(`${kind} ${value}`));
  expect(seen.toSorted()).toEqual(["dns.dkim k9.widget.test", "dns.dkim-selector widget"]);
});

test("an SPF record that is missing from the list of TXT records is added", () => {
  expect(recordsOf(read({ txt: ["a"], spf: "v=spf1 -all" }))).toEqual(["acme.example TXT: a, v=spf1 -all"]);
});

describe("headers", () => {
  test("become a page of each host; those of the home page are merged with its server", () => {
    const headers = { "acme.example": { "X-Widget": "1" }, "app.acme.example": { server: "gadget" } };
    expect(
      read({ server: "widget", via: ["1.1 edge"], headers }).http.map(({ url, headers }) => [url, headers]),
    ).toEqual([
      [
        "https://acme.example/",
        [
          ["content-type", "text/html"],
          ["server", "widget"],
          ["via", "1.1 edge"],
          ["x-widget", "1"],
        ],
      ],
      [
        "https://app.acme.example/",
        [
          ["content-type", "text/html"],
          ["server", "gadget"],
        ],
      ],
    ]);
  });

  test("list cookies without their values", () => {
    const headers = { "acme.example": { "set-cookie": "session=secret, _wgt" } };
    expect(read({ headers }).http[0]?.headers.slice(1)).toEqual([
      ["set-cookie", "session=…"],
      ["set-cookie", "_wgt=…"],
    ]);
  });
});

test("a content security policy becomes a page of its host", () => {
  const csp_connect_src = { host: "app.acme.example", value: "'self' https://*.widget.test" };
  expect(read({ csp_connect_src, csp_img_src: 7, csp_: {} }).http).toMatchObject([
    {
      url: "https://app.acme.example/",
      headers: [
        ["content-type", "text/html"],
        ["content-security-policy", "connect-src 'self' https://*.widget.test"],
      ],
    },
  ]);
});

test("internationalised names are converted to ASCII", () => {
  const snapshot = read({ domain: "ACMÉ.example", cname: { shop: "wídget.test" } });
  expect(snapshot.domain).toBe("xn--acm-dma.example");
  expect(recordsOf(snapshot)).toEqual(["shop.xn--acm-dma.example CNAME: xn--wdget-zsa.test"]);
});

test("a certificate and disallowed paths are read", () => {
  const snapshot = read({ cert_issuer: "Widget CA / R1", san: ["acme.example", "A.Widget.test"], robots: ["/admin"] });
  expect(snapshot.certificates[0]).toMatchObject({
    host: "acme.example",
    issuer: { organisation: "Widget CA", name: "R1" },
    names: ["acme.example", "a.widget.test"],
  });
  expect(snapshot.http[0]).toMatchObject({
    url: "https://acme.example/robots.txt",
    body: "User-agent: *\nDisallow: /admin\n",
  });
});

test("values of the wrong type are ignored", () => {
  const odd = { toString: 1 };
  expect(
    recordsOf(read({ mx: [1, null, odd, "10 mx.widget.test"], ns: odd, cname: [], dkim: null, headers: 1 })),
  ).toEqual(["acme.example MX: 10 mx.widget.test"]);
});

test.each(["", "com", "127.0.0.1", "no domain"])("a list of %j belongs to no company", (domain) => {
  expect(refusalOf(JSON.stringify({ domain, mx: [] })).code).toBe("domain.invalid");
});
