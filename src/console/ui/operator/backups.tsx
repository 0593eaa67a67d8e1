import { useState } from "preact/hooks";
import { requestAsOperator } from "../api-client.ts";
import { CardTable } from "../components/card-table.tsx";
import { MutationError } from "../components/status.tsx";
import { formatMoment, humanise } from "../format.ts";
import { useMutation } from "../queries.ts";
import { PagedList, Permitted } from "./parts.tsx";

interface Archive {
  readonly name: string;
  readonly kind: string;
  /** Bytes. */
  readonly size: number;
  readonly created_at: string;
}

export function Backups() {
  const [version, setVersion] = useState(0);
  const mutation = useMutation();
  const create = async () => {
    if (await mutation.run(() => requestAsOperator("/console/admin/backup", { method: "POST" })))
      setVersion(version + 1);
  };
  return (
    <>
      <div class="actions">
        <Permitted action="POST /admin/backup">
          <button type="button" class="button primary" disabled={mutation.busy} onClick={create}>
            {mutation.busy ? "Creating…" : "Create backup"}
          </button>
        </Permitted>
        <p class="faint">
          One archive with all data, created while the service runs. Restore it with <code>casefile restore FILE</code>.
        </p>
      </div>
      <MutationError mutation={mutation} />
      <PagedList<Archive> path="/console/admin/backups" field="backups" empty="No backups" version={version}>
        {(archives) => (
          <CardTable label="Backups" heads={["Archive", "Kind", { number: "Size" }, "Created"]}>
            {archives.map(({ name, kind, size, created_at }) => (
              <tr key={name}>
                <th scope="row" class="break">
                  {name}
                </th>
                <td data-label="Kind">{humanise(kind)}</td>
                <td class="number" data-label="Size">
                  {(size / 1_000_000).toFixed(1)} MB
                </td>
                <td data-label="Created" class="one-line">
                  {formatMoment(created_at)}
                </td>
              </tr>
            ))}
          </CardTable>
        )}
      </PagedList>
    </>
  );
}
