import { createProofService, type ProofParts, type ProofRequest, type Proofs } from "./proof.ts";

/** What is prepared for a company that may buy. */
export interface ProspectService {
  /**
   * The case studies that would convince a company, best first, each with the facts that it shares with the company. A
   * stored result is used; only a company without one is scanned.
   *
   * @throws Failure as `DetectionService.enrich`; `company.not_found`, `industry.not_found`, `query.invalid`
   */
  proofs(domain: string, request?: ProofRequest): Promise<Proofs>;
}

export type ProspectParts = ProofParts;

export function createProspectService(parts: ProspectParts): ProspectService {
  const proof = createProofService(parts);
  return {
    async proofs(domain, request) {
      const { enrichment: _, ...proofs } = await proof.find(domain, request);
      return proofs;
    },
  };
}
