import type { StarterPlan, StarterRows, StarterState } from "../../store/starter.ts";
import type { NewCaseStudy } from "../../vocabulary/case-study.ts";
import type { StudyTools } from "../record.ts";
import { readStarterStudy, type StarterSet, starterId } from "./read.ts";
import type { StarterRecord, StarterVendor } from "./record.ts";

type Taken = StarterState["taken"][string];

/**
 * What is to be done so that an installation has a set as its operator wants it: records that are new come, those that
 * changed are updated, those that vanished go. What the operator removed stays away, what was corrected stays corrected,
 * and what another origin brought under the same address is left alone.
 *
 * @param version hash of the set
 */
export function planStarter(
  { vendors, records }: StarterSet,
  version: string,
  { state, rows, tools }: { readonly state: StarterState; readonly rows: StarterRows; readonly tools: StudyTools },
): StarterPlan {
  const vendorOf = new Map(vendors.map((vendor) => [vendor.slug, vendor]));
  const homeOf = homes(state, rows);
  const leftOut = new Set(state.leftOut);
  const taken: Record<string, Taken> = {};
  const remove: string[] = [];
  const save: { name: string; hash: string; study: NewCaseStudy }[] = [];

  for (const [name, record] of Object.entries(records)) {
    const slug = name.split("/")[0] ?? "";
    const vendor = vendorOf.get(slug);
    const before = state.taken[name];
    const stored = before && rows.byId.get(before.id);
    if (before && !stored) leftOut.add(name);
    if (!vendor || leftOut.has(name)) continue;
    const hash = hashOf([record, vendor]);
    const there = rows.atUrl(record.url);
    if (stored && (stored.origin !== "starter" || before.hash === hash)) taken[name] = before;
    else if (there && there.origin !== "starter") {
      taken[name] = { id: there.id, hash };
      if (stored) remove.push(stored.id);
    } else {
      // Under another address it is another case study to the store.
      if (stored && there?.id !== stored.id) remove.push(stored.id);
      const home = stored?.company ?? homeOf.get(slug) ?? slug;
      const corrections = rows.corrections.get(stored?.id ?? starterId(name)) ?? {};
      save.push({ name, hash, study: studyOf(name, record, { ...vendor, slug: home }, tools, corrections) });
    }
  }

  for (const [name, before] of Object.entries(state.taken)) {
    if (name in records) continue;
    const stored = rows.byId.get(before.id);
    if (stored?.origin !== "starter") continue;
    if (rows.corrections.has(stored.id)) taken[name] = before;
    else remove.push(stored.id);
  }
  return { state: { version, taken, leftOut: [...leftOut].sort() }, remove, save };
}

function studyOf(
  name: string,
  record: StarterRecord,
  vendor: StarterVendor,
  tools: StudyTools,
  corrections: Readonly<Record<string, unknown>>,
): NewCaseStudy {
  try {
    return readStarterStudy(name, record, vendor, tools, corrections);
  } catch {
    // A correction that this release does not understand any more must not keep the record from being shown.
    return readStarterStudy(name, record, vendor, tools);
  }
}

/** Companies that operators renamed or merged: a vendor's new record goes to where its others are. */
function homes({ taken }: StarterState, rows: StarterRows): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, { id }] of Object.entries(taken)) {
    const row = rows.byId.get(id);
    if (row?.origin === "starter") found.set(name.split("/")[0] ?? "", row.company);
  }
  return found;
}

const hashOf = (content: unknown): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 16);
