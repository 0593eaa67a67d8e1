import { browser } from "./browser.ts";
import { certificate, certificateLogs } from "./certificates.ts";
import { disclosurePages } from "./disclosure-pages.ts";
import { addresses, aliases, verifications, zone } from "./dns.ts";
import { bundles, homePage, tagManager } from "./home-page.ts";
import { jobBoards } from "./job-boards.ts";
import { dkim, mailDns, mailNames, mailPolicy } from "./mail.ts";
import type { Scanner } from "./scanner.ts";
import { siteFiles, subdomainPages, tenants, wellKnown } from "./site.ts";

/** Every scanner, by phase. */
export const SCANNERS: readonly Scanner[] = [
  mailDns,
  mailPolicy,
  verifications,
  dkim,
  mailNames,
  tenants,
  homePage,
  browser,
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

/** The scanners with these ids; all without ids. */
export const chosenScanners = (
  scanners: readonly Scanner[],
  only: readonly string[] | undefined,
): readonly Scanner[] => (only === undefined ? scanners : scanners.filter(({ id }) => only.includes(id)));
