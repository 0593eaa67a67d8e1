import type { SessionEntry } from "../../../operators/service.ts";
import { requestAsOperator } from "../api-client.ts";
import { CardTable } from "../components/card-table.tsx";
import { MutationError } from "../components/status.tsx";
import { formatMoment } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useMutation } from "../queries.ts";
import { caller } from "../session.ts";
import { ConfirmButton, PagedList } from "./parts.tsx";

const PATH = "/console/admin/sessions";
const WAYS = { token: "operator token", link: "link", identity_provider: "identity provider" } as const;

/** Open sessions of the console. */
export const Sessions = () => (
  <PagedList<SessionEntry> path={PATH} field="sessions" empty="No sessions" noun={["open session", "open sessions"]}>
    {(sessions, reload) => (
      <CardTable label="Sessions" heads={["Operator", "Signed in", "By", "Last seen", "Client", { hidden: "Actions" }]}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} reload={reload} />
        ))}
      </CardTable>
    )}
  </PagedList>
);

function SessionRow({ session, reload }: { readonly session: SessionEntry; readonly reload: () => void }) {
  const mutation = useMutation();
  const isOwn = useObservable(caller)?.session === session.id;
  const end = async () => {
    const path = `${PATH}/${encodeURIComponent(session.id)}`;
    if (await mutation.run(() => requestAsOperator(path, { method: "DELETE" }))) reload();
  };
  return (
    <tr>
      <th scope="row" class="break">
        {session.operator} <span class="faint">{isOwn ? "this browser" : session.role}</span>
        <MutationError mutation={mutation} />
      </th>
      <td data-label="Signed in" class="one-line">
        {formatMoment(session.created_at)}
      </td>
      <td data-label="By">{WAYS[session.way]}</td>
      <td data-label="Last seen" class="one-line">
        {formatMoment(session.last_seen_at)}
      </td>
      <td data-label="Client" class="break">
        <span title={session.agent ?? undefined}>{session.client}</span>
      </td>
      <td>
        <div class="actions">
          <ConfirmButton
            confirm="Confirm end"
            class="button small danger"
            busy={mutation.busy}
            onConfirm={() => void end()}
          >
            End<span class="visually-hidden"> the session of {session.operator}</span>
          </ConfirmButton>
        </div>
      </td>
    </tr>
  );
}
