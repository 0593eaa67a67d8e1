import { join } from "node:path";
import { EMBEDDED_LICENCES } from "./embedded.ts";
import { gatherLicences } from "./gather.ts";

/** The licences of this program and of all its parts as one text. */
export async function loadLicences(embedded = EMBEDDED_LICENCES): Promise<string> {
  if (embedded === undefined) return await gatherLicences(join(import.meta.dir, "../.."));
  return (await Bun.zstdDecompress(await Bun.file(embedded).bytes())).toString();
}
