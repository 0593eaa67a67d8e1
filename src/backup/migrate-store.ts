import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../core/errors.ts";
import type { CasefileDatabase } from "../db/contract.ts";
import { DATABASE_FILE, openDatabase } from "../db/database.ts";
import { takeDirectory } from "../db/locks.ts";
import { type CopiedTable, copyTables } from "../db/transfer.ts";

interface StoreLocation {
  readonly dataDir: string;
  readonly postgres?: { readonly url: string; readonly maxConnections: number } | undefined;
}

/** A node renews its row every six seconds. */
const SILENT_MS = 30_000;
const clock = () => new Date();

/**
 * Copies all data from the configured database to another one, which must be empty: from a data directory to PostgreSQL,
 * back, or between two servers. Custom models and fingerprints are files of the data directory and are not copied.
 *
 * @param to a PostgreSQL URL, or the path of a directory without a database
 * @throws Failure `store.unusable` while a process uses the source, or when the target has data; `config.invalid`
 */
export async function migrateStore(
  source: StoreLocation,
  to: string,
  options: {
    readonly signal?: AbortSignal;
    readonly onTable?: (table: string, rows: number) => void;
  },
): Promise<readonly CopiedTable[]> {
  const isUrl = /^postgres(?:ql)?:\/\//.test(to);
  // Not repeated in the message: it may contain a password.
  if (!isUrl && to.includes("://"))
    throw new Failure("config.invalid", "Cannot copy to this URL: give a postgres:// URL, or the path of a directory.");
  if (!isUrl && !source.postgres)
    throw new Failure(
      "config.invalid",
      "Give a PostgreSQL URL such as postgres://casefile@db.example/casefile; a directory is copied by casefile backup.",
    );
  if (!isUrl && (await stat(join(to, DATABASE_FILE)).catch(() => undefined)))
    throw new Failure("config.invalid", `The directory ${to} already has a database; give a new directory.`);
  if (!source.postgres) await assertUnused(source.dataDir);
  // The directory of a node is not the source, and the service may have it open.
  const from = await openDatabase({ ...source, ...(source.postgres ? { dataDir: ":memory:" } : {}), clock });
  try {
    if (source.postgres) await assertNoNodes(from);
    const target = isUrl
      ? await openDatabase({ dataDir: ":memory:", postgres: { url: to, maxConnections: 2 }, clock })
      : await openDatabase({ dataDir: to, clock });
    try {
      const copied = await copyTables(from, target, { signal: options.signal, onProgress: options.onTable });
      // A node that started meanwhile may have stored what the copy lacks.
      if (source.postgres) await assertNoNodes(from);
      return copied;
    } finally {
      await target.close();
    }
  } finally {
    await from.close();
  }
}

/** What a running service stores after the copy would be lost. */
async function assertUnused(dataDir: string): Promise<void> {
  if (!(await stat(join(dataDir, DATABASE_FILE)).catch(() => undefined)))
    throw new Failure("config.invalid", `The data directory ${dataDir} has no database.`);
  const lock = takeDirectory(dataDir);
  if (!lock) throw new Failure("store.unusable", `Another process uses ${dataDir}; stop the service first.`);
  lock.release();
}

async function assertNoNodes({ queries }: Pick<CasefileDatabase, "queries">): Promise<void> {
  const nodes = await queries.selectFrom("nodes").select(["host", "seen_at"]).execute();
  const running = nodes.filter(({ seen_at }) => Date.now() - Date.parse(seen_at) < SILENT_MS);
  if (running.length === 0) return;
  const hosts = running.map(({ host }) => host).join(", ");
  throw new Failure("store.unusable", `Nodes use the database (${hosts}); stop them first.`);
}
