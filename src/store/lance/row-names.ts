import type { Table } from "@lancedb/lancedb";

/** What a row of the table stands for. */
export interface RowName {
  /** The passage's id in the database. */
  readonly passage: number;
  /** The case study's id. */
  readonly study: string;
}

/**
 * The names of a table's rows, in memory: to read a hundred of them from the table takes a third of a search. A row's
 * number stands for the same row for ever; one that is written anew, or moved by compaction, has another number.
 */
export interface RowNames {
  /** False until they were read, and once one was missing: then it is no use to ask for numbers alone. */
  readonly areKnown: boolean;
  /** In order; undefined when the name of one of them is not known. */
  find(rows: readonly bigint[]): RowName[] | undefined;
  /** Tells that a search read its names from the table; after some, they are all read anew, behind the searches. */
  missed(): void;
  /** Reads them all: a fifth of a second of work and 18 MB for 400,000. */
  load(): Promise<void>;
}

/**
 * Two misses a search: a command asks one question and needs none of them, and while case studies keep coming they are
 * not read more often than it pays.
 */
const MISSES_BEFORE_LOAD = 32;

interface Fragment {
  readonly passages: number[];
  readonly studies: string[];
}

export function createRowNames(table: Table): RowNames {
  let fragments = new Map<number, Fragment>();
  let areKnown = false;
  let misses = 0;
  let loading: Promise<void> | undefined;

  const load = async () => {
    const read = new Map<number, Fragment>();
    let last = "";
    const query = table.query().select(["passage", "study"]).withRowId();
    for await (const batch of query) {
      const passages: BigInt64Array = batch.getChild("passage")?.toArray();
      const rows: BigUint64Array = batch.getChild("_rowid")?.toArray();
      const studies = batch.getChild("study");
      for (let at = 0; at < batch.numRows; at++) {
        const { fragment, offset } = placeOf(rows[at] ?? 0n);
        const names = read.get(fragment) ?? { passages: [], studies: [] };
        read.set(fragment, names);
        // A case study's passages stand together and share one text.
        const study: string = studies?.get(at) ?? "";
        if (study !== last) last = study;
        names.passages[offset] = Number(passages[at]);
        names.studies[offset] = last;
      }
    }
    fragments = read;
    areKnown = true;
    misses = 0;
  };

  const loadOnce = () => {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  };

  return {
    load: loadOnce,

    get areKnown() {
      return areKnown;
    },

    find(rows) {
      const found: RowName[] = [];
      for (const row of rows) {
        const { fragment, offset } = placeOf(row);
        const names = fragments.get(fragment);
        const passage = names?.passages[offset];
        const study = names?.studies[offset];
        if (passage === undefined || study === undefined) {
          areKnown = false;
          return undefined;
        }
        found.push({ passage, study });
      }
      return found;
    },

    missed() {
      misses++;
      // When it fails, searches are answered from the table as before, and it is tried again after as many.
      if (misses % MISSES_BEFORE_LOAD === 0) loadOnce().catch(() => {});
    },
  };
}

/** Lance numbers a row by its fragment and its place there; numbers of fragments are never used twice. */
const placeOf = (row: bigint) => ({ fragment: Number(row >> 32n), offset: Number(row & 0xffff_ffffn) });
