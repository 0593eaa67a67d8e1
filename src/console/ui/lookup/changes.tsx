import type { Changes, Source } from "../api-types.ts";
import { askKeyed } from "../ask.ts";
import { Told } from "../parts/states.tsx";
import { useAnswer } from "../use-answer.ts";
import { minuteOf, withQuota } from "../wording.ts";
import { isUnchecked } from "./sources.tsx";

interface ChangesProps {
  readonly domain: string;
  readonly scannedAt: string;
  readonly sources: readonly Source[];
}

/** The newest scan beside the one before it. */
export function ChangesPanel({ domain, scannedAt, sources }: ChangesProps) {
  const partly = sources.some(isUnchecked);
  const [answer, again] = useAnswer(
    (signal) => askKeyed<{ changes: Changes | null }>(`/console/changes/${encodeURIComponent(domain)}`, { signal }),
    [domain, scannedAt],
  );
  return (
    <section class="panel" aria-labelledby="changes">
      <h2 id="changes">Compared with the scan before</h2>
      <Told answer={answer} again={again} lines={2}>
        {({ changes }) => <Compared changes={changes} partly={partly} />}
      </Told>
    </section>
  );
}

function Compared({ changes, partly }: { readonly changes: Changes | null; readonly partly: boolean }) {
  if (!changes?.previous_at) {
    return <p>This is the first scan of this company here. Look anew another day, and what changed is told here.</p>;
  }
  const { previous_at, appeared, gone } = changes;
  if (appeared.length + gone.length === 0) return <p>Nothing changed since {minuteOf(previous_at)}.</p>;
  return (
    <>
      <p>
        Since {minuteOf(previous_at)}: {withQuota(appeared.length, "tool")} appeared, {gone.length} not seen any more.
      </p>
      {partly && gone.length > 0 && (
        <p class="note">Not every way of looking could be used this time: what is missing may still be there.</p>
      )}
      <div class="changes">
        <NamedTools title="Appeared" tools={appeared} />
        <NamedTools title="Not seen any more" tools={gone} />
      </div>
    </>
  );
}

const NamedTools = ({ title, tools }: { readonly title: string; readonly tools: Changes["gone"] }) => (
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
