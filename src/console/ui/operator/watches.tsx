import { useState } from "preact/hooks";
import type { DatedChange, Watch } from "../../../watches/types.ts";
import { askAsOperator } from "../ask.ts";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { addressOf, go } from "../router.ts";
import { dayOf, minuteOf, withQuota } from "../wording.ts";
import { Listed } from "./listed.tsx";
import { Refused } from "./refused.tsx";
import { Sure } from "./sure.tsx";
import { useDeed } from "./use-deed.ts";

const PATH = "/console/admin/watches";
const INTERVALS: readonly (readonly [string, string])[] = [
  ["24", "every day"],
  ["168", "every week"],
  ["336", "every two weeks"],
  ["720", "every month"],
];
const HOUR_MS = 3_600_000;
const OUTCOMES = {
  baseline: ["tag", "First look done"],
  unchanged: ["tag", "Nothing changed"],
  changed: ["tag", "Changed"],
  failed: ["tag bad", "Could not look"],
} as const;

/** Companies that are looked at again and again, and what changed at them. */
export function Watches({ query }: { readonly query: URLSearchParams }) {
  const [turn, setTurn] = useState(0);
  const renew = () => setTurn((before) => before + 1);
  return (
    <>
      <Add onDone={renew} />
      <section class="stack" aria-labelledby="watched">
        <h2 id="watched" class="section-title">
          Watched
        </h2>
        <Listed<Watch> path={PATH} field="watches" empty="Nothing is watched yet" turn={turn}>
          {(watches, again) => (
            <ul class="rows">
              {watches.map((watch) => (
                <WatchRow key={watch.domain} watch={watch} again={again} />
              ))}
            </ul>
          )}
        </Listed>
      </section>
      <Changed domain={query.get("domain") ?? ""} turn={turn} />
    </>
  );
}

function Add({ onDone }: { readonly onDone: () => void }) {
  const [domain, setDomain] = useState("");
  const [hours, setHours] = useState("168");
  const deed = useDeed();
  const add = async (event: Event) => {
    event.preventDefault();
    const given = domain.trim().replace(/^https?:\/\//i, "");
    if (given === "") return;
    const path = `${PATH}/${encodeURIComponent(given.replace(/[/?#].*$/, ""))}`;
    if (await deed.run(() => askAsOperator(path, { method: "PUT", json: { every_hours: Number(hours) } }))) {
      setDomain("");
      onDone();
    }
  };
  return (
    <form class="panel add-row" onSubmit={add} noValidate aria-label="Watch a company">
      <Field
        label="Company domain"
        value={domain}
        onInput={setDomain}
        placeholder="acme.com"
        error={deed.refusal?.message}
        required
      />
      <Choice label="How often" value={hours} onChoose={setHours} options={INTERVALS} />
      <button type="submit" class="button primary" disabled={deed.busy}>
        Watch
      </button>
    </form>
  );
}

function WatchRow({ watch, again }: { readonly watch: Watch; readonly again: () => void }) {
  const [sure, setSure] = useState(false);
  const deed = useDeed();
  const path = `${PATH}/${encodeURIComponent(watch.domain)}`;
  const change = async (method: "PUT" | "DELETE", json?: unknown) => {
    setSure(false);
    if (await deed.run(() => askAsOperator(path, { method, json }))) again();
  };
  const [tone, words] = watch.paused
    ? ["tag plain-tag", "Paused"]
    : watch.last_outcome === null
      ? ["tag warm", "Not looked at yet"]
      : OUTCOMES[watch.last_outcome];
  return (
    <li class="row">
      <span class="row-title">
        <a href={`/lookup/${encodeURIComponent(watch.domain)}`}>{watch.domain}</a>
      </span>
      <span class={tone}>{words}</span>
      <span class="faint">
        {watch.last_scan_at &&
          `${withQuota(watch.tools_detected, "tool")}, looked at ${minuteOf(watch.last_scan_at)}. `}
        {intervalOf(watch.every_hours)}
        {!watch.paused && `, next ${minuteOf(watch.next_scan_at)}${isToMakeSure(watch) ? " to make sure" : ""}`}
      </span>
      {watch.last_error && <span class="note small">{watch.last_error}</span>}
      <span class="actions">
        <a class="button small" href={addressOf("/operator/watches", { domain: watch.domain })}>
          Its changes<span class="unseen"> at {watch.domain}</span>
        </a>
        <button
          type="button"
          class="button small"
          disabled={deed.busy}
          onClick={() => change("PUT", { paused: !watch.paused })}
        >
          {watch.paused ? "Go on" : "Pause"}
          <span class="unseen"> with {watch.domain}</span>
        </button>
        {sure ? (
          <Sure
            yes="Yes, watch it no more"
            busy={deed.busy}
            onYes={() => change("DELETE")}
            onNo={() => setSure(false)}
          />
        ) : (
          <button type="button" class="button small danger" onClick={() => setSure(true)}>
            Remove<span class="unseen"> {watch.domain}</span>
          </button>
        )}
      </span>
      <Refused deed={deed} />
    </li>
  );
}

/** A look that missed a tool, or saw a source in part alone, is followed by another before the interval is over. */
const isToMakeSure = ({ last_outcome, last_scan_at, every_hours, next_scan_at }: Watch): boolean =>
  last_outcome !== "failed" && Date.parse(next_scan_at) < Date.parse(last_scan_at ?? "") + every_hours * HOUR_MS;

const intervalOf = (hours: number): string => {
  const known = INTERVALS.find(([each]) => each === String(hours))?.[1];
  const words =
    known ?? (hours % 24 === 0 ? `every ${withQuota(hours / 24, "day")}` : `every ${withQuota(hours, "hour")}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function Changed({ domain, turn }: { readonly domain: string; readonly turn: number }) {
  return (
    <section class="stack" aria-labelledby="changed">
      <h2 id="changed" class="section-title">
        {domain === "" ? "What changed lately" : `What changed at ${domain}`}
      </h2>
      {domain !== "" && (
        <p>
          <button type="button" class="button small" onClick={() => go("/operator/watches", { replace: true })}>
            Show all changes
          </button>
        </p>
      )}
      <Listed<DatedChange>
        path="/console/admin/changes"
        query={{ domain }}
        field="changes"
        empty="Nothing changed since it is watched"
        turn={turn}
      >
        {(changes) => (
          <ul class="rows">
            {changes.map((change) => (
              <li key={`${change.at} ${change.domain} ${change.tool_id}`} class="row">
                <span class="row-title">
                  {change.tool} <span class="faint">at {change.domain}</span>
                </span>
                <span class={change.change === "appeared" ? "tag" : "tag warm"}>
                  {change.change === "appeared" ? "Appeared" : "Not seen any more"}
                </span>
                <span class="faint">
                  {change.category}, {dayOf(change.at)}
                  {change.change === "disappeared" && `, first seen ${dayOf(change.first_seen)}`}
                </span>
                <code class="break small">{change.evidence}</code>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </section>
  );
}
