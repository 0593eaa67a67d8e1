import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../core/errors.ts";
import { type DirectoryLock, takeLock } from "./locks.ts";

/** This process, as others see it that share its database. Leases name it. */
export interface ClusterNode {
  /** New at each start: process ids are the same in every container. */
  readonly id: string;
  /** Lets others on this volume see that the node runs. Called before it takes its first lease. */
  enter(): void | Promise<void>;
  /** Whether another node has ended for certain. False while it runs, and where that cannot be seen. */
  hasEnded(id: string): boolean | Promise<boolean>;
  /** Called when the node holds no lease any more. */
  leave(): void | Promise<void>;
}

const SUFFIX = ".sqlite";
/** A node that is just starting has a file, but no lock yet. */
const STARTED_MS = 60_000;

/**
 * A node holds a lock of the operating system, which ends with its process, so that a restart after a crash takes over at
 * once. Nodes elsewhere are only known to have ended when they no longer renew their leases.
 *
 * @param dataDir undefined when nothing is stored on disk
 */
export function createNode(dataDir: string | undefined) {
  const id = crypto.randomUUID();
  const folder = dataDir === undefined ? undefined : join(dataDir, "nodes");
  const pathOf = (node: string) => join(folder ?? "", `${node}${SUFFIX}`);
  let lock: DirectoryLock | undefined;
  const hasEnded = (other: string): boolean => {
    // The name becomes part of a path.
    if (folder === undefined || other === id || !/^[0-9a-f-]{36}$/.test(other)) return false;
    const path = pathOf(other);
    // A node that left released its leases; a restored backup has leases of nodes that are not here.
    if (!existsSync(path)) return true;
    const taken = takeLock(path);
    if (!taken) return false;
    taken.release();
    rmSync(path, { force: true });
    return true;
  };

  /** A node that was killed while it held no lease is never asked for, and would leave its file for ever. */
  const removeEnded = (nodes: string) => {
    for (const name of readdirSync(nodes)) {
      const made = statSync(join(nodes, name), { throwIfNoEntry: false })?.mtimeMs;
      if (name.endsWith(SUFFIX) && made !== undefined && Date.now() - made > STARTED_MS)
        hasEnded(name.slice(0, -SUFFIX.length));
    }
  };

  return {
    id,
    enter(): void {
      if (folder === undefined || lock) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      removeEnded(folder);
      lock = takeLock(pathOf(id));
    },
    hasEnded,
    leave(): void {
      if (!lock) return;
      rmSync(pathOf(id), { force: true });
      lock.release();
      lock = undefined;
    },
  };
}

/** The id of the search index in a data directory, which stays when its process is started again. */
export async function readIndexId(dataDir: string): Promise<string> {
  const path = join(dataDir, "index-id");
  for (;;) {
    const id = (await readFile(path, "utf8").catch(() => "")).trim();
    if (/^[0-9a-f-]{36}$/.test(id)) return id;
    // Of several processes that start at the same time, one links its file; the others read that one.
    const own = `${path}.${crypto.randomUUID()}`;
    await writeFile(own, crypto.randomUUID(), { mode: 0o600 });
    await link(own, path).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
    await rm(own);
  }
}
