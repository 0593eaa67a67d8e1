import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const FILES = ["*.md", "{docs,deploy,client,research,examples,test,src,.github}/**/*.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })])
  .filter((file) => !file.includes("node_modules/"))
  .sort();

/** Ids of the headings of a page, as forges and the documentation site make them. */
const idsOf = (markdown: string): ReadonlySet<string> =>
  new Set(
    [...withoutCode(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-"),
    ),
  );

const withoutCode = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");

test("each link of the documents leads to a file, and each fragment to a heading", async () => {
  const wrong: string[] = [];
  let links = 0;
  for (const file of FILES) {
    const text = await Bun.file(join(ROOT, file)).text();
    for (const [, target = ""] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/i.test(target)) continue;
      links += 1;
      const [path = "", fragment] = target.split("#");
      const linked = path === "" ? file : relative(ROOT, join(ROOT, dirname(file), path));
      const exists = !linked.startsWith("..") && existsSync(join(ROOT, linked));
      if (!exists) wrong.push(`${file}: ${target}: no such file`);
      else if (fragment && !idsOf(await Bun.file(join(ROOT, linked)).text()).has(fragment))
        wrong.push(`${file}: ${target}: no such heading`);
    }
  }
  expect(wrong).toEqual([]);
  expect(links).toBeGreaterThan(25);
});

test("documents lead to no address of a machine of their own", async () => {
  for (const file of FILES) {
    const text = await Bun.file(join(ROOT, file)).text();
    expect([file, text.match(/\bfile:\/\/|\]\(\/(?!\/)/g)]).toEqual([file, null]);
  }
});
