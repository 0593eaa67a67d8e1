import type { Transaction } from "kysely";
import { enqueue } from "../outbox.ts";
import type { Tables } from "../tables.ts";
import { inChunks } from "./in-chunks.ts";
import { prune } from "./prune.ts";

/** Removes case studies, and companies and clients that none is left of. Answers how many there were. */
export async function removeStudies(
  transaction: Transaction<Tables>,
  ids: readonly string[],
  now: string,
): Promise<number> {
  const rows = await inChunks([...new Set(ids)], (chunk) =>
    transaction
      .deleteFrom("case_studies")
      .where("id", "in", chunk)
      .returning(["id", "company_id", "client_id"])
      .execute(),
  );
  await prune(transaction, rows);
  await enqueue(
    transaction,
    "delete",
    rows.map(({ id }) => id),
    now,
  );
  return rows.length;
}
