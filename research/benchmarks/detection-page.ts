import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HttpExchange } from "../../src/net/snapshot.ts";

const PAGE_BYTES = 300 * 1024;
/** Other pictures and other sites that a page shows and links to; after that it repeats them. */
const PICTURES = 60;
const SITES = 20;

/**
 * A page of 300 KiB whose tags are listed in `detection-tags.txt`, so that it stays the same when the catalogue
 * grows: an added tool costs only its matching, and the page gets no longer. The rest of the page is a state object of
 * 36 KB, plain markup, pictures and links.
 *
 * @param size `typical`: 44 tools, as an enterprise loads them; of 65 real home and article pages the busiest held 38,
 *   the median 8. `heavy`: 150 tools, more than a page was seen to load.
 */
export function benchPage(size: "typical" | "heavy"): HttpExchange {
  const text = readFileSync(join(import.meta.dir, "detection-tags.txt"), "utf8");
  const [typical = "", rest = ""] = text.split("--\n");
  const lines = (size === "typical" ? typical : typical + rest).trim().split("\n");
  const of = (kind: string) =>
    lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
  const head = [
    ...of("script").map((url) => `<script async src="${url}"></script>`),
    ...of("code").map((code) => `<script>(function(){${code};var settings={id:"x",list:[1,2,3]};})();</script>`),
  ].join("\n");
  const state = `<script>window.__state={"items":[${'{"name":"thing","price":12,"tags":["a","b"]},'.repeat(200)}]};</script>`;
  let body = `<!doctype html><html><head>${head}</head><body>${state.repeat(4)}`;
  for (let section = 0; body.length < PAGE_BYTES; section++) {
    const address = section % 3 === 0 ? `https://partner-${section % SITES}.example/story` : "/about/us";
    body += `<section class="card card--wide" data-id="7"><h2>Plain words</h2><p>A paragraph of ordinary text that says nothing of any tool, with a <a href="${address}">link</a>.</p><img src="/images/photo-${section % PICTURES}.webp" alt=""></section>\n`;
  }
  return {
    method: "GET",
    url: "https://bench.example/",
    status: "ok",
    code: 200,
    headers: [["content-type", "text/html"], ...of("header").map(headerOf)],
    body: `${body}</body></html>`,
  };
}

function headerOf(line: string): readonly [string, string] {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon), line.slice(colon + 2)];
}
