import { loadStructureCorpus, type StructureCorpus } from "./structure/corpus.ts";
import { measureExtraction } from "./structure/extraction.ts";
import { measureFields } from "./structure/fields.ts";
import { measureOutcomes } from "./structure/outcomes.ts";
import { measureTransfer } from "./structure/transfer.ts";
import { measureVendorPages } from "./structure/vendor-pages.ts";

/** Prints its figures, with what it got wrong when asked, and returns them. */
type Section = (corpus: StructureCorpus, options: { misses: boolean }) => Promise<unknown>;

/** What counts for a vendor that nobody has seen, then the parts in the order in which a page goes through them. */
const SECTIONS: Readonly<Record<string, Section>> = {
  leave_one_vendor_out: measureTransfer,
  vendor_pages: (_, options) => measureVendorPages(options),
  extraction: measureExtraction,
  fields: measureFields,
  outcomes: measureOutcomes,
};

/**
 * Reads case studies out of pages and compares them with the records of the folder: `case-studies.jsonl`, and the pages
 * that `raw/manifest.jsonl` names (`{file, kind, record_id, url}`).
 */
export async function evaluateStructure(
  folder: string,
  { misses }: { misses: boolean },
): Promise<Record<string, unknown>> {
  const corpus = await loadStructureCorpus(folder);
  console.log(`${corpus.records.length} records, ${corpus.pages.length} pages`);
  const figures: Record<string, unknown> = {};
  for (const [name, measure] of Object.entries(SECTIONS)) {
    console.log(`\n${name}`);
    figures[name] = await measure(corpus, { misses });
  }
  return figures;
}
