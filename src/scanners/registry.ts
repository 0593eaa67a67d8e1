import { addresses } from "./addresses.ts";
import { aliases } from "./aliases.ts";
import { bundles } from "./bundles.ts";
import { certificate } from "./certificate.ts";
import { certificateLogs } from "./certificate-logs.ts";
import { disclosurePages } from "./disclosure-pages.ts";
import { dkim } from "./dkim.ts";
import { homePage } from "./home-page.ts";
import { jobBoards } from "./job-boards.ts";
import { mailDns } from "./mail-dns.ts";
import { mailNames } from "./mail-names.ts";
import { mailPolicy } from "./mail-policy.ts";
import type { Scanner } from "./scanner.ts";
import { siteFiles } from "./site-files.ts";
import { subdomainPages } from "./subdomain-pages.ts";
import { tagManager } from "./tag-manager.ts";
import { tenants } from "./tenants.ts";
import { verifications } from "./verifications.ts";
import { wellKnown } from "./well-known.ts";
import { zone } from "./zone.ts";

/** Every way of looking, by phase. */
export const SCANNERS: readonly Scanner[] = [
  mailDns,
  mailPolicy,
  verifications,
  dkim,
  mailNames,
  tenants,
  homePage,
  tagManager,
  bundles,
  siteFiles,
  addresses,
  zone,
  certificate,
  aliases,
  certificateLogs,
  subdomainPages,
  jobBoards,
  disclosurePages,
  wellKnown,
];
