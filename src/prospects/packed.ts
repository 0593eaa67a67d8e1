import { packVendorTools } from "./pack.ts";

/** `data/vendor-tools.yaml`, embedded when the program is bundled because an executable has no data folder. */
const VENDOR_TOOLS: string = packVendorTools();

/** Tool ids by the slug of their vendor. */
export function loadBuiltInVendorTools(): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(VENDOR_TOOLS);
}
