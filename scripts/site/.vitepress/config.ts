import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** build.mjs copies docs/ here, because Vite finds the packages of a page from its folder. */
const PAGES = fileURLToPath(new URL("../dist/docs", import.meta.url));
/** Where the repository is published. Without it, a link to a file outside docs/ is only its text. */
const REPOSITORY = process.env.SITE_REPOSITORY_URL?.replace(/\/$/, "");

/** The navigation is the documentation table of the README, so that there is one list. */
const readme = readFileSync(resolve(ROOT, "README.md"), "utf8");
const pages = [...readme.matchAll(/^\| \[([^\]]+)\]\(docs\/([\w-]+)\.md\) \|/gm)].map(([, text = "", name]) => ({
  text,
  link: `/${name}`,
}));

export default defineConfig({
  srcDir: PAGES,
  outDir: resolve(ROOT, "dist/site"),
  cacheDir: fileURLToPath(new URL("../dist/cache", import.meta.url)),
  base: process.env.SITE_BASE ?? "/",
  lang: "en",
  title: "Casefile",
  description: "Lists the tools a company uses, with evidence, and searches vendors' case studies.",
  themeConfig: {
    sidebar: pages,
    outline: [2, 3],
    search: { provider: "local" },
    ...(REPOSITORY && { nav: [{ text: "Source", link: REPOSITORY }] }),
  },
  markdown: {
    config(markdown) {
      markdown.core.ruler.push("links_out_of_docs", ({ tokens, env }) => {
        for (const { children } of tokens) {
          let removed = false;
          for (const token of children ?? []) {
            if (token.type === "link_close" && removed) {
              Object.assign(token, { type: "text", content: "", nesting: 0 });
              removed = false;
            }
            if (token.type !== "link_open") continue;
            const href = String(token.attrGet("href"));
            if (/^(?:[a-z]+:|#)/i.test(href)) continue;
            const page = relative(PAGES, (env as { path: string }).path);
            const file = relative(ROOT, resolve(ROOT, "docs", dirname(page), href.replace(/#.*$/, "")));
            if (file.startsWith("docs/")) continue;
            if (REPOSITORY) token.attrSet("href", `${REPOSITORY}/blob/main/${file}`);
            else {
              Object.assign(token, { type: "text", content: "", nesting: 0 });
              removed = true;
            }
          }
        }
      });
    },
  },
});
