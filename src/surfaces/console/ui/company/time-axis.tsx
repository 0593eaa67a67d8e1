import { scaleUtc } from "d3-scale";
import type { Timeline } from "../api-types.ts";
import { counted, dayOf } from "../wording.ts";

const WIDTH = 720;
const HEIGHT = 150;
const SIDE = 24;
const BASE = 118;
const RADIUS = 5;
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
  const [first, last] = [dots[0]?.at, dots.at(-1)?.at];
  if (!first || !last) return null;
  // One month alone would have no length.
  const room = Math.max(MONTH_MS, (last.getTime() - first.getTime()) * 0.02);
  const scale = scaleUtc([first.getTime() - room, last.getTime() + room], [SIDE, WIDTH - SIDE]);
  const stacked = stack(dots.map((dot) => ({ ...dot, x: scale(dot.at) })));
  const tallest = Math.max(...stacked.map(({ row }) => row)) + 1;
  const step = Math.min(RADIUS * 2 + 1, (BASE - 16) / tallest);
  const format = scale.tickFormat(6);
  return (
    <figure class="time-axis">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${counted(dots.length, "case study", "case studies")} of ${name} from ${dayOf(first.toISOString())} to ${dayOf(last.toISOString())}; the list below names them.`}
      >
        <line class="axis" x1={SIDE} x2={WIDTH - SIDE} y1={BASE} y2={BASE} />
        {scale.ticks(6).map((tick) => (
          <g key={tick.getTime()} transform={`translate(${scale(tick)} 0)`}>
            <line class="tick" y1={12} y2={BASE + 5} />
            <text y={BASE + 22} text-anchor="middle">
              {format(tick)}
            </text>
          </g>
        ))}
        {stacked.map(({ id, title, at, x, row }) => (
          <circle key={id} class="dot" cx={x} cy={BASE - 9 - row * step} r={RADIUS}>
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
