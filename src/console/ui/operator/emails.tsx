import { CardTable } from "../components/card-table.tsx";
import { formatMoment, humanise } from "../format.ts";
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
          <CardTable label="Emails" heads={["Subject", "State", "Recipient", "Created", "Sent"]}>
            {emails.map((email) => (
              <tr key={email.id}>
                <th scope="row">
                  <a class="row-go" href={`/operator/submissions/${encodeURIComponent(email.submission_id)}`}>
                    {email.subject}
                  </a>
                  {email.last_error && <p class="row-fault">{email.last_error}</p>}
                </th>
                <td class="state">
                  <span class={stateTone(email.state)}>{humanise(email.state)}</span>
                </td>
                <td data-label="Recipient" class="break">
                  {email.recipient}
                </td>
                <td data-label="Created" class="one-line">
                  {formatMoment(email.created_at)}
                </td>
                <td data-label="Sent" class="one-line">
                  {email.sent_at === null ? "–" : formatMoment(email.sent_at)}
                </td>
              </tr>
            ))}
          </CardTable>
        )}
      </PagedList>
    </>
  );
}
