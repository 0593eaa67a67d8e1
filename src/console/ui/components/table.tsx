import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

export interface Column<Row> {
  readonly name: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Compares two rows; the column's head then sorts by it. */
  readonly compare?: (one: Row, other: Row) => number;
  /** `number` aligns at the end; `wide` and `middle` columns are hidden in narrow tables. */
  readonly kind?: "number" | "wide" | "middle";
}

interface TableProps<Row> {
  /** Announced as the table's name. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first column names the row and opens it. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Opens a row by a click, Enter or an arrow key while another is open; without it and `href`, rows do not open. */
  readonly onOpen?: (row: Row) => void;
  /** The address that a row opens, in place of `onOpen`. */
  readonly href?: (row: Row) => string;
  /** Key of the open row. */
  readonly open?: string | undefined;
  readonly rowClass?: (row: Row) => string | undefined;
}

interface Order {
  readonly name: string;
  readonly descending: boolean;
}

/**
 * A dense table that is one stop of the Tab key: the arrow keys, Home and End move between its rows, Enter opens one. A
 * column's head sorts it, first descending for numbers; the third press restores the given order.
 */
export function DataTable<Row>({ label, rows, columns, keyOf, onOpen, href, open, rowClass }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [order, setOrder] = useState<Order | null>(null);
  const [reached, setReached] = useState<string | undefined>();
  const compare = columns.find(({ name }) => name === order?.name)?.compare;
  const sorted = compare ? rows.toSorted((one, other) => compare(one, other) * (order?.descending ? -1 : 1)) : rows;
  const stop = [open, reached].find((key) => sorted.some((row) => keyOf(row) === key)) ?? sorted.map(keyOf)[0];

  const move = (event: KeyboardEvent) => {
    const openers = [...(body.current?.querySelectorAll<HTMLElement>(".row-open") ?? [])];
    const at = openers.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: openers.length - 1 }[event.key];
    const target = at === -1 || to === undefined ? undefined : openers[to];
    const row = to === undefined ? undefined : sorted[to];
    if (!target || row === undefined) return;
    event.preventDefault();
    target.focus();
    setReached(keyOf(row));
    // An open panel follows the keyboard.
    if (open !== undefined) onOpen?.(row);
  };
  const press = ({ name, kind }: Column<Row>) => {
    const first = kind === "number";
    if (order?.name !== name) setOrder({ name, descending: first });
    else setOrder(order.descending === first ? { name, descending: !first } : null);
  };
  const classOf = ({ kind }: Column<Row>) =>
    kind === "number" ? "number" : kind === undefined ? undefined : `${kind}-only`;

  return (
    <div class="dense-frame">
      <table class="dense" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => {
              const sort = order?.name === column.name ? (order.descending ? "descending" : "ascending") : undefined;
              return (
                <th key={column.name} scope="col" class={classOf(column)} aria-sort={sort}>
                  {column.compare ? (
                    <button type="button" class="sort" data-order={sort} onClick={() => press(column)}>
                      {column.title}
                    </button>
                  ) : (
                    column.title
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody
          ref={body}
          onKeyDown={move}
          onClick={({ target }) => {
            // A click anywhere in a row opens it, except on something else that can be clicked.
            if (!(target instanceof Element) || target.closest("a, button, input, summary")) return;
            target.closest("tr")?.querySelector<HTMLElement>(".row-open")?.click();
          }}
        >
          {sorted.map((row) => {
            const key = keyOf(row);
            const opens = onOpen !== undefined || href !== undefined;
            const opener = {
              class: "row-open",
              tabIndex: key === stop ? 0 : -1,
              onFocus: () => setReached(key),
            };
            return (
              <tr
                key={key}
                aria-current={open === key ? "true" : undefined}
                class={[opens ? undefined : "still", rowClass?.(row)].filter(Boolean).join(" ") || undefined}
              >
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.name} scope="row">
                      {href ? (
                        <a {...opener} href={href(row)}>
                          {column.cell(row)}
                        </a>
                      ) : onOpen ? (
                        <button {...opener} type="button" onClick={() => onOpen(row)}>
                          {column.cell(row)}
                        </button>
                      ) : (
                        column.cell(row)
                      )}
                    </th>
                  ) : (
                    <td key={column.name} class={classOf(column)}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
