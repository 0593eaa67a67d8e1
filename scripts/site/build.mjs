import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";

/**
 * Builds dist/site from docs/ and checks it: no page loads anything from another host, every link leads to a file of the site, and
 * every page has a place in the navigation and in the search index.
 */

const HERE = fileURLToPath(new URL(".", import.meta.url));
const DOCS = join(HERE, "../../docs");
const SITE = join(HERE, "../../dist/site");
const BASE = process.env.SITE_BASE ?? "/";

await rm(join(HERE, "dist/docs"), { recursive: true, force: true });
await cp(DOCS, join(HERE, "dist/docs"), { recursive: true });
const readme = await readFile(join(HERE, "../../README.md"), "utf8");
// The README is the first page. Its links are relative to the folder above.
const index = readme.replace(
  /\]\((?![a-z]+:|#)([^)]+)\)/g,
  (_, path) => `](${path.startsWith("docs/") ? path.slice(5) : `../${path}`})`,
);
await writeFile(join(HERE, "dist/docs/index.md"), index);
await build(HERE);

const problems = [];
const files = (await readdir(SITE, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(SITE.length + 1));
const known = new Set(files);
const textOf = (file) => readFile(join(SITE, file), "utf8");

for (const file of files.filter((name) => name.endsWith(".html"))) {
  const html = await textOf(file);
  for (const [tag, name, value] of html.matchAll(/<[a-z][^>]*?\s(src|srcset|href|poster|data)="([^"]*)"/g)) {
    const isLink = tag.startsWith("<a ");
    if (/^(?:[a-z]+:)?\/\//i.test(value)) {
      if (!isLink) problems.push(`${file} loads ${value}`);
    } else if (name === "href" || name === "src") {
      if (/^(?:data:|mailto:|#)/.test(value) || file === "404.html") continue;
      const path = decodeURI(new URL(value, `http://site${BASE}${file}`).pathname).slice(BASE.length);
      if (!known.has(path) && !known.has(join(path, "index.html")))
        problems.push(`${file} leads to ${value}: no such file`);
    }
  }
}
for (const file of files.filter((name) => name.endsWith(".css")))
  for (const [load] of (await textOf(file)).matchAll(/(?:url\(\s*["']?|@import\s*["'])(?:https?:)?\/\/[^)"']*/g))
    problems.push(`${file} loads ${load}`);
for (const file of files.filter((name) => name.endsWith(".js")))
  for (const [load] of (await textOf(file)).matchAll(
    /\b(?:fetch|import|importScripts|WebSocket|Worker)\(\s*["'`](?:https?:)?\/\/[^)"'`]*/g,
  ))
    problems.push(`${file} loads ${load}`);

const start = await textOf("index.html");
const pages = (await readdir(DOCS)).filter((name) => name.endsWith(".md"));
for (const page of pages) {
  const built = page.replace(/\.md$/, ".html");
  if (!known.has(built)) problems.push(`docs/${page} is not built`);
  else if (!start.includes(`href="${BASE}${built}"`))
    problems.push(`docs/${page} is not in the navigation: add it to the table of the README`);
}
const searchIndex = files.find((name) => name.includes("localSearchIndex"));
const searched = searchIndex === undefined ? "" : await textOf(searchIndex);
for (const words of ["Air-gapped import", "Nightly watch to Slack"])
  if (!searched.includes(words)) problems.push(`search does not find "${words}"`);

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`dist/site: ${pages.length} pages, ${files.length} files, nothing loaded from elsewhere`);
