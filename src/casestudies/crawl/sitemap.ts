import { gunzipSync } from "node:zlib";
import { readMarkup } from "../../html/tokenizer.ts";
import { collapseWhitespace } from "../../html/tree.ts";
import { addressOf } from "./address.ts";
import type { Alternate } from "./page.ts";

/** Reads sitemaps, sitemap indexes, RSS and Atom. */

export interface ListedAddress {
  readonly url: string;
  /** Title and categories from a feed; else empty. */
  readonly text: string;
  readonly alternates: readonly Alternate[];
}

export interface AddressList {
  readonly entries: readonly ListedAddress[];
  /** Entries of a sitemap index. */
  readonly sitemaps: readonly string[];
}

export const MAX_ENTRIES = 50_000;
const MAX_DECOMPRESSED = 20_000_000;

/** Decompresses gzip; other bytes are returned unchanged. Null if they are damaged or decompress to more than 20 MB. */
export function decompressList(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_DECOMPRESSED });
  } catch {
    return null;
  }
}

/** @param base address of the list, against which relative addresses are resolved */
export function readAddressList(xml: string, base: string, maxEntries = MAX_ENTRIES): AddressList {
  const entries: ListedAddress[] = [];
  const sitemaps: string[] = [];
  let text = "";
  let item = emptyItem();

  readMarkup(
    xml,
    {
      open({ name, attributes }) {
        const local = localName(name);
        if (isItem(local)) item = emptyItem();
        if (local === "link") {
          const href = attributes.get("href");
          const language = (attributes.get("hreflang") ?? "").toLowerCase().slice(0, 20);
          if (href && language !== "" && item.alternates.length < 50) item.alternates.push({ language, href });
          else if (href && /^(?:alternate)?$/.test(attributes.get("rel") ?? "")) item.href ??= href;
        }
        if (local === "category") item.words.push((attributes.get("term") ?? "").slice(0, 100));
        text = "";
      },
      text(piece) {
        if (text.length < 4_000) text += piece;
      },
      close(name) {
        const local = localName(name);
        const value = collapseWhitespace(text);
        text = "";
        // `image:loc` and `video:loc` are addresses of media, not of the entry.
        if (name === "loc" || (local === "link" && value !== "")) item.href ??= value;
        else if (local === "guid" && /^https?:/.test(value)) item.guid = value;
        else if (local === "title" || local === "category") item.words.push(value.slice(0, 300));
        else if (isItem(local)) keep(local);
      },
    },
    true,
  );

  function keep(kind: string) {
    const url = addressOf(item.href ?? item.guid ?? "", base);
    if (url === null || (item.href ?? item.guid) === undefined) return;
    if (kind === "sitemap") {
      if (sitemaps.length < 1_000) sitemaps.push(url);
    } else if (entries.length < maxEntries) {
      const alternates = item.alternates.flatMap(({ language, href }) => {
        const target = addressOf(href, base);
        return target === null ? [] : [{ language, url: target }];
      });
      entries.push({ url, text: item.words.filter(Boolean).slice(0, 12).join(" · "), alternates });
    }
  }

  return { entries, sitemaps };
}

function emptyItem() {
  return {
    href: undefined as string | undefined,
    guid: undefined as string | undefined,
    words: [] as string[],
    alternates: [] as { language: string; href: string }[],
  };
}

function isItem(local: string): boolean {
  return local === "url" || local === "sitemap" || local === "item" || local === "entry";
}

/** `xhtml:link` → `link`. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}
