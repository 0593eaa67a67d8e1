import type { Job } from "../../../jobs/types.ts";
import { askAsOperator } from "../ask.ts";
import { Choice } from "../parts/choice.tsx";
import { addressOf, go } from "../router.ts";
import { minuteOf, worded } from "../wording.ts";
import { Listed } from "./listed.tsx";
import { Refused } from "./refused.tsx";
import { toneOf } from "./submissions.tsx";
import { useDeed } from "./use-deed.ts";

const STATES = ["waiting", "running", "done", "dead"];

export function Jobs({ query }: { readonly query: URLSearchParams }) {
  const state = query.get("state") ?? "";
  const deed = useDeed();
  const retry = async (id: number, again: () => void) => {
    if (await deed.run(() => askAsOperator(`/console/admin/jobs/${id}/retry`, { method: "POST" }))) again();
  };
  return (
    <>
      <div class="filter-row">
        <Choice
          label="State"
          value={state}
          onChoose={(chosen) => go(addressOf("/operator/jobs", { state: chosen }), { replace: true })}
          options={[["", "All"], ...STATES.map((name) => [name, worded(name)] as const)]}
        />
      </div>
      <Refused deed={deed} />
      <Listed<Job> path="/console/admin/jobs" query={{ state }} field="jobs" empty="There is no such work">
        {(jobs, again) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          <section class="scroll" aria-label="Work in the background" tabIndex={0}>
            <table class="stacks">
              <thead>
                <tr>
                  <th scope="col">Work</th>
                  <th scope="col">State</th>
                  <th scope="col" class="number">
                    Attempts
                  </th>
                  <th scope="col">Changed</th>
                  <th scope="col">What happened</th>
                </tr>
              </thead>
              <tbody>
                {jobs.map((job) => (
                  <tr key={job.id}>
                    <th scope="row">
                      {worded(job.kind)} <span class="faint">{job.id}</span>
                    </th>
                    <td class="state">
                      <span class={toneOf(job.state)}>{worded(job.state)}</span>
                    </td>
                    <td class="number" data-label="Attempts">
                      {job.attempts} of {job.max_attempts}
                    </td>
                    <td data-label="Changed">{minuteOf(job.updated_at)}</td>
                    <td class="break">
                      {job.last_error}
                      {job.state === "dead" && (
                        <button
                          type="button"
                          class="button small"
                          disabled={deed.busy}
                          onClick={() => retry(job.id, again)}
                          aria-label={`Run ${job.kind} ${job.id} again`}
                        >
                          Run again
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Listed>
    </>
  );
}
