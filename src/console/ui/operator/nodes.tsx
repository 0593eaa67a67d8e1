import type { ListedNode } from "../../../health/schemas.ts";
import { CardTable } from "../components/card-table.tsx";
import { formatMoment, formatNumber } from "../format.ts";
import { PagedList } from "./parts.tsx";

/** The processes that serve this installation: one of a SQLite file, any number of a PostgreSQL database. */
export const Nodes = () => (
  <>
    <PagedList<ListedNode> path="/console/admin/nodes" field="nodes" empty="No nodes" noun={["node", "nodes"]}>
      {(nodes) => (
        <CardTable
          label="Nodes"
          heads={[
            "Node",
            "Version",
            "Started",
            "Last heartbeat",
            { number: "To index" },
            { number: "Working on" },
            { number: "Clock" },
          ]}
        >
          {nodes.map((node) => (
            <tr key={node.id}>
              <th scope="row" title={node.id}>
                {node.host} {node.own && <span class="faint">answered this page</span>}
                {node.problem !== null && <p class="hint">{node.problem}</p>}
              </th>
              <td data-label="Version">{node.version ?? "–"}</td>
              <td data-label="Started" class="one-line">
                {formatMoment(node.started_at)}
              </td>
              <td data-label="Last heartbeat" class="one-line">
                {formatMoment(node.seen_at)}
              </td>
              <td class="number" data-label="To index">
                {formatNumber(node.waiting)}
              </td>
              <td class="number" data-label="Working on">
                {formatNumber(node.working)}
              </td>
              <td class="number" data-label="Clock">
                <Clock ahead={node.clock_ahead_ms} isOff={node.clock_off === true} />
              </td>
            </tr>
          ))}
        </CardTable>
      )}
    </PagedList>
    <p class="hint">
      “Working on” counts jobs, rescans, deliveries and domains of batches: each is run by one node at a time, and no
      node leads. The clock is compared with the database's; each node knows its own only, and above 2 seconds it is not
      ready.
    </p>
  </>
);

function Clock({ ahead, isOff }: { readonly ahead: number | null; readonly isOff: boolean }) {
  if (ahead === null) return <>–</>;
  const text = `${ahead < 0 ? "−" : "+"}${formatNumber(Math.abs(ahead))} ms`;
  return <span class={isOff ? "tag bad" : undefined}>{ahead === 0 ? "0 ms" : text}</span>;
}
