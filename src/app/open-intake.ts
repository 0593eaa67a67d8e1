import type { Config } from "../config.ts";
import { type Runner, startRunner } from "../jobs/runner.ts";
import { type Door, openDoor } from "../net/door.ts";
import { openMailer } from "../net/mailer.ts";
import type { Store } from "../store/store.ts";
import { createCrawler } from "../studies/crawl/crawler.ts";
import { extractPage } from "../studies/extract/extract-page.ts";
import { crawlJob, queueDueCrawls } from "../studies/intake/crawl-job.ts";
import { finishJob } from "../studies/intake/finish-job.ts";
import { mailJob } from "../studies/intake/mail-job.ts";
import { CRAWL, FINISH, type IntakeParts, MAIL, PREVIEW, STRUCTURE } from "../studies/intake/parts.ts";
import { previewJob } from "../studies/intake/preview-job.ts";
import { resume } from "../studies/intake/resume.ts";
import { structureJob } from "../studies/intake/structure-job.ts";
import type { StudyTools } from "../studies/record.ts";
import type { StructureEngine } from "../studies/structure/engine.ts";
import { siteOf } from "../vocabulary/domain.ts";
import type { BackupSchedule } from "./backups.ts";
import { createIntake, type IntakeVerbs } from "./intake.ts";

export interface IntakeOptions {
  readonly config: Config;
  readonly store: Store;
  readonly settings: Parameters<typeof openDoor>[0];
  readonly tools: StudyTools;
  readonly engine: StructureEngine;
  readonly clock: () => Date;
  /** There is something new to index. */
  readonly changed: () => void;
  readonly schedule: Pick<BackupSchedule, "handlers" | "queueDue">;
  readonly onError: (work: string, error: unknown) => void;
}

const MIB = 1_048_576;
/** PDFs are larger than the pages that a scan looks at. */
const PAGE_BYTES = 8 * MIB;
/** And so they take longer. */
const EXCHANGE_MS = 30_000;
const LOOK_MS = 2_000;
const RECRAWL_LOOK_MS = 600_000;
const LEASE_SECONDS = 120;
const KEEP_DONE_DAYS = 30;

/** The way from a submitted page to case studies, over a door of its own: a crawl may read more than a scan. */
export function openIntake(options: IntakeOptions): { readonly intake: IntakeVerbs; readonly close: () => void } {
  const { config, store, clock, onError } = options;
  const door = openDoor({ ...options.settings, pageBytes: PAGE_BYTES, exchangeMs: EXCHANGE_MS });
  const mailer = mailerOf(config, options.settings.extraCa);
  let runner: Runner | undefined;
  const parts: IntakeParts = {
    store,
    crawler: createCrawler({
      http: door.http,
      policy: door.policy,
      now: Date.now,
      sleep: (milliseconds, signal) => sleep(milliseconds, signal),
      userAgentToken: "Casefile",
    }),
    limits: {
      maxPages: config.crawl.maxPages,
      maxBytes: config.crawl.maxBytes,
      perHostMs: config.crawl.perHostMs,
      deadlineMs: config.crawl.deadlineMs,
    },
    extract: extractPage,
    engine: options.engine,
    tools: options.tools,
    clock,
    wake: () => runner?.wake(),
    changed: options.changed,
    recrawlDays: config.crawl.recrawlDays,
    approves: config.crawl.autoApprove === "off" ? async () => false : (submission) => sameDomain(door, submission),
  };

  const startWork = (): Runner => {
    const running = startRunner({
      jobs: store.jobs,
      handlers: {
        [PREVIEW]: previewJob(parts),
        [CRAWL]: crawlJob(parts),
        [STRUCTURE]: structureJob(parts),
        [FINISH]: finishJob(parts),
        ...(mailer ? { [MAIL]: mailJob(store.mails, mailer) } : {}),
        ...options.schedule.handlers,
      },
      concurrency: config.jobs.concurrent,
      pollMs: LOOK_MS,
      leaseSeconds: LEASE_SECONDS,
      random: Math.random,
      onFailure: (job, error, dead) => {
        if (dead) onError(`job ${job.id} (${job.kind})`, error);
      },
    });
    runner = running;
    const upkeep = () => {
      resume(parts)
        .then(() => queueDueCrawls(parts))
        .then(() => options.schedule.queueDue())
        .then(() => running.wake())
        .then(() => store.jobs.forgetDone(new Date(clock().getTime() - KEEP_DONE_DAYS * 86_400_000)))
        .catch((error) => onError("upkeep of the jobs", error));
    };
    const timer = setInterval(upkeep, RECRAWL_LOOK_MS);
    upkeep();
    return {
      ...running,
      async stop() {
        clearInterval(timer);
        await running.stop();
      },
    };
  };

  const intake = createIntake({
    intake: parts,
    store,
    refusal: (url) => door.policy.refusal(url),
    startRunner: startWork,
    industryOf: (text) => options.tools.industries.resolve(text),
    mailConfigured: mailer !== undefined,
  });
  return {
    intake,
    close() {
      door.close();
      mailer?.close();
    },
  };
}

const mailerOf = ({ smtp }: Config, extraCa: string | null) =>
  smtp.url === null ? undefined : openMailer({ url: smtp.url, from: smtp.from ?? "", extraCa, timeoutMs: 30_000 });

/** The contact writes from the domain that the page stands on, and that domain takes mail. */
async function sameDomain(
  door: Door,
  { contact_email, case_study_url }: { contact_email: string; case_study_url: string },
): Promise<boolean> {
  const mailDomain = contact_email.slice(contact_email.lastIndexOf("@") + 1);
  if (siteOf(mailDomain) !== siteOf(new URL(case_study_url).hostname)) return false;
  const { status, records } = await door.dns(mailDomain, "MX", AbortSignal.timeout(10_000));
  return status === "ok" && records.some(({ type, value }) => type === "MX" && value !== "" && value !== ".");
}

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(done, milliseconds);
    function done() {
      signal.removeEventListener("abort", aborted);
      resolve();
    }
    function aborted() {
      clearTimeout(timer);
      reject(signal.reason);
    }
    signal.addEventListener("abort", aborted, { once: true });
  });
