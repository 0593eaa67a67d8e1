import { useState } from "preact/hooks";
import { apiKey } from "../api-key.ts";
import { useObservable } from "../observable.ts";
import { IndustryChoice } from "../parts/industry-choice.tsx";
import { Settled } from "../parts/settled.tsx";
import { useAnswer } from "../use-answer.ts";
import { industries, MODES, type Mode, NAMES, type Wanted } from "./find.ts";

const WORDS: Readonly<Record<Mode, readonly [string, string]>> = {
  hybrid: ["Both", "by words and by meaning"],
  semantic: ["Meaning", "by meaning alone"],
  keyword: ["Words", "by words alone"],
};

interface FiltersProps {
  readonly wanted: Wanted;
  readonly onWant: (change: Partial<Wanted>) => void;
}

/** How is searched, and what narrows it. A question is narrowed by industry and company alone. */
export function Filters({ wanted, onWant }: FiltersProps) {
  const asking = wanted.q.trim() !== "";
  const set = NAMES.filter((name) => wanted[name] !== "");
  const key = useObservable(apiKey);
  const [open, setOpen] = useState(set.length > 0);
  // Who never opens the filters is not charged for them.
  const [known] = useAnswer(key !== null && open ? industries : null, [key, open]);
  const text = (name: (typeof NAMES)[number], label: string, hint?: string) => (
    <Settled label={label} value={wanted[name]} hint={hint} onSettle={(value) => onWant({ [name]: value })} />
  );
  return (
    <div class="filters">
      <fieldset class="segmented">
        <legend class="unseen">How to search</legend>
        {MODES.map((mode) => (
          <label key={mode} title={WORDS[mode][1]}>
            <input type="radio" name="mode" checked={wanted.mode === mode} onChange={() => onWant({ mode })} />
            <span>{WORDS[mode][0]}</span>
          </label>
        ))}
      </fieldset>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Filters{set.length > 0 && <span class="count">{set.length}</span>}</summary>
        <div class="filter-fields">
          <IndustryChoice
            known={known.state === "told" ? known.value : []}
            value={wanted.industry}
            onChoose={(industry) => onWant({ industry })}
          />
          {text("company", "Vendor", "Its short name in the address, such as kubernetes")}
          {!asking && (
            <>
              {text("client", "Client", "Name or domain")}
              <Settled
                label="Country"
                value={wanted.country}
                hint="Two letters, such as DE"
                onSettle={(country) => onWant({ country })}
              />
              <Settled label="From" type="date" value={wanted.after} onSettle={(after) => onWant({ after })} />
              <Settled label="Until" type="date" value={wanted.before} onSettle={(before) => onWant({ before })} />
            </>
          )}
        </div>
        {asking && <p class="hint">Client, country and dates narrow the list alone; empty the question to use them.</p>}
        {set.length > 0 && (
          <button
            type="button"
            class="button small"
            onClick={() => onWant(Object.fromEntries(NAMES.map((name) => [name, ""])))}
          >
            Take all filters away
          </button>
        )}
      </details>
    </div>
  );
}
