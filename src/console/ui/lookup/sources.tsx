import type { Source } from "../api-types.ts";
import { secondsOf, withQuota, worded } from "../wording.ts";

const STATES: Readonly<Record<string, string>> = {
  ok: "looked, and saw something",
  empty: "looked, and saw nothing",
  timeout: "gave no answer in time",
  failed: "could not be read",
  skipped: "was left out",
};

/** Nothing can be said of what it would have shown. */
export const isUnchecked = ({ status }: Source): boolean => status !== "ok" && status !== "empty";

/** How each way of looking fared: what could not be checked, and why. */
export function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const unchecked = sources.filter(isUnchecked);
  return (
    <section class="sources" aria-labelledby="sources">
      <h2 id="sources" class="section-title">
        What was checked
      </h2>
      {unchecked.length === 0 ? (
        <p>All {sources.length} ways of looking gave an answer.</p>
      ) : (
        <>
          <p>
            {withQuota(unchecked.length, "way")} of looking out of {sources.length} could not be used. Tools that only
            they would show may be missing.
          </p>
          <ul class="unchecked">
            {unchecked.map((source) => (
              <li key={source.source}>
                <strong>{worded(source.source)}</strong> {STATES[source.status]}
                {source.detail ? `: ${source.detail}` : "."}
              </li>
            ))}
          </ul>
        </>
      )}
      <details>
        <summary>Every way of looking</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <section class="scroll" aria-label="Every way of looking" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Source</th>
                <th scope="col">Outcome</th>
                <th scope="col" class="number">
                  Took
                </th>
              </tr>
            </thead>
            <tbody>
              {sources.map((source) => (
                <tr key={source.source}>
                  <th scope="row">{worded(source.source)}</th>
                  <td>
                    {STATES[source.status] ?? source.status}
                    {source.detail ? `. ${source.detail}` : ""}
                  </td>
                  <td class="number">{secondsOf(source.duration_ms)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}
