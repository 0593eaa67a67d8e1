import { setTimeout as pause } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../../cli/list-options.ts";
import { createLine } from "../../cli/progress.ts";
import { details, jsonText, minuteOf, plain, table } from "../../cli/table.ts";
import type { Services } from "../../compose.ts";
import { Failure } from "../../core/errors.ts";
import { REVIEW_ORDERS, type ReviewOrder } from "../types.ts";
import type { SubmissionPage } from "./repository.ts";
import type { StudyDetail } from "./service.ts";
import type { SubmissionEdit } from "./submissions.ts";
import { SUBMISSION_STATES, type Submission, type SubmissionState } from "./types.ts";
import { reviewedView, studyDetailView } from "./view.ts";

const COLUMNS = [
  { title: "ID" },
  { title: "STATE" },
  { title: "COMPANY" },
  { title: "PAGE", yields: true },
  { title: "FOUND" },
  { title: "RECEIVED" },
];

/** A page of the list, newest first. */
function submissionsText(page: SubmissionPage, width: number): string {
  if (page.submissions.length === 0) return "No submission was found.";
  const rows = page.submissions.map(({ id, state, company_name, case_study_url, counts, preview, received_at }) => [
    id,
    state,
    company_name,
    case_study_url,
    String(Math.max(counts.found, preview?.found ?? 0)),
    received_at.slice(0, 10),
  ]);
  return `${table(COLUMNS, rows, width)}\n${footer(rows.length, page)}`;
}

/** All that a reviewer needs to decide. */
function submissionText({ preview, ...submission }: Submission): string {
  const told = details([
    ["ID", submission.id],
    ["State", submission.state],
    ["Reason", submission.reason],
    ["Company", `${submission.company_name} (${submission.company_slug})`],
    ["Domain", submission.company_domain],
    ["Page", submission.case_study_url],
    ["Contact", submission.contact_email],
    ["Approved by", submission.approved_by],
    ["Case studies", progressOf(submission)],
    ["Received", `${minuteOf(submission.received_at)} UTC`],
    ["Changed", `${minuteOf(submission.updated_at)} UTC`],
  ]);
  if (preview === null) return told;
  const samples = preview.samples.flatMap(({ url, title, summary }) => [
    `  • ${plain(title ?? url)}`,
    ...(title === null ? [] : [`    ${plain(url)}`]),
    ...(summary === null ? [] : [`    ${plain(summary).slice(0, 300)}`]),
  ]);
  const looked = [
    `Looked at ${minuteOf(preview.looked_at)} UTC: ${plain(preview.listing_title ?? preview.listing_url)}`,
    `  ${preview.found} case ${preview.found === 1 ? "study" : "studies"} on ${plain(preview.listing_url)}`,
    ...preview.notes.map((note) => `  Note: ${plain(note)}`),
    ...samples,
  ];
  return `${told}\n\n${looked.join("\n")}${preview.found > preview.samples.length ? "\n  …" : ""}`;
}

/** `12 found, 3 structured, 0 indexed` */
const progressOf = ({ counts: { found, structured, indexed } }: Pick<Submission, "counts">): string =>
  `${found} found, ${structured} structured, ${indexed} indexed`;

const LOOK_MS = 200;
/** States at which a submission stays until somebody decides. */
const ENDED: readonly SubmissionState[] = ["review", "rejected", "available", "failed"];

/**
 * Works in the foreground, as a service does, until a submission ended or waits for a decision. A service that runs
 * beside it shares the work.
 *
 * @throws Failure `crawl.failed` with the reason when it failed, or when its work was given up
 */
async function workUntilEnded(app: Services, host: CliHost, id: string): Promise<Submission> {
  const line = createLine(host);
  const givenUp = new Set((await deadJobs(app)).map((job) => job.id));
  const [work, upkeep] = [app.intake.startWork(), app.caseStudies.startUpkeep()];
  try {
    for (;;) {
      const submission = await app.intake.getSubmission(id);
      if (submission.state === "failed") throw new Failure("crawl.failed", submission.reason ?? "The work failed.");
      if (ENDED.includes(submission.state)) return submission;
      const dead = (await deadJobs(app)).find((job) => job.payload.submission === id && !givenUp.has(job.id));
      if (dead)
        throw new Failure("crawl.failed", `The work was given up: ${dead.last_error ?? "the reason is not known"}`);
      line.show(`${submission.company_name}: ${submission.state}, ${progressOf(submission)} …`);
      await pause(LOOK_MS, undefined, { signal: host.signal });
    }
  } finally {
    line.end();
    await work.stop();
    await upkeep.stop();
    if (host.signal.aborted) {
      host.err(`Interrupted. A service goes on with the work, or: casefile submissions show ${id} --wait\n`);
    }
  }
}

const deadJobs = async (app: Services) => (await app.jobs.list({ state: "dead" }, { limit: 100 })).jobs;

interface Flags {
  readonly json?: boolean;
  readonly wait?: boolean;
}

/** `casefile submissions`: the review of what vendors submitted. */
export function addSubmissions(program: Command, host: CliHost<Services>): Command[] {
  const submissions = program.command("submissions").description("Review the pages that vendors submitted.");
  const tell = (submission: Submission, { json }: Flags, text = submissionText(submission)) =>
    host.out(`${json ? jsonText(submission) : text}\n`);

  const list = listOptions(
    submissions
      .command("list", { isDefault: true })
      .description("List submissions, newest first.")
      .addOption(new Option("--state <state>", "those at one stage").choices(SUBMISSION_STATES)),
    "/admin/submissions",
  );
  list.action(({ state, ...flags }: ListFlags & { state?: SubmissionState }) =>
    withApp(host, list.opts(), async (app) => {
      const page = await app.intake.listSubmissions(state ? { state } : {}, pageOf(flags));
      host.out(`${flags.json ? jsonText(page) : submissionsText(page, host.columns)}\n`);
    }),
  );

  const one = (name: string, description: string) =>
    submissions.command(name).description(description).argument("<id>").option("--json", "print JSON");
  const waiting = (command: Command) =>
    command.option("--wait", "do the work here, without a service, until the submission ended");

  const show = waiting(one("show", "Show one with its preview."));
  show.action((id: string, flags: Flags) =>
    withApp(host, show.opts(), async (app) =>
      tell(flags.wait ? await workUntilEnded(app, host, id) : await app.intake.getSubmission(id), flags),
    ),
  );

  const working = (command: Command, begin: (app: Services, id: string) => Promise<Submission>, said: string) =>
    command.action((id: string, flags: Flags) =>
      withApp(host, command.opts(), async (app) => {
        const begun = await begin(app, id);
        if (flags.wait) return tell(await workUntilEnded(app, host, id), flags);
        const next = `A service does the work; without one: casefile submissions show ${id} --wait`;
        tell(begun, flags, `${begun.company_name} ${said}. ${next}`);
      }),
    );
  const approve = waiting(one("approve", "Let the page be crawled."));
  working(approve, (app, id) => app.intake.approveSubmission(id), "is approved");
  const retry = waiting(one("retry", "Take one that ended up again."));
  working(retry, (app, id) => app.intake.retrySubmission(id), "is taken up again");

  const reject = one("reject", "Refuse the page.").requiredOption("--reason <text>", "why; the contact is told");
  reject.action((id: string, flags: Flags & { reason: string }) =>
    withApp(host, reject.opts(), async (app) => {
      const rejected = await app.intake.rejectSubmission(id, flags.reason);
      tell(rejected, flags, `${rejected.company_name} is rejected; the contact is told why.`);
    }),
  );

  const edit = one("edit", "Correct what will be known of the company.")
    .option("--name <name>")
    .option("--slug <slug>")
    .option("--domain <domain>", "an empty one says that none is known");
  edit.action((id: string, flags: Flags & { name?: string; slug?: string; domain?: string }) => {
    const { name, slug, domain } = flags;
    const change: SubmissionEdit = {
      ...(name === undefined ? {} : { company_name: name }),
      ...(slug === undefined ? {} : { company_slug: slug }),
      ...(domain === undefined ? {} : { company_domain: domain || null }),
    };
    if (Object.keys(change).length === 0) edit.error("error: give --name, --slug or --domain", { exitCode: 2 });
    return withApp(host, edit.opts(), async (app) => tell(await app.intake.editSubmission(id, change), flags));
  });
  return [list, show, approve, reject, retry, edit];
}

const PROVENANCE = [{ title: "FIELD" }, { title: "TOLD BY" }, { title: "SURE" }, { title: "SENTENCE", yields: true }];

/** A case study and what stands behind it: who told each field, what was corrected, and which page it is from. */
function detailText(detail: StudyDetail, width: number): string {
  const { study, origin, provenance, corrections, versions, page } = detail;
  const { quote } = study;
  const speaker = quote && [quote.person, quote.role].filter(Boolean).join(", ");
  const said = quote && (quote.text === null ? speaker : `“${quote.text}” ${speaker}`);
  const parts = [
    details([
      ["ID", study.id],
      ["Title", study.title],
      ["Address", study.url],
      ["Company", `${study.company.name} (${study.company.slug})`],
      ["Client", [study.client.name, study.client.domain && `(${study.client.domain})`].filter(Boolean).join(" ")],
      ["Industry", study.industry],
      ["Country", study.country],
      ["Date", study.published_at],
      ["Language", study.language],
      ["Products", study.products.join(", ")],
      ["Tools", study.tools.join(", ")],
      ["Summary", study.summary],
      ["Challenge", study.challenge],
      ["Solution", study.solution],
      ["Quote", said],
      ["Origin", origin],
      [
        "Page",
        page &&
          `${page.state} ${minuteOf(page.gone_at ?? page.fetched_at)} UTC${page.reason ? `: ${page.reason}` : ""}`,
      ],
      ["Indexed", study.indexed_at === null ? "not yet" : `${minuteOf(study.indexed_at)} UTC`],
      ["Corrected", Object.keys(corrections).join(", ")],
      [
        "Versions",
        versions.map(({ revision, replaced_at }) => `${revision} until ${minuteOf(replaced_at)} UTC`).join(", "),
      ],
    ]),
  ];
  if (study.outcomes.length > 0) {
    parts.push(["Outcomes:", ...study.outcomes.map(({ text, metric }) => plain(`  • ${text} (${metric})`))].join("\n"));
  }
  if (provenance.length > 0) {
    const rows = provenance.map(({ pointer, engine, confidence, sentence }) => [
      pointer,
      engine,
      `${Math.round(confidence * 100)}%`,
      sentence ?? "",
    ]);
    parts.push(table(PROVENANCE, rows, width));
  }
  return parts.join("\n\n");
}

type Values = ReadonlyMap<string, unknown>;

interface ReviewFlags extends ListFlags {
  readonly company?: string;
  readonly industry?: string;
  readonly corrected?: "yes" | "no";
  readonly order: ReviewOrder;
}

/** `casefile studies`: case studies to review; one looked at closely, corrected, removed. */
export function addCorrections(program: Command, host: CliHost<Services>): Command[] {
  const studies = program
    .command("studies")
    .description("List case studies to review; look at one closely, correct it, remove it.");

  const review = listOptions(
    studies
      .command("review")
      .description("List case studies to review, with the field that is most likely read wrongly.")
      .option("--company <slug>", "of one company")
      .option("--industry <industry>", "name, slug or synonym of an industry")
      .addOption(new Option("--corrected <whether>", "those with corrections, or without").choices(["yes", "no"]))
      .addOption(new Option("--order <order>", "what comes first").choices(REVIEW_ORDERS).default("least-sure")),
    "/admin/casestudies",
  );
  review.action((flags: ReviewFlags) =>
    withApp(host, review.opts(), async (app) => {
      const { company, industry, corrected, order } = flags;
      const { case_studies: reviewed, ...page } = await app.caseStudies.reviewStudies(
        {
          ...(company ? { company } : {}),
          ...(industry ? { industry } : {}),
          ...(corrected ? { corrected: corrected === "yes" } : {}),
          order,
        },
        pageOf(flags),
      );
      const rows = reviewed.map(({ study, least_sure, corrected }) => [
        study.id,
        least_sure?.pointer ?? "",
        least_sure ? `${Math.round(least_sure.confidence * 100)}%` : "",
        corrected.join(", "),
        study.title,
      ]);
      const text =
        rows.length === 0
          ? "No case study was found."
          : `${table(REVIEWED, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText({ case_studies: reviewed.map(reviewedView), ...page }) : text}\n`);
    }),
  );

  const show = studies
    .command("show")
    .description("Show a case study, who told each field, and what was corrected.")
    .argument("<id>")
    .option("--json", "print the same JSON as GET /admin/casestudies/{id}");
  show.action((id: string, flags: { json?: boolean }) =>
    withApp(host, show.opts(), async (app) => {
      const detail = await app.intake.studyDetail(id);
      host.out(`${flags.json ? jsonText(studyDetailView(detail)) : detailText(detail, host.columns)}\n`);
    }),
  );

  const correct = studies
    .command("correct")
    .description("Correct fields; what is corrected holds whatever a later crawl reads.")
    .argument("<id>")
    .requiredOption("--set <field=JSON>", "a field and its value; null says that nothing is known", readCorrection)
    .option("--json", "print the same JSON as PATCH /admin/casestudies/{id}")
    .addHelpText(
      "after",
      `\nExample:\n  casefile studies correct acme-northgate --set country='"NO"' --set quote=null`,
    );
  correct.action((id: string, flags: { set: Values; json?: boolean }) =>
    withApp(host, correct.opts(), async (app) => {
      const detail = await app.intake.correctStudy(id, Object.fromEntries(flags.set));
      const text = `${[...flags.set.keys()].join(", ")} of ${detail.study.id} corrected.`;
      host.out(`${flags.json ? jsonText(studyDetailView(detail)) : text}\n`);
    }),
  );

  const takeBack = studies
    .command("take-back")
    .description("Take the correction of a field back: it says again what it said before.")
    .argument("<id>")
    .argument("<field>", "name of a field that was corrected")
    .option("--json", "print the same JSON as DELETE /admin/casestudies/{id}/corrections/{field}");
  takeBack.action((id: string, field: string, flags: { json?: boolean }) =>
    withApp(host, takeBack.opts(), async (app) => {
      const detail = await app.intake.takeBackCorrection(id, field);
      const text = `The correction of ${field} of ${detail.study.id} is taken back.`;
      host.out(`${flags.json ? jsonText(studyDetailView(detail)) : text}\n`);
    }),
  );

  const remove = studies
    .command("remove")
    .description("Remove a case study; a page that it was crawled from stays refused.")
    .argument("<id>");
  remove.action((id: string) =>
    withApp(host, remove.opts(), async (app) => {
      await app.intake.removeStudy(id);
      host.out("Removed.\n");
    }),
  );
  return [review, show, correct, takeBack, remove];
}

const REVIEWED = [
  { title: "ID" },
  { title: "LEAST SURE" },
  { title: "SURE" },
  { title: "CORRECTED" },
  { title: "TITLE", yields: true },
];

function readCorrection(text: string, before: Values = new Map()): Values {
  const [, field, json] = /^([a-z_]{1,40})=([\s\S]*)$/.exec(text) ?? [];
  if (field === undefined || json === undefined)
    throw new InvalidArgumentError("Give a field and its value, FIELD=JSON.");
  if (before.has(field)) throw new InvalidArgumentError(`Give ${field} once.`);
  try {
    return new Map([...before, [field, JSON.parse(json)]]);
  } catch {
    throw new InvalidArgumentError(`What follows ${field}= must be JSON: a text stands in double quotes.`);
  }
}
