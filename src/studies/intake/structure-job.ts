import type { Handler } from "../../jobs/runner.ts";
import type { Vendor } from "../../vocabulary/structured-study.ts";
import { isProblems } from "../record.ts";
import { correctedBy } from "./corrections.ts";
import type { IntakeParts } from "./parts.ts";
import { type StructuredPage, structurePage } from "./structure-page.ts";

/** Makes a fetched page a case study. */
export function structureJob(parts: IntakeParts): Handler {
  const { store } = parts;
  return async ({ payload }, signal) => {
    const url = String(payload.url);
    const [page, known, site] = [
      await store.pages.content(url),
      await store.pages.find(url),
      await store.pages.findSite(Number(payload.site)),
    ];
    // Done before, by an attempt whose end was not noted.
    if (!page || !site) return undefined;
    const vendor: Vendor = { name: site.company_name, slug: site.company_slug, domain: site.company_domain };
    const structured = await structurePage(parts, page, vendor, signal);
    if ("refused" in structured) {
      await store.pages.structured(url, structured);
      return undefined;
    }
    await keepStudy(parts, url, structured, known?.case_study_id ?? null);
    parts.changed();
    return undefined;
  };
}

/** What an operator corrected holds over what was read now. */
async function keepStudy(
  { store, tools }: IntakeParts,
  url: string,
  { study, raw, provenance }: StructuredPage,
  knownId: string | null,
): Promise<void> {
  const corrections = knownId === null ? {} : await store.corrections.of(knownId);
  const corrected = correctedBy(raw, corrections, tools);
  const [saved] = await store.caseStudies.save([isProblems(corrected) ? study : corrected]);
  if (!saved) throw new Error("A case study that was saved is not there.");
  if (saved.outcome === "duplicate") {
    await store.pages.structured(url, { refused: `It repeats the case study ${saved.of}.` });
    return;
  }
  const byOperator = Object.keys(corrections).map((field) => ({
    pointer: `/${field}`,
    engine: "operator" as const,
    sentence: null,
    confidence: 1,
  }));
  const read = provenance.filter(({ pointer }) => corrections[pointer.split("/")[1] ?? ""] === undefined);
  await store.corrections.keepProvenance(saved.id, [...read, ...byOperator]);
  await store.pages.structured(url, { caseStudyId: saved.id });
}
