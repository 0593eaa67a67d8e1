import { useEffect, useId, useState } from "preact/hooks";
import type { Industries } from "../api-types.ts";
import { formatNumber } from "../format.ts";
import { useChoice } from "./choice.ts";

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly type?: "text" | "email" | "url" | "search" | "date" | "number" | "password";
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Hides the word "optional", on pages where every field is. */
  readonly hideOptional?: boolean;
  readonly inputMode?: "decimal" | "url";
  readonly mono?: boolean;
  readonly suggestions?: readonly string[];
  /** Height in lines; makes the field a text area. */
  readonly rows?: number;
}

/** A labelled input; screen readers announce its hint and its error with it. */
export function Field({
  label,
  value,
  onInput,
  hint,
  error,
  suggestions,
  rows,
  mono,
  hideOptional,
  type = "text",
  ...rest
}: FieldProps) {
  const id = useId();
  const description = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const common = {
    id,
    value,
    class: mono ? "mono" : undefined,
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-describedby": description || undefined,
    spellcheck: !mono && rows !== undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
    ...rest,
  };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {rest.required || hideOptional ? null : <span class="optional"> optional</span>}
      </label>
      {rows === undefined ? (
        // The types of `input` accept only a type known at compile time.
        <input {...common} {...({ type, list: suggestions ? `${id}-list` : undefined } as { readonly type: "text" })} />
      ) : (
        <textarea {...common} rows={rows} />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface DebouncedProps extends Omit<FieldProps, "onInput"> {
  readonly onChange: (value: string) => void;
}

const DEBOUNCE_MS = 600;

/** A field that reports its value when typing pauses. */
export function DebouncedField({ value, onChange, ...rest }: DebouncedProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  // Only typing starts the timer; `onChange` is a new function on every render.
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <Field {...rest} value={typed} onInput={setTyped} />;
}

interface NameSearchProps {
  readonly label: string;
  /** The name searched for. */
  readonly value: string;
  readonly onSearch: (name: string) => void;
}

/** Searches by name on Enter or the button, and not while typing, because each search counts as a request. */
export function NameSearch({ label, value, onSearch }: NameSearchProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <form
      class="name-search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onInput={({ currentTarget: { value: text } }) => {
          setTyped(text);
          // The list is whole again when the field is cleared.
          if (text === "" && value !== "") onSearch("");
        }}
      />
      <button type="submit" class="button">
        Search
      </button>
    </form>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Value and label. */
  readonly options: readonly (readonly [string, string])[];
}

export function Select({ label, value, onChange, options }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface IndustryProps {
  readonly industries: Industries["industries"];
  readonly value: string;
  readonly onChange: (industry: string) => void;
  readonly label?: string;
}

/** Lists the known industries. Another one from the URL, such as a synonym, stays selected. */
export function IndustrySelect({ industries, value, onChange, label = "Industry" }: IndustryProps) {
  const selected = industries.find(({ industry, slug }) => [industry, slug].includes(value))?.industry ?? value;
  const names = industries.map(
    ({ industry, case_studies }) => [industry, `${industry} (${formatNumber(case_studies)})`] as const,
  );
  const isOther = selected !== "" && !names.some(([name]) => name === selected);
  return (
    <Select
      label={label}
      value={selected}
      onChange={onChange}
      options={[["", "All industries"], ...(isOther ? [[selected, selected] as const] : []), ...names]}
    />
  );
}

interface SegmentedProps<T extends string> {
  readonly legend: string;
  /** Name of the radio group. */
  readonly name: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
  /** Value, label and tooltip. */
  readonly options: readonly (readonly [T, string, string?])[];
  /** A choice sends a request: the arrow keys apply one after a pause. */
  readonly isCostly?: boolean;
}

/** One choice of a few, as a row of radio buttons. */
export function Segmented<T extends string>({
  legend,
  name,
  value,
  onChange,
  options,
  isCostly = false,
}: SegmentedProps<T>) {
  const choice = useChoice(value, onChange, isCostly);
  return (
    <fieldset class="segmented" {...choice.listeners}>
      <legend class="visually-hidden">{legend}</legend>
      {options.map(([each, label, title]) => (
        <label key={each} title={title}>
          <input type="radio" name={name} checked={each === choice.shown} onChange={() => choice.choose(each)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
