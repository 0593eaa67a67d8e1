import type { Changes } from "../api-types.ts";
import { formatTime, pluralise } from "../format.ts";
import { PagedList } from "./parts.tsx";

const toolNames = (tools: Changes["gone"]) => tools.map(({ tool }) => tool).join(", ");

/** The domains scanned last, and what changed since the scan before. */
export const Scans = () => (
  <PagedList<Changes> path="/console/operator/scans" field="scans" empty="No scans">
    {(scans) => (
      <ul class="rows">
        {scans.map((scan) => (
          <li key={scan.domain} class="row">
            <span class="row-title">
              <a href={`/lookup/${encodeURIComponent(scan.domain)}`}>{scan.domain}</a>
            </span>
            <span class="faint">
              {pluralise(scan.tools_detected, "tool")}, {formatTime(scan.scanned_at)}
            </span>
            <span>
              {scan.previous_at === null ? (
                <span class="faint">First scan</span>
              ) : scan.appeared.length + scan.gone.length + scan.missed.length === 0 ? (
                <span class="faint">No changes since {formatTime(scan.previous_at)}</span>
              ) : (
                <>
                  {scan.appeared.length > 0 && <>Appeared: {toolNames(scan.appeared)}. </>}
                  {scan.gone.length > 0 && <>No longer seen: {toolNames(scan.gone)}. </>}
                  {scan.missed.length > 0 && <>Not seen once: {toolNames(scan.missed)}.</>}
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    )}
  </PagedList>
);
