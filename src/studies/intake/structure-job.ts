import type { Handler } from "../../jobs/runner.ts";
import type { SaveResult } from "../../store/case-studies.ts";
import type { Vendor } from "../../vocabulary/structured-study.ts";
import { isProblems, readStudy } from "../record.ts";
import type { IntakeParts } from "./parts.ts";
import { type StructuredPage, structurePage } from "./structure-page.ts";

/** Makes a fetched page a case study. */
export function structureJob(parts: IntakeParts): Handler {
  const { store } = parts;
  return async ({ payload }, signal) => {
    const url = String(payload.url);
    const page = await store.pages.content(url);
    const site = await store.pages.findSite(Number(payload.site));
    // Done before, by an attempt whose end was not noted.
    if (!page || !site) return undefined;
    const vendor: Vendor = { name: site.company_name, slug: site.company_slug, domain: site.company_domain };
    const structured = await structurePage(parts, page, vendor, signal);
    if ("refused" in structured) {
      await store.pages.structured(url, structured);
      return undefined;
    }
    await keepStudy(parts, url, structured);
    parts.changed();
    return undefined;
  };
}

/** Keeps what was read of a page; what an operator corrected holds over it. Answers what became of it. */
export async function keepStudy(
  { store, tools }: Pick<IntakeParts, "store" | "tools">,
  url: string,
  { study, raw, provenance, fallback }: StructuredPage,
): Promise<SaveResult["outcome"]> {
  const knownId = (await store.pages.find(url))?.case_study_id ?? null;
  const corrections = knownId === null ? {} : await store.corrections.of(knownId);
  const corrected = readStudy({ ...raw, ...corrections }, { ...tools, origin: "submitted" });
  const [saved] = await store.caseStudies.save([isProblems(corrected) ? study : corrected], { keepVersions: true });
  if (!saved) throw new Error("A case study that was saved is not there.");
  if (saved.outcome === "duplicate") {
    await store.pages.structured(url, { refused: `It repeats the case study ${saved.of}.` });
    return saved.outcome;
  }
  await store.corrections.keepProvenance(saved.id, provenance);
  await store.pages.structured(url, { caseStudyId: saved.id, note: fallback });
  return saved.outcome;
}
