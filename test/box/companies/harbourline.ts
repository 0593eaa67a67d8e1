import { together, type World } from "../company.ts";
import { harbourlinePages } from "./harbourline-pages.ts";
import { harbourlineServices } from "./harbourline-services.ts";
import { outside } from "./outside.ts";
import type { Placement } from "./placement.ts";

/**
 * Harbourline, an invented maker of berth-booking software: a young company on Google Workspace, Vercel,
 * Cloudflare DNS and a long list of subscriptions.
 */
export function harbourline({ top = "test", address = "127.0.0.1" }: Placement = {}): World {
  const domain = `harbourline.${top}`;
  const reversed = address.split(".").reverse().join(".");
  const company: World = {
    companies: [
      {
        domain,
        records: {
          "": {
            MX: [
              "1 aspmx.l.google.com",
              "5 alt1.aspmx.l.google.com",
              "5 alt2.aspmx.l.google.com",
              "10 alt3.aspmx.l.google.com",
              "10 alt4.aspmx.l.google.com",
            ],
            NS: ["ada.ns.cloudflare.com", "rob.ns.cloudflare.com"],
            SOA: "ada.ns.cloudflare.com dns.cloudflare.com 2371904412 10000 2400 604800 1800",
            CAA: ['0 issue "letsencrypt.org"', '0 issue "pki.goog"', `0 iodef "mailto:security@${domain}"`],
            TXT: apexTexts,
          },
          _dmarc: {
            TXT: "v=DMARC1; p=reject; pct=100; rua=mailto:k4m9x2ad@ag.eu.dmarcian.com; ruf=mailto:k4m9x2ad@fr.eu.dmarcian.com",
          },
          "_smtp._tls": { TXT: "v=TLSRPTv1; rua=mailto:k4m9x2ad@tls.eu.dmarcian.com" },
          "_mta-sts": { TXT: "v=STSv1; id=20260901T090000" },
          "default._bimi": { TXT: `v=BIMI1; l=https://www.${domain}/brand/mark.svg; a=` },
          "google._domainkey": { TXT: `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(12)}IDAQAB` },
          "s1._domainkey": { CNAME: "s1.domainkey.u27481930.wl118.sendgrid.net" },
          "s2._domainkey": { CNAME: "s2.domainkey.u27481930.wl118.sendgrid.net" },
          "hs1-24281044._domainkey": { CNAME: `harbourline-${top}.hs02a.dkim.hubspotemail.net` },
          "hs2-24281044._domainkey": { CNAME: `harbourline-${top}.hs02b.dkim.hubspotemail.net` },
          "zendesk1._domainkey": { CNAME: "zendesk1._domainkey.zendesk.com" },
          em4821: { CNAME: "u27481930.wl118.sendgrid.net" },
          www: { CNAME: "cname.vercel-dns.com" },
          auth: { CNAME: "harbourline-cd-q8w2k5ve7rtn1xmp.edge.tenants.eu.auth0.com" },
          sso: { CNAME: "harbourline.customdomains.okta.com" },
          status: { CNAME: "p7k3v2x9qd4m.stspg-customer.com" },
          help: { CNAME: "harbourline.zendesk.com" },
          info: { CNAME: "24281044.group44.sites.hubspot.net" },
          docs: { CNAME: "6f2c81d9ab-hosting.gitbook.io" },
          developers: { CNAME: "ssl.readmessl.com" },
          blog: { CNAME: "harbourline.ghost.io" },
          shop: { CNAME: "shops.myshopify.com" },
          trust: { CNAME: "a91c4e7f20.cname.vantatrust.com" },
          billing: { CNAME: "hosted-checkout.stripecdn.com" },
          grafana: { CNAME: "harbourline.grafana.net" },
          "k8s.ingress": { CNAME: "a4f81c0d27e9b4c1-1840275613.eu-west-1.elb.amazonaws.com" },
        },
        pages: harbourlinePages(domain),
        certificate: { names: [domain, `*.${domain}`, "harbourline.zendesk.com"], issuer: "Let's Encrypt" },
      },
    ],
    services: harbourlineServices(domain),
    zone: {
      [`${reversed}.origin.asn.cymru.com`]: { TXT: "16509 | 192.0.2.0/24 | US | arin | 2011-05-19" },
    },
  };
  return together(outside(domain), company);
}

/** The sender policy, and what vendors ask to be published as a proof of ownership. */
const apexTexts = [
  "v=spf1 include:_spf.google.com include:sendgrid.net include:24281044.spf04.hubspotemail.net include:mail.zendesk.com ~all",
  "google-site-verification=Qm7tXk2Vd9LwS4bRz8NcY1hJpE6uGf3aTo5iKe0WqBs",
  "atlassian-domain-verification=8tVq2LkZr5XwNd7mYp1CsBh4GfJ9aEu3Ko6iTe0WqRbMnSxD2vHzUcFyPgLjA8k4",
  "docusign=5d8c1f72-3b94-4e06-a7d1-90e2c6f4b38a",
  "stripe-verification=4f9a27c1d8e60b35aa71c294fe0d83b6520e9c74a1f8d3b6e97052cd41f6a80b",
  "openai-domain-verification=dv-T7kQ2mXw9RzLb4NcVh1YpEs6",
  "1password-site-verification=7QWERK2MZXVCPTLNA5HJDFGS4U",
  "slack-domain-verification=c4K9mZx2TqVw7LrNbYh1PsEd8GfJ3uAoR6iKe0Wq",
  "notion-domain-verification=w8ZkQ3mXt7VrLc5NbYh2PsEd9GfJ4uAoS1iKe6Tq",
  "miro-verification=93d0c5a1f7b284e6d9c0715ab3f8e42c61d7a098",
  "figma-domain-verification=5e7bd20c94f1a836-1757404800",
  "linear-domain-verification=kx72mqvz9trw",
  "postman-domain-verification=2c81f7d9a04be635c7f0182d4e9ba36571c0fe84d2a93b67e50c148f9d72ab03",
  "apple-domain-verification=Xk7Vd2LwS9bRz4Nc",
  "facebook-domain-verification=q8w3k6z1xv5m9tr2nb7yh4ps0edjcg",
  "ZOOM_verify_K4mT8xQzR2vLwNc7YbHp1S",
];
