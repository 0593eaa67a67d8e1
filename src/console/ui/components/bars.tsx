export interface Bar {
  readonly label: string;
  readonly href?: string | undefined;
  readonly value: number;
  /** The value as text: `12 case studies`. */
  readonly text: string;
  readonly note?: string | undefined;
}

/**
 * A horizontal bar chart, as a list: screen readers announce each label and value. The longest bar is full width.
 */
export function Bars({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  const longest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ul class="bars" aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.label}>
          <span class="bar-label">
            {bar.href ? <a href={bar.href}>{bar.label}</a> : bar.label}
            {bar.note && <span class="faint"> {bar.note}</span>}
          </span>
          <span class="bar-value">{bar.text}</span>
          <span class="bar-track" aria-hidden="true">
            <span class="bar" style={{ width: `${Math.max(1.5, (100 * bar.value) / longest)}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
