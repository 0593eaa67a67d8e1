import { answerFile, type BrowserFile, browserFile } from "../http/content-coding.ts";

/** The page loads only the service's own files, runs no inline script, and cannot be framed. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Addresses of pages; the router in the browser shows them. */
const PAGES =
  /^\/(?:|lookup(?:\/[^/]+)?|studies(?:\/[^/]+)?|companies(?:\/[^/]+)?|compare|key|submit|operator(?:\/[a-z]+)?(?:\/[^/]+)?)\/?$/;

/** Addresses of the API, which never return a page. */
const NO_PAGES = /^\/(?:v1|admin|mcp|docs|console|healthz|readyz|metrics|openapi\.json)(?:\/|$)/;

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%230b5d57' d='M3 8a3 3 0 0 1 3-3h6.2l3 3.6H26a3 3 0 0 1 3 3V24a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3z'/%3E%3Cpath fill='none' stroke='%23fff' stroke-width='2.4' stroke-linecap='round' d='M9.5 15.5h13M9.5 20.5h8'/%3E%3C/svg%3E";

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

/** A file of the console by its name, compressed for clients that accept it. */
export async function assetAt(request: Request, name: string): Promise<Response | undefined> {
  const file = (await loadAssets()).files.get(name);
  return file && answerFile(request, file, { "cache-control": "public, max-age=31536000, immutable" });
}

interface Assets {
  /** Addresses of the script, the style sheet, and the script that chooses light or dark before they load. */
  readonly script: string;
  readonly style: string;
  readonly theme: string;
  readonly files: ReadonlyMap<string, BrowserFile>;
}

let assets: Promise<Assets> | undefined;

/** Loaded with the first page: commands, and services whose console is not used, never load them. */
function loadAssets(): Promise<Assets> {
  assets ??= readAssets();
  return assets;
}

async function readAssets(): Promise<Assets> {
  const { loadBundle } = await import("./packed.ts");
  const bundle = loadBundle();
  const files = new Map<string, BrowserFile>();
  const add = (name: string, text: string, type: string): string => {
    // The content's hash is in the name, so browsers may cache the file for good.
    const hashed = name.replace(".", `-${Bun.hash(text).toString(36)}.`);
    files.set(hashed, browserFile(text, type));
    return `/console/files/${hashed}`;
  };
  return {
    script: add("console.js", bundle.script, "text/javascript; charset=utf-8"),
    style: add("console.css", bundle.style, "text/css; charset=utf-8"),
    theme: add("theme.js", bundle.theme, "text/javascript; charset=utf-8"),
    files,
  };
}

async function shell(): Promise<string> {
  const { script, style, theme } = await loadAssets();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Casefile</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${style}">
<script src="${theme}"></script>
<script type="module" src="${script}"></script>
</head>
<body>
<div id="console"></div>
<noscript><p class="noscript">The console needs JavaScript. The same data is in the API: see <a href="/docs">the reference</a>.</p></noscript>
</body>
</html>
`;
}
