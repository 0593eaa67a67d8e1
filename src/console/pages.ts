import { assetNames } from "./assets.ts";
import type { ConsoleTurn } from "./console.ts";

/** Nothing comes from elsewhere, nothing stands in the page that could be injected, and nobody may frame it. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Addresses that have a page of their own; the browser's router shows it. */
const PAGES =
  /^\/(?:|lookup(?:\/[^/]+)?|studies(?:\/[^/]+)?|companies(?:\/[^/]+)?|compare|key|submit|operator(?:\/[a-z]+)?(?:\/[^/]+)?)\/?$/;

/** Paths of programs: whoever asks for one of them wants no page, whatever a browser accepts. */
const NO_PAGES = /^\/(?:v1|admin|mcp|docs|console|healthz|readyz|metrics|openapi\.json)(?:\/|$)/;

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%230b5d57' d='M3 8a3 3 0 0 1 3-3h6.2l3 3.6H26a3 3 0 0 1 3 3V24a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3z'/%3E%3Cpath fill='none' stroke='%23fff' stroke-width='2.4' stroke-linecap='round' d='M9.5 15.5h13M9.5 20.5h8'/%3E%3C/svg%3E";

/** The page at an address; a browser that asks for one that does not exist gets a page that says so. */
export async function pageAt(request: Request, pathname: string): Promise<ConsoleTurn | undefined> {
  if (request.method !== "GET" || NO_PAGES.test(pathname)) return undefined;
  const known = PAGES.test(pathname);
  if (!known && !/\btext\/html\b/.test(request.headers.get("accept")?.slice(0, 500) ?? "")) return undefined;
  const response = new Response(await shell(), {
    status: known ? 200 : 404,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()",
      "cache-control": "no-cache",
    },
  });
  return { route: known ? "console page" : "none", response };
}

async function shell(): Promise<string> {
  const { script, style, theme } = await assetNames();
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
<noscript><p class="noscript">The console needs JavaScript. Everything that it shows is in the API too: <a href="/docs">the reference</a>.</p></noscript>
</body>
</html>
`;
}
