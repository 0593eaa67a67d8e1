import rawManifest from "../../models/casefile-static/manifest.json";
import modelPath from "../../models/casefile-static/model.onnx" with { type: "file" };
import tokenizerFile from "../../models/casefile-static/tokenizer.json" with { type: "file" };
import { type Encoder, openEncoder } from "./encoder.ts";
import { parseManifest } from "./manifest.ts";

// With `type: "file"` the import is the file's path, but TypeScript types it as the JSON content.
const tokenizerPath = String(tokenizerFile);

export const BUILT_IN_MANIFEST = parseManifest(rawManifest);

/**
 * Opens the built-in encoder.
 *
 * @param options.unpackDir folder for the executable's native libraries, writable by the operator only
 * @throws Failure `model.unavailable` when ONNX Runtime cannot be loaded
 */
export async function openBuiltInEncoder(options: {
  readonly unpackDir: string;
  readonly threads?: number;
  readonly maxWaiting?: number;
}): Promise<Encoder> {
  return await openEncoder({
    manifest: BUILT_IN_MANIFEST,
    files: { model: modelPath, tokenizer: tokenizerPath },
    ...options,
  });
}
