import type { ClaimReader } from "../casestudies/claims.ts";
import type { Company } from "../casestudies/types.ts";
import { Failure } from "../core/errors.ts";
import type { Fingerprint } from "../detection/fingerprints/types.ts";
import type { ScanRepository } from "../detection/repository.ts";
import { SCANNERS } from "../detection/scanners/registry.ts";
import type { DetectionService } from "../detection/service.ts";
import type { Enrichment } from "../detection/types.ts";
import { createClaims } from "./claims.ts";
import type { VendorLinks, VendorTools } from "./vendor-tools.ts";

/** The links of vendors to fingerprints, and what depends on them. */
export interface ClaimService extends ClaimReader {
  /** @throws Failure `company.not_found` */
  vendorTools(slug: string): Promise<VendorTools>;
  /** Replaces the link of a vendor; null restores the built-in one. @throws Failure `company.not_found`, `tool.not_found` */
  linkVendor(slug: string, tools: readonly string[] | null): Promise<VendorTools>;
}

export interface ClaimServiceOptions {
  readonly links: VendorLinks;
  readonly tools: ReadonlyMap<string, Fingerprint>;
  readonly companies: { find(slug: string): Promise<Company | undefined> };
  readonly scans: Pick<ScanRepository, "history">;
  readonly detection: Pick<DetectionService, "stored">;
}

/** Earlier reports in which a tool that is not seen is looked for. */
const MAX_EARLIER = 10;

/** The newest stored result of a client; undefined without one. */
export const storedOf =
  (detection: Pick<DetectionService, "stored">) =>
  async (domain: string): Promise<Enrichment | undefined> => {
    try {
      return await detection.stored(domain);
    } catch (error) {
      // The address of a shared host, such as a user's page, is no company that can be scanned.
      if (error instanceof Failure && error.code.startsWith("domain.")) return undefined;
      throw error;
    }
  };

export function createClaimService({ companies, scans, detection, tools, links }: ClaimServiceOptions): ClaimService {
  const companyOf = async (slug: string): Promise<Company> => {
    const company = await companies.find(slug);
    if (!company) throw new Failure("company.not_found", `No company has the slug ${slug.slice(0, 100)}.`);
    return company;
  };
  const claims = createClaims({
    links,
    tools,
    companies,
    scanners: SCANNERS,
    stored: storedOf(detection),
    async seenBy(domain, toolId) {
      for (const { report } of await scans.history(domain, MAX_EARLIER)) {
        const seen = report.detections.find(({ id }) => id === toolId);
        if (seen) return seen.evidence.flatMap(({ signal, source }) => (signal === "implied" ? [] : source));
      }
      return [];
    },
  });
  return {
    ...claims,

    async vendorTools(slug) {
      return await links.of(await companyOf(slug));
    },

    async linkVendor(slug, ids) {
      const company = await companyOf(slug);
      await links.set(company.slug, ids);
      return await links.of(company);
    },
  };
}
