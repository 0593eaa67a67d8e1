import { useState } from "preact/hooks";
import type { Submission } from "../../../casestudies/intake/types.ts";
import { requestAsOperator } from "../api-client.ts";
import { CardTable } from "../components/card-table.tsx";
import { Field } from "../components/fields.tsx";
import { Panel } from "../components/panels.tsx";
import { MutationError, QueryResult } from "../components/status.tsx";
import { countStudies, formatMoment, formatTime, humanise } from "../format.ts";
import { useMutation, useQuery } from "../queries.ts";
import { urlFor } from "../router.ts";
import { PagedList, Permitted, pageName, StateFilter, stateTone } from "./parts.tsx";

const STATES = ["review", "waiting", "crawling", "structuring", "indexing", "available", "rejected", "failed"];

export function SubmissionList({ query }: { readonly query: URLSearchParams }) {
  const state = query.get("state") ?? "";
  return (
    <>
      <StateFilter path="/operator/submissions" states={STATES} value={state} />
      <PagedList<Submission>
        path="/console/admin/submissions"
        query={{ state }}
        field="submissions"
        empty="No submissions"
      >
        {(submissions) => (
          <CardTable label="Submissions" heads={["Vendor", "State", "Page", { number: "Case studies" }, "Received"]}>
            {submissions.map((submission) => (
              <tr key={submission.id}>
                <th scope="row">
                  <a class="row-go" href={`/operator/submissions/${submission.id}`}>
                    {submission.company_name}
                  </a>
                </th>
                <td class="state">
                  <span class={stateTone(submission.state)}>{humanise(submission.state)}</span>
                </td>
                <td class="cut" title={submission.case_study_url}>
                  {pageName(submission.case_study_url)}
                </td>
                <td class="number" data-label="Case studies">
                  {submission.counts.indexed || submission.preview?.found || "–"}
                </td>
                <td data-label="Received" class="one-line">
                  {formatMoment(submission.received_at)}
                </td>
              </tr>
            ))}
          </CardTable>
        )}
      </PagedList>
    </>
  );
}

/** A submission with a preview of the crawl, and the decision. */
export function SubmissionPage({ id }: { readonly id: string }) {
  const path = `/console/admin/submissions/${encodeURIComponent(id)}`;
  const [result, reload] = useQuery((signal) => requestAsOperator<Submission>(path, { signal }), [path]);
  return (
    <>
      <p>
        <a href="/operator/submissions">All submissions</a>
      </p>
      <QueryResult result={result} retry={reload} lines={7}>
        {(submission) => <SubmissionReview submission={submission} path={path} reload={reload} />}
      </QueryResult>
    </>
  );
}

interface SubmissionProps {
  readonly submission: Submission;
  readonly path: string;
  readonly reload: () => void;
}

function SubmissionReview({ submission, path, reload }: SubmissionProps) {
  const { counts } = submission;
  return (
    <>
      <div class="page-head">
        <div>
          <h2 class="section-title">{submission.company_name}</h2>
          <p>
            <span class={stateTone(submission.state)}>{humanise(submission.state)}</span>{" "}
            <span class="faint">
              by {submission.contact_email}, {formatTime(submission.received_at)}
            </span>
          </p>
        </div>
      </div>
      <dl class="pairs panel">
        <dt>Page</dt>
        <dd class="break">{submission.case_study_url}</dd>
        <dt>Company</dt>
        <dd>
          {submission.company_slug}
          {submission.company_domain && `, ${submission.company_domain}`}
        </dd>
        <dt>Progress</dt>
        <dd>
          {counts.found} found, {counts.structured} structured, {counts.indexed} indexed
          {counts.indexed > 0 && (
            <>
              {" · "}
              <a href={urlFor("/operator/studies", { company: submission.company_slug })}>review</a>
            </>
          )}
        </dd>
        {submission.reason && (
          <>
            <dt>Reason</dt>
            <dd>{submission.reason}</dd>
          </>
        )}
      </dl>
      <PreviewPanel submission={submission} />
      <Permitted action="POST /admin/submissions/:id/approve">
        <Decision submission={submission} path={path} reload={reload} />
      </Permitted>
    </>
  );
}

function PreviewPanel({ submission: { preview } }: { readonly submission: Submission }) {
  if (!preview) return <p class="faint">The preview is being prepared.</p>;
  return (
    <Panel title={`Preview: ${countStudies(preview.found)}`}>
      <p class="faint break">
        {preview.listing_title ?? "Untitled page"}, {preview.listing_url}, fetched {formatTime(preview.looked_at)}
      </p>
      {preview.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      <ul class="plain spaced">
        {preview.samples.map((sample) => (
          <li key={sample.url}>
            <strong>{sample.title ?? "Untitled"}</strong>
            {sample.summary && <p>{sample.summary}</p>}
            <span class="faint break">{sample.url}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Decision({ submission: { state }, path, reload }: SubmissionProps) {
  const [reason, setReason] = useState("");
  const mutation = useMutation();
  const decide = async (action: string, json?: unknown) => {
    if (await mutation.run(() => requestAsOperator(`${path}/${action}`, { method: "POST", json }))) reload();
  };
  return (
    <Panel title="Decision">
      {state === "waiting" || state === "review" ? (
        <>
          <div class="actions">
            <button type="button" class="button primary" disabled={mutation.busy} onClick={() => decide("approve")}>
              Approve and crawl
            </button>
          </div>
          <Field
            label="Reason for rejection"
            value={reason}
            onInput={setReason}
            hint="Sent to the contact by email."
            rows={2}
            required
          />
          <div class="actions">
            <button
              type="button"
              class="button danger"
              disabled={mutation.busy || reason.trim() === ""}
              onClick={() => decide("reject", { reason: reason.trim() })}
            >
              Reject
            </button>
          </div>
        </>
      ) : (
        <div class="actions">
          <p>This submission is decided. Retry it to process it again.</p>
          <button type="button" class="button" disabled={mutation.busy} onClick={() => decide("retry")}>
            Retry
          </button>
        </div>
      )}
      <MutationError mutation={mutation} />
    </Panel>
  );
}
