import { type Command, InvalidArgumentError, Option } from "commander";
import { REVIEW_ORDERS, type ReviewOrder } from "../../vocabulary/case-study.ts";
import { reviewedView, studyDetailView } from "../intake-view.ts";
import { detailText } from "./detail-text.ts";
import type { CliHost } from "./host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "./list-options.ts";
import { jsonText, table } from "./table.ts";
import { withApp } from "./with-app.ts";

type Values = ReadonlyMap<string, unknown>;

interface ReviewFlags extends ListFlags {
  readonly company?: string;
  readonly industry?: string;
  readonly corrected?: "yes" | "no";
  readonly order: ReviewOrder;
}

/** `casefile studies`: case studies to review; one looked at closely, corrected, removed. */
export function addCorrections(program: Command, host: CliHost): Command[] {
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
      const { case_studies: reviewed, ...page } = await app.reviewStudies(
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
      const detail = await app.studyDetail(id);
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
      const detail = await app.correctStudy(id, Object.fromEntries(flags.set));
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
      const detail = await app.takeBackCorrection(id, field);
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
      await app.removeStudy(id);
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
