import { Choice } from "../parts/choice.tsx";
import { addressOf, go } from "../router.ts";
import { minuteOf, worded } from "../wording.ts";
import { Listed } from "./listed.tsx";
import { toneOf } from "./submissions.tsx";

interface Mail {
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
const TONES: Readonly<Record<string, string>> = { waiting: "tag warm", sending: "tag warm", unclear: "tag warm" };

/** What contacts were told, or wait to be told. */
export function Mails({ query }: { readonly query: URLSearchParams }) {
  const state = query.get("state") ?? "";
  return (
    <>
      <div class="filter-row">
        <Choice
          label="State"
          value={state}
          onChoose={(chosen) => go(addressOf("/operator/mails", { state: chosen }), { replace: true })}
          options={[["", "All"], ...STATES.map((name) => [name, worded(name)] as const)]}
        />
      </div>
      <Listed<Mail>
        path="/console/admin/mails"
        query={{ state }}
        field="mails"
        empty={state === "" ? "Nobody was told anything yet" : "No mail stands there"}
        counted={["mail", "mails"]}
      >
        {(mails) => (
          <ul class="rows">
            {mails.map((mail) => (
              <li key={mail.id}>
                <a class="row-link" href={`/operator/submissions/${encodeURIComponent(mail.submission_id)}`}>
                  <span class="row-title">{mail.subject}</span>
                  <span class={TONES[mail.state] ?? toneOf(mail.state)}>{worded(mail.state)}</span>
                  <span class="faint break">to {mail.recipient}</span>
                  <span class="faint">
                    {mail.sent_at === null ? `written ${minuteOf(mail.created_at)}` : `sent ${minuteOf(mail.sent_at)}`}
                  </span>
                  {mail.last_error && <span class="note row-note">{mail.last_error}</span>}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}
