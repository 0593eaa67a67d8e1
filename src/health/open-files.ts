import { readFile } from "node:fs/promises";
import { errorCode } from "../core/errors.ts";

/** Below this, a service may run out of files and sockets: the index alone opens some dozens, each request one more. */
const ENOUGH = 1_024;

/** How many files and sockets this process may have open; null where the system does not show it. */
async function openFileLimit(): Promise<number | null> {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(await readFile("/proc/self/limits", "utf8")) ?? [];
    if (soft === undefined) return null;
    return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
  } catch (error) {
    // Only Linux has this file.
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** What to say about a limit that is too low; null when it is high enough or not known. */
export async function lowOpenFileLimit(): Promise<{ readonly detail: string; readonly remedy: string } | null> {
  const limit = await openFileLimit();
  if (limit === null || limit >= ENOUGH) return null;
  return {
    detail: `This process may open only ${limit} files and sockets; searches and requests fail when they are used up.`,
    remedy: `Raise the limit to ${ENOUGH} or more: ulimit -n, or LimitNOFILE= of systemd.`,
  };
}
