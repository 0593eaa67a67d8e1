import type { AuditRecord } from "../../../operators/service.ts";
import { CardTable } from "../components/card-table.tsx";
import { DebouncedField } from "../components/fields.tsx";
import { MutationError } from "../components/status.tsx";
import { download } from "../download.ts";
import { formatMoment } from "../format.ts";
import { useMutation } from "../queries.ts";
import { setFilter, urlFor } from "../router.ts";
import { PagedList } from "./parts.tsx";

const PATH = "/console/admin/audit";
const FORMATS = ["csv", "ndjson"] as const;
const FIELDS = [
  { name: "operator", label: "Operator", type: "text" },
  { name: "since", label: "From", type: "date" },
  { name: "until", label: "Before", type: "date" },
] as const;

/** Who did what. */
export function Audit({ query }: { readonly query: URLSearchParams }) {
  const filter = {
    operator: query.get("operator") ?? undefined,
    since: query.get("since") ?? undefined,
    until: query.get("until") ?? undefined,
  };
  const mutation = useMutation();
  const set = (change: Partial<typeof filter>) => {
    const next = Object.entries({ ...filter, ...change }).map(([name, value]) => [name, value || undefined]);
    setFilter(urlFor("/operator/audit", Object.fromEntries(next)), { isTyped: true });
  };
  return (
    <>
      <div class="filter-row">
        {FIELDS.map(({ name, label, type }) => (
          <DebouncedField
            key={name}
            label={label}
            type={type}
            value={filter[name] ?? ""}
            onChange={(value) => set({ [name]: value })}
            hideOptional
          />
        ))}
      </div>
      <div class="actions">
        {FORMATS.map((format) => (
          <button
            type="button"
            key={format}
            class="button small"
            disabled={mutation.busy}
            onClick={() =>
              mutation.run(() =>
                download(urlFor(PATH, { ...filter, format }), `casefile-audit.${format}`, {
                  headers: { "x-casefile-console": "1" },
                }),
              )
            }
          >
            Export {format.toUpperCase()}
          </button>
        ))}
        <MutationError mutation={mutation} />
      </div>
      <PagedList<AuditRecord>
        path={PATH}
        query={{ ...filter, limit: "50" }}
        field="entries"
        empty="No entries"
        noun={["entry", "entries"]}
      >
        {(entries) => (
          <CardTable label="Audit trail" heads={["Time", "Operator", "Action", "Target", "Result"]}>
            {entries.map((entry) => (
              <tr key={entry.number}>
                <th scope="row" class="one-line">
                  {formatMoment(entry.at)}
                </th>
                <td data-label="Operator" title={`${entry.role} ${entry.client ?? ""}`}>
                  {entry.operator}
                </td>
                <td data-label="Action" class="break">
                  {entry.action}
                </td>
                <td data-label="Target" class="break">
                  {entry.target ?? "–"}
                </td>
                <td data-label="Result">
                  <Result status={entry.status} />
                </td>
              </tr>
            ))}
          </CardTable>
        )}
      </PagedList>
    </>
  );
}

/** The status of the response as a word; an interrupted action may have been done. */
function Result({ status }: Pick<AuditRecord, "status">) {
  if (status === null) return <span class="tag warm">Interrupted</span>;
  if (status < 400) return <span class="tag">Done</span>;
  return <span class="tag bad">{status === 403 ? "Refused" : `Failed, ${status}`}</span>;
}
