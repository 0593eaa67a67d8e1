import { basename, join } from "node:path";
import { plainText } from "../../../src/casestudies/text/markdown.ts";
import type { PlainOutcome } from "../../../src/casestudies/types.ts";
import type { CorpusRecord } from "./corpus.ts";

/** An outcome that a person labelled, with its position. */
export interface OutcomeLabel extends Omit<PlainOutcome, "text"> {
  /** UTF-16 offsets in {@link labelText} of the piece that holds the figure. */
  readonly start: number;
  readonly end: number;
  /** Other places with the same statement. */
  readonly also?: readonly (readonly [number, number])[];
}

/** Every quantified outcome of a record; an empty list where it has none. */
export type LabelledRecord = readonly OutcomeLabel[];

/** The text in which labels are placed. */
export const labelText = (record: CorpusRecord): string =>
  `${record.title}\n\n${record.summary ?? ""}\n\n${record.body_markdown}`;

const FOLDER = join(import.meta.dir, "../../../test/evaluation/outcome-labels");

/** Labels by record id, and the vendor whose file contains them. */
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

/** All units that count things are one unit, and so is a missing unit. */
const COUNTS: ReadonlySet<string> = new Set(["count", "users", "customers", "employees", "servers"]);
const unitOf = (unit: string | null) => (unit === null || COUNTS.has(unit) ? "count" : unit);

type Figure = Pick<PlainOutcome, "value" | "unit">;
export const isSameFigure = (left: Figure, right: Figure): boolean =>
  left.value === right.value && unitOf(left.unit) === unitOf(right.unit);

/** The word runs of each place of a label. */
export function piecesOf(record: CorpusRecord, { start, end, also = [] }: OutcomeLabel): ReadonlySet<string>[] {
  const text = labelText(record);
  return [[start, end] as const, ...also].map(([from, to]) => runsOf(text.slice(from, to)));
}

/** Runs of three words; all words in one where there are fewer. */
export function runsOf(text: string): ReadonlySet<string> {
  const words =
    plainText(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const last = Math.max(0, words.length - 3);
  return new Set(words.slice(0, last + 1).map((_, at) => words.slice(at, at + 3).join(" ")));
}

export const overlaps = (pieces: readonly ReadonlySet<string>[], words: ReadonlySet<string>): boolean =>
  pieces.some((piece) => [...piece].some((run) => words.has(run)));
