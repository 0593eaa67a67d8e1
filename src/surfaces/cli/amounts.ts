/** A length of time in the unit that says something: `12 ms`, `3.4 s`. */
export function durationOf(seconds: number): string {
  const ms = Math.max(1, Math.round(seconds * 1_000));
  return ms < 1_000 ? `${ms} ms` : `${seconds.toFixed(1)} s`;
}

/** Bytes in the unit that says something: `83 kB`, `23.0 MB`. */
export function sizeOf(bytes: number): string {
  const kB = Math.ceil(bytes / 1_000);
  return kB < 1_000 ? `${kB} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
