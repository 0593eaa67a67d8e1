import type { ParseContext } from "../record.ts";
import type { Starter, StarterPlan, StarterRows, StarterState } from "./repository.ts";
import { planStarter, type StarterSet, starterId } from "./starter.ts";

/** How an installation stands to the case studies that come with the program. */
export interface StarterStatus {
  /** `absent` was never taken in; `outdated` is taken in anew at the next start. */
  readonly state: "absent" | "current" | "outdated" | "removed";
  /** Whether the settings let a start take them in. */
  readonly enabled: boolean;
  /** Records that come with this program. */
  readonly records: number;
  /** Of them in the index. */
  readonly kept: number;
  /** Removed one by one by the operator. */
  readonly left_out: number;
  /** Corrected by the operator. */
  readonly corrected: number;
  /** Under whose address something was imported or crawled. */
  readonly replaced: number;
}

export interface StarterService {
  /**
   * Takes the records in, unless the settings forbid it, they were removed, or they are here already. Answers how many
   * case studies changed.
   */
  loadStarter(): Promise<number>;
  starterStatus(): Promise<StarterStatus>;
  /** Removes them for good: no later start brings them back. Answers how many went. */
  removeStarter(): Promise<number>;
  /** Takes them all in again, those too that were removed one by one. Answers how many case studies changed. */
  restoreStarter(): Promise<number>;
}

export interface StarterParts {
  readonly store: Starter;
  readonly tools: ParseContext;
  /** Read when it is needed: most commands do without. */
  readonly builtIn: () => Promise<{ readonly version: string; readonly set: StarterSet }>;
  readonly enabled: boolean;
  /** Case studies were changed. */
  readonly changed: () => void;
}

/** In place of a version. */
const REMOVED = "removed";

export function createStarterService({ store, tools, builtIn, enabled, changed }: StarterParts): StarterService {
  /** The store asks for a plan under its lock: another process may have been quicker. */
  const change = async (
    planOf: (
      state: StarterState,
      rows: StarterRows,
      current: Awaited<ReturnType<StarterParts["builtIn"]>>,
    ) => StarterPlan | undefined,
  ): Promise<number> => {
    const current = await builtIn();
    const wanted = Object.entries(current.set.records).map(([name, { url }]) => ({ id: starterId(name), url }));
    const { saved, removed } = await store.change(wanted, (state, rows) => planOf(state, rows, current));
    if (saved + removed > 0) changed();
    return saved + removed;
  };

  return {
    async loadStarter() {
      if (!enabled || (await store.state()).version === REMOVED) return 0;
      return await change((state, rows, { version, set }) =>
        state.version === version || state.version === REMOVED
          ? undefined
          : planStarter(set, version, { state, rows, tools }),
      );
    },

    async starterStatus() {
      const [{ version, set }, state, rows] = [await builtIn(), await store.state(), await store.rows()];
      const kept = [...rows.byId.values()].filter(({ origin }) => origin === "starter");
      const states = { [version]: "current", [REMOVED]: "removed" } as const;
      return {
        state: state.version === null ? "absent" : (states[state.version] ?? "outdated"),
        enabled,
        records: Object.keys(set.records).length,
        kept: kept.length,
        left_out: state.leftOut.length,
        corrected: kept.filter(({ id }) => rows.corrections.has(id)).length,
        replaced: Object.values(state.taken).filter(({ id }) => (rows.byId.get(id)?.origin ?? "starter") !== "starter")
          .length,
      };
    },

    removeStarter: () =>
      change((_, rows) => ({
        state: { version: REMOVED, taken: {}, leftOut: [] },
        remove: [...rows.byId.values()].filter(({ origin }) => origin === "starter").map(({ id }) => id),
        save: [],
      })),

    restoreStarter: () =>
      change((state, rows, { version, set }) => {
        const standing = Object.entries(state.taken).filter(([, { id }]) => rows.byId.has(id));
        const afresh = { version: null, taken: Object.fromEntries(standing), leftOut: [] };
        return planStarter(set, version, { state: afresh, rows, tools });
      }),
  };
}
