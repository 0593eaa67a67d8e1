/** A text with the places marked where the words of the query stand. */
export function Marked({ text, places }: { readonly text: string; readonly places: readonly (readonly number[])[] }) {
  const parts = [];
  let at = 0;
  for (const [from = 0, to = 0] of places) {
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
