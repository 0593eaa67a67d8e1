import { useId } from "preact/hooks";
import type { Outcome } from "../../api-types.ts";
import { Field } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { figureOf, worded } from "../../wording.ts";
import { type InputsProps, Pointing } from "./inputs.tsx";
import type { OutcomeDraft } from "./study-fields.ts";

const NEW: OutcomeDraft = { metric: "", value: "", unit: "", direction: "decrease", text: "", was: null };
const DIRECTIONS: readonly (readonly [Outcome["direction"], string])[] = [
  ["decrease", "fell"],
  ["increase", "rose"],
  ["absolute", "is"],
];
const UNITS = ["%", "x", "hours", "days", "minutes", "USD", "EUR", "count"];

/** Outcomes as rows: what was measured, which way, how much, and the sentence that says so. */
export function OutcomeRows({ draft, onDraft, at, onPoint }: InputsProps) {
  const { outcomes } = draft;
  const write = (rows: readonly OutcomeDraft[]) => onDraft({ ...draft, outcomes: rows });
  const change = (place: number, part: Partial<OutcomeDraft>) =>
    write(outcomes.map((row, each) => (each === place ? { ...row, ...part } : row)));
  const whole = at("");
  return (
    <fieldset class="outcome-rows">
      <legend>Outcomes</legend>
      {outcomes.length === 0 && <p class="faint">None is known.</p>}
      {outcomes.map((row, place) => (
        <Pointing key={place} pointer={row.was === null ? "/outcomes/new" : `/outcomes/${row.was}`} onPoint={onPoint}>
          <Row
            row={row}
            number={place + 1}
            at={(part) => at(`/${place}${part}`)}
            onChange={(part) => change(place, part)}
            onRemove={() => write(outcomes.filter((_, each) => each !== place))}
          />
        </Pointing>
      ))}
      {whole && (
        <p class="error" role="alert">
          {whole}
        </p>
      )}
      <button type="button" class="button small" onClick={() => write([...outcomes, NEW])}>
        <Icon name="plus" />
        Add an outcome
      </button>
    </fieldset>
  );
}

interface RowProps {
  readonly row: OutcomeDraft;
  readonly number: number;
  readonly at: InputsProps["at"];
  readonly onChange: (part: Partial<OutcomeDraft>) => void;
  readonly onRemove: () => void;
}

function Row({ row, number, at, onChange, onRemove }: RowProps) {
  const id = useId();
  const value = Number(row.value);
  const figure =
    row.value.trim() !== "" && Number.isFinite(value)
      ? figureOf({ value, unit: row.unit.trim() || null, direction: row.direction, text: row.text })
      : null;
  return (
    <fieldset class="outcome-row">
      <legend>
        {number}. {row.metric ? worded(row.metric) : "New outcome"}
        {figure && <strong> {figure}</strong>}
      </legend>
      <button
        type="button"
        class="button small quiet square"
        onClick={onRemove}
        aria-label={`Remove outcome ${number}`}
        title="Remove"
      >
        <Icon name="close" />
      </button>
      <div class="outcome-parts">
        <Field
          label="What was measured"
          value={row.metric}
          onInput={(metric) => onChange({ metric })}
          error={at("/metric")}
          plain
        />
        <div class="field">
          <label for={`${id}-direction`}>Direction</label>
          <select
            id={`${id}-direction`}
            value={row.direction}
            onChange={(event) => onChange({ direction: event.currentTarget.value as Outcome["direction"] })}
          >
            {DIRECTIONS.map(([direction, words]) => (
              <option key={direction} value={direction}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <Field
          label="Value"
          inputMode="decimal"
          value={row.value}
          onInput={(text) => onChange({ value: text })}
          error={at("/value")}
          plain
        />
        <Field
          label="Unit"
          value={row.unit}
          onInput={(unit) => onChange({ unit })}
          proposals={UNITS}
          error={at("/unit")}
          plain
        />
      </div>
      <Field
        label="As the source states it"
        value={row.text}
        onInput={(text) => onChange({ text })}
        error={at("/text") ?? at("")}
        rows={2}
        plain
      />
    </fieldset>
  );
}
