import type { Accounts } from "../accounts/accounts.ts";
import type { ClientLimits } from "../accounts/client-limits.ts";
import type { Operator } from "../accounts/operator.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { OutsideSources } from "../net/visit.ts";
import type { Store } from "../store/store.ts";
import type { Origin } from "../vocabulary/case-study.ts";
import type { Category } from "../vocabulary/fingerprint.ts";
import type { BackupSchedule, BackupVerbs } from "./backups.ts";
import type { DoctorVerbs } from "./doctor.ts";
import type { EnrichmentVerbs } from "./enrichment.ts";
import { createFingerprints, type FingerprintVerbs } from "./fingerprints.ts";
import type { IntakeState, IntakeVerbs } from "./intake.ts";
import type { ModelVerbs } from "./models.ts";
import { createScanHistory, type ScanHistoryVerbs } from "./scan-history.ts";
import { createSourceHealth, type SourceHealthVerbs } from "./source-health.ts";
import type { StarterVerbs } from "./starter.ts";
import type { StudyVerbs } from "./studies.ts";
import type { WatchVerbs } from "./watches.ts";

export type { Account, IssuedKey, KeyEntry, QuotaState } from "../accounts/accounts.ts";
export type { Enrichment, EnrichOptions, SeenDetection, Step } from "./enrichment.ts";
export type {
  FalseReport,
  FingerprintCheck,
  SetSummary,
  ToolEntry,
  ToolExplanation,
  UnknownCount,
} from "./fingerprints.ts";
export type {
  CrawlStep,
  ForegroundCrawl,
  IntakeState,
  JobPage,
  Mail,
  MailPage,
  StudyCorrections,
  StudyDetail,
  SubmissionEdit,
  SubmissionPage,
} from "./intake.ts";
export type { Evaluation, ModelEntry } from "./models.ts";
export type { ScanChanges } from "./scan-history.ts";
export type { SourceHealth, SourceHealthReport } from "./source-health.ts";
export type { StarterStatus } from "./starter.ts";
export type { ImportSummary, IndexState, StudyAnswer, StudyQuestion } from "./studies.ts";
export type { ReviewedStudy } from "./study-review.ts";

/** Everything that Casefile does, however it is asked. Surfaces know nothing else. */
export interface App
  extends EnrichmentVerbs,
    StudyVerbs,
    IntakeVerbs,
    StarterVerbs,
    BackupVerbs,
    FingerprintVerbs,
    ScanHistoryVerbs,
    ModelVerbs,
    SourceHealthVerbs,
    WatchVerbs,
    DoctorVerbs {
  readonly version: string;
  readonly categories: readonly Category[];
  readonly accounts: Accounts;
  readonly operator: Operator;
  readonly clientLimits: ClientLimits;
  stats(): Promise<ServiceStats>;
  /** Whether the service can work, why not, and what the operator should look at though it does. */
  ready(): Promise<Readiness>;
  /** Ends scans, closes sockets and the store. */
  close(): Promise<void>;
}

export interface Readiness {
  readonly ready: boolean;
  readonly reason: string | null;
  readonly alarms: readonly string[];
}

export interface ServiceStats {
  readonly companies: number;
  readonly case_studies: number;
  readonly by_origin: Readonly<Record<Origin, number>>;
  readonly industries: number;
  readonly tools: number;
  readonly categories: number;
  readonly domains_enriched: number;
  /** ISO 8601 UTC of the newest change; null before the first. */
  readonly updated_at: string | null;
  readonly version: string;
}

export interface AppParts {
  readonly version: string;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly operator: Operator;
  readonly clientLimits: ClientLimits;
  readonly catalogue: Catalogue;
  /** What is asked beside a company's own hosts. */
  readonly sources: OutsideSources;
  readonly enrichment: EnrichmentVerbs;
  readonly studies: StudyVerbs;
  readonly models: ModelVerbs;
  readonly intake: IntakeVerbs;
  readonly starter: StarterVerbs;
  readonly doctor: DoctorVerbs;
  readonly backups: { readonly verbs: BackupVerbs; readonly schedule: Pick<BackupSchedule, "alarms"> };
  readonly watches: { readonly verbs: WatchVerbs; readonly alarms: () => Promise<readonly string[]> };
  /** What else is to be closed, in order. */
  readonly closing: readonly (() => void | Promise<void>)[];
}

/** The verbs over parts that were built before. */
export function createApp(parts: AppParts): App {
  const { version, store, catalogue, enrichment, studies, intake } = parts;
  return {
    ...enrichment,
    ...studies,
    ...parts.models,
    ...intake,
    ...parts.starter,
    ...parts.doctor,
    ...parts.backups.verbs,
    ...parts.watches.verbs,
    ...createFingerprints({ catalogue, store }),
    ...createScanHistory(store.scans),
    ...createSourceHealth(store.scans, parts.sources),
    version,
    categories: [...catalogue.categories.values()],
    accounts: parts.accounts,
    operator: parts.operator,
    clientLimits: parts.clientLimits,

    async stats() {
      const stored = await store.stats.read();
      return {
        tools: catalogue.tools.size,
        categories: new Set([...catalogue.tools.values()].map((tool) => tool.category)).size,
        ...stored,
        version,
      };
    },

    async ready() {
      try {
        const index = await studies.indexState();
        const alarms = [
          ...(index.optimiseError === null ? [] : [`The search index could not be compacted: ${index.optimiseError}`]),
          ...(index.indexError === null
            ? []
            : [`${index.waiting} case studies wait for the index: ${index.indexError}`]),
          ...parts.models.modelAlarms(),
          ...alarmsOf(await intake.intakeState()),
          ...(await parts.backups.schedule.alarms()),
          ...(await parts.watches.alarms()),
        ];
        return { ready: true, reason: null, alarms };
      } catch {
        return { ready: false, reason: "The store does not answer; check the data directory.", alarms: [] };
      }
    },

    async close() {
      enrichment.stop();
      for (const close of parts.closing) await close();
      await store.close();
    },
  };
}

/** What the operator should look at. Mails that wait because no server is named are no fault. */
function alarmsOf({ jobs, mails, mailConfigured }: IntakeState): string[] {
  const unsent = (mails.failed ?? 0) + (mails.unclear ?? 0);
  return [
    ...(jobs.dead === 0 ? [] : [`${jobs.dead} pieces of work were given up; list the jobs to see why.`]),
    ...(unsent === 0 || !mailConfigured ? [] : [`${unsent} mails could not be sent; list the mails to see why.`]),
  ];
}
