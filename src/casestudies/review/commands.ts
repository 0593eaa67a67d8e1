import { type Command, InvalidArgumentError, Option } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../../cli/list-options.ts";
import { details, jsonText, minuteOf, plain, table } from "../../cli/table.ts";
import { addReadCommand } from "../intake/read-command.ts";
import type { IntakeService } from "../intake/service.ts";
import { outcomeText } from "../outcome-text.ts";
import type { CaseStudyService, StudyDetail } from "../service.ts";
import { REVIEW_ORDERS, type ReviewOrder } from "../types.ts";
import { reviewedView, studyDetailView } from "./view.ts";

const PROVENANCE = [
  { title: "FIELD" },
  { title: "SOURCE" },
  { title: "CONFIDENCE" },
  { title: "SENTENCE", yields: true },
];

/** A case study with the source of each field, its corrections and its page. */
function detailText(detail: StudyDetail, width: number): string {
  const { study, origin, provenance, corrections, versions, page } = detail;
  const { quote } = study;
  const speaker = quote && [quote.person, quote.role].filter(Boolean).join(", ");
  const quoteText = quote && quote.text !== null ? `“${quote.text}” ${speaker}` : null;
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
      ["Quote", quoteText],
      // The starter stores who is quoted, not the words.
      ["Quoted", quote?.text === null ? speaker : null],
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
    parts.push(
      ["Outcomes:", ...study.outcomes.map((outcome) => plain(`  • ${outcomeText(outcome)} (${outcome.metric})`))].join(
        "\n",
      ),
    );
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

/** `casefile studies`: reviews, corrects and removes case studies. */
export function addReviewCommands(
  program: Command,
  host: CliHost<{ readonly caseStudies: CaseStudyService; readonly intake: IntakeService }>,
): Command[] {
  const studies = program.command("studies").description("Review, correct, remove and try to read case studies.");

  const review = listOptions(
    studies
      .command("review")
      .description("List case studies to review, with the field of the lowest confidence.")
      .option("--company <slug>", "only case studies of this company")
      .option("--industry <industry>", "only this industry: name, slug or synonym")
      .addOption(
        new Option("--corrected <whether>", "only case studies with corrections, or without").choices(["yes", "no"]),
      )
      .addOption(new Option("--order <order>", "sort order").choices(REVIEW_ORDERS).default("least-sure")),
    "/admin/casestudies",
  );
  review.action((flags: ReviewFlags) =>
    withApp(host, review.opts(), async ({ caseStudies }) => {
      const { company, industry, corrected, order } = flags;
      const { case_studies: reviewed, ...page } = await caseStudies.review(
        {
          company: company || undefined,
          industry: industry || undefined,
          corrected: corrected && corrected === "yes",
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
          ? "No case studies found."
          : `${table(REVIEWED, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText({ case_studies: reviewed.map(reviewedView), ...page }) : text}\n`);
    }),
  );

  const show = studies
    .command("show")
    .description("Show a case study with the source of each field and its corrections.")
    .argument("<id>")
    .option("--json", "print the same JSON as GET /admin/casestudies/{id}");
  show.action((id: string, flags: { json?: boolean }) =>
    withApp(host, show.opts(), async ({ caseStudies }) => {
      const detail = await caseStudies.getDetail(id);
      host.out(`${flags.json ? jsonText(studyDetailView(detail)) : detailText(detail, host.columns)}\n`);
    }),
  );

  const correct = studies
    .command("correct")
    .description("Correct fields; corrections override later crawls.")
    .argument("<id>")
    .requiredOption("--set <field=JSON>", "a field and its value; null clears the field", readCorrection)
    .option("--json", "print the same JSON as PATCH /admin/casestudies/{id}")
    .addHelpText(
      "after",
      `\nExample:\n  casefile studies correct acme-northgate --set country='"NO"' --set quote=null`,
    );
  correct.action((id: string, flags: { set: Values; json?: boolean }) =>
    withApp(host, correct.opts(), async ({ caseStudies }) => {
      const detail = await caseStudies.correct(id, Object.fromEntries(flags.set));
      const text = `${[...flags.set.keys()].join(", ")} of ${detail.study.id} corrected.`;
      host.out(`${flags.json ? jsonText(studyDetailView(detail)) : text}\n`);
    }),
  );

  const takeBack = studies
    .command("take-back")
    .description("Remove a correction and restore the previous value.")
    .argument("<id>")
    .argument("<field>", "name of the corrected field")
    .option("--json", "print the same JSON as DELETE /admin/casestudies/{id}/corrections/{field}");
  takeBack.action((id: string, field: string, flags: { json?: boolean }) =>
    withApp(host, takeBack.opts(), async ({ caseStudies }) => {
      const detail = await caseStudies.takeBackCorrection(id, field);
      const text = `Correction of ${field} of ${detail.study.id} removed.`;
      host.out(`${flags.json ? jsonText(studyDetailView(detail)) : text}\n`);
    }),
  );

  const remove = studies
    .command("remove")
    .description("Remove a case study; its page is not indexed again.")
    .argument("<id>");
  remove.action((id: string) =>
    withApp(host, remove.opts(), async ({ caseStudies }) => {
      await caseStudies.remove(id);
      host.out("Removed.\n");
    }),
  );
  return [review, show, correct, takeBack, remove, addReadCommand(studies, host)];
}

const REVIEWED = [
  { title: "ID" },
  { title: "FIELD" },
  { title: "CONFIDENCE" },
  { title: "CORRECTED" },
  { title: "TITLE", yields: true },
];

function readCorrection(text: string, before: Values = new Map()): Values {
  const [, field, json] = /^([a-z_]{1,40})=([\s\S]*)$/.exec(text) ?? [];
  if (field === undefined || json === undefined)
    throw new InvalidArgumentError("Give a field and its value: FIELD=JSON.");
  if (before.has(field)) throw new InvalidArgumentError(`Give ${field} once.`);
  try {
    return new Map([...before, [field, JSON.parse(json)]]);
  } catch {
    throw new InvalidArgumentError(`The value after ${field}= must be JSON; put text in double quotes.`);
  }
}
