/** Rows by what they were searched for. */
export interface KeptRows {
  /** The rows that were kept under this key, else those that are found now. */
  get(key: string, find: () => Uint32Array): Uint32Array;
  clear(): void;
}

/** Keeps what was used last, up to a number of bytes; the last one however large it is. */
export function createKeptRows(mostBytes: number): KeptRows {
  const kept = new Map<string, Uint32Array>();
  let bytes = 0;
  const remove = (key: string, rows: Uint32Array) => {
    kept.delete(key);
    bytes -= rows.byteLength + key.length;
  };
  return {
    get(key, find) {
      const known = kept.get(key);
      if (known) remove(key, known);
      const rows = known ?? find();
      // The end of the map is the last used.
      kept.set(key, rows);
      bytes += rows.byteLength + key.length;
      for (const [oldest, those] of kept) {
        if (bytes <= mostBytes || oldest === key) break;
        remove(oldest, those);
      }
      return rows;
    },
    clear() {
      kept.clear();
      bytes = 0;
    },
  };
}
