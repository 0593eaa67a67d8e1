import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { ScrollRegion } from "./panels.tsx";

/**
 * Small charts in SVG. Each has a title, a sentence that says what it shows for those who do not see it, and the same
 * values as a table.
 */
interface FrameProps {
  readonly title: string;
  /** Head and rows of the table view. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly height: number;
  /** Names of several series with the classes of their hues. */
  readonly legend?: readonly { readonly name: string; readonly hue?: string | undefined }[];
  /** Draws for a width in pixels. */
  readonly children: (width: number) => ComponentChildren;
}

function ChartFrame({ title, columns, rows, height, legend = [], children }: FrameProps) {
  const [asTable, setAsTable] = useState(false);
  const [width, setWidth] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [asTable]);
  return (
    <figure class="chart">
      <div class="chart-head">
        <figcaption>{title}</figcaption>
        <button type="button" class="link" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? "Show chart" : "Show table"}
          <span class="visually-hidden"> of {title}</span>
        </button>
      </div>
      {legend.length > 1 && (
        <ul class="legend" aria-hidden="true">
          {legend.map(({ name, hue }) => (
            <li key={name} class={hue}>
              <span class="swatch" />
              {name}
            </li>
          ))}
        </ul>
      )}
      {asTable ? (
        <ScrollRegion label={title}>
          <table>
            <thead>
              <tr>
                {columns.map((name, index) => (
                  <th key={name} scope="col" class={index > 0 ? "number" : undefined}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([head, ...cells]) => (
                <tr key={head}>
                  <th scope="row">{head}</th>
                  {cells.map((cell, index) => (
                    <td key={index} class="number">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      ) : (
        // The height is reserved before the width is known.
        <div ref={box} style={{ height: `${height}px` }}>
          {width > 0 && (
            <svg role="img" aria-label={summary(title, columns, rows)} width={width} height={height}>
              {children(width)}
            </svg>
          )}
        </div>
      )}
    </figure>
  );
}

const summary = (title: string, columns: FrameProps["columns"], rows: FrameProps["rows"]): string => {
  const ends = rows.length > 1 ? [rows[0], rows.at(-1)] : rows;
  return `${title}: ${rows.length} values of ${columns.slice(1).join(", ")}; ${ends.map((row) => row?.join(" ")).join(" to ")}.`;
};

/** Round values from 0 to at least `most`, four or five of them. */
export function ticks(most: number): number[] {
  if (most <= 0) return [0, 1];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

const LEFT = 40;
const BOTTOM = 20;
const TOP = 8;
/** Pixels per label under the horizontal axis. */
const LABEL = 64;

export interface Series {
  readonly name: string;
  /** Null where there is no value: a line has a gap there. */
  readonly values: readonly (number | null)[];
  /** Class of its hue: `area-3`. */
  readonly hue?: string;
}

interface LineProps {
  readonly title: string;
  /** One per value: `3 Nov`. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly kind?: "line" | "area" | "bar";
  readonly height?: number;
  readonly format?: (value: number) => string;
}

/** Values over time as lines, filled areas or bars. */
export function LineChart({ title, labels, series, kind = "line", height = 160, format = formatNumber }: LineProps) {
  const steps = ticks(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const most = steps.at(-1) ?? 1;
  const bottom = height - BOTTOM;
  const y = (value: number) => bottom - (value / most) * (bottom - TOP);
  const text = (value: number | null | undefined) => (value === null ? "–" : format(value ?? 0));
  const labelWidth = Math.max(LABEL, ...labels.map(({ length }) => 6.5 * length + 8));
  return (
    <ChartFrame
      title={title}
      height={height}
      legend={series}
      columns={["Time (UTC)", ...series.map(({ name }) => name)]}
      rows={labels.map((label, at) => [label, ...series.map(({ values }) => text(values[at]))])}
    >
      {(width) => {
        const room = width - LEFT;
        const slot = room / Math.max(1, labels.length);
        const x = (at: number) => LEFT + slot * (at + 0.5);
        const every = Math.max(1, Math.ceil(labelWidth / slot));
        return (
          <>
            {steps.map((step) => (
              <g key={step}>
                <line class="grid-line" x1={LEFT} x2={width} y1={y(step)} y2={y(step)} />
                <text x={LEFT - 6} y={y(step) + 4} text-anchor="end">
                  {format(step)}
                </text>
              </g>
            ))}
            {labels.map((label, at) =>
              at % every === 0 ? (
                <text key={label} x={x(at)} y={height - 4} text-anchor="middle">
                  {label}
                </text>
              ) : null,
            )}
            {series.map(({ name, values, hue }, place) => {
              if (kind === "bar") {
                const bar = Math.max(1, (slot * 0.7) / series.length);
                return (
                  <g key={name} class={hue}>
                    {values.map((value, at) => (
                      <rect
                        key={at}
                        class="series-bar"
                        x={x(at) - (bar * series.length) / 2 + bar * place}
                        y={y(value ?? 0)}
                        width={bar}
                        height={bottom - y(value ?? 0)}
                        rx={Math.min(2, bar / 2)}
                      >
                        <title>{`${labels[at]}: ${text(value)} ${name}`}</title>
                      </rect>
                    ))}
                  </g>
                );
              }
              return (
                <g key={name} class={hue}>
                  {runsOf(values).map((run) => {
                    const points = run.map(([at, value]) => `${x(at)},${y(value)}`);
                    const [first = 0, last = 0] = [run[0]?.[0], run.at(-1)?.[0]];
                    return (
                      <g key={first}>
                        {kind === "area" && (
                          <path
                            class="series-area"
                            d={`M${x(first)},${bottom}L${points.join("L")}L${x(last)},${bottom}Z`}
                          />
                        )}
                        {run.length === 1 ? (
                          <circle class="series-dot" cx={x(first)} cy={y(run[0]?.[1] ?? 0)} r={2.5} />
                        ) : (
                          <path class="series-line" d={`M${points.join("L")}`} />
                        )}
                      </g>
                    );
                  })}
                </g>
              );
            })}
          </>
        );
      }}
    </ChartFrame>
  );
}

/** Neighbouring values without nulls, with their places. */
function runsOf(values: readonly (number | null)[]): (readonly [number, number])[][] {
  const runs: (readonly [number, number])[][] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    if (at === 0 || values[at - 1] === null) runs.push([]);
    runs.at(-1)?.push([at, value]);
  }
  return runs;
}

interface HeatProps {
  readonly title: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Value of a row and a column; 0 is left empty. */
  readonly value: (row: number, column: number) => number;
  readonly hue?: string;
}

const HEAT_ROW = 28;
const HEAT_HEAD = 30;
const HEAT_LABEL = 180;

/** A value for each pair, as the strength of a colour with its figure. */
export function HeatMap({ title, rows, columns, value, hue }: HeatProps) {
  const most = Math.max(1, ...rows.flatMap((_, row) => columns.map((_, column) => value(row, column))));
  const height = HEAT_HEAD + rows.length * HEAT_ROW;
  return (
    <ChartFrame
      title={title}
      height={height}
      columns={["Name", ...columns]}
      rows={rows.map((name, row) => [name, ...columns.map((_, column) => formatNumber(value(row, column)))])}
    >
      {(width) => {
        const left = Math.min(HEAT_LABEL, width * 0.4);
        const cell = (width - left) / Math.max(1, columns.length);
        return (
          <g class={hue}>
            {columns.map((name, column) => (
              <Label key={name} name={name} width={cell} x={left + cell * (column + 0.5)} y={14} anchor="middle" />
            ))}
            {rows.map((name, row) => (
              <g key={name}>
                <Label name={name} width={left} x={left - 8} y={HEAT_HEAD + HEAT_ROW * (row + 0.5)} anchor="end" />
                {columns.map((other, column) => {
                  const amount = value(row, column);
                  const place = { x: left + cell * column + 1, y: HEAT_HEAD + HEAT_ROW * row + 1, rx: 4 };
                  const size = { width: Math.max(0, cell - 2), height: HEAT_ROW - 2 };
                  return (
                    <g key={other}>
                      <rect class="heat-frame" {...place} {...size} />
                      {amount > 0 && (
                        <>
                          <rect class="heat-cell" {...place} {...size} opacity={0.1 + 0.35 * (amount / most)} />
                          <text
                            class="heat-figure"
                            x={left + cell * (column + 0.5)}
                            y={HEAT_HEAD + HEAT_ROW * row + 18}
                            text-anchor="middle"
                          >
                            {formatNumber(amount)}
                          </text>
                        </>
                      )}
                    </g>
                  );
                })}
              </g>
            ))}
          </g>
        );
      }}
    </ChartFrame>
  );
}

interface DotsProps {
  readonly title: string;
  /** Names with the class of their hue, as the legend shows them. */
  readonly series: readonly { readonly name: string; readonly hue: string }[];
  /** One row each. */
  readonly groups: readonly {
    readonly name: string;
    readonly dots: readonly {
      /** Index in `series`. */
      readonly of: number;
      /** Its size; a decrease is marked with a minus sign. */
      readonly value: number;
      readonly isDecrease: boolean;
      readonly text: string;
    }[];
  }[];
  readonly format?: (value: number) => string;
}

const DOT = 5;

/** Single values of several series on one shared axis, one row for each group. */
export function DotPlot({ title, series, groups, format = formatNumber }: DotsProps) {
  const dots = groups.flatMap((group) => group.dots);
  const steps = ticks(Math.max(0, ...dots.map(({ value }) => value)));
  const most = steps.at(-1) ?? 1;
  const height = groups.length * HEAT_ROW + BOTTOM;
  // Series of a row are drawn one below the other as far as it has room, so that equal values do not hide each other.
  const apart = Math.min(8, (HEAT_ROW - 2 * DOT - 4) / Math.max(1, series.length - 1));
  return (
    <ChartFrame
      title={title}
      height={height}
      columns={["Name", ...series.map(({ name }) => name)]}
      rows={groups.map((group) => [
        group.name,
        ...series.map((_, at) =>
          group.dots
            .filter(({ of }) => of === at)
            .map(({ text }) => text)
            .join(", "),
        ),
      ])}
      legend={series}
    >
      {(width) => {
        const left = Math.min(HEAT_LABEL, width * 0.4);
        const x = (value: number) => left + 8 + (value / most) * (width - left - 24);
        return (
          <>
            {steps.map((step) => (
              <g key={step}>
                <line class="grid-line" x1={x(step)} x2={x(step)} y1={0} y2={height - BOTTOM} />
                <text x={x(step)} y={height - 4} text-anchor="middle">
                  {format(step)}
                </text>
              </g>
            ))}
            {groups.map((group, row) => (
              <g key={group.name}>
                <Label name={group.name} width={left} x={left - 8} y={HEAT_ROW * (row + 0.5)} anchor="end" />
                {group.dots.map(({ of, value, isDecrease, text }, index) => {
                  const y = HEAT_ROW * row + HEAT_ROW / 2 + (of - (series.length - 1) / 2) * apart;
                  return (
                    <g key={index} class={series[of]?.hue}>
                      <title>{`${series[of]?.name}: ${text}`}</title>
                      <circle class="series-dot" cx={x(value)} cy={y} r={DOT} opacity={0.85} />
                      {isDecrease && <line class="dot-minus" x1={x(value) - 3} x2={x(value) + 3} y1={y} y2={y} />}
                    </g>
                  );
                })}
              </g>
            ))}
          </>
        );
      }}
    </ChartFrame>
  );
}

/** Pixels of a character, and of a line. */
const CHARACTER = 6.2;
const LINE = 12;

/** A name as at most two lines. */
function linesOf(name: string, width: number): readonly string[] {
  const most = Math.max(1, Math.floor(width / CHARACTER) - 1);
  if (name.length <= most) return [name];
  const space = name.lastIndexOf(" ", most);
  if (space < 1) return [shortened(name, most)];
  return [name.slice(0, space), shortened(name.slice(space + 1), most)];
}

const shortened = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)}…`);

interface LabelProps {
  readonly name: string;
  readonly width: number;
  readonly x: number;
  /** The middle of the label. */
  readonly y: number;
  readonly anchor: "middle" | "end";
}

/** A name next to a chart. The table has those whole that two lines cannot hold. */
function Label({ name, width, x, y, anchor }: LabelProps) {
  const lines = linesOf(name, width);
  const first = y + 4 - ((lines.length - 1) * LINE) / 2;
  return (
    <text x={x} y={first} text-anchor={anchor}>
      {lines.map((line, at) => (
        <tspan key={at} x={x} y={first + at * LINE}>
          {line}
        </tspan>
      ))}
      <title>{name}</title>
    </text>
  );
}
