import { CasefileProblem } from "../../client/src/index.ts";
import { Failure, type FailureCode, type Problem } from "../core/errors.ts";
import { plain } from "./table.ts";

/** Exit codes: 2 when the caller must correct the input, 1 for any other failure. */
const EXIT: Record<FailureCode, 1 | 2> = {
  "domain.invalid": 2,
  "domain.reserved": 2,
  "domain.not_found": 1,
  "domain.opted_out": 1,
  "opt_out.invalid": 2,
  "opt_out.not_found": 1,
  "dns.unreachable": 1,
  "browser.unavailable": 1,
  "snapshot.invalid": 2,
  "snapshot.not_found": 1,
  "history.not_found": 1,
  "key.exists": 1,
  "key.sign_up_closed": 1,
  "key.invalid": 1,
  "key.not_found": 1,
  "operator.invalid": 1,
  "operator.forbidden": 1,
  "operator.not_found": 1,
  "operator.conflict": 1,
  "operator.malformed": 2,
  "session.not_found": 1,
  "sign_in.invalid_link": 1,
  "sign_in.unavailable": 1,
  "sign_in.failed": 1,
  "email.invalid": 2,
  "quota.exceeded": 1,
  "rate.exceeded": 1,
  "catalogue.invalid": 1,
  "fingerprints.invalid": 2,
  "tool.not_found": 1,
  "feedback.not_found": 1,
  "config.invalid": 2,
  "installation.unsound": 1,
  "store.unusable": 1,
  "model.invalid": 2,
  "model.unavailable": 1,
  "model.not_found": 1,
  "model.conflict": 1,
  "company.not_found": 1,
  "industry.not_found": 1,
  "company.invalid": 2,
  "company.exists": 1,
  "submission.not_found": 1,
  "submission.conflict": 1,
  "submission.invalid": 2,
  "job.not_found": 1,
  "correction.invalid": 2,
  "correction.not_found": 1,
  "crawl.failed": 1,
  "study.not_found": 1,
  "query.invalid": 2,
  "cursor.invalid": 2,
  "backup.invalid": 1,
  "backup.not_found": 1,
  "watch.not_found": 1,
  "watch.limit": 1,
  "webhook.not_found": 1,
  "webhook.invalid": 2,
  "webhook.exists": 1,
  "webhook.limit": 1,
  "webhook.not_taken": 1,
  "batch.not_found": 1,
  "batch.invalid": 2,
  "batch.conflict": 1,
  "stack.operator_only": 1,
  "service.draining": 1,
  "service.overloaded": 1,
};

/** The text for standard error and the exit code of an expected failure; undefined for a bug. */
export function failureText(error: unknown): { readonly text: string; readonly exitCode: 1 | 2 } | undefined {
  if (error instanceof CasefileProblem) {
    return { text: textOf(error.detail, error.problems), exitCode: INPUT.has(error.status) ? 2 : 1 };
  }
  if (!(error instanceof Failure)) return undefined;
  return { text: textOf(error.message, error.details.problems ?? []), exitCode: EXIT[error.code] };
}

/** Statuses of a service that mean invalid input. */
const INPUT = new Set([400, 422]);

/** What messages advise, as commands. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/search companies to find (?:it|the slug)\./, "find it with `casefile companies TEXT`."],
  [/list the tools to find its id or name\./, "find its id or name with `casefile tools TEXT`."],
];
const asCommand = (message: string): string =>
  COMMANDS.reduce((text, [advice, command]) => text.replace(advice, command), message);

function textOf(message: string, problems: readonly Problem[]): string {
  // A surface that has one sentence for all carries the first problem in the message already.
  const others = problems.filter(({ detail }) => !message.includes(detail.replace(/\.$/, "")));
  const lines = others.map(({ pointer, detail }) => `\n  ${plain(pointer === "" ? detail : `${pointer}: ${detail}`)}`);
  return `casefile: ${plain(asCommand(message))}${lines.join("")}`;
}

/** Why domains of a list failed, in words. */
const REASONS: Readonly<Record<string, string>> = {
  "domain.not_found": "not in DNS",
  "domain.invalid": "not a company domain",
  "domain.reserved": "reserved, without a recording",
  "domain.opted_out": "opted out",
  "dns.unreachable": "no answer from DNS",
  "service.overloaded": "the service is busy",
  "batch.invalid": "unreadable rows",
  internal: "internal error",
};

/** `2 not in DNS, 1 no answer from DNS` */
export const reasonsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([code, count]) => `${count} ${REASONS[code] ?? code}`)
    .join(", ");
