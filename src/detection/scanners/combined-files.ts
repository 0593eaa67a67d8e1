import { inflateSync } from "node:zlib";

/** Addresses by which a server or a delivery network returns several files as one. */

const MAX_FILES = 100;
/** Bytes of a list after it is inflated. */
const MAX_LIST = 65_536;

/** A file in a list, from its first slash: `/a/b.js`, without a version after it. */
const FILE = /^[\w@~./+%-]{1,300}\.(?:js|css)$/i;
/** WordPress.com: the paths joined by commas, deflated, in base64. */
const PACKED = /\/_static\/\?\?-(eJ[\w+/%-]{10,6000}={0,2})/;
/** Before the first file of a list: `?f=`, `?file=`, `?js=`, `??`, `/combine/`, `/combo?`, `/min/`. */
const BEFORE = /(?:\?\?|[?&](?:f|js|css|files?|scripts)=|\/(?:combine|combo|concat|min|g)\/|\/combo\?)/i;
/** A list may be of one file where the path itself has none: `/merge/?file=/js/a.js`. */
const OF_ONE = /\/\?f(?:ile)?=/i;
/** The directory of a list of Minify: `?b=wp-content&f=a.js,b.js`. */
const BASE = /[?&]b=([\w./%-]{1,200})/;

/**
 * The files that an address combines, as paths from their first `/`; empty for an address of one file. Sources: WordPress.com's
 * `nginx-http-concat`, Minify, the combining delivery networks jsDelivr and Yahoo.
 *
 * @param address absolute
 * @returns at most 100
 */
export function filesCombinedIn(address: string): readonly string[] {
  if (!/\?\?|,|[?&]f(?:ile)?=|combo/.test(address)) return [];
  const packed = PACKED.exec(address)?.[1];
  const list = packed === undefined ? plainList(address) : inflate(packed);
  if (list.length < 2 && packed === undefined && !OF_ONE.test(address)) return [];
  return list.filter((file) => FILE.test(file)).map((file) => `/${file.replace(/^\/+/, "")}`);
}

const IN_SETTINGS =
  /"((?:core|libraries|misc|modules|profiles|sites|themes)(?:\\?\/[\w.@~-]{1,80}){1,10}\.(?:js|css))":1\b/g;
const MAX_IN_SETTINGS = 300;

/**
 * The files that Drupal 7 combined for a page, which its settings list: `"ajaxPageState":{"js":{"misc\/drupal.js":1}}`.
 *
 * @returns paths from their first `/`, at most 300
 */
export function filesInSettings(script: string): readonly string[] {
  if (!script.includes('"ajaxPageState"')) return filesInCode(script);
  const files: string[] = filesInCode(script);
  for (const [, file = ""] of script.matchAll(IN_SETTINGS)) {
    if (files.push(`/${file.replaceAll("\\/", "/")}`) >= MAX_IN_SETTINGS) break;
  }
  return files;
}

const IN_CODE = /["'`]((?:\\?\/[\w.@~-]{1,80}){2,12}\.m?js)(?:\?[\w.=&%-]{0,80})?\\?["'`]/g;
const MAX_IN_CODE = 60;
/** Scripts of the site that code loads: `"/assets/vendor/jssor.slider.min.js"`. */
function filesInCode(script: string): string[] {
  const files: string[] = [];
  if (!script.includes(".js")) return files;
  for (const [, file = ""] of script.matchAll(IN_CODE)) {
    if (files.push(file.replaceAll("\\/", "/")) >= MAX_IN_CODE) break;
  }
  return files;
}

function plainList(address: string): readonly string[] {
  const before = BEFORE.exec(address);
  if (!before) return [];
  const base = decoded(BASE.exec(address)?.[1] ?? "");
  const files = decoded(address.slice(before.index + before[0].length))
    .split(/[,&?]/, MAX_FILES)
    .map((file) => file.replace(/^(?:f|js|css|files?|scripts)=/, ""));
  return base === "" ? files : files.map((file) => `${base}/${file.replace(/^\//, "")}`);
}

function inflate(packed: string): readonly string[] {
  try {
    const bytes = Buffer.from(decoded(packed).replaceAll("-", "+").replaceAll("_", "/"), "base64");
    return inflateSync(bytes, { maxOutputLength: MAX_LIST }).toString().split(",", MAX_FILES);
  } catch {
    // Not a list: the address is kept as it is.
    return [];
  }
}

/** With `%2C` and the like resolved; unchanged where that fails. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
