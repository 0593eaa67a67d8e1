import type { Transaction } from "kysely";
import type { Tables } from "../tables.ts";

/** Fingerprints that differ in at most this many of their 64 bits are of one text. */
const MAX_DISTANCE = 3;

/** What a text without words has: it is like no other. */
const NO_TEXT = "0000000000000000";

/**
 * The fingerprint in four parts of 16 bits. Two fingerprints that differ in three bits at most share one of the parts,
 * whichever bits they are, so an index on each part finds all that are near.
 *
 * @param fingerprint 16 hex digits
 * @throws RangeError for anything else
 */
export function bandsOf(fingerprint: string) {
  if (!/^[0-9a-f]{16}$/.test(fingerprint)) throw new RangeError("A fingerprint is 16 lower-case hex digits.");
  const band = (index: number) => Number.parseInt(fingerprint.slice(index * 4, index * 4 + 4), 16);
  return { band_1: band(0), band_2: band(1), band_3: band(2), band_4: band(3) };
}

export interface Likeness {
  readonly fingerprint: string;
  readonly company_id: number;
  readonly client_id: number | null;
}

/** The id of the oldest case study of the same company and client whose text is the same but for a few words. */
export async function findNearDuplicate(transaction: Transaction<Tables>, like: Likeness): Promise<string | undefined> {
  if (like.fingerprint === NO_TEXT) return undefined;
  const bands = bandsOf(like.fingerprint);
  const candidates = await transaction
    .selectFrom("case_studies")
    .select(["id", "fingerprint", "client_id"])
    // The company in each branch lets each use its index.
    .where((eb) =>
      eb.or([
        eb.and([eb("company_id", "=", like.company_id), eb("band_1", "=", bands.band_1)]),
        eb.and([eb("company_id", "=", like.company_id), eb("band_2", "=", bands.band_2)]),
        eb.and([eb("company_id", "=", like.company_id), eb("band_3", "=", bands.band_3)]),
        eb.and([eb("company_id", "=", like.company_id), eb("band_4", "=", bands.band_4)]),
      ]),
    )
    .orderBy("number")
    .execute();
  return candidates.find(
    ({ client_id, fingerprint }) =>
      client_id === like.client_id && distance(fingerprint, like.fingerprint) <= MAX_DISTANCE,
  )?.id;
}

function distance(a: string, b: string): number {
  let differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let count = 0;
  while (differing > 0n && count <= MAX_DISTANCE) {
    differing &= differing - 1n;
    count++;
  }
  return count;
}
