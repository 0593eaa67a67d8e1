import { Failure } from "../core/errors.ts";
import { loadAddon } from "../natives/unpack.ts";

export type Runtime = typeof import("onnxruntime-node");

/**
 * Loads ONNX Runtime. When run from source, the package finds its native libraries itself. The executable embeds them: the
 * add-on expects the library in its own folder, so both are unpacked to one folder, and the build replaces the package's
 * lookup of the add-on by `casefileOnnxRuntime`.
 *
 * @param unpackDir folder for the executable's native libraries, writable by the operator only
 * @throws Failure `store.unusable` when they cannot be written, `model.unavailable` when they cannot be loaded
 */
export async function loadRuntime(unpackDir: string): Promise<Runtime> {
  try {
    if (!("casefileOnnxRuntime" in globalThis)) {
      const addon = await loadAddon("onnxruntime", unpackDir);
      if (addon !== undefined) Object.assign(globalThis, { casefileOnnxRuntime: addon });
    }
    return await import("onnxruntime-node");
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("model.unavailable", "ONNX Runtime cannot be loaded; check that this platform is supported.", {
      problems: [{ pointer: "runtime", detail: error instanceof Error ? error.message : String(error) }],
    });
  }
}
