import type { ComponentChildren } from "preact";
import { ScrollRegion } from "./panels.tsx";

interface CardTableProps {
  readonly label: string;
  /** The columns: of text, of numbers, or with a name that only screen readers say. */
  readonly heads: readonly (string | { readonly number: string } | { readonly hidden: string })[];
  /** Its rows. */
  readonly children: ComponentChildren;
}

/** A table whose rows become cards on narrow screens; their cells then show `data-label`. */
export const CardTable = ({ label, heads, children }: CardTableProps) => (
  <ScrollRegion label={label}>
    <table class="card-table">
      <thead>
        <tr>{heads.map(headCell)}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </ScrollRegion>
);

function headCell(head: CardTableProps["heads"][number]) {
  if (typeof head === "string")
    return (
      <th key={head} scope="col">
        {head}
      </th>
    );
  if ("number" in head)
    return (
      <th key={head.number} scope="col" class="number">
        {head.number}
      </th>
    );
  return (
    <th key={head.hidden} scope="col">
      <span class="visually-hidden">{head.hidden}</span>
    </th>
  );
}
