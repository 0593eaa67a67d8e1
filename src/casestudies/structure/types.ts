import type { Engine, PageText, StructuredStudy, Vendor } from "../types.ts";

/** Reads the fields of a case study from a page's text. */
export interface StructureEngine {
  readonly id: Engine;
  /** Rejects only when `signal` aborts. A field that the page does not state is null. */
  structure(page: PageText, vendor: Vendor, signal?: AbortSignal): Promise<StructuredStudy>;
}
