import type { World } from "./company.ts";

/** A small world for the tests of the box itself. */
export const brightpine: World = {
  companies: [
    {
      domain: "brightpine.test",
      records: {
        "": { MX: ["10 aspmx.l.google.com", "20 alt1.aspmx.l.google.com"], TXT: ["v=spf1 -all"], NS: "ns1.dns.test" },
        status: { CNAME: "k2x.stspg-customer.com" },
        shop: { CNAME: "shops.myshopify.com" },
        _dmarc: { TXT: "v=DMARC1; p=none" },
        long: { TXT: "x".repeat(2_000) },
        "*.apps": { CNAME: "ingress.cloud.test" },
        "a.deep": { A: "127.0.0.5" },
      },
      pages: {
        "/": "<title>Brightpine</title>",
        "/robots.txt": {
          body: "User-agent: *",
          headers: { "Content-Type": "text/plain", "Set-Cookie": ["a=1", "b=2"] },
        },
        "/old": { redirect: "/" },
        "/slow": { body: "late", delayMs: 5 },
        "www/": { status: 503, body: "down" },
        "/docs/*": "any document",
      },
    },
  ],
  services: {
    "boards-api.greenhouse.io": { "/v1/boards/brightpine/jobs": { json: { jobs: [] } } },
    "shops.myshopify.com": { "/": "shop" },
    "crt.sh": { "/?q=a": "by query", "/": "any query" },
  },
  zone: { "1.0.0.127.origin.asn.test": { TXT: "64500 | 127.0.0.0/8 | ZZ" } },
};
