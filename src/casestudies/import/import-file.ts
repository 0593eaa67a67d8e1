import type { LeftOut } from "../fields.ts";
import { isProblems } from "../record.ts";
import type { NewCaseStudy } from "../types.ts";
import type { FileRecord } from "./read-file.ts";

/** A field that records of a file gave and that was not kept, for one reason. */
interface FieldLeftOut extends LeftOut {
  /** How often in the whole file. */
  readonly count: number;
  /** Where the first of them start, {@link MAX_LINES} at most. */
  readonly lines: readonly number[];
}

const MAX_LINES = 20;
const MAX_FIELDS = 1_000;

/** Gathers what a file's records gave in vain: a misspelt column is one line to read, and not one for each of its rows. */
function createLeftOutList() {
  const fields = new Map<string, { field: string; reason: string; count: number; lines: number[] }>();
  let count = 0;
  return {
    add(line: number, { field, reason }: LeftOut): void {
      count++;
      const key = `${field}\n${reason}`;
      const known = fields.get(key);
      if (known === undefined) {
        if (fields.size < MAX_FIELDS) fields.set(key, { field, reason, count: 1, lines: [line] });
        return;
      }
      known.count++;
      if (known.lines.length < MAX_LINES && known.lines.at(-1) !== line) known.lines.push(line);
    },
    /** Of all fields in all records. */
    count: () => count,
    list: (): FieldLeftOut[] => [...fields.values()].map((one) => ({ ...one, lines: [...one.lines] })),
  };
}

/** `onLeftOut` is told of each field that was given and is not in what is returned. */
type Read = (raw: unknown, onLeftOut: (field: LeftOut) => void) => ReturnType<typeof import("../record.ts").readStudy>;

/** What became of one saved record; `of` is the record that it repeats. */
export interface SaveOutcome {
  readonly id: string;
  readonly outcome: "added" | "updated" | "unchanged" | "duplicate";
  readonly of?: string | null | undefined;
}

export interface ImportSource {
  /** Of `readFileRecords`. */
  readonly records: AsyncIterable<FileRecord>;
  readonly read: Read;
  /** Keeps a batch, each id in it once, in one transaction; one outcome per record. */
  readonly save: (batch: readonly NewCaseStudy[]) => Promise<readonly SaveOutcome[]>;
  readonly onProgress?: (summary: ImportSummary) => void;
  readonly signal?: AbortSignal;
}

/** What an import did. The lists are cut to {@link MAX_LISTED}; the counts are not. */
export interface ImportSummary {
  /** Records in the file, good and bad. */
  readonly read: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly duplicate: number;
  readonly duplicates: readonly { readonly line: number; readonly of: string | null }[];
  readonly bad_lines: number;
  readonly bad: readonly { readonly line: number; readonly reason: string }[];
  /** Fields that good records gave and that were not kept. */
  readonly left_out_fields: number;
  readonly left_out: readonly FieldLeftOut[];
  readonly seconds: number;
}

const MAX_LISTED = 1_000;
const BATCH = 200;

/**
 * Reads a file's records, keeps the good ones in batches and tells of the bad ones. The next batch is read when the one
 * before it is saved, so memory does not grow with the file. An import that was cut short is simply run again: what is
 * there already is `unchanged`.
 *
 * @throws the signal's reason once it is aborted, with every batch saved so far kept; whatever `save` throws
 */
export async function importStudies(source: ImportSource, now: () => number = Date.now): Promise<ImportSummary> {
  const { records, read, save, onProgress, signal } = source;
  const started = now();
  const counts = { read: 0, added: 0, updated: 0, unchanged: 0, duplicate: 0, bad_lines: 0 };
  const duplicates: { line: number; of: string | null }[] = [];
  const bad: { line: number; reason: string }[] = [];
  const leftOut = createLeftOutList();
  const batch = new Map<string, { line: number; study: NewCaseStudy }>();
  const summary = (): ImportSummary => ({
    ...counts,
    duplicates: [...duplicates],
    bad: [...bad],
    left_out_fields: leftOut.count(),
    left_out: leftOut.list(),
    seconds: (now() - started) / 1_000,
  });

  const flush = async () => {
    if (batch.size === 0) return;
    signal?.throwIfAborted();
    for (const { id, outcome, of } of await save([...batch.values()].map(({ study }) => study))) {
      counts[outcome]++;
      if (outcome === "duplicate" && duplicates.length < MAX_LISTED)
        duplicates.push({ line: batch.get(id)?.line ?? 0, of: of ?? null });
    }
    batch.clear();
    onProgress?.(summary());
  };
  const refuse = (line: number, reason: string) => {
    counts.bad_lines++;
    if (bad.length < MAX_LISTED) bad.push({ line, reason });
  };

  for await (const record of records) {
    signal?.throwIfAborted();
    counts.read++;
    if ("fault" in record) refuse(record.line, record.fault);
    else {
      const study = read(record.raw, (field) => leftOut.add(record.line, field));
      if (isProblems(study)) refuse(record.line, study.map(({ detail }) => detail).join(" "));
      else {
        if (record.leftOut) leftOut.add(record.line, record.leftOut);
        if (batch.has(study.id)) await flush();
        batch.set(study.id, { line: record.line, study });
      }
    }
    if (batch.size >= BATCH) await flush();
  }
  await flush();
  return summary();
}
