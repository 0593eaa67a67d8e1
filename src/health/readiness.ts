import type { IndexService } from "../casestudies/index/service.ts";
import type { IntakeService } from "../casestudies/intake/service.ts";

export interface Readiness {
  readonly ready: boolean;
  /** Why it is not ready. */
  readonly reason: string | null;
  /** Problems that the operator should look after although the service works. */
  readonly alarms: readonly string[];
}

export interface ReadinessService {
  ready(): Promise<Readiness>;
}

export interface ReadinessParts {
  readonly index: Pick<IndexService, "state">;
  readonly intake: Pick<IntakeService, "state">;
  /** Alarms of further features. */
  readonly alarms: readonly (() => Promise<readonly string[]> | readonly string[])[];
}

/** Ready means that the database answers. */
export const createReadiness = ({ index, intake, alarms }: ReadinessParts): ReadinessService => ({
  async ready() {
    try {
      const found = [...(await indexAlarms(index)), ...(await intakeAlarms(intake))];
      for (const alarmsOf of alarms) found.push(...(await alarmsOf()));
      return { ready: true, reason: null, alarms: found };
    } catch {
      return { ready: false, reason: "The database does not answer; check the data directory.", alarms: [] };
    }
  },
});

async function indexAlarms(index: ReadinessParts["index"]): Promise<string[]> {
  const { optimiseError, indexError, waiting } = await index.state();
  const alarms: string[] = [];
  if (optimiseError !== null) alarms.push(`The search index could not be compacted: ${optimiseError}`);
  if (indexError !== null) alarms.push(`${waiting} case studies wait for the index: ${indexError}`);
  return alarms;
}

/** Emails that wait because no SMTP server is configured are no alarm. */
async function intakeAlarms(intake: ReadinessParts["intake"]): Promise<string[]> {
  const { jobs, mails, mailConfigured } = await intake.state();
  const unsent = (mails.failed ?? 0) + (mails.unclear ?? 0);
  const alarms: string[] = [];
  if (jobs.dead > 0) alarms.push(`${jobs.dead} jobs failed; list the jobs to see why.`);
  if (unsent > 0 && mailConfigured) alarms.push(`${unsent} emails could not be sent; list the emails to see why.`);
  return alarms;
}
