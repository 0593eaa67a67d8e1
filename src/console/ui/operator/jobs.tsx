import type { Job } from "../../../jobs/types.ts";
import { requestAsOperator } from "../api-client.ts";
import { CardTable } from "../components/card-table.tsx";
import { MutationError } from "../components/status.tsx";
import { formatMoment, humanise } from "../format.ts";
import { useMutation } from "../queries.ts";
import { useRights } from "../session.ts";
import { PagedList, pageName, StateFilter, stateLabel, stateTone } from "./parts.tsx";

const STATES = ["waiting", "running", "done", "dead"];

export function Jobs({ query }: { readonly query: URLSearchParams }) {
  const state = query.get("state") ?? "";
  const may = useRights();
  const mutation = useMutation();
  const retry = async (id: number, reload: () => void) => {
    if (await mutation.run(() => requestAsOperator(`/console/admin/jobs/${id}/retry`, { method: "POST" }))) reload();
  };
  return (
    <>
      <StateFilter path="/operator/jobs" states={STATES} value={state} />
      <MutationError mutation={mutation} />
      <PagedList<Job> path="/console/admin/jobs" query={{ state }} field="jobs" empty="No jobs">
        {(jobs, reload) => (
          <CardTable label="Background jobs" heads={["Job", "State", { number: "Attempts" }, "Updated", "Last error"]}>
            {jobs.map((job) => (
              <tr key={job.id}>
                <th scope="row">
                  {job.kind === "mail" ? "Email" : humanise(job.kind)} <span class="faint">{job.id}</span>
                  <JobSubject payload={job.payload} />
                </th>
                <td class="state">
                  <span class={stateTone(job.state)}>{stateLabel(job.state)}</span>
                </td>
                <td class="number" data-label="Attempts">
                  {job.attempts} of {job.max_attempts}
                </td>
                <td data-label="Updated" class="one-line">
                  {formatMoment(job.updated_at)}
                </td>
                <td class="break">
                  {job.last_error}
                  {job.state === "dead" && may("POST /admin/jobs/:id/retry") && (
                    <button
                      type="button"
                      class="button small"
                      disabled={mutation.busy}
                      onClick={() => retry(job.id, reload)}
                      aria-label={`Retry ${job.kind} ${job.id}`}
                    >
                      Retry
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </CardTable>
        )}
      </PagedList>
    </>
  );
}

/** The page that a job reads, else the submission that it works for. */
function JobSubject({ payload: { url, submission } }: Pick<Job, "payload">) {
  if (typeof url === "string" && /^https?:/.test(url))
    return (
      <a class="job-page" href={url} title={url} target="_blank" rel="noreferrer noopener">
        {pageName(url)}
      </a>
    );
  if (typeof submission !== "string") return null;
  return (
    <a class="job-page" href={`/operator/submissions/${submission}`}>
      {submission}
    </a>
  );
}
