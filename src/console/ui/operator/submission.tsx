import { useState } from "preact/hooks";
import type { Submission } from "../../../casestudies/intake/types.ts";
import { askAsOperator } from "../ask.ts";
import { Field } from "../parts/field.tsx";
import { Told } from "../parts/states.tsx";
import { addressOf } from "../router.ts";
import { useAnswer } from "../use-answer.ts";
import { minuteOf, withQuota, worded } from "../wording.ts";
import { Refused } from "./refused.tsx";
import { toneOf } from "./submissions.tsx";
import { useDeed } from "./use-deed.ts";

/** One submission: what a crawl would find, and the decision. */
export function SubmissionPage({ id }: { readonly id: string }) {
  const path = `/console/admin/submissions/${encodeURIComponent(id)}`;
  const [answer, again] = useAnswer((signal) => askAsOperator<Submission>(path, { signal }), [path]);
  return (
    <>
      <p>
        <a href="/operator/submissions">All submissions</a>
      </p>
      <Told answer={answer} again={again} lines={7}>
        {(submission) => <Review submission={submission} path={path} again={again} />}
      </Told>
    </>
  );
}

interface ReviewProps {
  readonly submission: Submission;
  readonly path: string;
  readonly again: () => void;
}

function Review({ submission, path, again }: ReviewProps) {
  const { counts } = submission;
  return (
    <>
      <div class="page-head">
        <div>
          <h2 class="section-title">{submission.company_name}</h2>
          <p>
            <span class={toneOf(submission.state)}>{worded(submission.state)}</span>{" "}
            <span class="faint">
              by {submission.contact_email}, {minuteOf(submission.received_at)}
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
        <dt>So far</dt>
        <dd>
          {counts.found} found, {counts.structured} read, {counts.indexed} in the index
          {counts.indexed > 0 && (
            <>
              {" · "}
              <a href={addressOf("/operator/studies", { company: submission.company_slug })}>review them</a>
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
      <Decision submission={submission} path={path} again={again} />
    </>
  );
}

function PreviewPanel({ submission: { preview } }: { readonly submission: Submission }) {
  if (!preview) return <p class="faint">The page was not looked at yet. The preview comes by itself.</p>;
  return (
    <section class="panel" aria-labelledby="found">
      <h2 id="found">What a crawl would find: {withQuota(preview.found, "case study", "case studies")}</h2>
      <p class="faint break">
        {preview.listing_title ?? "A page without a title"}, {preview.listing_url}, looked at{" "}
        {minuteOf(preview.looked_at)}
      </p>
      {preview.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      <ul class="plain spaced">
        {preview.samples.map((sample) => (
          <li key={sample.url}>
            <strong>{sample.title ?? "Without a title"}</strong>
            {sample.summary && <p>{sample.summary}</p>}
            <span class="faint break">{sample.url}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Decision({ submission: { state }, path, again }: ReviewProps) {
  const [reason, setReason] = useState("");
  const deed = useDeed();
  const act = async (what: string, json?: unknown) => {
    const done = await deed.run(() => askAsOperator(`${path}/${what}`, { method: "POST", json }));
    if (done) again();
  };
  const open = state === "waiting" || state === "review";
  return (
    <section class="panel" aria-labelledby="decision">
      <h2 id="decision">Decision</h2>
      {open && (
        <>
          <div class="actions">
            <button type="button" class="button primary" disabled={deed.busy} onClick={() => act("approve")}>
              Approve and crawl
            </button>
          </div>
          <Field
            label="Or reject it, with a reason"
            value={reason}
            onInput={setReason}
            hint="The contact is told it."
            rows={2}
            required
          />
          <div class="actions">
            <button
              type="button"
              class="button danger"
              disabled={deed.busy || reason.trim() === ""}
              onClick={() => act("reject", { reason: reason.trim() })}
            >
              Reject
            </button>
          </div>
        </>
      )}
      {!open && (
        <div class="actions">
          <p>It was decided. What ended can be taken up again.</p>
          <button type="button" class="button" disabled={deed.busy} onClick={() => act("retry")}>
            Take it up again
          </button>
        </div>
      )}
      <Refused deed={deed} />
    </section>
  );
}
