import { existsSync, rmSync, writeFileSync } from "node:fs";
import { type DirectoryLock, takeLock } from "./directory-lock.ts";

/** Says which process writes the search index: LanceDB keeps what one writer commits, and loses what several do at once. */
export interface WriterLock {
  /**
   * `held`: this process has it now. `inherited`: likewise, and the process that had it before ended without giving it
   * back, so what it was at may be half done. `others`: another process that runs has it.
   */
  acquire(): "held" | "inherited" | "others";
  release(): void;
}

/**
 * The lock is the system's, which gives it back however a process ends: in containers on one volume each process may
 * have the same number, so no number tells who runs. A mark beside it stays where nobody gave the lock back.
 *
 * @param path of the lock's file, in the data directory
 */
export function createWriterLock(path: string): WriterLock {
  const mark = `${path}.at-work`;
  let held: DirectoryLock | undefined;
  return {
    acquire() {
      if (held) return "held";
      held = takeLock(path);
      if (!held) return "others";
      if (existsSync(mark)) return "inherited";
      writeFileSync(mark, "", { mode: 0o600 });
      return "held";
    },
    release() {
      if (!held) return;
      rmSync(mark, { force: true });
      held.release();
      held = undefined;
    },
  };
}
