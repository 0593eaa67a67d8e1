import { scaleUtc } from "d3-scale";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Timeline } from "../api-types.ts";
import { dayOf, withQuota } from "../wording.ts";

const SIDE = 28;
const RADIUS = 6;
/** A dot and the gap above it. */
const STEP = 2 * RADIUS + 2;
/** Room for a label of the axis. */
const LABEL = 120;
const FIRST_WIDTH = 720;
const MONTH_MS = 30 * 86_400_000;

interface Dot {
  readonly id: string;
  readonly title: string;
  readonly at: Date;
}

/**
 * Case studies on a real axis of time: a year without any is a gap. Those of one place stand on each other. The picture
 * is one image to who listens; the list below it says the same in words.
 */
export function TimeAxis({ timeline, name }: { readonly timeline: Timeline["timeline"]; readonly name: string }) {
  const dots: Dot[] = timeline.flatMap(({ case_studies }) =>
    case_studies.flatMap(({ id, title, published_at }) =>
      published_at === null ? [] : [{ id, title, at: new Date(published_at) }],
    ),
  );
  const [frame, width] = useWidth();
  const [first, last] = [dots[0]?.at, dots.at(-1)?.at];
  if (!first || !last) return null;
  // One month alone would have no length.
  const room = Math.max(MONTH_MS, (last.getTime() - first.getTime()) * 0.02);
  const scale = scaleUtc([first.getTime() - room, last.getTime() + room], [SIDE, width - SIDE]);
  const stacked = stack(dots.map((dot) => ({ ...dot, x: scale(dot.at) })));
  const base = (Math.max(2, ...stacked.map(({ row }) => row)) + 1) * STEP + RADIUS;
  const height = base + 30;
  const most = Math.max(2, Math.floor(width / LABEL));
  const format = scale.tickFormat(most);
  return (
    <figure class="time-axis" ref={frame}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${withQuota(dots.length, "case study", "case studies")} of ${name} from ${dayOf(first.toISOString())} to ${dayOf(last.toISOString())}; the list below names them.`}
      >
        <line class="axis" x1={SIDE} x2={width - SIDE} y1={base} y2={base} />
        {scale.ticks(most).map((tick) => (
          <g key={tick.getTime()} transform={`translate(${scale(tick)} 0)`}>
            <line class="tick" y1={RADIUS} y2={base + 5} />
            <text y={base + 21} text-anchor="middle">
              {format(tick)}
            </text>
          </g>
        ))}
        {stacked.map(({ id, title, at, x, row }) => (
          <circle key={id} class="dot" cx={x} cy={base - STEP / 2 - 1 - row * STEP} r={RADIUS}>
            <title>{`${title}, ${dayOf(at.toISOString())}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  );
}

/** Puts a dot on top of those that it would hide. They come in the order of time. */
function stack<D extends { readonly x: number }>(dots: readonly D[]): (D & { readonly row: number })[] {
  const ends: number[] = [];
  return dots.map((dot) => {
    const free = ends.findIndex((end) => dot.x - end >= RADIUS * 2);
    const row = free === -1 ? ends.length : free;
    ends[row] = dot.x;
    return { ...dot, row };
  });
}

/** Drawn at its real size, so that its letters are as large as others on a telephone too. */
function useWidth() {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    const shown = frame.current;
    if (!shown) return;
    const watching = new ResizeObserver(() => setWidth(Math.max(240, Math.round(shown.clientWidth))));
    watching.observe(shown);
    return () => watching.disconnect();
  }, []);
  return [frame, width] as const;
}
