import { together, type World } from "../company.ts";
import { outside } from "./outside.ts";
import type { Placement } from "./placement.ts";
import { quarrystonePages } from "./quarrystone-pages.ts";
import { quarrystoneServices } from "./quarrystone-services.ts";

/**
 * Quarrystone, an invented supplier of building stone: an old company on Microsoft 365 behind Proofpoint,
 * WordPress on WP Engine behind CloudFront, and the tools that large marketing departments buy.
 */
export function quarrystone({ top = "test", address = "127.0.0.1" }: Placement = {}): World {
  const domain = `quarrystone.${top}`;
  const reversed = address.split(".").reverse().join(".");
  const company: World = {
    companies: [
      {
        domain,
        records: {
          "": {
            MX: ["10 mx0a-00471c01.pphosted.com", "10 mx0b-00471c01.pphosted.com"],
            NS: ["ns-184.awsdns-23.com", "ns-1397.awsdns-46.org", "ns-1904.awsdns-46.co.uk", "ns-742.awsdns-28.net"],
            SOA: "ns-184.awsdns-23.com awsdns-hostmaster.amazon.com 1 7200 900 1209600 86400",
            CAA: ['0 issue "amazon.com"', '0 issue "digicert.com"'],
            TXT: apexTexts,
          },
          _dmarc: {
            TXT: "v=DMARC1; p=quarantine; rua=mailto:dmarc_rua@emaildefense.proofpoint.com; ruf=mailto:dmarc_ruf@emaildefense.proofpoint.com",
          },
          "selector1._domainkey": { CNAME: `selector1-quarrystone-${top}._domainkey.quarrystone.onmicrosoft.com` },
          "selector2._domainkey": { CNAME: `selector2-quarrystone-${top}._domainkey.quarrystone.onmicrosoft.com` },
          "m1._domainkey": { TXT: `v=DKIM1; k=rsa; p=${"MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB".repeat(6)}IDAQAB` },
          autodiscover: { CNAME: "autodiscover.outlook.com" },
          lyncdiscover: { CNAME: "webdir.online.lync.com" },
          sip: { CNAME: "sipdir.online.lync.com" },
          enterpriseregistration: { CNAME: "enterpriseregistration.windows.net" },
          enterpriseenrollment: { CNAME: "enterpriseenrollment-s.manage.microsoft.com" },
          "_sip._tls": { SRV: "100 1 443 sipdir.online.lync.com" },
          "_sipfederationtls._tcp": { SRV: "100 1 5061 sipfed.online.lync.com" },
          www: { CNAME: "d3k2xq9vm4t7rz.cloudfront.net" },
          go: { CNAME: "quarrystone.mktoweb.com" },
          metrics: { CNAME: `quarrystone.${top}.ssl.d1.sc.omtrdc.net` },
          support: { CNAME: "quarrystone.service-now.com" },
          community: { CNAME: `quarrystone.${top}.00d5f000006abcduai.live.siteforce.com` },
          status: { CNAME: "statuspage.betteruptime.com" },
          vpn: { CNAME: "quarrystone.gpcloudservice.com" },
          learn: { CNAME: "quarrystone.docebosaas.com" },
          intranet: { CNAME: "quarrystone.sharepoint.com" },
        },
        pages: quarrystonePages(domain),
        certificate: {
          names: [domain, `www.${domain}`, `go.${domain}`, `portal.${domain}`, `support.${domain}`],
          issuer: "Amazon",
        },
      },
    ],
    services: quarrystoneServices(domain),
    zone: {
      [`${reversed}.origin.asn.cymru.com`]: { TXT: "16509 | 198.51.100.0/24 | US | arin | 2011-05-19" },
      [`${reversed}.in-addr.arpa`]: { PTR: "ec2-198-51-100-21.eu-west-1.compute.amazonaws.com" },
    },
  };
  return together(outside(domain), company);
}

/** The sender policy, and what vendors ask to be published as a proof of ownership. */
const apexTexts = [
  "v=spf1 include:spf.protection.outlook.com include:_spf-00471c01.pphosted.com include:mktomail.com include:_spf.salesforce.com include:amazonses.com -all",
  "MS=ms58213907",
  "adobe-idp-site-verification=3b7e91c0d4a8f265973c1de084b6fa2713c95d80e4a7b61f2d83c094e5f7ab12",
  "cisco-ci-domain-verification=7c02f81d9a4be635c7f0182d4e9ba36571c0fe84d2a93b67e50c148f9d72ab03",
  "onetrust-domain-verification=4f1c9a27d8e60b35aa71c294fe0d83b6",
  "jamf-site-verification=vK3mT8xQzR2wLwNc7YbHp1",
  "mongodb-site-verification=Rz8NcYQm7tXk2Vd9LwS4b1hJpE6uGf3a",
  "knowbe4-site-verification=9d0c5a1f7b284e6d9c0715ab3f8e42c6",
  "smartsheet-site-validation=Vd9LwS4bRz8NcY1hJpE6uGf3aTo5iKe0",
  "teamviewer-sso-verification=c7f0182d4e9ba36571c0fe84d2a93b67",
  "docusign=1f72c8d5-4b93-06e4-d1a7-e2c690b38af4",
  "dropbox-domain-verification=q2k8m4vx7zrt",
];
