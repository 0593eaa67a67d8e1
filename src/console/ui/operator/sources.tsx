import type { SourceHealth } from "../api-types.ts";
import { askAsOperator } from "../ask.ts";
import { Empty, Told } from "../parts/states.tsx";
import { useAnswer } from "../use-answer.ts";
import { dayOf, numberOf, secondsOf, withQuota, worded } from "../wording.ts";

type Way = SourceHealth["sources"][number];

/** In the order in which a bar shows them, and how each is told. */
const STATES = [
  ["ok", "saw something"],
  ["empty", "saw nothing"],
  ["timeout", "ran out of time"],
  ["failed", "failed"],
  ["skipped", "left out"],
] as const;

/** The ways of looking: what each asks outside, and how it fared over the latest scans. */
export function Sources() {
  const [answer, again] = useAnswer((signal) => askAsOperator<SourceHealth>("/console/admin/sources", { signal }), []);
  return (
    <Told answer={answer} again={again} lines={8}>
      {(health) => <Shown health={health} />}
    </Told>
  );
}

function Shown({ health: { scans, sources } }: { readonly health: SourceHealth }) {
  const services = sources.flatMap((way) => way.services);
  const off = services.filter(({ state }) => state === "off").length;
  const elsewhere = services.filter(({ state }) => state === "elsewhere").length;
  const troubled = sources.filter((way) => troubleOf(way) > 0.2).length;
  return (
    <>
      <p class={troubled === 0 ? "well" : "well warm"}>
        {scans === 0
          ? "No company was looked up yet."
          : `Of the latest ${withQuota(scans, "scan")}: ${
              troubled === 0
                ? "every way of looking answers as it should."
                : `${withQuota(troubled, "way of looking", "ways of looking")} could not look in more than one of five.`
            }`}{" "}
        Of {withQuota(services.length, "outside service")}, {off === 0 ? "none is off" : `${numberOf(off)} off`}
        {elsewhere > 0 && `, ${numberOf(elsewhere)} pointed elsewhere`}.
      </p>
      {sources.length === 0 ? (
        <Empty title="There is no way of looking" />
      ) : (
        <ul class="rows">
          {sources.map((way) => (
            <li key={way.source} class="way">
              <WayRow way={way} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Share of the scans in which it could not look. */
const troubleOf = ({ ok, empty, timeout, failed }: Way) =>
  (timeout + failed) / Math.max(1, ok + empty + timeout + failed);

function WayRow({ way }: { readonly way: Way }) {
  const told = STATES.filter(([state]) => way[state] > 0);
  const all = told.reduce((sum, [state]) => sum + way[state], 0);
  return (
    <>
      <div class="way-head">
        <h2>
          {worded(way.source)} <span class="faint">{way.phase}</span>
        </h2>
        {way.median_ms !== null && (
          <span class="faint">
            <span class="unseen">Half of the time it took at most </span>
            {secondsOf(way.median_ms)}
            <span aria-hidden="true"> median</span>
          </span>
        )}
      </div>
      {all > 0 && (
        <span class="stack-bar" aria-hidden="true">
          {told.map(([state]) => (
            <span key={state} class={`stack-${state}`} style={{ width: `${(100 * way[state]) / all}%` }} />
          ))}
        </span>
      )}
      <p class="small">
        {all === 0
          ? "Not used in these scans"
          : told.map(([state, words]) => `${numberOf(way[state])} ${words}`).join(", ")}
      </p>
      {way.last_fault && (
        <p class="note small">
          Last at {way.last_fault.domain}, {dayOf(way.last_fault.scanned_at)}:{" "}
          {way.last_fault.detail ?? (way.last_fault.status === "timeout" ? "no answer in time" : "it failed")}
        </p>
      )}
      {way.services.length > 0 && (
        <ul class="services" aria-label={`What ${worded(way.source).toLowerCase()} asks outside`}>
          {way.services.map(({ setting, state, host }) => (
            <li key={`${setting} ${host}`}>
              <span class={state === "on" ? "tag" : state === "off" ? "tag plain-tag" : "tag warm"}>
                {state === "on" ? "On" : state === "off" ? "Off" : "Elsewhere"}
              </span>{" "}
              <span class="break">{host ?? worded(setting.split(".").at(-1) ?? setting)}</span>{" "}
              <code class="faint">{setting}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
