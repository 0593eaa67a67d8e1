import type { Domain } from "../../core/domain.ts";
import { type Attributes, type PageReader, readPage } from "../../html/page-reader.ts";
import { createTextReader, type Link, type LinkTest, type TextReader } from "../../html/page-text.ts";
import { withoutDisabledCode } from "../../html/script-comments.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import type { Signal, SignalKind } from "../signals.ts";
import { filesCombinedIn, filesInSettings } from "./combined-files.ts";
import { serviceOf, servicesIn } from "./consent-services.ts";
import { encodedMarkupIn } from "./encoded-markup.ts";
import {
  type AddressesInCode,
  addressesInCode,
  type CompanyDomains,
  companyDomains,
  hostsInPolicy,
  hostsInStyle,
  isCompanyHost,
  isOfPartner,
  registrable,
} from "./page-hosts.ts";

const URL_CAP = 2_048;

/** Attributes with a script's address; consent and performance tools use others until the visitor agrees or acts. */
const SCRIPT_SOURCES = [
  "src",
  "data-src",
  "data-cookieblock-src",
  "data-cmp-src",
  "data-suppressedsrc",
  "data-rocket-src",
  "data-lazy-src",
  "data-blocked-src",
  "data-cmplz-src",
  "data-borlabs-cookie-script-blocker-src",
  "consent-original-src-_",
  "data-ccm-loader-src",
  "data-wpmeteor-src",
];
/** Attributes of lazily loaded images and frames. */
const LATE_IMAGES = ["data-src", "data-lazy-src", "data-original"];
const LATE_FRAMES = [
  "data-src",
  "data-lazy-src",
  "data-cookieblock-src",
  "data-suppressedsrc",
  "data-src-cmplz",
  "data-cmplz-src",
  "consent-original-src-_",
  "data-ccm-loader-src",
];
const IMAGE_SETS = ["srcset", "data-srcset"];
const MEDIA_SOURCES = ["src", "data-src"];

/** The first non-empty attribute. */
function firstOf(attributes: Attributes, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (value) return value;
  }
  return undefined;
}

/** The first address of a `srcset`. */
const firstCandidate = (set: string | undefined) => set?.trim().split(/\s/, 1)[0];

/**
 * The absolute http(s) URL of an address on a page, without fragment and credentials. A URL over 2,048 characters loses
 * its query; undefined if it is still too long.
 */
function resolve(written: string | undefined, base: string): URL | undefined {
  const address = written?.trim();
  if (!address || address.startsWith("#") || address.length > 4 * URL_CAP) return undefined;
  const url = URL.parse(address, base);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || !url.hostname) return undefined;
  // A setter parses the whole address once more.
  if (url.href.includes("#")) url.hash = "";
  if (url.href.includes("@")) {
    url.username = "";
    url.password = "";
  }
  if (url.href.length > URL_CAP) url.search = "";
  return url.href.length > URL_CAP ? undefined : url;
}

/** The text of a script in a data URL, as written by caching plug-ins. */
function decodeScriptUrl(address: string): string | undefined {
  const [, encoding, data] =
    /^data:(?:text|application)\/(?:x-)?javascript[^,]{0,60}?(;base64)?,(.{1,65000})/s.exec(address) ?? [];
  if (!data) return undefined;
  if (encoding) return Buffer.from(data, "base64").toString();
  return new URLSearchParams(`script=${data.replaceAll("+", "%2B").replaceAll("&", "%26")}`).get("script") ?? undefined;
}

/** Headers that identify no tool. */
const IGNORED_HEADERS = new Set([
  "age",
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "expires",
  "keep-alive",
  "last-modified",
  "set-cookie",
  "transfer-encoding",
]);
/** Headers with a policy that names hosts. */
const POLICIES = new Set([
  "content-security-policy",
  "content-security-policy-report-only",
  "feature-policy",
  "nel",
  "permissions-policy",
  "report-to",
  "reporting-endpoints",
]);
const HEADER_CAP = 200;
const VALUE_CAP = 500;

/** Signals of the headers of one response: headers, cookie names, and hosts in policies. */
export function headerSignals(exchange: HttpExchange, company: CompanyDomains): Signal[] {
  const location = exchange.url;
  const signals = new Map<string, Signal>();
  const add = (kind: Signal["kind"], value: string) => signals.set(`${kind} ${value}`, { kind, value, location });
  for (const [written, content] of exchange.headers.slice(0, HEADER_CAP)) {
    const name = written.toLowerCase();
    if (name === "set-cookie") {
      const cookie = cookieName(content);
      if (cookie) add("http.cookie", cookie);
    }
    if (!IGNORED_HEADERS.has(name)) add("http.header", `${name}: ${content.slice(0, VALUE_CAP).trim()}`);
    if (POLICIES.has(name)) for (const host of hostsInPolicy(content, company)) add("http.policy-host", host);
    if (name === "link")
      for (const target of loadedLinks(content))
        for (const host of hostsInPolicy(target, company)) add("http.policy-host", host);
  }
  return [...signals.values()];
}

/** The name of the cookie in a Set-Cookie header or a `name=value` pair; undefined for a nameless one. */
export function cookieName(header: string): string | undefined {
  const name = header.slice(0, 4_096).split(/[=;]/, 1)[0]?.trim();
  return name && name.length <= 200 ? name : undefined;
}

const LINK = /<([^<>]{1,2000})>((?:;[^,<]{0,300}){1,8})/g;
/** Targets of a Link header that a browser connects to or fetches. */
function loadedLinks(content: string): string[] {
  return [...content.slice(0, 32_768).matchAll(LINK)].flatMap(([, target, parameters]) =>
    target && /rel="?[^"]{0,40}(?:preconnect|dns-prefetch|preload|stylesheet)/i.test(parameters ?? "") ? [target] : [],
  );
}

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
  "html.inline-url",
  "html.data",
  "html.names",
  "html.markup",
  "html.custom",
  "html.style",
  "html.meta",
  "consent.service",
  "http.header",
  "http.cookie",
  "http.policy-host",
] as const satisfies readonly SignalKind[];

const KIND_CAP = 2_000;
const ANCHOR_CAP = 300;
const INLINE_CAP = 1_048_576;
/** Characters of the style elements of one page. */
const STYLE_CAP = 131_072;
const META_CAP = 500;
/** Characters of the policies in meta elements of one page; a browser's header holds fewer. */
const POLICY_CAP = 131_072;

/**
 * The signals of one response: of its headers, and of its body if it is a page and not an error (code below 400).
 * Addresses are absolute, first-party and third-party. At most 2,000 per kind, each value once; a URL over 2,048
 * characters loses its query or is skipped; 1 Mi characters of inline scripts. Makes no requests.
 */
export const pageSignals = (exchange: HttpExchange, domain: Domain): readonly Signal[] =>
  readOnce(exchange, domain).signals;

/**
 * The links of the same page; none of an error.
 *
 * @param mayBeOfUse whether a link is worth parsing, by its address and label as written
 */
export const pageLinks = (exchange: HttpExchange, domain: Domain, mayBeOfUse?: LinkTest): readonly Link[] =>
  readOnce(exchange, domain).links(mayBeOfUse);

interface ReadPage {
  readonly domain: string;
  readonly signals: readonly Signal[];
  readonly links: (mayBeOfUse?: LinkTest) => readonly Link[];
}

/** Several scanners read the same home page, and a hostile one takes half a second to read. */
const readBefore = new WeakMap<HttpExchange, ReadPage>();

function readOnce(exchange: HttpExchange, domain: Domain): ReadPage {
  const known = readBefore.get(exchange);
  if (known?.domain === domain.name) return known;
  const company = companyDomains(domain, exchange.url);
  const signals = headerSignals(exchange, company);
  let links: readonly Link[] | undefined;
  const text = createTextReader(0);
  if (exchange.code < 400 && isPage(exchange)) signals.push(...markupSignals(exchange, company, text));
  const read: ReadPage = {
    domain: domain.name,
    signals,
    // Most scans need no links, or few.
    links(mayBeOfUse) {
      if (mayBeOfUse && !links) return text.links(exchange.url, mayBeOfUse);
      links ??= text.links(exchange.url);
      return links;
    },
  };
  readBefore.set(exchange, read);
  return read;
}

/** Whether the body is HTML by its content type or, without one, by its content. */
export function isPage(exchange: HttpExchange): boolean {
  if (exchange.encoding || exchange.body.length === 0) return false;
  const type = exchange.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return type ? /html/i.test(type) : exchange.body.slice(0, 4_096).includes("<");
}

/** @param text reads the same tags */
function markupSignals(exchange: HttpExchange, company: CompanyDomains, text: TextReader): Signal[] {
  const { add, isFull, signals } = collector(exchange.url);
  const anchors = new Set<string>();
  const anchorsWritten = new Set<string>();
  let base = exchange.url;
  let hasBase = false;
  let inlineRoom = INLINE_CAP;
  let dataRoom = INLINE_CAP;
  let policyRoom = POLICY_CAP;
  let styles = "";
  let styleRoom = STYLE_CAP;

  const written = new Map<SignalKind, Set<string>>();
  const load = (kind: SignalKind, address: string | undefined) => {
    if (!address || isFull(kind)) return;
    const same = written.get(kind) ?? new Set<string>();
    if (same.has(address)) return;
    written.set(kind, same.add(address));
    const url = resolve(address, base);
    if (!url) return;
    add(kind === "html.image" && isOfPartner(url) ? "html.hint" : kind, url.href);
    const isCompany = isCompanyHost(url.hostname, company);
    if (isCompany) add("html.path", `${url.pathname}${url.search}`);
    if (kind !== "html.script" && kind !== "html.link") return;
    for (const file of filesCombinedIn(url.href)) {
      add(kind, `${url.origin}${file}`);
      if (isCompany) add("html.path", file);
    }
  };
  const anchor = (address: string | undefined) => {
    if (anchors.size >= ANCHOR_CAP || !address || !ABSOLUTE.test(address) || anchorsWritten.has(address)) return;
    anchorsWritten.add(address);
    const url = resolve(address, base);
    if (!url || isCompanyHost(url.hostname, company) || !registrable(url.hostname)) return;
    const place = url.hostname + (/^\/[^/]{0,200}/.exec(url.pathname)?.[0] ?? "");
    if (anchors.has(place)) return;
    anchors.add(place);
    add("html.anchor", url.href);
  };
  const style = (text: string) => {
    if (styleRoom > 0 && text.includes("{")) {
      styles += `${text.slice(0, styleRoom)}\n`;
      styleRoom -= text.length;
    }
    for (const host of hostsInStyle(text, company)) add("html.inline-host", host);
  };
  const inline = (text: string) => {
    const piece = text.slice(0, inlineRoom);
    if (piece.trim().length === 0 || isFull("html.inline")) return;
    inlineRoom -= piece.length;
    // What was commented out is not in use.
    const script = withoutDisabledCode(piece);
    if (script.trim().length === 0) return;
    add("html.inline", script);
    for (const file of filesInSettings(script)) add("html.path", file);
    for (const service of servicesIn(script)) add("consent.service", service);
    addresses(addressesInCode(script, company));
  };
  const data = (text: string) => {
    const piece = text.slice(0, dataRoom);
    if (piece.length === 0 || isFull("html.data")) return;
    dataRoom -= piece.length;
    add("html.data", piece);
    addresses(addressesInCode(piece, company, true));
  };
  const addresses = ({ hosts, urls, partners }: AddressesInCode) => {
    for (const url of partners) add("html.hint", url);
    for (const host of hosts) add("html.inline-host", host);
    for (const url of urls) add("html.inline-url", url);
  };

  const pageReader: PageReader = {
    element(name, attributes) {
      const service = serviceOf(name, attributes);
      if (service !== undefined) add("consent.service", service);
      switch (name) {
        case "base":
          if (!hasBase) base = resolve(attributes.get("href"), base)?.href ?? base;
          hasBase = true;
          break;
        case "script": {
          const source = firstOf(attributes, SCRIPT_SOURCES);
          const packed = source?.startsWith("data:") ? decodeScriptUrl(source) : undefined;
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
      if (JSON_TYPE.test(type)) data(text);
      else if (!NO_CODE.test(type)) inline(text);
    },
    style,
    data,
    conditional,
    merged: (element, address) => load(element === "script" ? "html.script" : "html.link", address),
    late(address) {
      const url = resolve(address, base);
      if (url && !isCompanyHost(url.hostname, company)) add("html.inline-url", url.href);
    },
  };
  const page = readPage(exchange.body, pageReader, text.handler);
  const encoded = encodedMarkupIn(exchange.body).map((inside) => readPage(inside, pageReader));

  /** Set up, but no browser of today loads it: no more than a hint. The extension that it is a file of is active. */
  function conditional(inside: string) {
    for (const [, address] of inside.matchAll(CONDITIONAL_FILE)) {
      const url = resolve(address, base);
      const [directory] = (url && isCompanyHost(url.hostname, company) && EXTENSION_DIRECTORY.exec(url.pathname)) || [];
      if (directory) add("html.path", directory);
    }
    for (const [, address] of inside.matchAll(CONDITIONAL_SCRIPT)) {
      const url = resolve(address, base);
      if (url) add("html.hint", url.href);
    }
  }
  function link(attributes: Attributes) {
    const words = (attributes.get("rel") ?? "").toLowerCase().split(/\s+/, 10);
    const href = attributes.get("href") ?? attributes.get("data-href");
    if (words.some((word) => LOADED_LINKS.has(word))) load("html.link", href);
    else if (words.some((word) => HINT_LINKS.has(word))) {
      const url = resolve(href, base);
      if (url && !isCompanyHost(url.hostname, company)) add("html.hint", url.href);
    } else if (words.some((word) => MARK_LINKS.has(word))) {
      const url = resolve(href, base);
      if (url && isCompanyHost(url.hostname, company)) add("html.path", `${url.pathname}${url.search}`);
    }
  }
  function meta(attributes: Attributes) {
    const content = attributes.get("content");
    // A field that nobody filled in: an empty verification verifies nothing.
    if (content === undefined || content.trim() === "") return;
    const equivalent = attributes.get("http-equiv")?.trim().toLowerCase();
    if (equivalent?.startsWith("content-security-policy")) {
      const policy = content.slice(0, policyRoom);
      policyRoom -= policy.length;
      for (const host of hostsInPolicy(policy, company)) add("http.policy-host", host);
    }
    for (const name of new Set([attributes.get("name"), attributes.get("property"), equivalent])) {
      const plain = name?.trim().toLowerCase().slice(0, 200);
      if (plain && !DESCRIPTIVE.test(plain)) add("html.meta", `${plain}: ${content.slice(0, META_CAP).trim()}`);
    }
  }

  // There is only one of each, so it need not be compared with others.
  const markup = [page, ...encoded].map((one) => one.markup).join("");
  const custom = [page, ...encoded].map((one) => one.custom).join("");
  const names = [page, ...encoded].flatMap((one) => one.names || []).join(" ");
  if (markup.length > 0) signals.push({ kind: "html.markup", value: markup, location: exchange.url });
  if (custom.length > 0) signals.push({ kind: "html.custom", value: custom, location: exchange.url });
  if (styles.length > 0) signals.push({ kind: "html.style", value: styles, location: exchange.url });
  if (names.length > 0) signals.push({ kind: "html.names", value: names, location: exchange.url });
  return signals;
}

const CONDITIONAL_FILE = /(?:src|href)\s{0,3}=\s{0,3}["']?([^"'\s>]{4,500})/gi;
const EXTENSION_DIRECTORY = /^.{0,200}?\/wp-content\/(?:themes|plugins)\/[\w.-]{2,80}\//;
const CONDITIONAL_SCRIPT = /<script\s[^>]{0,300}?src\s{0,3}=\s{0,3}["']?([^"'\s>]{4,500})/gi;
/** Data of the page. Not `application/ld+json`, which describes what the page is about. */
const JSON_TYPE =
  /^(?:application|text)\/(?:json|vnd\.[a-z.-]{1,40}\+json)|^[a-z]{2,20}\/(?:state|config|settings|data)$/;
/** Script types that a browser never runs. Not `text/plain`, which consent tools use for blocked scripts. */
const NO_CODE =
  /json|template|tmpl|html|handlebars|mustache|shader|speculationrules|jsrender|liquid|markdown|ractive|riot|uri-list|xml|yaml/;
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
/** Links that load nothing, but whose first-party path identifies the site's software. */
const MARK_LINKS = new Set(["alternate", "edituri", "https://api.w.org/", "pingback", "search", "wlwmanifest"]);
/** Descriptive meta tags, which name the page's topic. */
const DESCRIPTIVE = /(?:^|[:._-])(?:description|keywords|title|news_keywords)$/;
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
