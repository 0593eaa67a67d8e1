import { readlinkSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { errorCode } from "../../core/errors.ts";

/** Folders in the store that are no models yet, `.adding-HOST-PROCESS-UUID`, and those that no longer are. */
const ADDING = ".adding-";
const REMOVED = ".removed-";
const OWNER = /^\.adding-([0-9a-z]+)-(\d+)-/;
/** Process ids are of one machine, or of one container, which may have the host name of another one. */
const HOST = Bun.hash(`${hostname()} ${processNamespace()}`).toString(36);
/** A copy of another machine in which nothing was written for so long was left by a killed process. */
const ABANDONED_MS = 3_600_000;

/** Names of the copies that this process makes. */
const activeCopies = new Set<string>();

/** A path for a copy of a model, and the removal of what is still there. */
export function newCopy(store: string): { readonly path: string; remove(): Promise<void> } {
  const name = `${ADDING}${HOST}-${process.pid}-${crypto.randomUUID()}`;
  const path = join(store, name);
  activeCopies.add(name);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      activeCopies.delete(name);
    },
  };
}

/** A path to which a model is moved before it is removed. */
export const newRemoval = (store: string): string => join(store, `${REMOVED}${crypto.randomUUID()}`);

/** Removes what killed processes left in the store: their copies, and models that they were removing. */
export async function removeAbandoned(store: string): Promise<void> {
  for (const name of await namesIn(store)) {
    const path = join(store, name);
    if (name.startsWith(REMOVED) || (name.startsWith(ADDING) && (await isAbandoned(name, path))))
      await rm(path, { recursive: true, force: true });
  }
}

async function isAbandoned(name: string, path: string): Promise<boolean> {
  const [, host, id = ""] = OWNER.exec(name) ?? [];
  if (host === HOST && !isRunning(Number(id))) return true;
  // A process of an earlier container or boot may have had the id of this one.
  if (host === HOST && Number(id) === process.pid) return !activeCopies.has(name);
  // A file of 2 GiB may take longer to arrive, and changes its own time only.
  const files = await readdir(path).catch(() => []);
  const times = await Promise.all([path, ...files.map((file) => join(path, file))].map(modifiedAt));
  return Date.now() - Math.max(...times) > ABANDONED_MS;
}

/** Identifies the kernel's namespace of process ids; empty where there are none. */
function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // A process of another user cannot be signalled.
    return errorCode(error) !== "ESRCH";
  }
}

async function namesIn(store: string): Promise<readonly string[]> {
  try {
    return await readdir(store);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

const modifiedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
