const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(1999, 11, 31);
const LAST_DAY = 0xfffe;

/** Days from 1999-12-31, within 1 and 65,534: two bytes hold every day to 2179, and 0 is free for "none". */
export const dayOf = (instant: string): number =>
  Math.min(Math.max(Math.floor((Date.parse(instant) - EPOCH) / DAY_MS), 1), LAST_DAY);

/** `YYYY-MM-DD`. */
export const dateOf = (day: number): string => new Date(EPOCH + day * DAY_MS).toISOString().slice(0, 10);
