import { Failure } from "../core/errors.ts";
import { loadAddon } from "../natives/unpack.ts";

export type Runtime = typeof import("onnxruntime-node");

/**
 * Loads ONNX Runtime. From source the package finds its own native parts. An executable carries them: the add-on looks
 * for the library beside itself, so both are unpacked to one folder, and the build has put `casefileOnnxRuntime` in the
 * place where the package would look for its add-on.
 *
 * @param unpackDir the folder for the executable's native parts, only the operator's to write
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
    throw new Failure(
      "model.unavailable",
      "The model's runtime cannot be loaded; see that this is a supported machine.",
      { problems: [{ pointer: "runtime", detail: error instanceof Error ? error.message : String(error) }] },
    );
  }
}
