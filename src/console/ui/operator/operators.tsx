import { useState } from "preact/hooks";
import type { Role } from "../../../core/roles.ts";
import type { Invitation, OperatorEntry } from "../../../operators/service.ts";
import { requestAsOperator } from "../api-client.ts";
import { CardTable } from "../components/card-table.tsx";
import { Field, Select } from "../components/fields.tsx";
import { Secret, Section } from "../components/panels.tsx";
import { MutationError } from "../components/status.tsx";
import { formatMoment, formatTime } from "../format.ts";
import { useMutation } from "../queries.ts";
import { ConfirmButton, PagedList } from "./parts.tsx";

const PATH = "/console/admin/operators";
const ROLES: readonly (readonly [Role, string])[] = [
  ["reader", "Reader"],
  ["reviewer", "Reviewer"],
  ["admin", "Admin"],
];

/** Operators with names and roles. */
export function Operators() {
  const [made, setMade] = useState<Invitation | null>(null);
  const [version, setVersion] = useState(0);
  const show = (invitation: Invitation) => {
    setMade(invitation);
    setVersion((before) => before + 1);
  };
  return (
    <>
      <Invite onInvited={show} />
      {made && <InvitationPanel invitation={made} />}
      <Section title="Names and roles" class="stack">
        <p class="faint">
          Readers see everything but secrets. Reviewers also decide on submissions, case studies and false positives.
          Admins may do everything.
        </p>
        <PagedList<OperatorEntry> path={PATH} field="operators" empty="No operators yet" version={version}>
          {(operators, reload) => (
            <CardTable
              label="Operators"
              heads={["Name", "Role", "Last sign-in", { number: "Sessions" }, { hidden: "Actions" }]}
            >
              {operators.map((operator) => (
                <OperatorRow key={operator.id} operator={operator} reload={reload} onLink={show} />
              ))}
            </CardTable>
          )}
        </PagedList>
      </Section>
    </>
  );
}

function Invite({ onInvited }: { readonly onInvited: (invitation: Invitation) => void }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<string>("reader");
  const mutation = useMutation();
  const invite = async () => {
    const json = { name, role, ...(email.trim() === "" ? {} : { email }) };
    onInvited(await requestAsOperator<Invitation>(PATH, { json }));
    setName("");
    setEmail("");
  };
  return (
    <form
      class="panel filter-row"
      noValidate
      aria-label="Invite an operator"
      onSubmit={(event) => {
        event.preventDefault();
        void mutation.run(invite);
      }}
    >
      <Field label="Name" value={name} onInput={setName} error={mutation.error?.message} required />
      <Field label="Email" type="email" value={email} onInput={setEmail} hint="The link is sent there." />
      <Select label="Role" value={role} onChange={setRole} options={ROLES} />
      <div class="actions">
        <button type="submit" class="button primary" disabled={mutation.busy}>
          Invite
        </button>
      </div>
    </form>
  );
}

function InvitationPanel({ invitation }: { readonly invitation: Invitation }) {
  const { operator, link, link_ends_at, sent_to, mail_error } = invitation;
  return (
    <section class="panel" role="status" aria-label="Sign-in link">
      <p>
        {link === null
          ? `A link was sent to ${sent_to}. `
          : `Give this link to ${operator.name}; it is shown only once. `}
        It signs in once, until {formatTime(link_ends_at)}.
      </p>
      {link !== null && <Secret value={link} what="link" />}
      {mail_error && <p class="note small">It was not sent by email: {mail_error}</p>}
    </section>
  );
}

interface OperatorRowProps {
  readonly operator: OperatorEntry;
  readonly reload: () => void;
  readonly onLink: (invitation: Invitation) => void;
}

function OperatorRow({ operator, reload, onLink }: OperatorRowProps) {
  const mutation = useMutation();
  const path = `${PATH}/${encodeURIComponent(operator.id)}`;
  const change = async (work: () => Promise<unknown>) => {
    if (await mutation.run(work)) reload();
  };
  return (
    <tr>
      <th scope="row" class="break">
        {operator.name} {operator.email && <span class="faint">{operator.email}</span>}
        <MutationError mutation={mutation} />
      </th>
      <td data-label="Role">
        {operator.provisioned ? (
          <>
            {ROLES.find(([role]) => role === operator.role)?.[1]} <span class="faint">identity provider</span>
          </>
        ) : (
          <select
            class="row-select"
            aria-label={`Role of ${operator.name}`}
            value={operator.role}
            disabled={mutation.busy}
            onChange={(event) => {
              const role = event.currentTarget.value;
              void change(() => requestAsOperator(path, { method: "PATCH", json: { role } })).then(reload);
            }}
          >
            {ROLES.map(([role, label]) => (
              <option key={role} value={role}>
                {label}
              </option>
            ))}
          </select>
        )}
      </td>
      <td data-label="Last sign-in">{operator.last_sign_in_at ? formatMoment(operator.last_sign_in_at) : "Never"}</td>
      <td class="number" data-label="Sessions">
        {operator.sessions}
      </td>
      <td>
        <div class="actions">
          {!operator.provisioned && (
            <button
              type="button"
              class="button small"
              disabled={mutation.busy}
              onClick={() =>
                mutation.run(async () =>
                  onLink(await requestAsOperator<Invitation>(`${path}/link`, { method: "POST" })),
                )
              }
            >
              New link<span class="visually-hidden"> for {operator.name}</span>
            </button>
          )}
          <ConfirmButton
            confirm="Confirm removal"
            class="button small danger"
            busy={mutation.busy}
            onConfirm={() => change(() => requestAsOperator(path, { method: "DELETE" }))}
          >
            Remove<span class="visually-hidden"> {operator.name}</span>
          </ConfirmButton>
        </div>
      </td>
    </tr>
  );
}
