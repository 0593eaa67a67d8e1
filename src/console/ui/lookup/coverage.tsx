import { requestWithKey } from "../api-client.ts";
import type { Changes, Source } from "../api-types.ts";
import { Panel, ScrollRegion, Section } from "../components/panels.tsx";
import { QueryResult } from "../components/status.tsx";
import { formatDuration, formatTime, humanise, pluralise } from "../format.ts";
import { useQuery } from "../queries.ts";

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  ok: "Signals found",
  empty: "Nothing found",
  timeout: "Timed out",
  failed: "Failed",
  skipped: "Skipped",
};

/** The data source gave no answer, so tools that only it detects may be missing. */
const isInconclusive = ({ status }: Source): boolean => status !== "ok" && status !== "empty";

/** What each data source returned, and which ones could not be checked. */
export function Coverage({ sources }: { readonly sources: readonly Source[] }) {
  const unchecked = sources.filter(isInconclusive);
  return (
    <Section title="Coverage" class="sources">
      {unchecked.length === 0 ? (
        <p>All {sources.length} data sources were checked.</p>
      ) : (
        <>
          <p>
            {unchecked.length} of {sources.length} data sources could not be checked. Tools that only they detect may be
            missing.
          </p>
          <ul class="unchecked">
            {unchecked.map(({ source, status, detail }) => (
              <li key={source}>
                <strong>{humanise(source)}</strong> {STATUS_TEXTS[status]?.toLowerCase()}
                {detail ? `: ${detail}` : "."}
              </li>
            ))}
          </ul>
        </>
      )}
      <details>
        <summary>All data sources</summary>
        <ScrollRegion label="All data sources">
          <table>
            <thead>
              <tr>
                <th scope="col">Data source</th>
                <th scope="col">Result</th>
                <th scope="col" class="number">
                  Duration
                </th>
              </tr>
            </thead>
            <tbody>
              {sources.map(({ source, status, detail, duration_ms }) => (
                <tr key={source}>
                  <th scope="row">{humanise(source)}</th>
                  <td>
                    {STATUS_TEXTS[status] ?? status}
                    {detail ? `. ${detail}` : ""}
                  </td>
                  <td class="number">{formatDuration(duration_ms)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </details>
    </Section>
  );
}

interface ChangesProps {
  readonly domain: string;
  readonly scannedAt: string;
}

/** Compares the newest scan with the earlier ones. */
export function ChangesPanel({ domain, scannedAt }: ChangesProps) {
  const [result, reload] = useQuery(
    (signal) =>
      requestWithKey<{ changes: Changes | null }>(`/console/changes/${encodeURIComponent(domain)}`, { signal }),
    [domain, scannedAt],
  );
  return (
    <Panel title="Changes">
      <QueryResult result={result} retry={reload} lines={2}>
        {({ changes }) => <ChangeLists changes={changes} />}
      </QueryResult>
    </Panel>
  );
}

function ChangeLists({ changes }: { readonly changes: Changes | null }) {
  if (!changes?.previous_at) return <p>This is the first scan of this domain. Rescan it later to see changes.</p>;
  const { previous_at, appeared, gone, missed } = changes;
  if (appeared.length + gone.length + missed.length === 0) return <p>No changes since {formatTime(previous_at)}.</p>;
  return (
    <>
      <p>
        Since {formatTime(previous_at)}: {pluralise(appeared.length, "tool")} appeared, {gone.length} no longer seen.
      </p>
      <div class="changes">
        <ToolNames title="Appeared" tools={appeared} />
        <ToolNames title="No longer seen" tools={gone} />
        {missed.length > 0 && <ToolNames title="Not seen once; rescan to confirm" tools={missed} />}
      </div>
    </>
  );
}

const ToolNames = ({ title, tools }: { readonly title: string; readonly tools: Changes["gone"] }) => (
  <div>
    <h3>{title}</h3>
    {tools.length === 0 ? (
      <p class="faint">None</p>
    ) : (
      <ul>
        {tools.map(({ tool, category }) => (
          <li key={tool}>
            {tool} <span class="faint">{category}</span>
          </li>
        ))}
      </ul>
    )}
  </div>
);
