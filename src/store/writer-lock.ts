import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isAlive } from "./process-alive.ts";

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
 * @param path a file in the data directory; made when the lock is taken
 * @param alive whether a process with this id runs
 */
export function createWriterLock(path: string, alive: (pid: number) => boolean = isAlive): WriterLock {
  let held = false;
  const take = (): boolean => {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
      throw error;
    }
  };
  const holder = (): number => {
    try {
      return Number(readFileSync(path, "utf8"));
    } catch {
      return Number.NaN;
    }
  };
  return {
    acquire() {
      held ||= take();
      if (held) return "held";
      const pid = holder();
      // A process id is used again after a restart of the machine, also by us.
      if (pid !== process.pid && Number.isInteger(pid) && pid > 0 && alive(pid)) return "others";
      rmSync(path, { force: true });
      held = take();
      return held ? "inherited" : "others";
    },
    release() {
      if (!held) return;
      held = false;
      rmSync(path, { force: true });
    },
  };
}
