interface HighlightedProps {
  readonly text: string;
  /** Start and end of each part to mark, in order. */
  readonly ranges: readonly (readonly number[])[];
}

export function Highlighted({ text, ranges }: HighlightedProps) {
  const parts = [];
  let at = 0;
  for (const [from = 0, to = 0] of ranges) {
    if (from < at || to <= from || to > text.length) continue;
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
