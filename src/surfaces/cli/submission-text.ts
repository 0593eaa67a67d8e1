import type { SubmissionPage } from "../../app/app.ts";
import type { Submission } from "../../vocabulary/submission.ts";
import { details, minuteOf } from "./details.ts";
import { footer } from "./list-options.ts";
import { plain, table } from "./table.ts";

const COLUMNS = [
  { title: "ID" },
  { title: "STATE" },
  { title: "COMPANY" },
  { title: "PAGE", yields: true },
  { title: "FOUND" },
  { title: "RECEIVED" },
];

/** A page of the list, newest first. */
export function submissionsText(page: SubmissionPage, width: number): string {
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
export function submissionText({ preview, ...submission }: Submission): string {
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
export const progressOf = ({ counts: { found, structured, indexed } }: Pick<Submission, "counts">): string =>
  `${found} found, ${structured} structured, ${indexed} indexed`;
