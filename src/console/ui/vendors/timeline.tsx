import { scaleUtc } from "d3-scale";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Timeline } from "../api-types.ts";
import { countStudies, formatDay, formatMonth } from "../format.ts";

const MARGIN = 28;
const RADIUS = 6;
/** Height of a dot and the gap above it. */
const STEP = 2 * RADIUS + 2;
/** Width of an axis label. */
const LABEL = 90;
const FIRST_WIDTH = 720;
const MONTH_MS = 30 * 86_400_000;

interface Dot {
  readonly id: string;
  readonly title: string;
  readonly at: Date;
}

/**
 * Case studies on a time axis: a year without any is a gap, and overlapping dots are stacked. Screen readers get one image;
 * the list below has the same content as text.
 */
export function TimelineChart({ timeline, name }: { readonly timeline: Timeline["timeline"]; readonly name: string }) {
  const dots: Dot[] = timeline.flatMap(({ case_studies }) =>
    case_studies.flatMap(({ id, title, published_at }) =>
      published_at === null ? [] : [{ id, title, at: new Date(published_at) }],
    ),
  );
  const [frame, width] = useElementWidth();
  const [first, last] = [dots[0]?.at, dots.at(-1)?.at];
  if (!first || !last) return null;
  // A single date would make an axis of no length.
  const room = Math.max(MONTH_MS, (last.getTime() - first.getTime()) * 0.02);
  const scale = scaleUtc([first.getTime() - room, last.getTime() + room], [MARGIN, width - MARGIN]);
  const stacked = stack(dots.map((dot) => ({ ...dot, x: scale(dot.at) })));
  const base = (Math.max(2, ...stacked.map(({ row }) => row)) + 1) * STEP + RADIUS;
  const height = base + 30;
  const ticks = Math.max(2, Math.floor(width / LABEL));
  // Every label has its year: a page shows no other.
  const isYear = (tick: Date) => tick.getUTCMonth() === 0 && tick.getUTCDate() === 1;
  // The scale may give more than asked for; labels never touch.
  const given = scale.ticks(ticks);
  const marks = given.filter((_, index) => index % Math.ceil(given.length / ticks) === 0);
  const onlyYears = marks.every(isYear);
  const format = (tick: Date) => (onlyYears ? String(tick.getUTCFullYear()) : formatMonth(tick.getTime()));
  return (
    <figure class="time-axis" ref={frame}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${countStudies(dots.length)} of ${name} from ${formatDay(first.toISOString())} to ${formatDay(last.toISOString())}; listed below.`}
      >
        <line class="axis" x1={MARGIN} x2={width - MARGIN} y1={base} y2={base} />
        {marks.map((tick) => (
          <g key={tick.getTime()} transform={`translate(${scale(tick)} 0)`}>
            <line class="checkbox" y1={RADIUS} y2={base + 5} />
            <text y={base + 21} text-anchor="middle">
              {format(tick)}
            </text>
          </g>
        ))}
        {stacked.map(({ id, title, at, x, row }) => (
          <circle key={id} class="dot" cx={x} cy={base - STEP / 2 - 1 - row * STEP} r={RADIUS}>
            <title>{`${title}, ${formatDay(at.toISOString())}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  );
}

/** Stacks overlapping dots. Expects them in order of time. */
function stack<D extends { readonly x: number }>(dots: readonly D[]): (D & { readonly row: number })[] {
  const ends: number[] = [];
  return dots.map((dot) => {
    const free = ends.findIndex((end) => dot.x - end >= RADIUS * 2);
    const row = free === -1 ? ends.length : free;
    ends[row] = dot.x;
    return { ...dot, row };
  });
}

/** The chart is drawn at its actual width, so that its labels keep their size on a phone. */
function useElementWidth() {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, Math.round(element.clientWidth))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [frame, width] as const;
}
