import { join } from "node:path";
import { CARRIED_LICENCES } from "./carried.ts";
import { gatherLicences } from "./gather.ts";

/** The licences of this program and of everything that it is made of, as one text. */
export async function loadLicences(carried = CARRIED_LICENCES): Promise<string> {
  if (carried === undefined) return await gatherLicences(join(import.meta.dir, "../.."));
  return (await Bun.zstdDecompress(await Bun.file(carried).bytes())).toString();
}
