import type { Industries } from "../casestudies/taxonomy/taxonomy.ts";
import { type Brief, type BriefParts, writeBrief } from "./brief.ts";
import { createProofService, type ProofParts, type ProofRequest, type Proofs } from "./proof.ts";
import { createRivals, type Gaps, type RivalParts, type Rivals } from "./rivals.ts";

export interface GapRequest extends Omit<ProofRequest, "vendor" | "question" | "limit"> {
  /** Label of the only category. */
  readonly category?: string | undefined;
}

/** What is prepared for a company that may buy, from stored results; only a company without one is scanned. */
export interface ProspectService {
  /**
   * The case studies that would convince a company, best first, each with the facts that it shares with the company.
   *
   * @throws Failure as `DetectionService.enrich`; `company.not_found`, `industry.not_found`, `query.invalid`
   */
  proofs(domain: string, request?: ProofRequest): Promise<Proofs>;
  /** A page about a company, every statement of which names its sources. @throws Failure as `proofs` */
  brief(domain: string, request?: ProofRequest): Promise<Brief>;
  /** Tools that companies of the same industry use and the company does not. @throws Failure as `proofs` */
  gaps(domain: string, request?: GapRequest): Promise<Gaps>;
  /** Whose clients are seen using whose tools. Starts no scan. @throws Failure `company.not_found` */
  rivals(vendor: string): Promise<Rivals>;
}

export type ProspectParts = ProofParts &
  Omit<BriefParts, "proof" | "companies"> &
  Omit<RivalParts, "caseStudies" | "companies" | "industries"> & {
    readonly caseStudies: RivalParts["caseStudies"];
    readonly companies: RivalParts["companies"];
  };

export function createProspectService(parts: ProspectParts): ProspectService {
  const industries: Industries = parts.parseContext.industries;
  const proof = createProofService(parts);
  const rivals = createRivals({ ...parts, industries });
  return {
    async proofs(domain, request) {
      const { tools: _, changes: __, industries: ___, ...proofs } = await proof.find(domain, request);
      return proofs;
    },
    brief: (domain, request = {}) => writeBrief({ ...parts, proof }, domain, request),
    async gaps(domain, { category, ...request } = {}) {
      const { prospect, industries: slugs, tools } = await proof.describe(domain, request);
      return rivals.gaps(prospect, tools, slugs, category);
    },
    rivals: rivals.rivals,
  };
}
