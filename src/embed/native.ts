import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../vocabulary/failure.ts";
import { sha256 } from "./model-files.ts";
import { NATIVE_FILES, type NativeFile } from "./native-files.ts";

export type Runtime = typeof import("onnxruntime-node");

/**
 * Loads ONNX Runtime. From source the package finds its own native parts. An executable carries them: its add-on looks
 * for the library beside itself, so both are written to one private folder, and the build has put
 * `casefileOnnxRuntime` in the place where the package would look for its add-on.
 *
 * @param unpackDir the folder for the executable's native parts, only the operator's to write
 * @throws Failure `model.unavailable` when they cannot be written or loaded
 */
export async function loadRuntime(unpackDir: string): Promise<Runtime> {
  try {
    if (NATIVE_FILES.length > 0 && !("casefileOnnxRuntime" in globalThis)) {
      const addon: { exports: unknown } = { exports: {} };
      process.dlopen(addon, await unpackAll(NATIVE_FILES, unpackDir));
      Object.assign(globalThis, { casefileOnnxRuntime: addon.exports });
    }
    return await import("onnxruntime-node");
  } catch (error) {
    throw new Failure(
      "model.unavailable",
      "The model's runtime cannot be loaded; see that the data directory can be written and that this is a supported machine.",
      { problems: [{ pointer: "runtime", detail: error instanceof Error ? error.message : String(error) }] },
    );
  }
}

/**
 * Unpacks each file once per content: the folder is named after the hashes, so versions never meet. Written under a
 * temporary name and renamed, since two processes may start at once and a loaded file must never be written over.
 *
 * @returns the path of the last file
 */
export async function unpackAll(files: readonly NativeFile[], unpackDir: string): Promise<string> {
  const name = sha256(new TextEncoder().encode(files.map((file) => file.sha256).join("\n"))).slice(0, 16);
  const folder = join(unpackDir, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let last = folder;
  for (const file of files) {
    last = join(folder, file.name);
    const there = Bun.file(last);
    if ((await there.exists()) && sha256(await there.bytes()) === file.sha256) continue;
    const content = await Bun.zstdDecompress(await Bun.file(file.path).bytes());
    if (sha256(content) !== file.sha256) throw new Error(`${file.name} is damaged in the executable`);
    const temporary = `${last}.${process.pid}.${crypto.randomUUID()}`;
    try {
      await writeFile(temporary, content, { mode: 0o600 });
      await rename(temporary, last);
    } finally {
      await rm(temporary, { force: true });
    }
  }
  return last;
}
