import { isProblems, parseRecord } from "../record.ts";
import type { SaveResult } from "../save.ts";
import type { FetchedPage, NewCaseStudy, Provenance, Vendor } from "../types.ts";
import type { IntakeContext } from "./context.ts";

interface StructuredPage {
  readonly study: NewCaseStudy;
  /** The record before parsing, to which corrections are applied. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly provenance: readonly Provenance[];
  /** Why another engine than the configured one was used; null otherwise. */
  readonly fallback: string | null;
}

/** Pages with fewer words are menus or error messages. */
export const MIN_WORDS = 40;

/**
 * Extracts a case study from a page. Saves nothing.
 *
 * @throws ProcessEnded when reading the page exceeded a limit of time or memory
 */
export async function structurePage(
  { extractor, engine, parseContext }: Pick<IntakeContext, "extractor" | "engine" | "parseContext">,
  page: FetchedPage,
  vendor: Vendor,
  signal?: AbortSignal,
): Promise<StructuredPage | { readonly refused: string }> {
  const text = await extractor.extract(page, signal);
  if (countWords(text.markdown) < MIN_WORDS) return { refused: "The page contains no readable case study." };
  const { fields, provenance, fallback } = await engine.structure(text, vendor, signal);
  const raw = { ...fields, url: text.canonical ?? text.url, company: vendor, body: text.markdown };
  const study = parseRecord(raw, { ...parseContext, defaultOrigin: "submitted" });
  if (isProblems(study)) return { refused: study.map(({ detail }) => detail).join(" ") };
  return { study, raw, provenance, fallback };
}

/** In languages without spaces each character counts as a word. */
export const countWords = (text: string): number =>
  text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu)?.length ?? 0;

/** Saves the case study of a page with the operator's corrections applied. Returns the outcome of the save. */
export async function saveStructuredPage(
  context: Pick<IntakeContext, "pages" | "caseStudies" | "corrections" | "parseContext">,
  url: string,
  structured: StructuredPage,
): Promise<SaveResult["outcome"]> {
  const { pages, caseStudies, corrections, parseContext } = context;
  const { study, raw, provenance, fallback } = structured;
  const id = (await pages.find(url))?.case_study_id ?? null;
  const stored = id === null ? undefined : await caseStudies.detail(id);
  const values = id === null ? {} : await corrections.of(id);
  const corrected = parseRecord({ ...raw, ...values }, { ...parseContext, defaultOrigin: "submitted" });
  const [saved] = await caseStudies.save([isProblems(corrected) ? study : corrected], {
    keepVersions: true,
    ifRevision: stored && { id: stored.study.id, revision: stored.revision },
  });
  // The operator corrected it meanwhile: apply the new corrections.
  if (!saved) return await saveStructuredPage(context, url, structured);
  if (saved.outcome === "duplicate") {
    await pages.markStructured(url, { refused: `The page duplicates the case study ${saved.of}.` });
    return saved.outcome;
  }
  await corrections.saveProvenance(saved.id, provenance);
  await pages.markStructured(url, { caseStudyId: saved.id, note: fallback });
  return saved.outcome;
}
