const META_WINDOW = 1_024;
const META = /<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w:-]{1,40})/i;
const PARAMETER = /charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w:-]{1,40})/i;

/**
 * Decodes a body by its byte-order mark, else the content type's charset, else what the page says of itself in its
 * first kilobyte, else UTF-8. Broken sequences become U+FFFD; it never throws.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const label = bomOf(bytes) ?? PARAMETER.exec(contentType?.slice(0, 500) ?? "")?.[1] ?? metaOf(bytes) ?? "utf-8";
  return decoderFor(label).decode(bytes);
}

function bomOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

/** A page that can be read for its meta tag as ASCII cannot be UTF-16, whatever the tag says. */
function metaOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, META_WINDOW)).toString("latin1");
  const label = META.exec(start)?.[1];
  return label && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label as Bun.Encoding);
  } catch {
    return new TextDecoder("utf-8");
  }
}
