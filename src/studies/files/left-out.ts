import type { LeftOut } from "../raw-fields.ts";

/** A field that records of a file gave and that was not kept, for one reason. */
export interface FieldLeftOut extends LeftOut {
  /** How often in the whole file. */
  readonly count: number;
  /** Where the first of them start, {@link MAX_LINES} at most. */
  readonly lines: readonly number[];
}

const MAX_LINES = 20;
const MAX_FIELDS = 1_000;

/** Gathers what a file's records gave in vain: a misspelt column is one line to read, and not one for each of its rows. */
export function createLeftOutList() {
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
