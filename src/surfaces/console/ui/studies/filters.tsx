import { useEffect, useState } from "preact/hooks";
import { Field } from "../parts/field.tsx";
import { start } from "../start.ts";
import { useAnswer } from "../use-answer.ts";
import { MODES, type Mode, NAMES, type Wanted } from "./find.ts";

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
  const [answer] = useAnswer(start, []);
  const industries =
    answer.state === "told"
      ? [...new Set(answer.value.case_studies.flatMap(({ industry }) => (industry ? [industry] : [])))].sort()
      : [];
  const asking = wanted.q.trim() !== "";
  const set = NAMES.filter((name) => wanted[name] !== "");
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
      <details open={set.length > 0}>
        <summary>Filters{set.length > 0 && <span class="count">{set.length}</span>}</summary>
        <div class="filter-fields">
          <Settled
            label="Industry"
            value={wanted.industry}
            proposals={industries}
            onSettle={(industry) => onWant({ industry })}
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

interface SettledProps {
  readonly label: string;
  readonly value: string;
  readonly onSettle: (value: string) => void;
  readonly type?: "text" | "date";
  readonly hint?: string | undefined;
  readonly proposals?: readonly string[];
}

const PAUSE_MS = 600;

/** A field that is taken when typing pauses. */
function Settled({ value, onSettle, ...rest }: SettledProps) {
  const [typed, type] = useState(value);
  useEffect(() => type(value), [value]);
  // Typing alone asks; a new handler does not.
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onSettle(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <Field {...rest} value={typed} onInput={type} />;
}
