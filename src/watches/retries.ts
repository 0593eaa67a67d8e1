/**
 * Seconds between attempts, as Standard Webhooks recommends: seconds for a hiccup, minutes for a restart, hours for a
 * day on which nobody is there. Ten attempts in three days.
 */
const WAITS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** Beyond it a receiver's wish is not followed: it may be a mistake, or its way to be forgotten. */
const LONGEST_WISH = 86_400;

/**
 * @param attempts so far, 1 or more
 * @param random 0–1: up to a tenth is added, so that what failed together is not tried together
 * @param wished seconds for which the receiver asks to be left alone
 * @returns seconds until the next attempt, not less than it wished, up to a day; null when it is given up
 */
export function nextAttempt(attempts: number, random: () => number, wished = 0): number | null {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? null : Math.round(Math.max(wait, Math.min(wished, LONGEST_WISH)) * (1 + random() / 10));
}
