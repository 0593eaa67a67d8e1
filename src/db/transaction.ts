import { type Kysely, sql, type Transaction } from "kysely";
import { sleep } from "../core/async.ts";
import { isPostgres } from "./engine.ts";
import { isConflict, isConnectionLost } from "./postgres/faults.ts";
import type { Tables } from "./schema.ts";

const MAX_ATTEMPTS = 6;
const FIRST_WAIT_MS = 20;

/**
 * Runs a transaction whose reads nobody changes before its writes.
 *
 * SQLite has one writer at a time. On PostgreSQL the transaction holds the lock of its area from its start, which every
 * transaction of the area takes: the name of a table, or of one thing in it (`scan acme.example`) where transactions of
 * different things may run at the same time. A transaction that PostgreSQL ends because of another one, or that loses its
 * connection before the commit, is run again, so `work` may run several times. One whose commit got no answer is not: it
 * may have been committed.
 *
 * @throws what `work` throws; Failure `store.unusable` when the database does not answer
 */
export async function inTransaction<Result>(
  queries: Kysely<Tables>,
  area: string,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  if (!isPostgres(queries)) return await queries.transaction().execute(work);
  for (let attempt = 1; ; attempt++) {
    let isDone = false;
    try {
      return await queries.transaction().execute(async (transaction) => {
        await lockArea(transaction, area);
        const result = await work(transaction);
        isDone = true;
        return result;
      });
    } catch (error) {
      const mayRepeat = isConflict(error) || (!isDone && isConnectionLost(error));
      if (!mayRepeat || attempt === MAX_ATTEMPTS) throw error;
    }
    await sleep(FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random()));
  }
}

/** Takes the lock of another area, too, until the transaction ends; on SQLite the transaction has every lock. */
export async function lockArea(transaction: Transaction<Tables>, area: string): Promise<void> {
  if (isPostgres(transaction))
    await sql`select pg_advisory_xact_lock(hashtextextended(${`casefile ${area}`}, 0))`.execute(transaction);
}
