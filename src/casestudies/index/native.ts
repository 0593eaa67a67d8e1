import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setNativeVariable } from "../../natives/environment.ts";
import { loadAddon } from "../../natives/unpack.ts";

export type Lance = typeof import("@lancedb/lancedb");
export type Arrow = typeof import("apache-arrow");

export interface Native {
  readonly lance: Lance;
  readonly arrow: Arrow;
}

/**
 * Loads LanceDB. From source its package finds its own add-on. An executable carries the add-on, and the build has put
 * `casefileLanceDb` in the place where the package would look for it.
 *
 * @param unpackDir the folder for the executable's native parts, only the operator's to write
 * @throws Failure `store.unusable` when they cannot be written, Error when they do not fit the machine
 */
export async function loadNative(unpackDir: string): Promise<Native> {
  await giveTemporaryFolder(join(unpackDir, "temporary"));
  if (!("casefileLanceDb" in globalThis)) {
    const addon = await loadAddon("lancedb", unpackDir);
    if (addon !== undefined) Object.assign(globalThis, { casefileLanceDb: addon });
  }
  const [lance, arrow] = await Promise.all([import("@lancedb/lancedb"), import("apache-arrow")]);
  return { lance, arrow };
}

/** Lance sorts in files: in a folder of ours, for that of the system may be shared, full, or not be there at all. */
async function giveTemporaryFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  setNativeVariable("TMPDIR", folder);
}
