/**
 * How often pairs are read in an epoch, from `ORIGIN=TIMES`: an origin (`wn:hyp`) or the part before its colon
 * (`wn`), or `*` for all others, which are read once by default. A later one wins.
 *
 * @throws Error for one in another form
 */
export function parseRepeats(told: readonly string[]): (origin: string) => number {
  const times = new Map<string, number>();
  for (const one of told) {
    const [origin = "", value = ""] = one.split("=");
    const number = Number(value);
    if (origin === "" || value === "" || !(number >= 0 && number <= 100))
      throw new Error(`"${one}" is not ORIGIN=TIMES with times from 0 to 100`);
    times.set(origin, number);
  }
  return (origin) => times.get(origin) ?? times.get(origin.split(":")[0] ?? "") ?? times.get("*") ?? 1;
}
