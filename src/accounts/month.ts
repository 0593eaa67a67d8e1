/** A calendar month in UTC: the window in which requests are counted. */
export interface Month {
  /** `YYYY-MM`. */
  readonly name: string;
  readonly lengthSeconds: number;
  /** Until the next month begins, at least 1. */
  readonly secondsLeft: number;
}

export function monthOf(now: Date): Month {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return {
    name: now.toISOString().slice(0, 7),
    lengthSeconds: (end - start) / 1_000,
    secondsLeft: Math.ceil((end - now.getTime()) / 1_000),
  };
}
