import { useState } from "preact/hooks";
import { askAsOperator } from "../ask.ts";
import { minuteOf, worded } from "../wording.ts";
import { Listed } from "./listed.tsx";
import { Refused } from "./refused.tsx";
import { useDeed } from "./use-deed.ts";

interface Archive {
  readonly name: string;
  readonly kind: string;
  readonly size: number;
  readonly created_at: string;
}

const MEGABYTE = 1_000_000;

export function Backups() {
  const [turn, setTurn] = useState(0);
  const deed = useDeed();
  const make = async () => {
    if (await deed.run(() => askAsOperator("/console/admin/backup", { method: "POST" }))) setTurn(turn + 1);
  };
  return (
    <>
      <div class="actions">
        <button type="button" class="button primary" disabled={deed.busy} onClick={make}>
          {deed.busy ? "Making it…" : "Make a backup now"}
        </button>
        <p class="faint">
          One archive of everything, made while the service goes on. <code>casefile restore FILE</code> brings it back.
        </p>
      </div>
      <Refused deed={deed} />
      <Listed<Archive> path="/console/admin/backups" field="backups" empty="There is no backup yet" turn={turn}>
        {(archives) => (
          <ul class="rows">
            {archives.map(({ name, kind, size, created_at }) => (
              <li key={name} class="row">
                <span class="row-title break">{name}</span>
                <span class="faint">
                  {worded(kind)}, {minuteOf(created_at)}, {(size / MEGABYTE).toFixed(1)} MB
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}
