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
 * What Lance reads ahead. Its defaults are for object storage: a compaction of 421,000 passages takes 360 MB with them, 190 MB
 * with these, in the same time.
 */
const READ_AHEAD = {
  LANCE_DEFAULT_BATCH_SIZE: "1024",
  LANCE_DEFAULT_FRAGMENT_READAHEAD: "1",
  LANCE_DEFAULT_IO_BUFFER_SIZE: String(16 * 1_048_576),
};

/**
 * Loads LanceDB. From source, its package finds the native add-on. In an executable, the build replaces that lookup by
 * `casefileLanceDb`, which is unpacked from the executable.
 *
 * @param unpackDir folder for the executable's native libraries, writable only by the operator
 * @throws Failure `store.unusable` when they cannot be written, Error when they do not run on this machine
 */
export async function loadNative(unpackDir: string): Promise<Native> {
  await setTemporaryFolder(join(unpackDir, "temporary"));
  for (const [name, value] of Object.entries(READ_AHEAD)) setNativeVariable(name, value);
  if (!("casefileLanceDb" in globalThis)) {
    const addon = await loadAddon("lancedb", unpackDir);
    if (addon !== undefined) Object.assign(globalThis, { casefileLanceDb: addon });
  }
  const [lance, arrow] = await Promise.all([import("@lancedb/lancedb"), import("apache-arrow")]);
  return { lance, arrow };
}

/** Lance sorts in temporary files. The system's folder for them may be shared, full, or missing. */
async function setTemporaryFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  setNativeVariable("TMPDIR", folder);
}
