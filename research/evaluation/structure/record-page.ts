import type { PageText, Vendor } from "../../../src/casestudies/types.ts";
import type { CorpusRecord } from "./corpus.ts";

export const vendorOf = (record: CorpusRecord): Vendor => ({
  name: record.vendor,
  slug: record.vendor_slug,
  domain: record.vendor_domain,
});

/** A record as a page without labels, pictures and metadata. */
export function pageOf(record: CorpusRecord): PageText {
  const { url, title, summary, body_markdown: markdown } = record;
  const links = [
    ...markdown.matchAll(
      /(?<!!)\[([^[\]]{0,300})\]\((https?:[^()\s]{1,1000})\)|(?<![("<\]])(https?:\/\/[^\s<>()"']{1,1000})/g,
    ),
  ];
  const images = [...markdown.matchAll(/!\[([^\]]{0,300})\]\(([^()\s]{1,1000})/g)];
  return {
    url,
    title,
    markdown,
    description: summary,
    canonical: null,
    site_name: null,
    language: null,
    published_at: null,
    published_from: null,
    images: images.map(([, alt = "", src = ""]) => ({ alt, src })),
    links: links.map(([, text = "", href = "", bare = ""]) => ({
      href: (href || bare).replace(/[.,]$/, ""),
      text: text.replace(/[*_`]/g, ""),
    })),
    labels: [],
    json_ld: [],
  };
}
