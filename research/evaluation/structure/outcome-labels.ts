import { basename, join } from "node:path";
import { plainText } from "../../../src/casestudies/text/markdown.ts";
import type { Outcome } from "../../../src/casestudies/types.ts";
import type { CorpusRecord } from "./corpus.ts";

/** An outcome that a person labelled, with its position. */
export interface OutcomeLabel extends Pick<Outcome, "metric" | "value" | "unit" | "direction"> {
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
const READINGS = join(import.meta.dir, "../../labels/case-studies.jsonl");

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

/** An outcome as `research/labels/case-studies.jsonl` has it. */
interface ReadOutcome {
  /** UTF-16 offsets in the record's Markdown. */
  readonly span: readonly [number, number];
  readonly noun: string;
  readonly kind: "change" | "level" | "qualitative";
  readonly direction: "increase" | "decrease" | "none";
  readonly value: number | null;
  readonly unit: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly better: boolean;
}

/** What a person says that a piece of a study states. */
export interface OutcomeTruth {
  readonly pieces: readonly ReadonlySet<string>[];
  /** Any of these figures, in seconds, bytes or the unit itself; empty without a figure. */
  readonly figures: readonly number[];
  readonly dimension: string;
  /** Null in older labels, which do not say, and so are `noun` and `better`. */
  readonly kind: ReadOutcome["kind"] | null;
  readonly direction: Outcome["direction"];
  readonly better: boolean | null;
  readonly noun: string | null;
  /** Null in newer labels. */
  readonly metric: string | null;
}

export interface RecordTruth {
  /** What at least one reader named. */
  readonly labels: readonly MergedTruth[];
  /** Whether the labels include results without a figure. */
  readonly hasQualitative: boolean;
}

/** Every reader of the study who could name it did; to miss another one is no error, and neither is to find it. */
export type MergedTruth = OutcomeTruth & { readonly isAgreed: boolean };

/** The outcomes of each record that was read, by the readers of `case-studies.jsonl` and those of the older labels. */
export async function outcomeTruth(records: readonly CorpusRecord[]): Promise<ReadonlyMap<string, RecordTruth>> {
  const older = await loadOutcomeLabels();
  const lines = (await Bun.file(READINGS).text()).split("\n").filter((line) => line !== "");
  const readings = new Map(
    lines
      .map((line): { id: string; readings: readonly { outcomes: readonly ReadOutcome[] }[] } => JSON.parse(line))
      .map(({ id, readings: all }) => [id, all.map(({ outcomes }) => outcomes)]),
  );
  const truths = new Map<string, RecordTruth>();
  for (const record of records) {
    const read = (readings.get(record.id) ?? []).map((labels) => labels.map((label) => truthOfReading(record, label)));
    const known = older.get(record.id)?.labels.filter(({ value }) => value !== null);
    if (read.length === 0 && known === undefined) continue;
    const figures = known === undefined ? read : [...read, known.map((label) => truthOfLabel(record, label))];
    truths.set(record.id, {
      labels: [
        ...merged(figures.map((labels) => labels.filter(({ kind }) => kind !== "qualitative"))),
        ...merged(read.map((labels) => labels.filter(({ kind }) => kind === "qualitative"))),
      ],
      hasQualitative: read.length > 0,
    });
  }
  return truths;
}

/** One label for each outcome, with the fields of the first reader who names it. */
function merged(readers: readonly (readonly OutcomeTruth[])[]): MergedTruth[] {
  const found: { label: OutcomeTruth; by: Set<number> }[] = [];
  for (const [reader, labels] of readers.entries())
    for (const label of labels) {
      const same = found.find((one) => !one.by.has(reader) && isSameOutcome(one.label, label));
      if (same) {
        same.by.add(reader);
        same.label = {
          ...same.label,
          metric: same.label.metric ?? label.metric,
          pieces: [...same.label.pieces, ...label.pieces],
        };
      } else found.push({ label, by: new Set([reader]) });
    }
  return found.map(({ label, by }) => ({ ...label, isAgreed: by.size === readers.length }));
}

const isSameOutcome = (left: OutcomeTruth, right: OutcomeTruth) =>
  left.dimension === right.dimension &&
  (left.figures.length === 0 || left.figures.some((figure) => right.figures.some((other) => isNear(figure, other)))) &&
  right.pieces.some((piece) => overlaps(left.pieces, piece));

const isNear = (figure: number, other: number) => Math.abs(other - figure) <= 0.02 * Math.abs(figure);

function truthOfReading({ body_markdown }: CorpusRecord, label: ReadOutcome): OutcomeTruth {
  const { kind, noun, better, direction, span } = label;
  const { size, dimension } = sizeOf(label.unit);
  const figures = [label.to, label.value, label.to ?? label.value ?? label.from].filter((value) => value !== null);
  return {
    pieces: [runsOf(body_markdown.slice(...span))],
    figures: figures.map((value) => value * size),
    dimension,
    kind: figures.length === 0 ? "qualitative" : kind,
    direction: direction === "none" ? "absolute" : direction,
    better,
    noun,
    metric: null,
  };
}

function truthOfLabel(record: CorpusRecord, label: OutcomeLabel): OutcomeTruth {
  const { size, dimension } = sizeOf(label.unit);
  return {
    pieces: piecesOf(record, label),
    figures: [(label.value ?? 0) * size],
    dimension,
    kind: null,
    direction: label.direction,
    better: null,
    noun: null,
    metric: label.metric,
  };
}

const SIZES: Readonly<Record<string, readonly [string, number]>> = {
  "%": ["percent", 1],
  percent: ["percent", 1],
  x: ["multiple", 1],
  times: ["multiple", 1],
  milliseconds: ["duration", 1e-3],
  seconds: ["duration", 1],
  minutes: ["duration", 60],
  hours: ["duration", 3_600],
  days: ["duration", 86_400],
  weeks: ["duration", 604_800],
  months: ["duration", 2_629_800],
  years: ["duration", 31_557_600],
  MB: ["bytes", 1e6],
  megabytes: ["bytes", 1e6],
  GB: ["bytes", 1e9],
  TB: ["bytes", 1e12],
  terabytes: ["bytes", 1e12],
  PB: ["bytes", 1e15],
};
/** Units that count things, money and others are one dimension. */
function sizeOf(unit: string | null): { size: number; dimension: string } {
  const [dimension, size] = SIZES[unit ?? ""] ?? ["count", 1];
  return { dimension, size };
}

const RATIO_OR_SIZE = new Set(["percent", "multiple", "duration", "bytes"]);

/** The same figure in the same unit or another of its dimension: 5 minutes equals 300 seconds. */
export function isSameFigure(
  { figures, dimension }: Pick<OutcomeTruth, "figures" | "dimension">,
  amount: { readonly value: number; readonly high?: number | null; readonly unit: string | null },
): boolean {
  const found = sizeOf(amount.unit);
  const own = RATIO_OR_SIZE.has(found.dimension) ? found.dimension : "count";
  if (own !== dimension) return false;
  return [amount.value, amount.high ?? amount.value].some((value) =>
    figures.some((figure) => isNear(figure, value * found.size)),
  );
}

/** The word runs of each place of a label. */
function piecesOf(record: CorpusRecord, { start, end, also = [] }: OutcomeLabel): ReadonlySet<string>[] {
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
