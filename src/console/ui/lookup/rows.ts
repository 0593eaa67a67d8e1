import type { Lookup, Tool } from "../api-types.ts";
import type { ToolState } from "../components/marks.tsx";
import type { LookupState } from "./scan.ts";
import { type Kind, kindOf } from "./signal-kinds.ts";

/** One tool on the page of a company. */
export interface Row {
  readonly name: string;
  readonly category: string;
  /** Index of its area, from 1; 0 for an unknown one. */
  readonly area: number;
  /** Undefined while a first scan runs: only its end says how sure a tool is. */
  readonly state?: ToolState;
  readonly confidence?: number;
  readonly isNew: boolean;
  /** Kinds of evidence, each once. */
  readonly kinds: readonly Kind[];
  /** ISO 8601. */
  readonly first?: string;
  readonly last?: string;
  /** With its evidence; undefined for a tool that is gone. */
  readonly tool?: Tool;
  readonly about?: Lookup["about"][number];
}

/** The rows of what is stored, of a running scan, and of what is gone: by area, category and name. */
export function rowsOf(
  { lookup, scan, partial, fresh }: LookupState,
  areas: ReadonlyMap<string, number>,
): readonly Row[] {
  const stored = lookup ? storedRows(lookup, areas, fresh) : [];
  const known = new Set(stored.map(({ name }) => name));
  const arriving = (scan?.tools ?? partial)
    .filter(({ tool }) => !known.has(tool))
    .map(({ tool, category }): Row => {
      const place = { name: tool, category, area: areas.get(category) ?? 0 };
      return { ...place, isNew: lookup !== null, kinds: [] };
    });
  return [...stored, ...arriving].toSorted(
    (one, other) =>
      rank(one.area) - rank(other.area) ||
      Number(one.state === "gone") - Number(other.state === "gone") ||
      one.category.localeCompare(other.category) ||
      one.name.localeCompare(other.name),
  );
}

/** Unknown areas come last. */
const rank = (area: number): number => (area === 0 ? 99 : area);

function storedRows(
  { result, about, history }: Lookup,
  areas: ReadonlyMap<string, number>,
  fresh: ReadonlySet<string>,
): readonly Row[] {
  const appeared = new Set(
    history?.changes
      .filter(({ change, at }) => change === "appeared" && at === history.last_scanned_at)
      .map(({ tool }) => tool),
  );
  const tracks = new Map(history?.tools.map((track) => [track.tool, track]));
  const rows = result.tools.map((tool, index): Row => {
    const more = about[index];
    const interval = tracks.get(tool.tool)?.intervals.at(-1);
    const first = interval?.first_seen ?? tool.first_seen;
    const last = tool.last_seen ?? interval?.last_seen;
    return {
      name: tool.tool,
      category: tool.category,
      area: areas.get(tool.category) ?? 0,
      state: more?.means === "verified-once" && tool.level !== "possible" ? "once" : (tool.level ?? "likely"),
      isNew: fresh.has(tool.tool) || appeared.has(tool.tool),
      kinds: [...new Set(tool.evidence?.map(({ signal }) => kindOf(signal)))],
      tool,
      ...(more === undefined ? {} : { about: more }),
      ...(tool.confidence === undefined ? {} : { confidence: tool.confidence }),
      ...(first ? { first } : {}),
      ...(last ? { last } : {}),
    };
  });
  const present = new Set(rows.map(({ name }) => name));
  const gone = [...tracks.values()]
    .filter(({ tool, state }) => state === "gone" && !present.has(tool))
    .map(({ tool, category, intervals }): Row => {
      const interval = intervals.at(-1);
      return {
        name: tool,
        category,
        area: areas.get(category) ?? 0,
        state: "gone",
        isNew: false,
        kinds: [],
        ...(interval ? { first: interval.first_seen, last: interval.last_seen } : {}),
      };
    });
  return [...rows, ...gone];
}

/** Filters of the tools, as the address holds them. */
export interface Filter {
  readonly text: string;
  /** All tools that are at least likely, and what is gone; or only those of one state, or the new ones. */
  readonly show: "all" | "new" | ToolState;
  /** 0 for all. */
  readonly area: number;
}

export function filterRows(rows: readonly Row[], { text, show, area }: Filter): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(
    (row) =>
      isShown(row, show) &&
      (area === 0 || row.area === area) &&
      (wanted === "" || `${row.name} ${row.category}`.toLowerCase().includes(wanted)),
  );
}

export function isShown({ state, isNew }: Row, show: Filter["show"]): boolean {
  if (show === "all") return state !== "possible";
  return show === "new" ? isNew && state !== "possible" : state === show;
}
