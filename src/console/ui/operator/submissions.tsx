import type { Submission } from "../../../casestudies/intake/types.ts";
import { Choice } from "../parts/choice.tsx";
import { addressOf, go } from "../router.ts";
import { dayOf, worded } from "../wording.ts";
import { Listed } from "./listed.tsx";

const STATES = ["review", "waiting", "crawling", "structuring", "indexing", "available", "rejected", "failed"];

export const toneOf = (state: string): string =>
  ["rejected", "failed", "dead"].includes(state)
    ? "tag bad"
    : ["review", "waiting"].includes(state)
      ? "tag warm"
      : "tag";

export function Submissions({ query }: { readonly query: URLSearchParams }) {
  const state = query.get("state") ?? "";
  return (
    <>
      <div class="filter-row">
        <Choice
          label="State"
          value={state}
          onChoose={(chosen) => go(addressOf("/operator/submissions", { state: chosen }), { replace: true })}
          options={[["", "All"], ...STATES.map((name) => [name, worded(name)] as const)]}
        />
      </div>
      <Listed<Submission>
        path="/console/admin/submissions"
        query={{ state }}
        field="submissions"
        empty={state === "" ? "Nobody submitted a page yet" : "No submission stands there"}
      >
        {(submissions) => (
          <ul class="rows">
            {submissions.map((submission) => (
              <li key={submission.id}>
                <a class="row-link" href={`/operator/submissions/${submission.id}`}>
                  <span class="row-title">{submission.company_name}</span>
                  <span class={toneOf(submission.state)}>{worded(submission.state)}</span>
                  <span class="faint break">{submission.case_study_url}</span>
                  <span class="faint">{dayOf(submission.received_at)}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}
