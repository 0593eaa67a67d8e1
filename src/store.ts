import type { Database } from "bun:sqlite";
import { access, chmod, constants, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Keys, keysIn, type Usage, usageIn } from "./accounts/repository.ts";
import { type CompanyRepository, createCompanyRepository } from "./casestudies/companies/repository.ts";
import { createOutboxRepository, type OutboxRepository } from "./casestudies/index/outbox.ts";
import { createEmailRepository, type EmailRepository } from "./casestudies/intake/emails.ts";
import {
  type CorrectionRepository,
  createCorrectionRepository,
  createPageRepository,
  createSubmissionRepository,
  type PageRepository,
  type SubmissionRepository,
} from "./casestudies/intake/repository.ts";
import { type CaseStudyRepository, createCaseStudyRepository, type IndustryNames } from "./casestudies/repository.ts";
import { type Starter, starterIn } from "./casestudies/starter/repository.ts";
import { Failure } from "./core/errors.ts";
import { copyInThread } from "./db/copy-in-thread.ts";
import { healthOf, openDatabase, queriesOf, type StoreHealth } from "./db/engine.ts";
import { type DirectoryLock, shareDirectory } from "./db/locks.ts";
import { copyInto, migrate } from "./db/migrate.ts";
import { MIGRATIONS } from "./db/migrations.ts";
import { type Settings, settingsIn } from "./db/settings.ts";
import { finishSwap } from "./db/swap.ts";
import { type Discovery, discoveryIn, type Feedback, feedbackIn } from "./detection/fingerprints/repository.ts";
import { type Scans, scansIn } from "./detection/repository.ts";
import { type Stats, statsIn } from "./health/stats.ts";
import { type Jobs, jobsIn } from "./jobs/queue.ts";
import { type Watches, type Webhooks, watchesIn, webhooksIn } from "./watches/repository.ts";

/** Of the database in its data directory, and in a backup. */
export const DATABASE_FILE = "casefile.sqlite";

/**
 * All that is kept, in one SQLite file. Several processes may open it at once, each of them once: SQLite makes a
 * second writer wait without letting its own process go on, so two stores in one process would wait for each other.
 */
export interface Store {
  readonly scans: Scans;
  readonly discovery: Discovery;
  readonly feedback: Feedback;
  readonly keys: Keys;
  readonly usage: Usage;
  readonly stats: Stats;
  readonly settings: Settings;
  readonly starter: Starter;
  readonly caseStudies: CaseStudyRepository;
  readonly companies: CompanyRepository;
  readonly outbox: OutboxRepository;
  readonly jobs: Jobs;
  readonly submissions: SubmissionRepository;
  readonly pages: PageRepository;
  readonly mails: EmailRepository;
  readonly corrections: CorrectionRepository;
  readonly watches: Watches;
  readonly webhooks: Webhooks;
  health(): Promise<StoreHealth>;
  /** Writes a whole and consistent copy of the database to a file, which it replaces, while work goes on. */
  backup(path: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Made when it is absent, for this user alone. `:memory:` keeps nothing. */
  readonly dataDir: string;
  readonly clock: () => Date;
  /** Snapshots kept for each domain; 0 keeps none. */
  readonly keepSnapshots?: number;
  /** Reports kept for each domain. */
  readonly keepReports?: number;
  /** What case studies and companies call their industries. */
  readonly industryNames?: IndustryNames;
}

/**
 * Opens the store and brings its schema up to date.
 *
 * @throws Failure `store.unusable`, naming the directory, when it cannot be read or written, when its file is no
 *   database, when it was written by a newer release, or while it is being restored
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, clock, keepSnapshots = 5, keepReports = 100, industryNames = new Map() } = options;
  const { database, lock } = await opened(dataDir, clock);
  const queries = queriesOf(database);
  const caseStudies = createCaseStudyRepository(queries, industryNames, clock);
  return {
    scans: scansIn(queries, { clock, keepSnapshots, keepReports }),
    discovery: discoveryIn(queries),
    feedback: feedbackIn(queries, clock),
    keys: keysIn(queries),
    usage: usageIn(queries),
    stats: statsIn(queries),
    settings: settingsIn(queries),
    starter: starterIn(queries, industryNames, clock),
    caseStudies,
    companies: createCompanyRepository(queries, industryNames, caseStudies, clock),
    outbox: createOutboxRepository(queries, clock),
    jobs: jobsIn(queries, clock),
    submissions: createSubmissionRepository(queries, clock),
    pages: createPageRepository(queries, clock),
    mails: createEmailRepository(queries, clock),
    corrections: createCorrectionRepository(queries, clock),
    watches: watchesIn(queries, clock),
    webhooks: webhooksIn(queries, clock),
    health: async () => healthOf(database),
    backup: (path, signal) =>
      lock ? copyInThread({ from: database.filename, to: path }, signal) : copyInto(database, path),
    async close() {
      // Kysely closes the database only when it was used.
      await queries.destroy();
      database.close();
      lock?.release();
    },
  };
}

interface Opened {
  readonly database: Database;
  /** Undefined in memory, where nobody else is. */
  readonly lock: DirectoryLock | undefined;
}

async function opened(dataDir: string, clock: () => Date): Promise<Opened> {
  const inMemory = dataDir === ":memory:";
  let lock: DirectoryLock | undefined;
  let database: Database | undefined;
  try {
    if (!inMemory) lock = await entered(dataDir);
    const path = inMemory ? dataDir : join(dataDir, DATABASE_FILE);
    database = openDatabase(path);
    if (!inMemory) await chmod(path, 0o600);
    await migrate(database, { migrations: MIGRATIONS, dataDir: inMemory ? undefined : dataDir, clock });
    return { database, lock };
  } catch (error) {
    database?.close();
    lock?.release();
    throw unusable(dataDir, error);
  }
}

const MOST_ENTRIES = 10;

/** The lock comes before anything is opened or made: a restore may move the directory away under our feet. */
async function entered(dataDir: string): Promise<DirectoryLock> {
  for (let attempt = 1; ; attempt++) {
    if (!(await finishSwap(dataDir))) await mkdir(dataDir, { recursive: true, mode: 0o700 });
    try {
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
      return shareDirectory(dataDir);
    } catch (error) {
      const isGone = !(await stat(dataDir).catch(() => undefined));
      if (!isGone || attempt === MOST_ENTRIES) throw error;
    }
  }
}

/** What the operator can do about each fault of a disk; a fault that is not here is a bug. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM|SQLITE_AUTH)/, "it cannot be written by this user"],
  [/^(ENOTDIR|EEXIST|ENOENT|EISDIR|ENAMETOOLONG|ELOOP|SQLITE_CANTOPEN)/, "it is no directory that can be opened"],
  [/^(SQLITE_NOTADB|SQLITE_CORRUPT|SQLITE_FORMAT|SQLITE_ERROR)/, `its ${DATABASE_FILE} is no database of this program`],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, "the disk is full"],
  [/^(EIO|SQLITE_IOERR|SQLITE_PROTOCOL)/, "the disk does not read or write"],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, "another process keeps it busy"],
];

function unusable(dataDir: string, error: unknown): unknown {
  if (error instanceof Failure) return new Failure(error.code, `Data directory ${dataDir}: ${error.advice}`);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1];
  if (!reason) return error;
  const failure = new Failure(
    "store.unusable",
    `The data directory ${dataDir} cannot be used: ${reason}. Correct it, or give another directory as data_dir.`,
  );
  failure.cause = error;
  return failure;
}
