import type { Source } from "../api-types.ts";
import { ScrollRegion, Section } from "../components/panels.tsx";
import { formatDuration, humanise } from "../format.ts";

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  ok: "Signals found",
  empty: "Nothing found",
  timeout: "Timed out",
  failed: "Failed",
  skipped: "Skipped",
};

/** The data source gave no answer, so tools that only it detects may be missing. */
export const isInconclusive = ({ status }: Source): boolean => status !== "ok" && status !== "empty";

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
    </Section>
  );
}
