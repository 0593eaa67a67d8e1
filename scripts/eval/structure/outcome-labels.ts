import { basename, join } from "node:path";
import type { Outcome } from "../../../src/vocabulary/case-study.ts";

/** What labels need of a record of the corpus. */
export interface CorpusRecord {
  readonly id: string;
  readonly vendor: string;
  readonly vendor_slug: string;
  readonly url: string;
  readonly title: string;
  readonly summary: string | null;
  readonly body_markdown: string;
}

/** An outcome that a person found by reading, and where it stands. */
export interface OutcomeLabel extends Omit<Outcome, "text"> {
  /** UTF-16 offsets in {@link labelText} of the piece that holds the figure. */
  readonly start: number;
  readonly end: number;
  /** Other places that tell the same. */
  readonly also?: readonly (readonly [number, number])[];
}

/** Every quantified outcome of a record; an empty list where it has none. */
export type LabelledRecord = readonly OutcomeLabel[];

/** The text in which labels are placed. */
export const labelText = (record: CorpusRecord): string =>
  `${record.title}\n\n${record.summary ?? ""}\n\n${record.body_markdown}`;

const FOLDER = join(import.meta.dir, "../../../test/evaluation/outcome-labels");

/** Labels by record id, and the vendor whose file they stand in. */
export async function loadOutcomeLabels(): Promise<
  Map<string, { readonly vendor: string; readonly labels: LabelledRecord }>
> {
  const all = new Map<string, { vendor: string; labels: LabelledRecord }>();
  for (const file of [...new Bun.Glob("*.json").scanSync({ cwd: FOLDER })].sort()) {
    const labelled = (await Bun.file(join(FOLDER, file)).json()) as Record<string, LabelledRecord>;
    for (const [id, labels] of Object.entries(labelled)) all.set(id, { vendor: basename(file, ".json"), labels });
  }
  return all;
}
