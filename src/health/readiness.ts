import type { IndexService, IndexState } from "../casestudies/index/service.ts";
import type { IntakeService } from "../casestudies/intake/service.ts";
import { cachedFor } from "../core/async.ts";
import type { CasefileDatabase } from "../db/contract.ts";

export interface Readiness {
  readonly ready: boolean;
  /** Why it is not ready. */
  readonly reason: string | null;
  /** While case studies wait for the search index: their number. */
  readonly index: { readonly pending: number } | null;
  /** Problems that the operator should look after although the service works. */
  readonly alarms: readonly string[];
}

export interface ReadinessService {
  ready(): Promise<Readiness>;
}

export interface ReadinessParts {
  readonly database: Pick<CasefileDatabase, "probe">;
  readonly index: Pick<IndexService, "state" | "fault">;
  readonly intake: Pick<IntakeService, "state">;
  /** Alarms of further features. */
  readonly alarms: readonly (() => Promise<readonly string[]> | readonly string[])[];
  readonly onError: (what: string, error: unknown) => void;
}

const CACHED_MS = 1_000;

/**
 * Ready means that requests are answered: the database can be read and written, and its schema is complete. Searches do
 * without an index, so a damaged one is an alarm. Checks at most once a second.
 */
export const createReadiness = ({ database, index, intake, alarms, onError }: ReadinessParts): ReadinessService => {
  const probed = cachedFor(CACHED_MS, database.probe);
  const check = async (): Promise<Readiness> => {
    const problem = await probed.get();
    if (problem !== null) return { ready: false, reason: problem, index: null, alarms: [] };
    try {
      const { waiting, ...state } = await index.state();
      const found = [...indexAlarms({ waiting, ...state }), ...(await intakeAlarms(intake))];
      if ((await index.fault()) !== null) found.unshift(UNREADABLE_INDEX);
      for (const alarmsOf of alarms) found.push(...(await alarmsOf()));
      return { ready: true, reason: null, index: waiting === 0 ? null : { pending: waiting }, alarms: found };
    } catch (error) {
      onError("readiness", error);
      const reason = "The state of the service cannot be read; see the log.";
      return { ready: false, reason, index: null, alarms: [] };
    }
  };
  return { ready: check };
};

const UNREADABLE_INDEX =
  "The search index cannot be read. Searches use the part that can be read, or the words in the database, until it is rebuilt.";

const WITHOUT_SNAPSHOT =
  "The last snapshot of the search index could not be stored or loaded; casefile nodes and the log say why.";

function indexAlarms({ optimiseError, indexError, waiting, failures, snapshots }: IndexState): string[] {
  const alarms: string[] = [];
  if (optimiseError !== null) alarms.push(`The search index could not be compacted: ${optimiseError}`);
  if (indexError !== null) alarms.push(`${waiting} case studies wait for the index: ${indexError}`);
  // The error names the storage's host, and anyone may read this.
  if (snapshots?.snapshot_error) alarms.push(WITHOUT_SNAPSHOT);
  if (failures.total > 0) {
    const count = failures.total === 1 ? "1 case study" : `${failures.total} case studies`;
    alarms.push(`The model cannot embed ${count}; only keyword search finds it. casefile doctor shows why.`);
  }
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
