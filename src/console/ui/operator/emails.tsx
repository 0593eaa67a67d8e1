import { formatTime, humanise } from "../format.ts";
import { PagedList, StateFilter, stateTone } from "./parts.tsx";

interface Email {
  readonly id: number;
  readonly submission_id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly state: string;
  readonly last_error: string | null;
  readonly created_at: string;
  readonly sent_at: string | null;
}

const STATES = ["waiting", "sending", "sent", "unclear", "failed"];

/** Emails to the contacts of submissions. */
export function Emails({ query }: { readonly query: URLSearchParams }) {
  const state = query.get("state") ?? "";
  return (
    <>
      <StateFilter path="/operator/mails" states={STATES} value={state} />
      <PagedList<Email>
        path="/console/admin/mails"
        query={{ state }}
        field="mails"
        empty="No emails"
        noun={["email", "emails"]}
      >
        {(emails) => (
          <ul class="rows">
            {emails.map((email) => (
              <li key={email.id}>
                <a class="row-link" href={`/operator/submissions/${encodeURIComponent(email.submission_id)}`}>
                  <span class="row-title">{email.subject}</span>
                  <span class={stateTone(email.state)}>{humanise(email.state)}</span>
                  <span class="faint break">to {email.recipient}</span>
                  <span class="faint">
                    {email.sent_at === null
                      ? `created ${formatTime(email.created_at)}`
                      : `sent ${formatTime(email.sent_at)}`}
                  </span>
                  {email.last_error && <span class="note row-note">{email.last_error}</span>}
                </a>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}
