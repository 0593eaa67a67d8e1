import { useRef } from "preact/hooks";
import { Icon } from "../components/icon.tsx";
import { Badge, Chip, StateWord, stateWord, type ToolState } from "../components/marks.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { ToolIcon } from "../components/tool-icon.tsx";
import { capitalised, formatDay, pluralise } from "../format.ts";
import { type Filter, filterRows, isShown, type Row } from "./rows.ts";
import { kindIcon, kindLabel } from "./signal-kinds.ts";

export type ViewName = "cards" | "table";

interface AreaStripProps {
  readonly rows: readonly Row[];
  /** Names of the areas, in the order of their indexes. */
  readonly areas: readonly string[];
  /** Index of the only area shown; 0 for all. */
  readonly area: number;
  readonly onArea: (area: number) => void;
}

/** How the tools are spread over the areas; each area filters. */
export function AreaStrip({ rows, areas, area, onArea }: AreaStripProps) {
  // In the order of the cards.
  const counts = [...areas.map((_, index) => index + 1), 0]
    .map((index) => ({ index, count: rows.filter((row) => row.area === index && row.state !== "gone").length }))
    .filter(({ count }) => count > 0);
  const nameOf = (index: number) => (index === 0 ? "Other" : capitalised(areas[index - 1] ?? ""));
  return (
    <section aria-label="Areas" class="area-strip">
      <div class="area-bar" aria-hidden="true">
        {counts.map(({ index, count }) => (
          <span
            key={index}
            class={`area-${index}${area !== 0 && area !== index ? " faded" : ""}`}
            style={{ flexGrow: count }}
          />
        ))}
      </div>
      <ul class="area-legend">
        {counts.map(({ index, count }) => (
          <li key={index}>
            <button
              type="button"
              aria-pressed={area === index && index !== 0}
              class={`area-${index}`}
              onClick={() => onArea(area === index ? 0 : index)}
            >
              <span class="swatch" />
              {nameOf(index)} <span class="tally">{count}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FilterBarProps {
  readonly rows: readonly Row[];
  readonly filter: Filter;
  readonly onFilter: (change: Partial<Filter>) => void;
  readonly view: ViewName;
  readonly onView: (view: ViewName) => void;
}

const STATES: readonly ToolState[] = ["confirmed", "likely", "once", "possible", "gone"];

export function FilterBar({ rows, filter, onFilter, view, onView }: FilterBarProps) {
  const count = (show: Filter["show"]) => rows.filter((row) => isShown(row, show) && row.state !== "gone").length;
  const chip = (show: Filter["show"], label: string, amount: number, title?: string) =>
    amount === 0 && filter.show !== show ? null : (
      <Chip key={show} on={filter.show === show} count={amount} title={title} onClick={() => onFilter({ show })}>
        {label}
      </Chip>
    );
  return (
    <div class="filter-bar">
      <input
        type="search"
        aria-label="Filter tools or categories"
        placeholder="Filter tools or categories"
        value={filter.text}
        onInput={(event) => onFilter({ text: event.currentTarget.value })}
      />
      <div class="chips">
        {chip("all", "Detected", count("all"), "Confirmed, likely and verified once; without what is only possible")}
        {STATES.map((state) =>
          chip(state, state === "gone" ? "Gone" : stateWord(state), rows.filter((row) => row.state === state).length),
        )}
        {chip("new", "New", count("new"))}
      </div>
      <fieldset class="view-switch">
        <legend class="visually-hidden">View</legend>
        {(["cards", "table"] as const).map((name) => (
          <button
            key={name}
            type="button"
            class="button small square"
            aria-pressed={view === name}
            aria-label={name === "cards" ? "Card view" : "Table view"}
            title={name === "cards" ? "Card view" : "Table view"}
            onClick={() => onView(name)}
          >
            <Icon name={name === "cards" ? "grid" : "table"} />
          </button>
        ))}
      </fieldset>
    </div>
  );
}

interface ToolsProps {
  readonly rows: readonly Row[];
  readonly filter: Filter;
  readonly areas: readonly string[];
  readonly view: ViewName;
  /** Time of the newest scan; the bars of the table end there. */
  readonly now: string | undefined;
  readonly open: string | undefined;
  readonly onOpen: (name: string) => void;
}

export function Tools({ rows, filter, areas, view, now, open, onOpen }: ToolsProps) {
  const shown = filterRows(rows, filter);
  return (
    <>
      <p class="visually-hidden" role="status">
        {pluralise(shown.length, "tool")} shown
      </p>
      {view === "table" ? (
        <ToolTable rows={shown} now={now} open={open} onOpen={onOpen} />
      ) : (
        <ToolCards rows={shown} areas={areas} open={open} onOpen={onOpen} />
      )}
    </>
  );
}

type ListProps = Pick<ToolsProps, "rows" | "open" | "onOpen">;

const Marks = ({ row }: { readonly row: Row }) => (
  <>
    {row.isNew && <Badge tone="new">New</Badge>}
    {row.state === "gone" && <Badge tone="gone">Gone</Badge>}
  </>
);

/** Tools by area in as many columns as fit: all of them at a glance. */
function ToolCards({ rows, areas, open, onOpen }: ListProps & { readonly areas: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const groups = [...Map.groupBy(rows, ({ area }) => area)];
  const stop = rows.some(({ name, tool }) => name === open && tool) ? open : rows.find(({ tool }) => tool)?.name;
  const move = (event: KeyboardEvent) => {
    const openers = [...(box.current?.querySelectorAll<HTMLElement>(".row-open") ?? [])];
    const target = nextOpener(openers, event.key);
    if (!target) return;
    event.preventDefault();
    target.focus();
    if (open !== undefined && target.dataset.name !== undefined) onOpen(target.dataset.name);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the buttons inside
    <div class="areas" ref={box} onKeyDown={move}>
      {groups.map(([area, members]) => (
        <section key={area} class={`area area-${area}`} aria-labelledby={`area-${area}`}>
          <h2 id={`area-${area}`}>
            {area === 0 ? "Other" : capitalised(areas[area - 1] ?? "")} <span class="tally">{members.length}</span>
          </h2>
          <ul>
            {members.map((row) => (
              <li key={row.name} class={row.state === "gone" ? "muted" : undefined}>
                {row.tool ? (
                  <button
                    type="button"
                    class="row-open"
                    data-name={row.name}
                    tabIndex={row.name === stop ? 0 : -1}
                    aria-current={row.name === open ? "true" : undefined}
                    title={`${row.name} · ${row.category}`}
                    onClick={() => onOpen(row.name)}
                  >
                    <CardLine row={row} />
                  </button>
                ) : (
                  <span class="row-open arriving" title={`${row.name} · ${row.category}`}>
                    <CardLine row={row} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const CardLine = ({ row }: { readonly row: Row }) => (
  <>
    <ToolIcon tool={row.name} category={row.category} />
    <span class="card-name">{row.name}</span>
    <Marks row={row} />
    {/* Most tools are confirmed: only the others carry a word. */}
    {row.state && row.state !== "gone" && (
      <span class={row.state === "confirmed" ? "visually-hidden" : "card-state"}>
        <StateWord state={row.state} confidence={row.confidence} short />
      </span>
    )}
  </>
);

/** The next or previous button, or the nearest one in the next column. */
function nextOpener(openers: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const at = openers.indexOf(document.activeElement as HTMLElement);
  const from = openers[at]?.getBoundingClientRect();
  if (!from) return undefined;
  if (key === "ArrowDown") return openers[at + 1];
  if (key === "ArrowUp") return openers[at - 1];
  if (key === "Home") return openers[0];
  if (key === "End") return openers.at(-1);
  if (key !== "ArrowLeft" && key !== "ArrowRight") return undefined;
  const sign = key === "ArrowRight" ? 1 : -1;
  let best: { readonly element: HTMLElement; readonly distance: number } | undefined;
  for (const element of openers) {
    const { left, top } = element.getBoundingClientRect();
    const sideways = (left - from.left) * sign;
    if (sideways < 10) continue;
    const distance = sideways * 4 + Math.abs(top - from.top);
    if (!best || distance < best.distance) best = { element, distance };
  }
  return best?.element;
}

const RANKS: Readonly<Record<ToolState, number>> = { confirmed: 0, likely: 1, once: 2, possible: 3, gone: 4 };
const byText = (text: (row: Row) => string) => (one: Row, other: Row) => text(one).localeCompare(text(other));

function ToolTable({ rows, now, open, onOpen }: ListProps & { readonly now: string | undefined }) {
  const start = Math.min(...rows.map(({ first }) => (first ? Date.parse(first) : Number.POSITIVE_INFINITY)));
  const end = now ? Date.parse(now) : start;
  const columns: readonly Column<Row>[] = [
    {
      name: "tool",
      title: "Tool",
      compare: byText(({ name }) => name),
      cell: (row) => (
        <>
          <ToolIcon tool={row.name} category={row.category} />
          {row.name}
          <Marks row={row} />
        </>
      ),
    },
    {
      name: "category",
      title: "Category",
      kind: "middle",
      compare: byText(({ category }) => category),
      cell: ({ category }) => category,
    },
    {
      name: "evidence",
      title: "Evidence",
      kind: "wide",
      cell: ({ kinds, tool }) => (
        <span class="kinds">
          {kinds.map((kind) => (
            <span key={kind} class="kind" title={kindLabel(kind)}>
              <Icon name={kindIcon(kind)} />
              <span class="visually-hidden">{kindLabel(kind)} </span>
            </span>
          ))}
          {tool && <span class="visually-hidden">{tool.evidence?.length} pieces of evidence</span>}
        </span>
      ),
    },
    {
      name: "confidence",
      title: "Confidence",
      compare: (one, other) =>
        RANKS[one.state ?? "possible"] - RANKS[other.state ?? "possible"] ||
        (other.confidence ?? 0) - (one.confidence ?? 0),
      cell: ({ state, confidence }) =>
        state ? <StateWord state={state} confidence={confidence} /> : <span class="faint">Scanning…</span>,
    },
    {
      name: "seen",
      title: "First – last seen",
      kind: "wide",
      compare: byText(({ first }) => first ?? ""),
      cell: (row) => <SeenBar row={row} start={start} end={end} />,
    },
  ];
  return (
    <DataTable
      label="Tools"
      rows={rows}
      columns={columns}
      keyOf={({ name }) => name}
      open={open}
      onOpen={({ name, tool }) => tool && onOpen(name)}
      rowClass={({ state }) => (state === "gone" ? "muted" : undefined)}
    />
  );
}

/** From when to when a tool was seen, within the time of all scans. */
function SeenBar({ row, start, end }: { readonly row: Row; readonly start: number; readonly end: number }) {
  if (!row.first || !row.last) return null;
  const span = Math.max(1, end - start);
  const left = (100 * (Date.parse(row.first) - start)) / span;
  const right = (100 * (Date.parse(row.last) - start)) / span;
  const text = `${formatDay(row.first)} to ${formatDay(row.last)}`;
  return (
    <span class={row.state === "gone" ? "seen-bar gone" : row.isNew ? "seen-bar new" : "seen-bar"} title={text}>
      <span style={{ left: `${Math.min(94, left)}%`, width: `${Math.max(6, right - left)}%` }} />
      <span class="visually-hidden">{text}</span>
    </span>
  );
}
