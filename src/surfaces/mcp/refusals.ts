import { Failure, type FailureCode } from "../../vocabulary/failure.ts";
import { line } from "./line.ts";

const TELL_THE_USER = "This cannot be mended by another call: tell the user.";
const LATER = "Try the same call again after a short wait; the other tools may work meanwhile.";

/** What a model should do next, for every way in which a verb may refuse. A new code that is missing here does not compile. */
const NEXT: Record<FailureCode, string> = {
  "domain.invalid":
    "Call again with a registrable domain such as acme.com; find_companies tells the domain of a known vendor.",
  "domain.reserved": "Call again with the company's public domain.",
  "domain.not_found": "Check the spelling, or ask the user for the right domain; do not guess more than once.",
  "dns.unreachable":
    "Try again in half a minute. search_case_studies and get_company need no network and work meanwhile.",
  "snapshot.invalid": TELL_THE_USER,
  "snapshot.not_found": "Call get_company_analysis, which looks anew.",
  "key.exists": TELL_THE_USER,
  "key.invalid": "Ask the user for a valid API key.",
  "key.not_found": "Ask the user for a valid API key.",
  "operator.invalid": TELL_THE_USER,
  "email.invalid": TELL_THE_USER,
  "quota.exceeded": "Stop calling and tell the user; what was answered before stays valid.",
  "rate.exceeded": LATER,
  "catalogue.invalid": TELL_THE_USER,
  "fingerprints.invalid": TELL_THE_USER,
  "tool.not_found": TELL_THE_USER,
  "feedback.not_found": TELL_THE_USER,
  "config.invalid": TELL_THE_USER,
  "store.unusable": TELL_THE_USER,
  "model.invalid": `${TELL_THE_USER} search_case_studies with mode "keyword" may work.`,
  "model.unavailable": 'Try search_case_studies again with mode "keyword".',
  "model.not_found": TELL_THE_USER,
  "model.conflict": TELL_THE_USER,
  "company.not_found": "Call find_companies with the name or the domain to get the slug, then call again.",
  "company.exists": TELL_THE_USER,
  "company.invalid": TELL_THE_USER,
  "submission.not_found": TELL_THE_USER,
  "submission.conflict": TELL_THE_USER,
  "submission.invalid": TELL_THE_USER,
  "job.not_found": TELL_THE_USER,
  "correction.invalid": TELL_THE_USER,
  "correction.not_found": TELL_THE_USER,
  "crawl.failed": TELL_THE_USER,
  "study.not_found": "Find it with search_case_studies.",
  "query.invalid": "Correct the arguments and call again.",
  "cursor.invalid": "Call again without a cursor.",
  "installation.unsound": TELL_THE_USER,
  "backup.invalid": TELL_THE_USER,
  "backup.not_found": TELL_THE_USER,
  "watch.not_found": TELL_THE_USER,
  "watch.limit": TELL_THE_USER,
  "webhook.not_found": TELL_THE_USER,
  "webhook.invalid": TELL_THE_USER,
  "webhook.exists": TELL_THE_USER,
  "webhook.limit": TELL_THE_USER,
  "webhook.not_taken": TELL_THE_USER,
  "service.draining": LATER,
  "service.overloaded": LATER,
};

/** The text of a refused call: what is wrong, where, and what to try next. A bug's own text stays inside. */
export function refusalText(error: unknown): string {
  if (!(error instanceof Failure)) {
    return "Something went wrong inside (internal). Try the same call once more; when it fails again, tell the user.";
  }
  const { problems = [], unknown = [], retryAfterSeconds } = error.details;
  return [
    `${line(error.advice, 500)} (${error.code})`,
    ...problems.slice(0, 10).map(({ pointer, detail }) => `- ${line(pointer, 100)}: ${line(detail)}`),
    ...(unknown.length > 0
      ? [
          `Unknown: ${unknown
            .slice(0, 10)
            .map((name) => line(name, 100))
            .join(", ")}`,
        ]
      : []),
    ...(retryAfterSeconds === undefined ? [] : [`Retry after ${retryAfterSeconds} seconds.`]),
    `Next: ${NEXT[error.code]}`,
  ].join("\n");
}
