import { hostOfUrl } from "../core/domain.ts";
import { readMarkup } from "../html/tokenizer.ts";
import type { HttpExchange, Snapshot } from "../net/snapshot.ts";
import type { ScanRepository } from "./repository.ts";
import { findHome } from "./scanners/home-page.ts";
import { isHomePage } from "./visit/bot-wall.ts";
import type { Visit } from "./visit/visit.ts";

/** A company's own icon, as its site publishes it. */
export interface CompanyIcon {
  readonly type: "image/png" | "image/x-icon";
  readonly bytes: Uint8Array;
}

/** Larger files are not icons; what a page shows of them is 40 pixels wide. */
const MAX_BYTES = 32_768;
/** Pixels. A small file may unpack to an image that fills the memory of a browser. */
const MAX_SIDE = 512;
const DECLARED = 2;

/**
 * Fetches the icon that the home page declares; `/favicon.ico` is fetched by the scanner of files. It is kept with the
 * visit's other answers, and counts against its budget.
 *
 * @throws the visit's abort reason
 */
export async function fetchIcon(visit: Visit): Promise<void> {
  const home = await findHome(visit);
  for (const url of home ? declaredIcons(home).slice(0, DECLARED) : []) {
    const { final } = await visit.http(url, {
      binary: true,
      maxBytes: MAX_BYTES + 1,
      accept: "image/png,image/x-icon",
    });
    if (iconOf(final)) return;
  }
}

/** The icon in a snapshot: one that its home page declares, else `/favicon.ico`. */
export function iconIn({ http, domain }: Snapshot): CompanyIcon | undefined {
  const hosts = new Set([domain, `www.${domain}`]);
  const isOwn = (url: string) => hosts.has(hostOfUrl(url));
  const declared = http
    .filter(({ url, body, encoding }) => body !== "" && !encoding && isHomePage(url) && isOwn(url))
    .flatMap(declaredIcons);
  const wanted = [...declared, ...http.map(({ url }) => url).filter((url) => isOwn(url) && isFavicon(url))];
  const byUrl = new Map(http.map((exchange) => [exchange.url, exchange]));
  for (const url of wanted) {
    const exchange = byUrl.get(url);
    const icon = exchange && iconOf(exchange);
    if (icon) return icon;
  }
  return undefined;
}

const isFavicon = (url: string): boolean => URL.parse(url)?.pathname === "/favicon.ico";

function iconOf({ status, code, encoding, truncated, body }: HttpExchange): CompanyIcon | undefined {
  if (status !== "ok" || code !== 200 || encoding !== "base64" || truncated || body.length > MAX_BYTES * 1.4)
    return undefined;
  const bytes = Buffer.from(body, "base64");
  const type = typeOf(bytes);
  return type && { type, bytes };
}

/** Addresses of the icons that a page declares, those of a fitting size first. SVG is omitted: it can hold scripts. */
function declaredIcons({ url, body }: HttpExchange): string[] {
  const found: { readonly href: string; readonly rank: number }[] = [];
  let base = url;
  readMarkup(body, {
    open({ name, attributes }) {
      if (name === "base") base = URL.parse(attributes.get("href") ?? "", url)?.href ?? base;
      if (name !== "link" || found.length >= 20) return;
      const words = (attributes.get("rel") ?? "").toLowerCase().split(/\s+/, 10);
      const isTouch = words.some((word) => word.startsWith("apple-touch-icon"));
      const href = URL.parse(attributes.get("href") ?? "", base);
      if ((!isTouch && !words.includes("icon")) || !href || !/^https?:$/.test(href.protocol)) return;
      if (/svg/i.test(attributes.get("type") ?? "") || /\.(?:svg|jpe?g|gif|webp|avif)$/i.test(href.pathname)) return;
      href.hash = "";
      const side = Number.parseInt(attributes.get("sizes") ?? "", 10) || (isTouch ? 180 : 32);
      // At 40 pixels on a fine screen; smaller ones are blurred, larger ones weigh more.
      found.push({ href: href.href, rank: side < 32 ? 1_000 - side : Math.abs(side - 96) });
    },
  });
  return found.toSorted((one, other) => one.rank - other.rank).map(({ href }) => href);
}

const PNG = "89504e470d0a1a0a";

/** The type of an image by its bytes, whatever the server calls it; undefined for others, and for too large ones. */
function typeOf(bytes: Buffer): CompanyIcon["type"] | undefined {
  if (bytes.length === 0 || bytes.length > MAX_BYTES) return undefined;
  if (isPng(bytes)) return isSmallPng(bytes) ? "image/png" : undefined;
  return isSmallIco(bytes) ? "image/x-icon" : undefined;
}

const isPng = (bytes: Buffer): boolean => bytes.length >= 24 && bytes.subarray(0, 8).toString("hex") === PNG;
const isSide = (pixels: number): boolean => pixels >= 8 && pixels <= MAX_SIDE;

/** The width and the height are at the beginning of every PNG. */
const isSmallPng = (bytes: Buffer): boolean => isSide(bytes.readUInt32BE(16)) && isSide(bytes.readUInt32BE(20));

/** A directory of images, each a PNG or a bitmap of its own. */
function isSmallIco(bytes: Buffer): boolean {
  if (bytes.length < 22 || bytes.readUInt32LE(0) !== 0x00_01_00_00) return false;
  const count = bytes.readUInt16LE(4);
  if (count === 0 || bytes.length < 6 + 16 * count) return false;
  for (let index = 0; index < count; index += 1) {
    const size = bytes.readUInt32LE(6 + 16 * index + 8);
    const start = bytes.readUInt32LE(6 + 16 * index + 12);
    const image = bytes.subarray(start, start + size);
    if (image.length !== size || image.length < 24) return false;
    // The height of a bitmap in an icon counts its mask too.
    const isSmall = isPng(image)
      ? isSmallPng(image)
      : isSide(image.readUInt32LE(4)) && isSide(Math.floor(image.readUInt32LE(8) / 2));
    if (!isSmall) return false;
  }
  return true;
}

/** Newest snapshots of a company that are searched: a scan of a part of the data sources may have none. */
const SEARCHED = 3;
/** Compressed; a larger one takes too long to read for a picture. */
const MAX_SNAPSHOT_BYTES = 1_048_576;
const MAX_KEPT = 500;

/** Reads icons from stored snapshots, each once until the company is observed again. */
export function createIcons(scans: Pick<ScanRepository, "newestSnapshots" | "smallSnapshots">) {
  const kept = new Map<string, { readonly scanId: number; readonly icon: CompanyIcon | undefined }>();
  return async (domains: readonly string[]): Promise<ReadonlyMap<string, CompanyIcon>> => {
    const icons = new Map<string, CompanyIcon>();
    for (const [domain, scanId] of await scans.newestSnapshots(domains)) {
      let known = kept.get(domain);
      if (known?.scanId !== scanId) {
        const snapshots = await scans.smallSnapshots(domain, SEARCHED, MAX_SNAPSHOT_BYTES);
        known = { scanId, icon: snapshots.map(iconIn).find((icon) => icon !== undefined) };
        if (kept.size >= MAX_KEPT) kept.clear();
        kept.set(domain, known);
      }
      if (known.icon) icons.set(domain, known.icon);
    }
    return icons;
  };
}
