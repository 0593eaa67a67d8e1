import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const textOf = (path: string) => Bun.file(join(ROOT, path)).text();

/** The parts whose pages come with packages of npm and Debian. */
const PUBLIC = ["development_8", "earlier", "development_9", "development_11", "recipes", "recipes_2"];

test("the numbers of pages in the documents are those of the saved figures", async () => {
  const figures: Readonly<Record<string, { readonly pages: number }>> = await Bun.file(
    join(ROOT, "test/evaluation/pages.json"),
  ).json();
  const pagesOf = (parts: readonly string[]) => parts.reduce((sum, part) => sum + (figures[part]?.pages ?? 0), 0);
  expect(await textOf("research/README.md")).toContain(`(${pagesOf(PUBLIC)} of them, `);
  const validation = pagesOf(Object.keys(figures).filter((part) => part.startsWith("validation")));
  expect(await textOf("docs/benchmarks.md")).toContain(`| all validation parts | ${validation} |`);
});
