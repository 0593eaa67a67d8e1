import { join } from "node:path";
import type { FetchedPage } from "../../../src/casestudies/types.ts";
import { contentHtml, splitFrontMatter } from "./content-files.ts";
import { dressPage } from "./page-shells.ts";

/** One line of `case-studies.jsonl`; null where the source does not say. */
export interface CorpusRecord {
  readonly id: string;
  readonly vendor: string;
  readonly vendor_slug: string;
  readonly vendor_domain: string | null;
  readonly title: string;
  readonly url: string;
  readonly client: string | null;
  readonly client_domain: string | null;
  /** The source's wording, not the taxonomy's. */
  readonly industry: string | null;
  readonly published_at: string | null;
  readonly near_duplicate_of: string | null;
  readonly summary: string | null;
  readonly body_markdown: string;
}

/** A page for the extractor, with the expected result. */
export interface CorpusPage {
  readonly name: string;
  /**
   * `rendered`: as the site served it. `content`: HTML of a site's source in a generated page. `record`: a record's
   * Markdown as HTML in a generated page.
   */
  readonly kind: "rendered" | "content" | "record";
  readonly record: CorpusRecord;
  readonly page: FetchedPage;
  /** Markdown. */
  readonly text: string;
  /** Null: the page has no date. Undefined: it may have one that the records lack. */
  readonly published_at: string | null | undefined;
}

export interface StructureCorpus {
  readonly folder: string;
  readonly records: readonly CorpusRecord[];
  readonly pages: readonly CorpusPage[];
}

/**
 * Every second vendor of all records, in the order of their slugs: nobody reads their misses, so that they measure rules and
 * features which others suggested.
 */
export function vendorsKeptApart(records: readonly Pick<CorpusRecord, "vendor_slug">[]): ReadonlySet<string> {
  const vendors = [...new Set(records.map(({ vendor_slug }) => vendor_slug))].sort();
  return new Set(vendors.filter((_, at) => at % 2 === 1));
}

interface RawFile {
  readonly file: string;
  readonly kind: string;
  readonly record_id: string | null;
  readonly url: string;
}

/** Reads `case-studies.jsonl`, `raw/manifest.jsonl` and the files that it names. */
export async function loadStructureCorpus(folder: string): Promise<StructureCorpus> {
  const records = await readLines<CorpusRecord>(join(folder, "case-studies.jsonl"));
  const byId = new Map(records.map((record) => [record.id, record]));
  const files = await readLines<RawFile>(join(folder, "raw/manifest.jsonl"));
  const pages: CorpusPage[] = records.map((record, index) => ({
    name: `record ${record.id}`,
    kind: "record",
    record,
    page: dressPage(record, Bun.markdown.html(record.body_markdown), index),
    text: record.body_markdown,
    published_at: record.published_at,
  }));
  for (const [index, { file, kind, record_id, url }] of files.entries()) {
    const record = byId.get(record_id ?? "");
    if (record === undefined || !/^(rendered-page|hugo-html-content)$/.test(kind)) continue;
    const source = await Bun.file(join(folder, file)).text();
    if (kind === "rendered-page") {
      const page: FetchedPage = { url, kind: "html", content: source, language: null, last_modified: null };
      pages.push({ name: file, kind: "rendered", record, page, text: record.body_markdown, published_at: undefined });
    } else {
      const { facts, body } = splitFrontMatter(source);
      pages.push({
        name: file,
        kind: "content",
        record,
        page: dressPage(record, contentHtml(facts, body), index),
        text: record.body_markdown,
        published_at: record.published_at,
      });
    }
  }
  return { folder, records, pages };
}

async function readLines<T>(path: string): Promise<T[]> {
  const text = await Bun.file(path).text();
  return text.split("\n").flatMap((line): T[] => (line.trim() === "" ? [] : [JSON.parse(line)]));
}
