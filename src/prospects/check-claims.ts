import type { CaseStudyRepository } from "../casestudies/repository.ts";
import { Failure } from "../core/errors.ts";
import type { ScanRepository } from "../detection/repository.ts";
import type { DetectionService } from "../detection/service.ts";
import type { JobRepository } from "../jobs/repository.ts";
import type { JobFeature } from "../jobs/worker.ts";

export interface ClaimCheckOptions {
  readonly caseStudies: Pick<CaseStudyRepository, "claimed">;
  readonly scans: Pick<ScanRepository, "latest">;
  readonly jobs: Pick<JobRepository, "add" | "newest">;
  readonly detection: Pick<DetectionService, "enrich" | "domainOf">;
  /** Days after which a client is scanned again; 0 scans none. */
  readonly checkDays: number;
  readonly clock: () => Date;
}

const KIND = "check-claim";
const DAY_SECONDS = 86_400;
/** Clients whose dates are read in one round, and those of them that are queued. A round is every ten minutes. */
const MAX_READ = 500;
const MAX_QUEUED = 20;

/**
 * Scans the clients of case studies whose stored report is missing or old, so that their claims can be checked. Each is a job
 * that waits while other scans run.
 */
export function createClaimChecks(options: ClaimCheckOptions): JobFeature {
  const { caseStudies, scans, jobs, detection, checkDays, clock } = options;
  if (checkDays === 0) return { handlers: {}, async queueDue() {} };
  /** The last domain of the round before: the next one continues behind it. */
  let last = "";

  const nameOf = (client: string): string[] => {
    try {
      return [detection.domainOf(client)];
    } catch (error) {
      // A client without a domain that can be scanned stays unchecked.
      if (error instanceof Failure) return [];
      throw error;
    }
  };

  return {
    handlers: {
      async [KIND]({ payload }, signal) {
        const { domain } = payload;
        if (typeof domain !== "string") return undefined;
        try {
          await detection.enrich(domain, { maxAgeSeconds: checkDays * DAY_SECONDS, background: true, signal });
        } catch (error) {
          // The client cannot be reached: it stays unchecked until the next interval.
          if (!(error instanceof Failure) || !(error.code.startsWith("domain.") || error.code === "dns.unreachable"))
            throw error;
        }
        return undefined;
      },
    },
    async queueDue() {
      const clients = (await caseStudies.claimed({})).flatMap(({ client }) => client.domain ?? []);
      const domains = [...new Set(clients.flatMap(nameOf))].sort();
      const from = domains.findIndex((domain) => domain > last);
      const round = [...domains.slice(Math.max(0, from)), ...domains.slice(0, Math.max(0, from))].slice(0, MAX_READ);
      const due = clock().getTime() - checkDays * DAY_SECONDS * 1_000;
      let queued = 0;
      for (const domain of round) {
        last = domain;
        const dates = [(await jobs.newest(KIND, domain))?.created_at, (await scans.latest(domain))?.scanned_at];
        if (dates.some((date) => date !== undefined && Date.parse(date) > due)) continue;
        await jobs.add({ kind: KIND, subject: domain, payload: { domain }, maxAttempts: 2 });
        queued += 1;
        if (queued === MAX_QUEUED) return;
      }
    },
  };
}
