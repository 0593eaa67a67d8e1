import { useState } from "preact/hooks";
import { requestAsOperator } from "../api-client.ts";
import type { IssuedKey, KeyEntry } from "../api-types.ts";
import { CardTable } from "../components/card-table.tsx";
import { Secret } from "../components/panels.tsx";
import { MutationError } from "../components/status.tsx";
import { formatDay, formatNumber } from "../format.ts";
import { useMutation } from "../queries.ts";
import { useRights } from "../session.ts";
import { ConfirmButton, PagedList, Permitted } from "./parts.tsx";

export function Keys() {
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  return (
    <>
      {issued && (
        <section class="panel" role="status" aria-label="New key">
          <p>New key for {issued.email}. It is shown only once; the previous key no longer works.</p>
          <Secret value={issued.api_key} what="key" />
        </section>
      )}
      <PagedList<KeyEntry> path="/console/admin/keys" query={{ limit: "50" }} field="keys" empty="No keys">
        {(keys, reload) => (
          <CardTable
            label="Keys"
            heads={["Email", "Created", { number: "Requests this month" }, "Monthly limit", { hidden: "Actions" }]}
          >
            {keys.map((key) => (
              <KeyRow key={key.id} entry={key} reload={reload} onIssued={setIssued} />
            ))}
          </CardTable>
        )}
      </PagedList>
    </>
  );
}

interface KeyRowProps {
  readonly entry: KeyEntry;
  readonly reload: () => void;
  readonly onIssued: (key: IssuedKey) => void;
}

function KeyRow({ entry, reload, onIssued }: KeyRowProps) {
  const [limit, setLimit] = useState(String(entry.monthly_limit));
  const may = useRights();
  const mutation = useMutation();
  const path = `/console/admin/keys/${encodeURIComponent(entry.id)}`;
  const change = async (work: () => Promise<unknown>) => {
    if (await mutation.run(work)) reload();
  };
  const reissue = async () => onIssued(await requestAsOperator<IssuedKey>(`${path}/reissue`, { method: "POST" }));
  return (
    <tr>
      <th scope="row" class="break">
        {entry.email} <span class="faint">…{entry.hint}</span>
      </th>
      <td data-label="Created">{formatDay(entry.created_at)}</td>
      <td class="number" data-label="Requests this month">
        {formatNumber(entry.used_this_month)}
      </td>
      <td data-label="Monthly limit">
        {entry.revoked_at || !may("PATCH /admin/keys/:key") ? (
          formatNumber(entry.monthly_limit)
        ) : (
          <form
            class="inline"
            onSubmit={(event) => {
              event.preventDefault();
              void change(() => requestAsOperator(path, { method: "PATCH", json: { monthly_limit: Number(limit) } }));
            }}
          >
            <input
              type="number"
              min={0}
              value={limit}
              aria-label={`Monthly limit of ${entry.email}`}
              onInput={(event) => setLimit(event.currentTarget.value)}
            />
            {limit !== String(entry.monthly_limit) && (
              <button type="submit" class="button small" disabled={mutation.busy}>
                Save
              </button>
            )}
          </form>
        )}
        <MutationError mutation={mutation} />
      </td>
      <td>
        {entry.revoked_at ? (
          <span class="faint">Revoked {formatDay(entry.revoked_at)}</span>
        ) : (
          <div class="actions">
            <Permitted action="POST /admin/keys/:key/reissue">
              <ConfirmButton confirm="Confirm reissue" busy={mutation.busy} onConfirm={() => change(reissue)}>
                Reissue<span class="visually-hidden"> the key of {entry.email}</span>
              </ConfirmButton>
            </Permitted>
            <Permitted action="DELETE /admin/keys/:key">
              <ConfirmButton
                confirm="Confirm revoke"
                class="button small danger"
                busy={mutation.busy}
                onConfirm={() => change(() => requestAsOperator(path, { method: "DELETE" }))}
              >
                Revoke<span class="visually-hidden"> the key of {entry.email}</span>
              </ConfirmButton>
            </Permitted>
          </div>
        )}
      </td>
    </tr>
  );
}
