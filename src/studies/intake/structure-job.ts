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
  parts: Pick<IntakeParts, "store" | "tools">,
  url: string,
  structured: StructuredPage,
): Promise<SaveResult["outcome"]> {
  const { store, tools } = parts;
  const { study, raw, provenance, fallback } = structured;
  const knownId = (await store.pages.find(url))?.case_study_id ?? null;
  const known = knownId === null ? undefined : await store.caseStudies.detail(knownId);
  const corrections = knownId === null ? {} : await store.corrections.of(knownId);
  const corrected = readStudy({ ...raw, ...corrections }, { ...tools, origin: "submitted" });
  const [saved] = await store.caseStudies.save([isProblems(corrected) ? study : corrected], {
    keepVersions: true,
    ...(known ? { over: { id: known.study.id, revision: known.revision } } : {}),
  });
  // It was corrected meanwhile.
  if (!saved) return await keepStudy(parts, url, structured);
  if (saved.outcome === "duplicate") {
    await store.pages.structured(url, { refused: `It repeats the case study ${saved.of}.` });
    return saved.outcome;
  }
  await store.corrections.keepProvenance(saved.id, provenance);
  await store.pages.structured(url, { caseStudyId: saved.id, note: fallback });
  return saved.outcome;
}
