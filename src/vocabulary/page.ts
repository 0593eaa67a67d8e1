/** What a crawl brought home of one address, ready to be read. */
export interface FetchedPage {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly kind: "html" | "pdf";
  /** Decoded text of an HTML page; the bytes of a PDF. */
  readonly content: string | Uint8Array;
  /** Value of `Content-Language`, when the server told it. */
  readonly language: string | null;
  /** Value of `Last-Modified` as an ISO 8601 instant. */
  readonly last_modified: string | null;
}

/** A page's own text and what it says about itself, with menus, banners and footers left out. Unknown is null. */
export interface PageText {
  readonly url: string;
  /** Address that the page calls its own (`rel=canonical`), on the same site; else null. */
  readonly canonical: string | null;
  /** The page's own heading, without the site's name. */
  readonly title: string | null;
  /** Name that the site gives itself (`og:site_name`, JSON-LD publisher). */
  readonly site_name: string | null;
  readonly description: string | null;
  /** BCP 47. */
  readonly language: string | null;
  /** ISO date of publication; `published_from` says which sign told it. */
  readonly published_at: string | null;
  readonly published_from: "json-ld" | "meta" | "time" | "text" | "address" | "pdf" | null;
  /** The story as Markdown: headings, paragraphs, lists, `>` quotes, tables as lines. */
  readonly markdown: string;
  /** Pictures inside the story or its header, with their alternative text: a client's logo is often one. */
  readonly images: readonly { readonly src: string; readonly alt: string }[];
  /** Links inside the story, resolved. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
  /** Terms that the page files itself under, with their label where it has one ("Industry: Retail"). */
  readonly labels: readonly { readonly name: string | null; readonly value: string }[];
  /** Objects of JSON-LD, bounded, as they were parsed. */
  readonly json_ld: readonly Readonly<Record<string, unknown>>[];
}
