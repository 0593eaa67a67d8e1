import type { SettingsRepository } from "../../db/settings.ts";
import type { Handled } from "../../jobs/runner.ts";
import type { JobFeature } from "../../jobs/worker.ts";
import { extractMarkdown } from "../extract/markdown-file.ts";
import { isProblems, parseRecord } from "../record.ts";
import type { CaseStudyRepository, StoredStudy } from "../repository.ts";
import type { OutcomeReader } from "../structure/local-engine.ts";
import type { Provenance } from "../types.ts";
import type { IntakeContext } from "./context.ts";

/** Increased when the reading of outcomes changes, so that stored case studies are read again once. */
const VERSION = 2;
const SETTING = "outcomes.reread";
/** Kind of the job. */
const REREAD = "outcomes";
/** Case studies between two stored positions; a crash repeats at most these. */
const BATCH = 20;

/** How far the stored case studies were read again. */
export interface Reread {
  readonly version: number;
  /** Row number of the last case study that was considered. */
  readonly after: number;
  /** Case studies considered, read again and changed. */
  readonly seen: number;
  readonly read: number;
  readonly changed: number;
  /** Case studies when it started. */
  readonly total: number;
  readonly done: boolean;
}

export interface RereadContext extends Pick<IntakeContext, "jobs" | "corrections" | "parseContext" | "onChange"> {
  readonly caseStudies: Pick<CaseStudyRepository, "each" | "save" | "count">;
  readonly settings: Pick<SettingsRepository, "find" | "set">;
  readonly readOutcomes: OutcomeReader;
}

/** Undefined before the first start of a service. */
export async function findReread({ settings }: Pick<RereadContext, "settings">): Promise<Reread | undefined> {
  const stored = await settings.find(SETTING);
  return stored === undefined ? undefined : JSON.parse(stored);
}

/** The job that reads outcomes again after an upgrade. */
export const createRereadJobs = (context: RereadContext): JobFeature => ({
  handlers: { [REREAD]: (_job, signal) => reread(context, signal) },
  async queueDue() {
    const state = await findReread(context);
    if (state?.version === VERSION && state.done) return;
    await context.jobs.add({ kind: REREAD, subject: `version-${VERSION}`, payload: { version: VERSION } });
  },
});

/**
 * Reads the outcomes of stored case studies again from their kept text, in the background. Only outcomes that the
 * built-in extraction found are replaced: never corrected, imported or built-in ones, nor a language model's. The former
 * version of each changed case study is kept. Reading twice changes nothing.
 */
async function reread(context: RereadContext, signal: AbortSignal): Promise<Handled> {
  const { caseStudies, settings, onChange } = context;
  const stored = await findReread(context);
  let state: Reread =
    stored?.version === VERSION
      ? stored
      : { version: VERSION, after: 0, seen: 0, read: 0, changed: 0, total: await caseStudies.count(), done: false };
  const keep = async (change: Partial<Reread>) => {
    state = { ...state, ...change };
    await settings.set(SETTING, JSON.stringify(state));
  };
  for await (const batch of caseStudies.each(state.after, BATCH)) {
    let { read, changed } = state;
    for (const one of batch) {
      signal.throwIfAborted();
      const result = await rereadStudy(context, one);
      if (result !== "skipped") read += 1;
      if (result === "changed") changed += 1;
    }
    await keep({ after: batch.at(-1)?.number ?? state.after, seen: state.seen + batch.length, read, changed });
    if (changed > 0) onChange();
  }
  await keep({ done: true });
  return undefined;
}

async function rereadStudy(
  { caseStudies, corrections, parseContext, readOutcomes }: RereadContext,
  { study, revision, origin, licence, body, industry_raw: industry }: StoredStudy,
): Promise<"skipped" | "unchanged" | "changed"> {
  if (origin !== "submitted" || body === null) return "skipped";
  if (Object.hasOwn(await corrections.of(study.id), "outcomes")) return "skipped";
  const provenance = await corrections.provenanceOf(study.id);
  // A case study without provenance was not extracted; one of a language model keeps its outcomes.
  if (!provenance.some(({ engine }) => engine === "local") || !provenance.every(isOthersOrLocal)) return "skipped";
  const page = { ...extractMarkdown(body, study.url), title: study.title };
  const found = readOutcomes(page, study.company.name);
  const raw = { ...study, origin, licence, body, industry };
  const parsed = parseRecord({ ...raw, outcomes: found.map(({ outcome }) => outcome) }, parseContext);
  if (isProblems(parsed)) return "skipped";
  const [saved] = await caseStudies.save([parsed], { keepVersions: true, ifRevision: { id: study.id, revision } });
  // Changed meanwhile: whatever changed it has read or corrected the outcomes.
  if (!saved) return "skipped";
  if (saved.outcome !== "updated") return "unchanged";
  const others = provenance.filter(({ pointer }) => !isOutcome(pointer));
  const own = found.map(({ sentence, confidence }, at): Provenance => {
    return { pointer: `/outcomes/${at}`, engine: "local", sentence, confidence };
  });
  await corrections.saveProvenance(study.id, [...others, ...own]);
  return "changed";
}

const isOutcome = (pointer: string) => pointer.startsWith("/outcomes");
const isOthersOrLocal = ({ pointer, engine }: Provenance) => !isOutcome(pointer) || engine === "local";
