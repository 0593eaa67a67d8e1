import type { Engine, PageText, StructuredStudy, Vendor } from "../types.ts";

/** Reads the fields of a case study out of a page's text. */
export interface StructureEngine {
  readonly id: Engine;
  /** Rejects only when `signal` aborts: what a page does not tell is null. */
  structure(page: PageText, vendor: Vendor, signal?: AbortSignal): Promise<StructuredStudy>;
}
