import { rename } from "node:fs/promises";
import { restoreArchive } from "../../src/backup/restore.ts";

/**
 * Restores an archive, pauses at a given point, prints that it did, and waits to be killed: before its n-th rename
 * (`rename 2`), while it reads (`read`), or while it checks (`check`).
 */

const [file = "", dataDir = "", step = "", count = "1"] = process.argv.slice(2);
setInterval(() => {}, 60_000);
let renames = 0;

/** Blocks the whole process, as a kill at this point would. */
function stop(): void {
  process.stdout.write("stopped\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

await restoreArchive(file, dataDir, {
  now: new Date("2026-05-05T12:00:00.000Z"),
  async move(from, to) {
    renames += 1;
    if (step === "rename" && renames === Number(count)) stop();
    await rename(from, to);
  },
  onProgress(at) {
    if (at === step) stop();
  },
});
process.stdout.write("ended\n");
