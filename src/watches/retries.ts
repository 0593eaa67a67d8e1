/**
 * Seconds between attempts, as Standard Webhooks recommends: seconds for a hiccup, minutes for a restart, hours for a
 * day on which nobody is there. Ten attempts in three days.
 */
const WAITS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/**
 * @param attempts so far, 1 or more
 * @param random 0–1: up to a tenth is added, so that what failed together is not tried together
 * @returns seconds until the next attempt; null when it is given up
 */
export function nextAttempt(attempts: number, random: () => number): number | null {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? null : Math.round(wait * (1 + random() / 10));
}
