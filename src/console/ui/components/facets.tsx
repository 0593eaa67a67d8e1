import { useId, useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { useChoice } from "./choice.ts";

export interface FacetOption {
  readonly value: string;
  readonly label: string;
  /** Results that have this value. */
  readonly count?: number | undefined;
}

interface FacetProps {
  readonly title: string;
  readonly options: readonly FacetOption[];
  /** The chosen value; empty for any. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Options shown at first; the chosen one is always shown. */
  readonly shown?: number;
  /** There is no choice of any value. */
  readonly required?: boolean;
}

/** Values of one field with their counts, as radio buttons: a list is filtered by one of them, or by none. */
export function Facet({ title, options, value, onChange, shown = 6, required = false }: FacetProps) {
  const [all, setAll] = useState(false);
  const name = useId();
  const choice = useChoice(value, onChange, true);
  if (options.length === 0) return null;
  const visible = all ? options : options.filter((option, index) => index < shown || option.value === choice.shown);
  return (
    <fieldset class="facet" {...choice.listeners}>
      <legend>{title}</legend>
      {[...(required ? [] : [ANY]), ...visible].map(({ value: each, label, count }) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === choice.shown} onChange={() => choice.choose(each)} />
          <span title={label}>{label}</span>
          {count !== undefined && <span class="tally">{formatNumber(count)}</span>}
        </label>
      ))}
      {options.length > visible.length && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          Show all {options.length}
          <span class="visually-hidden"> of {title}</span>
        </button>
      )}
    </fieldset>
  );
}

const ANY: FacetOption = { value: "", label: "Any" };

interface SwitchProps {
  readonly title: string;
  readonly label: string;
  /** Results that have it. */
  readonly count?: number | undefined;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

/** A filter that is on or off, in the shape of a facet. */
export const FacetSwitch = ({ title, label, count, on, onChange }: SwitchProps) => (
  <fieldset class="facet">
    <legend>{title}</legend>
    <label>
      <input type="checkbox" checked={on} onChange={() => onChange(!on)} />
      <span>{label}</span>
      {count !== undefined && <span class="tally">{formatNumber(count)}</span>}
    </label>
  </fieldset>
);
