import type { Changes } from "../api-types.ts";
import { minuteOf, withQuota } from "../wording.ts";
import { Listed } from "./listed.tsx";

const names = (tools: Changes["gone"]) => tools.map(({ tool }) => tool).join(", ");

/** The companies that were looked at last, and what changed since the time before. */
export const Scans = () => (
  <Listed<Changes> path="/console/operator/scans" field="scans" empty="No company was looked up yet">
    {(scans) => (
      <ul class="rows">
        {scans.map((scan) => (
          <li key={scan.domain} class="row">
            <span class="row-title">
              <a href={`/lookup/${encodeURIComponent(scan.domain)}`}>{scan.domain}</a>
            </span>
            <span class="faint">
              {withQuota(scan.tools_detected, "tool")}, {minuteOf(scan.scanned_at)}
            </span>
            <span>
              {scan.previous_at === null ? (
                <span class="faint">The first scan of it</span>
              ) : scan.appeared.length + scan.gone.length === 0 ? (
                <span class="faint">Nothing changed since {minuteOf(scan.previous_at)}</span>
              ) : (
                <>
                  {scan.appeared.length > 0 && <>Appeared: {names(scan.appeared)}. </>}
                  {scan.gone.length > 0 && <>Not seen any more: {names(scan.gone)}.</>}
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Listed>
);
