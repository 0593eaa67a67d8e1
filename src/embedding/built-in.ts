import rawManifest from "../../models/casefile-static/manifest.json";
import modelPath from "../../models/casefile-static/model.onnx" with { type: "file" };
import tokenizerFile from "../../models/casefile-static/tokenizer.json" with { type: "file" };
import { type Encoder, openEncoder } from "./encoder.ts";
import { parseManifest } from "./manifest.ts";

// The compiler takes the import for the JSON's content; with `type: "file"` it is the file's path.
const tokenizerPath = String(tokenizerFile);

/** What `openBuiltInEncoder` opens. */
export const BUILT_IN_MANIFEST = parseManifest(rawManifest);

/**
 * Opens the encoder that comes with the program.
 *
 * @param unpackDir a folder of the operator's own, in which an executable unpacks its native parts
 * @throws Failure `model.unavailable` when its runtime cannot be loaded
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
