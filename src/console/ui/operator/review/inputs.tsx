import { outcomeFigure } from "../../../../casestudies/outcome-text.ts";
import type { Outcome } from "../../api-types.ts";
import { Field, Select } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { humanise } from "../../format.ts";
import { type Draft, type FieldName, type OutcomeDraft, WHOLE } from "./draft.ts";

const NEW_OUTCOME: OutcomeDraft = {
  ...{ metric: "", value: "", unit: "", direction: "decrease", text: "", index: null },
  ...{ noun: "", kind: "", from: "", to: "", better: "", sentence: null },
};
const DIRECTIONS: readonly (readonly [Outcome["direction"], string])[] = [
  ["decrease", "Decrease"],
  ["increase", "Increase"],
  ["absolute", "Absolute"],
];
const KINDS: readonly (readonly [OutcomeDraft["kind"], string])[] = [
  ["", "Unknown"],
  ["change", "Change"],
  ["level", "Level"],
  ["qualitative", "No figure"],
];
const JUDGEMENTS: readonly (readonly [OutcomeDraft["better"], string])[] = [
  ["", "Unknown"],
  ["true", "Better"],
  ["false", "Worse"],
];
const UNITS = ["%", "x", "hours", "days", "minutes", "USD", "EUR", "count"];

/** One row per outcome: metric, direction, value, unit and source sentence. */
function OutcomeRows({ draft, onDraft, errorAt, onFocus }: InputsProps) {
  const { outcomes } = draft;
  const update = (rows: readonly OutcomeDraft[]) => onDraft({ ...draft, outcomes: rows });
  const error = errorAt("");
  return (
    <fieldset class="outcome-rows">
      <legend>Outcomes</legend>
      {outcomes.length === 0 && <p class="faint">No outcomes</p>}
      {outcomes.map((row, index) => (
        <div key={index} onFocusCapture={() => onFocus(`/outcomes/${row.index ?? "new"}`)}>
          <OutcomeRow
            row={row}
            number={index + 1}
            errorAt={(part) => errorAt(`/${index}${part}`)}
            onChange={(change) => update(outcomes.with(index, { ...row, ...change }))}
            onRemove={() => update(outcomes.toSpliced(index, 1))}
          />
        </div>
      ))}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <button type="button" class="button small" onClick={() => update([...outcomes, NEW_OUTCOME])}>
        <Icon name="plus" />
        Add outcome
      </button>
    </fieldset>
  );
}

interface OutcomeRowProps {
  readonly row: OutcomeDraft;
  readonly number: number;
  readonly errorAt: InputsProps["errorAt"];
  readonly onChange: (change: Partial<OutcomeDraft>) => void;
  readonly onRemove: () => void;
}

const numberOf = (typed: string): number | null => {
  const number = Number(typed);
  return typed.trim() === "" || !Number.isFinite(number) ? null : number;
};

function OutcomeRow({ row, number, errorAt, onChange, onRemove }: OutcomeRowProps) {
  const value = Number(row.value);
  const figure =
    row.value.trim() !== "" && Number.isFinite(value)
      ? outcomeFigure({
          ...{ value, unit: row.unit.trim() || null, direction: row.direction, text: row.text },
          kind: row.kind === "" ? null : row.kind,
          ...{ from: numberOf(row.from), to: numberOf(row.to) },
        })
      : null;
  return (
    <fieldset class="outcome-row">
      <legend>
        {number}. {row.metric ? humanise(row.metric) : "New outcome"}
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
          label="Metric"
          value={row.metric}
          onInput={(metric) => onChange({ metric })}
          error={errorAt("/metric")}
          hideOptional
        />
        <Field
          label="Measured"
          value={row.noun}
          onInput={(noun) => onChange({ noun })}
          error={errorAt("/noun")}
          hideOptional
        />
        <Select
          label="Kind"
          value={row.kind}
          onChange={(kind) => onChange({ kind: kind as OutcomeDraft["kind"] })}
          options={KINDS}
        />
        <Select
          label="For the client"
          value={row.better}
          onChange={(better) => onChange({ better: better as OutcomeDraft["better"] })}
          options={JUDGEMENTS}
        />
        <Field
          label="From"
          inputMode="decimal"
          value={row.from}
          onInput={(from) => onChange({ from })}
          error={errorAt("/from")}
          hideOptional
        />
        <Field
          label="To"
          inputMode="decimal"
          value={row.to}
          onInput={(to) => onChange({ to })}
          error={errorAt("/to")}
          hideOptional
        />
        <Select
          label="Direction"
          value={row.direction}
          onChange={(direction) => onChange({ direction: direction as Outcome["direction"] })}
          options={DIRECTIONS}
        />
        <Field
          label="Value"
          inputMode="decimal"
          value={row.value}
          onInput={(text) => onChange({ value: text })}
          error={errorAt("/value")}
          hideOptional
        />
        <Field
          label="Unit"
          value={row.unit}
          onInput={(unit) => onChange({ unit })}
          suggestions={UNITS}
          error={errorAt("/unit")}
          hideOptional
        />
      </div>
      <Field
        label="Source sentence"
        value={row.text}
        onInput={(text) => onChange({ text })}
        error={errorAt("/text") ?? errorAt("")}
        rows={2}
        hideOptional
      />
    </fieldset>
  );
}

interface InputsProps {
  readonly name: FieldName;
  readonly title: string;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** The error at a JSON pointer within the field: `""` for the whole, `/0/metric` for a part. */
  readonly errorAt: (pointer: string) => string | undefined;
  readonly onFocus: (pointer: string) => void;
}

interface Shape {
  readonly rows?: number;
  readonly hint?: string;
  readonly type?: "text" | "date";
}

/** How fields of one text are shown. */
const SHAPES: Readonly<Partial<Record<FieldName, Shape>>> = {
  title: { rows: 2 },
  country: { hint: "Two-letter code, such as DE" },
  published_at: { type: "date" },
  language: { hint: "Language tag, such as en" },
  summary: { rows: 4 },
  challenge: { rows: 5 },
  solution: { rows: 6 },
  products: { rows: 3, hint: "One per line" },
  tools: { rows: 4, hint: "One per line" },
};

/** Fields of several texts: name, label and shape of each. */
const PARTS: Readonly<Partial<Record<FieldName, readonly (readonly [string, string, Shape])[]>>> = {
  client: [
    ["name", "Client", {}],
    ["domain", "Client domain", {}],
  ],
  quote: [
    ["text", "Quote", { rows: 4 }],
    ["person", "Person", {}],
    ["role", "Role", {}],
  ],
};

/** The inputs of one field. */
export function FieldInputs(props: InputsProps) {
  const { name, title, draft, onDraft, errorAt, onFocus } = props;
  if (name === "outcomes") return <OutcomeRows {...props} />;
  const set = (part: string) => (text: string) => onDraft({ ...draft, texts: { ...draft.texts, [part]: text } });
  const parts = PARTS[name];
  if (!parts) {
    return (
      <div onFocusCapture={() => onFocus(`/${name}`)}>
        <Field
          label={title}
          value={draft.texts[WHOLE] ?? ""}
          onInput={set(WHOLE)}
          error={["", "/0", "/1", "/2", "/3", "/4"].map(errorAt).find((error) => error !== undefined)}
          {...SHAPES[name]}
          required={name === "title"}
          hideOptional
        />
      </div>
    );
  }
  return (
    <fieldset class={`parts parts-${name}`}>
      <legend class="visually-hidden">{title}</legend>
      {parts.map(([part, label, shape], index) => (
        <div key={part} onFocusCapture={() => onFocus(`/${name}/${part}`)}>
          <Field
            label={label}
            value={draft.texts[part] ?? ""}
            onInput={set(part)}
            error={errorAt(`/${part}`) ?? (index === 0 ? errorAt("") : undefined)}
            {...shape}
            hideOptional
          />
        </div>
      ))}
    </fieldset>
  );
}
