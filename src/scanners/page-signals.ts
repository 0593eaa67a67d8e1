/** Everything that one response of a company's site tells. Runs nothing and asks nothing. */
import type { Domain } from "../vocabulary/domain.ts";
import type { Signal, SignalKind } from "../vocabulary/signal.ts";
import type { HttpExchange } from "../vocabulary/snapshot.ts";
import {
  firstCandidate,
  firstOf,
  IMAGE_SETS,
  LATE_FRAMES,
  LATE_IMAGES,
  MEDIA_SOURCES,
  resolve,
  SCRIPT_SOURCES,
  unpack,
} from "./page-addresses.ts";
import { headerSignals } from "./page-headers.ts";
import { hostsInCode, hostsInPolicy, hostsInStyle, isOwn, type OwnNames, ownNames, registrable } from "./page-hosts.ts";
import { type Attributes, readPage } from "./page-source.ts";

/** Every kind that {@link pageSignals} may return. */
export const PAGE_KINDS = [
  "html.script",
  "html.link",
  "html.image",
  "html.frame",
  "html.form",
  "html.hint",
  "html.anchor",
  "html.path",
  "html.inline",
  "html.inline-host",
  "html.markup",
  "html.meta",
  "http.header",
  "http.cookie",
  "http.policy-host",
] as const satisfies readonly SignalKind[];

const KIND_CAP = 2_000;
const ANCHOR_CAP = 300;
const INLINE_CAP = 1_048_576;
const META_CAP = 500;

/**
 * The signals of one response: those of its head always, those of its text when it is a page and no error
 * (code below 400). Addresses are absolute, of the company's own site and of others. At most 2,000 of a kind,
 * each value once; a URL over 2,048 characters loses its query or is left out; 1 Mi characters of inline scripts.
 */
export function pageSignals(exchange: HttpExchange, domain: Domain): Signal[] {
  const own = ownNames(domain, exchange.url);
  const head = headerSignals(exchange, own);
  return exchange.code < 400 && isPage(exchange) ? [...head, ...markupSignals(exchange, own)] : head;
}

/** Whether the body is HTML: told so, or not told and looking like it. */
export function isPage(exchange: HttpExchange): boolean {
  if (exchange.encoding || exchange.body.length === 0) return false;
  const type = exchange.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return type ? /html/i.test(type) : exchange.body.slice(0, 4_096).includes("<");
}

function markupSignals(exchange: HttpExchange, own: OwnNames): Signal[] {
  const { add, isFull, signals } = collector(exchange.url);
  const anchors = new Set<string>();
  let base = exchange.url;
  let based = false;
  let inlineRoom = INLINE_CAP;
  let dataRoom = INLINE_CAP;

  const written = new Map<SignalKind, Set<string>>();
  const load = (kind: SignalKind, address: string | undefined) => {
    if (!address || isFull(kind)) return;
    const same = written.get(kind) ?? new Set<string>();
    if (same.has(address)) return;
    written.set(kind, same.add(address));
    const url = resolve(address, base);
    if (!url) return;
    add(kind, url.href);
    if (isOwn(url.hostname, own)) add("html.path", `${url.pathname}${url.search}`);
  };
  const anchor = (address: string | undefined) => {
    if (anchors.size >= ANCHOR_CAP || !address || !ABSOLUTE.test(address)) return;
    const url = resolve(address, base);
    if (!url || isOwn(url.hostname, own) || !registrable(url.hostname)) return;
    const place = url.hostname + (/^\/[^/]{0,200}/.exec(url.pathname)?.[0] ?? "");
    if (anchors.has(place)) return;
    anchors.add(place);
    add("html.anchor", url.href);
  };
  const style = (text: string) => {
    for (const host of hostsInStyle(text, own)) add("html.inline-host", host);
  };
  const inline = (text: string) => {
    const piece = text.slice(0, inlineRoom);
    if (piece.trim().length === 0 || isFull("html.inline")) return;
    inlineRoom -= piece.length;
    add("html.inline", piece);
    for (const host of hostsInCode(piece, own)) add("html.inline-host", host);
  };

  const data = (text: string) => {
    const piece = text.slice(0, dataRoom);
    dataRoom -= piece.length;
    for (const host of hostsInCode(piece, own, true)) add("html.inline-host", host);
  };

  const markup = readPage(exchange.body, {
    element(name, attributes) {
      switch (name) {
        case "base":
          if (!based) base = resolve(attributes.get("href"), base)?.href ?? base;
          based = true;
          break;
        case "script": {
          const source = firstOf(attributes, SCRIPT_SOURCES);
          const packed = source?.startsWith("data:") ? unpack(source) : undefined;
          if (packed) inline(packed);
          else load("html.script", source);
          break;
        }
        case "img":
          load("html.image", attributes.get("src"));
          load("html.image", firstOf(attributes, LATE_IMAGES));
          load("html.image", firstCandidate(firstOf(attributes, IMAGE_SETS)));
          break;
        case "iframe":
        case "embed":
          load("html.frame", attributes.get("src"));
          load("html.frame", firstOf(attributes, LATE_FRAMES));
          break;
        case "object":
          load("html.frame", attributes.get("data"));
          break;
        case "audio":
        case "video":
          load("html.frame", firstOf(attributes, MEDIA_SOURCES));
          load("html.image", attributes.get("poster"));
          break;
        case "source":
          load("html.frame", firstOf(attributes, MEDIA_SOURCES));
          load("html.image", firstCandidate(firstOf(attributes, IMAGE_SETS)));
          break;
        case "form":
          load("html.form", attributes.get("action"));
          break;
        case "a":
          anchor(attributes.get("href"));
          break;
        case "link":
          link(attributes);
          break;
        case "meta":
          meta(attributes);
          break;
      }
    },
    script(text, attributes) {
      const type = attributes.get("type")?.trim().toLowerCase() ?? "";
      if (attributes.get("id") === "__NEXT_DATA__") add("html.inline", "__NEXT_DATA__");
      if (type === "application/json") data(text);
      else if (!NO_CODE.test(type)) inline(text);
    },
    style,
  });

  function link(attributes: Attributes) {
    const words = (attributes.get("rel") ?? "").toLowerCase().split(/\s+/, 10);
    const href = attributes.get("href") ?? attributes.get("data-href");
    if (words.some((word) => LOADED_LINKS.has(word))) load("html.link", href);
    else if (words.some((word) => HINT_LINKS.has(word))) {
      const url = resolve(href, base);
      if (url && !isOwn(url.hostname, own)) add("html.hint", url.href);
    } else if (words.some((word) => MARK_LINKS.has(word))) {
      const url = resolve(href, base);
      if (url && isOwn(url.hostname, own)) add("html.path", `${url.pathname}${url.search}`);
    }
  }
  function meta(attributes: Attributes) {
    const content = attributes.get("content");
    if (content === undefined) return;
    const equivalent = attributes.get("http-equiv")?.trim().toLowerCase();
    if (equivalent?.startsWith("content-security-policy"))
      for (const host of hostsInPolicy(content, own)) add("http.policy-host", host);
    for (const name of new Set([attributes.get("name"), attributes.get("property"), equivalent])) {
      const plain = name?.trim().toLowerCase().slice(0, 200);
      if (plain && !FOR_PEOPLE.test(plain)) add("html.meta", `${plain}: ${content.slice(0, META_CAP).trim()}`);
    }
  }

  // There is one, and telling it from others would read it whole.
  if (markup.length > 0) signals.push({ kind: "html.markup", value: markup, location: exchange.url });
  return signals;
}

/** Types whose body a browser never runs. `text/plain` is not among them: consent tools park code under it. */
const NO_CODE = /json|template|html|handlebars|mustache|shader|speculationrules/;
const LOADED_LINKS = new Set([
  "apple-touch-icon",
  "apple-touch-icon-precomposed",
  "icon",
  "manifest",
  "mask-icon",
  "modulepreload",
  "prefetch",
  "preload",
  "stylesheet",
]);
const HINT_LINKS = new Set(["dns-prefetch", "preconnect"]);
/** Links that load nothing and whose first-party path tells what serves the site. */
const MARK_LINKS = new Set(["alternate", "edituri", "https://api.w.org/", "pingback", "search", "wlwmanifest"]);
/** Words written to be read: they name whatever the page is about. */
const FOR_PEOPLE = /(?:^|[:._-])(?:description|keywords|title|news_keywords)$/;
const ABSOLUTE = /^\s{0,20}(?:https?:)?\/\//i;

function collector(location: string) {
  const signals: Signal[] = [];
  const seen = new Map<SignalKind, Set<string>>();
  const isFull = (kind: SignalKind) => (seen.get(kind)?.size ?? 0) >= KIND_CAP;
  const add = (kind: SignalKind, value: string) => {
    const values = seen.get(kind) ?? new Set<string>();
    if (values.has(value) || isFull(kind)) return;
    seen.set(kind, values.add(value));
    signals.push({ kind, value, location });
  };
  return { add, isFull, signals };
}
