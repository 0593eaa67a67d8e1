import type { Overview as Figures } from "../api-types.ts";
import { askAsOperator } from "../ask.ts";
import { Icon } from "../parts/icon.tsx";
import { Told } from "../parts/states.tsx";
import { useAnswer } from "../use-answer.ts";
import { numberOf } from "../wording.ts";

export function Overview() {
  const [answer, again] = useAnswer((signal) => askAsOperator<Figures>("/console/operator/overview", { signal }), []);
  return (
    <Told answer={answer} again={again} lines={6}>
      {(told) => <Shown told={told} />}
    </Told>
  );
}

function Shown({ told }: { readonly told: Figures }) {
  const { alarms, jobs, mails, submissions, stats } = told;
  const waiting = (submissions.review ?? 0) + (submissions.waiting ?? 0);
  return (
    <>
      {alarms.length === 0 ? (
        <p class="well">
          <Icon name="check" /> Everything works. Nothing needs you but what waits below.
        </p>
      ) : (
        <section class="fault" aria-label="Alarms">
          <Icon name="warning" />
          <div>
            <h2>This needs you</h2>
            {alarms.map((alarm) => (
              <p key={alarm}>{alarm}</p>
            ))}
          </div>
        </section>
      )}
      <dl class="tiles">
        <Tile name="Submissions to review" value={waiting} href="/operator/submissions" strong={waiting > 0} />
        <Tile name="Work waiting" value={jobs.waiting ?? 0} href="/operator/jobs" />
        <Tile name="Work given up" value={jobs.dead ?? 0} href="/operator/jobs" strong={(jobs.dead ?? 0) > 0} />
        <Tile name="Waiting for the index" value={told.waiting_for_index} />
        <Tile name="Scans under way" value={told.scans_running} href="/operator/scans" />
        <Tile name="Companies looked up" value={stats.domains_enriched} href="/operator/scans" />
        <Tile name="Case studies" value={stats.case_studies} href="/operator/studies" />
        <Tile
          name={told.mail_configured ? "Mails waiting" : "Mails waiting (no mail server is set)"}
          value={mails.waiting ?? 0}
          href="/operator/mails"
        />
      </dl>
    </>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: number;
  readonly href?: string;
  readonly strong?: boolean;
}

const Tile = ({ name, value, href, strong = false }: TileProps) => (
  <div class={strong ? "tile strong" : "tile"}>
    <dt>{href ? <a href={href}>{name}</a> : name}</dt>
    <dd>{numberOf(value)}</dd>
  </div>
);
