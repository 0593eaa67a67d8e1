import type { ParseContext } from "../record.ts";
import type { NewCaseStudy } from "../types.ts";
import {
  type StarterRecord,
  type StarterSet,
  type StarterVendor,
  starterId,
  toCaseStudy,
  vendorOf,
} from "./records.ts";
import type { StarterPlan, StarterRepository, StarterRows, StarterState } from "./repository.ts";

/** How an installation uses the starter case studies. */
export interface StarterStatus {
  /** `absent`: never loaded. `outdated`: loaded by another release; the next start updates them. */
  readonly state: "absent" | "current" | "outdated" | "removed";
  /** Whether the configuration lets a start load them. */
  readonly enabled: boolean;
  /** Records in this release. */
  readonly records: number;
  /** Records in the index. */
  readonly kept: number;
  /** Records that the operator removed one by one. */
  readonly left_out: number;
  /** Records with corrections of the operator. */
  readonly corrected: number;
  /** Records whose URL belongs to an imported or crawled case study. */
  readonly replaced: number;
}

export interface StarterService {
  /**
   * Loads the starter case studies, unless they are disabled, removed, or already loaded.
   *
   * @returns the number of case studies that changed
   */
  load(): Promise<number>;
  status(): Promise<StarterStatus>;
  /** Removes all of them permanently: no later start loads them again. @returns the number removed */
  remove(): Promise<number>;
  /** Loads all of them again, also those removed one by one. @returns the number of case studies that changed */
  restore(): Promise<number>;
}

export interface StarterOptions {
  readonly repository: StarterRepository;
  readonly context: ParseContext;
  /** Called only when needed: most commands do not need the records. */
  readonly loadBuiltIn: () => Promise<{ readonly version: string; readonly set: StarterSet }>;
  readonly enabled: boolean;
  /** Called after case studies changed. */
  readonly onChange: () => void;
}

/** Stored in place of a version after `remove`. */
const REMOVED = "removed";

export function createStarterService(options: StarterOptions): StarterService {
  const { repository, context, loadBuiltIn, enabled, onChange } = options;

  /** The repository calls `plan` inside its transaction, because another process may have been faster. */
  const change = async (
    plan: (state: StarterState, rows: StarterRows, version: string, set: StarterSet) => StarterPlan | undefined,
  ): Promise<number> => {
    const { version, set } = await loadBuiltIn();
    const wanted = Object.entries(set.records).map(([name, { url }]) => ({ id: starterId(name), url }));
    const { saved, removed } = await repository.change(wanted, (state, rows) => plan(state, rows, version, set));
    if (saved + removed > 0) onChange();
    return saved + removed;
  };

  return {
    async load() {
      if (!enabled || (await repository.state()).version === REMOVED) return 0;
      return await change((state, rows, version, set) =>
        state.version === version || state.version === REMOVED
          ? undefined
          : planUpdate(set, version, { state, rows, context }),
      );
    },

    async status() {
      const [{ version, set }, state, rows] = [await loadBuiltIn(), await repository.state(), await repository.rows()];
      const kept = [...rows.byId.values()].filter(({ origin }) => origin === "starter");
      const states = { [version]: "current", [REMOVED]: "removed" } as const;
      return {
        state: state.version === null ? "absent" : (states[state.version] ?? "outdated"),
        enabled,
        records: Object.keys(set.records).length,
        kept: kept.length,
        left_out: state.removed.length,
        corrected: kept.filter(({ id }) => rows.corrections.has(id)).length,
        replaced: Object.values(state.loaded).filter(({ id }) => (rows.byId.get(id)?.origin ?? "starter") !== "starter")
          .length,
      };
    },

    remove: () =>
      change((_, rows) => ({
        state: { version: REMOVED, loaded: {}, removed: [] },
        remove: [...rows.byId.values()].filter(({ origin }) => origin === "starter").map(({ id }) => id),
        save: [],
      })),

    restore: () =>
      change((state, rows, version, set) => {
        const stored = Object.entries(state.loaded).filter(([, { id }]) => rows.byId.has(id));
        const reset = { version: null, loaded: Object.fromEntries(stored), removed: [] };
        return planUpdate(set, version, { state: reset, rows, context });
      }),
  };
}

interface PlanInput {
  readonly state: StarterState;
  readonly rows: StarterRows;
  readonly context: ParseContext;
}

/**
 * Plans the update of an installation to a set: new records are added, changed ones updated, and vanished ones removed.
 * Records that the operator removed are not added again, corrections are kept, and case studies of another origin with
 * the URL of a record are not touched.
 *
 * @param version hash of the set
 */
function planUpdate({ vendors, records }: StarterSet, version: string, input: PlanInput): StarterPlan {
  const { state, rows, context } = input;
  const vendorBySlug = new Map(vendors.map((vendor) => [vendor.slug, vendor]));
  const companyOf = companiesOfVendors(state, rows);
  const removedByOperator = new Set(state.removed);
  const loaded: Record<string, StarterState["loaded"][string]> = {};
  const remove: string[] = [];
  const save: { name: string; hash: string; study: NewCaseStudy }[] = [];

  for (const [name, record] of Object.entries(records)) {
    const slug = vendorOf(name);
    const vendor = vendorBySlug.get(slug);
    const before = state.loaded[name];
    const stored = before && rows.byId.get(before.id);
    if (before && !stored) removedByOperator.add(name);
    if (!vendor || removedByOperator.has(name)) continue;
    const hash = hashOf([record, vendor]);
    const atUrl = rows.atUrl(record.url);
    if (stored && (stored.origin !== "starter" || before.hash === hash)) loaded[name] = before;
    else if (atUrl && atUrl.origin !== "starter") {
      loaded[name] = { id: atUrl.id, hash };
      if (stored) remove.push(stored.id);
    } else {
      // The store identifies case studies by URL, so a record with a new URL would be stored twice.
      if (stored && atUrl?.id !== stored.id) remove.push(stored.id);
      const company = stored?.company ?? companyOf.get(slug) ?? slug;
      const corrections = rows.corrections.get(stored?.id ?? starterId(name)) ?? {};
      save.push({
        name,
        hash,
        study: correctedStudy(name, record, { ...vendor, slug: company }, context, corrections),
      });
    }
  }

  for (const [name, before] of Object.entries(state.loaded)) {
    if (name in records) continue;
    const stored = rows.byId.get(before.id);
    if (stored?.origin !== "starter") continue;
    if (rows.corrections.has(stored.id)) loaded[name] = before;
    else remove.push(stored.id);
  }
  return { state: { version, loaded, removed: [...removedByOperator].sort() }, remove, save };
}

/** A correction that this release can no longer parse is ignored, so that the record is still available. */
function correctedStudy(
  name: string,
  record: StarterRecord,
  vendor: StarterVendor,
  context: ParseContext,
  corrections: Readonly<Record<string, unknown>>,
): NewCaseStudy {
  try {
    return toCaseStudy(name, record, vendor, context, corrections);
  } catch {
    return toCaseStudy(name, record, vendor, context);
  }
}

/** Vendor slug to the slug of the company that holds its records now, which an operator may have renamed or merged. */
function companiesOfVendors({ loaded }: StarterState, rows: StarterRows): ReadonlyMap<string, string> {
  const companies = new Map<string, string>();
  for (const [name, { id }] of Object.entries(loaded)) {
    const row = rows.byId.get(id);
    if (row?.origin === "starter") companies.set(vendorOf(name), row.company);
  }
  return companies;
}

const hashOf = (content: unknown): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 16);
