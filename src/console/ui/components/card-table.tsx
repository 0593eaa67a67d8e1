import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";
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

interface DetailRowProps {
  /** Names the row; opens and closes its details. */
  readonly title: ComponentChildren;
  /** The cells after the first. */
  readonly cells: ComponentChildren;
  /** Columns of the table. */
  readonly columns: number;
  /** Its details, below it. */
  readonly children: ComponentChildren;
}

/** A row of a `CardTable` that shows its details below itself; a click anywhere in it opens them. */
export function DetailRow({ title, cells, columns, children }: DetailRowProps) {
  const [open, setOpen] = useState(false);
  const details = useId();
  return (
    <>
      <tr class={open ? "opened" : undefined}>
        <th scope="row">
          <button
            type="button"
            class="row-open row-go"
            aria-expanded={open}
            aria-controls={details}
            onClick={() => setOpen(!open)}
          >
            <Icon name="chevron" />
            {title}
          </button>
        </th>
        {cells}
      </tr>
      <tr class="row-details" id={details} hidden={!open}>
        {open && <td colSpan={columns}>{children}</td>}
      </tr>
    </>
  );
}

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
