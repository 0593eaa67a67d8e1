import { useState } from "preact/hooks";
import { formatNumber } from "../format.ts";

export interface FacetOption {
  readonly value: string;
  readonly label: string;
  /** Results that have this value. */
  readonly count?: number | undefined;
}

interface FacetProps {
  readonly title: string;
  readonly options: readonly FacetOption[];
  readonly selected: readonly string[];
  readonly onChange: (selected: readonly string[]) => void;
  /** Options shown at first; selected ones are always shown. */
  readonly shown?: number;
  /** Only one option can be selected. */
  readonly single?: boolean;
}

/** Values of one field with their counts, to filter a list by. */
export function Facet({ title, options, selected, onChange, shown = 6, single = false }: FacetProps) {
  const [all, setAll] = useState(false);
  const visible = all ? options : options.filter(({ value }, index) => index < shown || selected.includes(value));
  const toggle = (value: string) => {
    if (selected.includes(value)) return onChange(selected.filter((each) => each !== value));
    onChange(single ? [value] : [...selected, value]);
  };
  if (options.length === 0) return null;
  return (
    <fieldset class="facet">
      <legend>{title}</legend>
      {visible.map(({ value, label, count }) => (
        <label key={value}>
          <input type="checkbox" checked={selected.includes(value)} onChange={() => toggle(value)} />
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
