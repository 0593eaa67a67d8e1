import { useState } from "preact/hooks";
import { requestAsOperator } from "../api-client.ts";
import { MutationError } from "../components/status.tsx";
import { formatTime, humanise } from "../format.ts";
import { useMutation } from "../queries.ts";
import { PagedList } from "./parts.tsx";

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
        <button type="button" class="button primary" disabled={mutation.busy} onClick={create}>
          {mutation.busy ? "Creating…" : "Create backup"}
        </button>
        <p class="faint">
          One archive with all data, created while the service runs. Restore it with <code>casefile restore FILE</code>.
        </p>
      </div>
      <MutationError mutation={mutation} />
      <PagedList<Archive> path="/console/admin/backups" field="backups" empty="No backups" version={version}>
        {(archives) => (
          <ul class="rows">
            {archives.map(({ name, kind, size, created_at }) => (
              <li key={name} class="row">
                <span class="row-title break">{name}</span>
                <span class="faint">
                  {humanise(kind)}, {formatTime(created_at)}, {(size / 1_000_000).toFixed(1)} MB
                </span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}
