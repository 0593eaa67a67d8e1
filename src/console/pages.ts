import { extname } from "node:path";
import { answerFile, type BrowserFile, binaryFile, browserFile } from "../http/content-coding.ts";

/** The page loads only the service's own files, runs no inline script, and cannot be framed. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Addresses of pages; the router in the browser shows them. */
const PAGES =
  /^\/(?:|lookup(?:\/[^/]+)?|studies(?:\/[^/]+)?|companies(?:\/[^/]+)?|compare|tools(?:\/[^/]+)?|lists(?:\/[^/]+)?|query|key|submit|docs(?:\/[^/]+)?|operator(?:\/[a-z]+)?(?:\/[^/]+)?)\/?$/;

/** Addresses of the API, which never return a page. */
const NO_PAGES = /^\/(?:v1|admin|mcp|console|healthz|readyz|metrics|openapi\.json|llms\.txt)(?:\/|$)/;

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%230b6b5f' d='M3 8a3 3 0 0 1 3-3h6.2l3 3.6H26a3 3 0 0 1 3 3V24a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3z'/%3E%3Cpath fill='none' stroke='%23fff' stroke-width='2.4' stroke-linecap='round' d='M9.5 15.5h13M9.5 20.5h8'/%3E%3C/svg%3E";

/** The page at an address. A browser that asks for an unknown address gets a page that says so, with status 404. */
export async function pageAt(request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (request.method !== "GET" || NO_PAGES.test(pathname)) return undefined;
  const known = PAGES.test(pathname);
  if (!known && !/\btext\/html\b/.test(request.headers.get("accept")?.slice(0, 500) ?? "")) return undefined;
  return new Response(await shell(), {
    status: known ? 200 : 404,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()",
      "cache-control": "no-cache",
    },
  });
}

/** A file of the console by its version and name, compressed for clients that accept it. */
export async function assetAt(request: Request, version: string, name: string): Promise<Response | undefined> {
  const assets = await loadAssets();
  const file = version === assets.version ? await assets.file(name) : undefined;
  return file && answerFile(request, file, { "cache-control": "public, max-age=31536000, immutable" });
}

interface Assets {
  /** Hash of all files. It is in their addresses, so browsers may cache them for good. */
  readonly version: string;
  /** Names of the scripts that the main script imports at once. */
  readonly imported: readonly string[];
  file(name: string): Promise<BrowserFile | undefined>;
}

let assets: Promise<Assets> | undefined;

/** Loaded with the first page: commands, and services whose console is not used, never load them. */
function loadAssets(): Promise<Assets> {
  assets ??= readAssets();
  return assets;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".woff2": "font/woff2",
};
const ICONS_FILE = "icons.json";

async function readAssets(): Promise<Assets> {
  const { loadBundle } = await import("./packed.ts");
  const { files } = loadBundle();
  const byName = new Map<string, BrowserFile>();
  for (const { name, text, base64 } of files) {
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    byName.set(
      name,
      text === undefined ? binaryFile(Buffer.from(base64 ?? "", "base64"), type) : browserFile(text, type),
    );
  }
  const main = files.find(({ name }) => name === "main.js")?.text ?? "";
  return {
    version: Bun.hash(JSON.stringify(files)).toString(36),
    imported: [...main.matchAll(/\bfrom\s?"\.\/([\w.-]+\.js)"/g)].map(([, name = ""]) => name),
    async file(name) {
      // Only some pages show icons, and choosing them from source takes a moment.
      if (name === ICONS_FILE && !byName.has(name)) {
        const { brandIcons } = await import("./icons/packed.ts");
        byName.set(name, browserFile(brandIcons(), TYPES[".json"] ?? ""));
      }
      return byName.get(name);
    },
  };
}

async function shell(): Promise<string> {
  const { version, imported } = await loadAssets();
  const at = (name: string) => `/console/files/${version}/${name}`;
  const preloads = imported.map((name) => `<link rel="modulepreload" href="${at(name)}">\n`).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Casefile</title>
<link rel="icon" href="${ICON}">
<link rel="preload" href="${at("inter.woff2")}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${at("console.css")}">
${preloads}<script src="${at("early-theme.js")}"></script>
<script type="module" src="${at("main.js")}"></script>
</head>
<body>
<div id="console"></div>
<noscript><p class="noscript">The console needs JavaScript. The same data is in the API: see <a href="/llms.txt">its guide</a>.</p></noscript>
</body>
</html>
`;
}
