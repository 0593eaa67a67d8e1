import type { SettingsRepository } from "../db/settings.ts";
import type { JobRepository } from "../jobs/repository.ts";
import type { JobFeature } from "../jobs/worker.ts";
import type { ScanRepository } from "./repository.ts";
import type { DetectionService } from "./service.ts";

const JOB_KIND = "scans.renew";
/** The rules under which all stored snapshots were analysed last. */
const RULES = "scans.rules";
/** JSON of {@link Progress}. */
const PROGRESS = "scans.renewal";
/** Domains between two notes of the progress. */
const STEP = 20;

interface Progress {
  readonly rules: string;
  /** The last domain that was analysed; they are read by name. */
  readonly after: string;
}

export interface RenewalOptions {
  readonly detection: Pick<DetectionService, "renew">;
  readonly scans: Pick<ScanRepository, "snapshotDomains">;
  readonly settings: SettingsRepository;
  readonly jobs: Pick<JobRepository, "add">;
  /** Digest of everything that decides which tools are detected. */
  readonly rules: () => string;
  readonly onError: (task: string, error: unknown) => void;
}

/**
 * Analyses the stored snapshots again, without network access, when a release, the fingerprints or the settings have changed
 * what is detected. History and stack index follow. One domain after another, so that scans and requests go first; a
 * process that ends loses at most {@link STEP} domains of work.
 */
export function createRenewal({ detection, scans, settings, jobs, rules, onError }: RenewalOptions): JobFeature {
  const progress = async (): Promise<Progress> => {
    const stored: Progress | undefined = JSON.parse((await settings.find(PROGRESS)) ?? "null") ?? undefined;
    return stored?.rules === rules() ? stored : { rules: rules(), after: "" };
  };

  return {
    handlers: {
      async [JOB_KIND](_, signal) {
        const { after } = await progress();
        const domains = (await scans.snapshotDomains()).map(({ domain }) => domain).filter((domain) => domain > after);
        for (const [at, domain] of domains.entries()) {
          signal.throwIfAborted();
          await detection.renew(domain).catch((error) => onError(`analysing the snapshots of ${domain} again`, error));
          if (at % STEP === STEP - 1)
            await settings.set(PROGRESS, JSON.stringify({ rules: rules(), after: domain } satisfies Progress));
        }
        await settings.set(RULES, rules());
        return undefined;
      },
    },
    async queueDue() {
      if ((await settings.find(RULES)) === rules()) return;
      if ((await scans.snapshotDomains()).length === 0) await settings.set(RULES, rules());
      else await jobs.add({ kind: JOB_KIND, subject: rules() });
    },
  };
}
