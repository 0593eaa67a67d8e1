import type { Changes } from "../api-types.ts";
import { CardTable } from "../components/card-table.tsx";
import { formatMoment, formatNumber } from "../format.ts";
import { PagedList } from "./parts.tsx";

/** The domains scanned last, and what changed since the scan before. */
export const Scans = () => (
  <PagedList<Changes> path="/console/operator/scans" field="scans" empty="No scans">
    {(scans) => (
      <CardTable label="Scans" heads={["Domain", { number: "Tools" }, "Scanned", "Before", "Changes"]}>
        {scans.map((scan) => (
          <tr key={scan.domain}>
            <th scope="row">
              <a href={`/lookup/${encodeURIComponent(scan.domain)}`}>{scan.domain}</a>
            </th>
            <td class="number" data-label="Tools">
              {formatNumber(scan.tools_detected)}
            </td>
            <td data-label="Scanned" class="one-line">
              {formatMoment(scan.scanned_at)}
            </td>
            <td data-label="Before" class="one-line">
              {scan.previous_at === null ? "–" : formatMoment(scan.previous_at)}
            </td>
            <td class="cut" title={changesOf(scan)}>
              {changesOf(scan)}
            </td>
          </tr>
        ))}
      </CardTable>
    )}
  </PagedList>
);

function changesOf({ previous_at, appeared, gone, missed }: Changes): string {
  if (previous_at === null) return "First scan";
  const parts = [
    ["Appeared", appeared],
    ["No longer seen", gone],
    ["Not seen once", missed],
  ] as const;
  const named = parts.flatMap(([word, tools]) =>
    tools.length === 0 ? [] : [`${word}: ${tools.map(({ tool }) => tool).join(", ")}`],
  );
  return named.join(". ") || "No changes";
}
