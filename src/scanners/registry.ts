import { addresses } from "./addresses.ts";
import { aliases } from "./aliases.ts";
import { certificate } from "./certificate.ts";
import { certificateLogs } from "./certificate-logs.ts";
import { dkim } from "./dkim.ts";
import { mailDns } from "./mail-dns.ts";
import { mailNames } from "./mail-names.ts";
import { mailPolicy } from "./mail-policy.ts";
import type { Scanner } from "./scanner.ts";
import { subdomainPages } from "./subdomain-pages.ts";
import { tenants } from "./tenants.ts";
import { verifications } from "./verifications.ts";
import { zone } from "./zone.ts";

/** Every way of looking, by phase. */
export const SCANNERS: readonly Scanner[] = [
  mailDns,
  mailPolicy,
  verifications,
  dkim,
  mailNames,
  tenants,
  addresses,
  zone,
  certificate,
  aliases,
  certificateLogs,
  subdomainPages,
];
