import { recordHeaders } from "../net/web/headers.ts";
import type { HttpExchange, Snapshot } from "../vocabulary/snapshot.ts";
import { boundedBody, HEADER_LIMITS, snapshotOf } from "./snapshot-of.ts";

const CANONICAL = /<link[^>]{0,300}?\brel=["']?canonical["']?[^>]{0,300}?>/i;
const OG_URL = /<meta[^>]{0,300}?\bproperty=["']og:url["'][^>]{0,500}?>/i;
const ADDRESS = /\b(?:href|content)=["']?(https?:\/\/[^"'\s>]{4,2000})/i;

/** Browsers write it when they save a page. */
const SAVED_FROM = /<!-- saved from url=\(\d{1,5}\)(https?:\/\/[^\s>]{4,2000})/;
const ALTERNATE = /<link[^>]{0,300}?\brel=["']?alternate["']?[^>]{0,300}?>/i;

/**
 * Where a saved page says that it comes from: the browser's own comment, its canonical link, its `og:url`, or the
 * address of its feed or translation.
 */
export function pageAddress(html: string): string | undefined {
  const head = html.slice(0, 256 * 1024);
  const saved = SAVED_FROM.exec(head)?.[1];
  if (saved) return saved;
  for (const tag of [CANONICAL.exec(head)?.[0], OG_URL.exec(head)?.[0], ALTERNATE.exec(head)?.[0]]) {
    const address = tag && ADDRESS.exec(tag)?.[1];
    if (address) return address.replace(/&amp;/g, "&");
  }
  return undefined;
}

/** A saved HTML page, as if its address had been visited. */
export function readPage(html: string, url: string, domain: string, capturedAt: string): Snapshot {
  return snapshotOf(domain, "page", capturedAt, {
    http: [
      { method: "GET", url, status: "ok", code: 200, headers: [["content-type", "text/html"]], ...boundedBody(html) },
    ],
  });
}

/** A raw HTTP response: status line, headers, an empty line, body. */
export function readResponse(text: string, url: string, domain: string, capturedAt: string): Snapshot {
  const gap = /\r?\n\r?\n/.exec(text);
  const head = text.slice(0, gap?.index ?? text.length).split(/\r?\n/);
  const pairs = head.slice(1, HEADER_LIMITS.headerCount + 1).flatMap((line) => {
    const colon = line.indexOf(":");
    return colon > 0 ? [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] : [];
  });
  const exchange: HttpExchange = {
    method: "GET",
    url,
    status: "ok",
    code: Number(/^HTTP\/[\d.]{1,4} (\d{3})/.exec(head[0] ?? "")?.[1] ?? 200),
    headers: recordHeaders(pairs, HEADER_LIMITS).list,
    ...boundedBody(gap ? text.slice(gap.index + gap[0].length) : ""),
  };
  return snapshotOf(domain, "response", capturedAt, { http: [exchange] });
}
