import type { Store } from "../../store/store.ts";
import type { NewCaseStudy } from "../../vocabulary/case-study.ts";
import { isProblems, readStudy, type StudyTools } from "../record.ts";

/** Case studies as they are to be kept: what operators corrected holds over what a file says. */
export async function underCorrections(
  corrections: Pick<Store["corrections"], "at">,
  tools: StudyTools,
  batch: readonly NewCaseStudy[],
): Promise<readonly NewCaseStudy[]> {
  const held = await corrections.at(batch.map(({ url }) => url));
  return batch.map((study) => {
    const values = held.get(study.url);
    const corrected = values && readStudy({ ...study, ...values }, tools);
    // A value that this release does not understand any more must not keep the rest out.
    return corrected && !isProblems(corrected) ? { ...corrected, id: study.id } : study;
  });
}
