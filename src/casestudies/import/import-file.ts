import type { Problem } from "../../core/errors.ts";
import type { FileRecord } from "../../tabular/read-records.ts";
import type { IgnoredField } from "../fields.ts";
import { isProblems } from "../record.ts";
import type { NewCaseStudy } from "../types.ts";

/** What happened to one saved record. `of` is the id of the record that a duplicate repeats. */
export interface SaveOutcome {
  readonly id: string;
  readonly outcome: "added" | "updated" | "unchanged" | "duplicate";
  readonly of?: string | null | undefined;
  /** Fields of the stored record that the file does not state, and those whose value it changed. */
  readonly kept?: readonly string[];
  readonly replaced?: readonly string[];
  readonly removed?: readonly string[];
}

export interface ImportSource {
  /** From `readFileRecords`. */
  readonly records: AsyncIterable<FileRecord>;
  /** `onIgnored` receives each field that was given and is not in the returned record. */
  readonly parse: (raw: unknown, onIgnored: (field: IgnoredField) => void) => NewCaseStudy | readonly Problem[];
  /** Saves a batch of records with distinct ids in one transaction, and returns one outcome for each. */
  readonly save: (batch: readonly NewCaseStudy[]) => Promise<readonly SaveOutcome[]>;
  readonly onProgress?: (summary: ImportSummary) => void;
  readonly signal?: AbortSignal;
}

/** Result of an import. Lists have at most 1,000 entries; counts are complete. */
export interface ImportSummary {
  /** Records in the file, valid and invalid. */
  readonly read: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly duplicate: number;
  readonly duplicates: readonly { readonly line: number; readonly of: string | null }[];
  readonly bad_lines: number;
  readonly bad: readonly { readonly line: number; readonly reason: string }[];
  /** Number of fields of valid records that were ignored. */
  readonly left_out_fields: number;
  readonly left_out: readonly IgnoredFieldSummary[];
  /** Number of values of stored records that the file lacks and that were kept, in total and by field. */
  readonly kept_fields: number;
  readonly kept: Readonly<Record<string, number>>;
  /** Number of values of stored records that were replaced by others. */
  readonly replaced_fields: number;
  readonly replaced: Readonly<Record<string, number>>;
  /** Number of values of stored records that the file lacks and that were removed, with `replace`. */
  readonly removed_fields: number;
  readonly removed: Readonly<Record<string, number>>;
  /** Industries that the taxonomy does not have, with their number of records; kept as written. */
  readonly unknown_industries: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** A field that was ignored in one or more records for the same reason. */
interface IgnoredFieldSummary extends IgnoredField {
  /** Number of occurrences in the file. */
  readonly count: number;
  /** First lines of the first records concerned, at most 20. */
  readonly lines: readonly number[];
}

const MAX_LISTED = 1_000;
const MAX_LINES = 20;
const BATCH = 200;

/**
 * Parses a file's records, saves the valid ones in batches and reports the invalid ones. The next batch is read after
 * the previous one is saved, so memory does not grow with the file. An interrupted import can be run again: records that
 * are already stored are `unchanged`.
 *
 * @throws the signal's reason when aborted (saved batches remain), and whatever `save` throws
 */
export async function importStudies(source: ImportSource, now: () => number = Date.now): Promise<ImportSummary> {
  const { records, parse, save, onProgress, signal } = source;
  const started = now();
  const counts = { read: 0, added: 0, updated: 0, unchanged: 0, duplicate: 0, bad_lines: 0 };
  const duplicates: { line: number; of: string | null }[] = [];
  const bad: { line: number; reason: string }[] = [];
  const ignored = collectIgnoredFields();
  const kept = countFields();
  const replaced = countFields();
  const removed = countFields();
  const unknownIndustries = countFields();
  const batch = new Map<string, { line: number; study: NewCaseStudy }>();
  const summary = (): ImportSummary => ({
    ...counts,
    duplicates: [...duplicates],
    bad: [...bad],
    left_out_fields: ignored.count(),
    left_out: ignored.list(),
    kept_fields: kept.total(),
    kept: kept.byField(),
    replaced_fields: replaced.total(),
    replaced: replaced.byField(),
    removed_fields: removed.total(),
    removed: removed.byField(),
    unknown_industries: unknownIndustries.byField(),
    seconds: (now() - started) / 1_000,
  });

  const saveBatch = async () => {
    if (batch.size === 0) return;
    signal?.throwIfAborted();
    for (const result of await save([...batch.values()].map(({ study }) => study))) {
      const { id, outcome, of } = result;
      counts[outcome]++;
      kept.add(result.kept);
      replaced.add(result.replaced);
      removed.add(result.removed);
      if (outcome === "duplicate" && duplicates.length < MAX_LISTED)
        duplicates.push({ line: batch.get(id)?.line ?? 0, of: of ?? null });
    }
    batch.clear();
    onProgress?.(summary());
  };
  const reject = (line: number, reason: string) => {
    counts.bad_lines++;
    if (bad.length < MAX_LISTED) bad.push({ line, reason });
  };

  for await (const record of records) {
    signal?.throwIfAborted();
    counts.read++;
    if ("fault" in record) reject(record.line, record.fault);
    else {
      const study = parse(record.raw, (field) => ignored.add(record.line, field));
      if (isProblems(study)) reject(record.line, study.map(({ detail }) => detail).join(" "));
      else {
        if (record.ignored) ignored.add(record.line, record.ignored);
        if (batch.has(study.id)) await saveBatch();
        if (study.industry !== null && study.industry.slug === null) unknownIndustries.add([study.industry.raw]);
        batch.set(study.id, { line: record.line, study });
      }
    }
    if (batch.size >= BATCH) await saveBatch();
  }
  await saveBatch();
  return summary();
}

function countFields() {
  const counts = new Map<string, number>();
  return {
    add(fields: readonly string[] = []): void {
      for (const field of fields)
        if (counts.has(field) || counts.size < MAX_LISTED) counts.set(field, (counts.get(field) ?? 0) + 1);
    },
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    byField: () => Object.fromEntries([...counts].sort(([, one], [, other]) => other - one)),
  };
}

/** Groups ignored fields, so that a misspelt column is reported once and not once per row. */
function collectIgnoredFields() {
  const fields = new Map<string, { field: string; reason: string; count: number; lines: number[] }>();
  let count = 0;
  return {
    add(line: number, { field, reason }: IgnoredField): void {
      count++;
      const key = `${field}\n${reason}`;
      const known = fields.get(key);
      if (known === undefined) {
        if (fields.size < MAX_LISTED) fields.set(key, { field, reason, count: 1, lines: [line] });
        return;
      }
      known.count++;
      if (known.lines.length < MAX_LINES && known.lines.at(-1) !== line) known.lines.push(line);
    },
    count: () => count,
    list: (): IgnoredFieldSummary[] => [...fields.values()].map((each) => ({ ...each, lines: [...each.lines] })),
  };
}
