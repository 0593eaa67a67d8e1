import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const UI = join(import.meta.dir, "ui");
/** The letters of western languages, all weights. The style sheet names it as `./inter.woff2`. */
const FONT = "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";

/**
 * Bundles the console: one script for each page, a style sheet and the font. Runs when an executable is built, or,
 * from source, when the first page is loaded.
 *
 * @returns JSON of a `Bundle`
 * @throws Error with the bundler's message, so that an error breaks the build and not a user's page
 */
export function packBundle(): string {
  const folder = mkdtempSync(join(tmpdir(), "casefile-bundle-"));
  try {
    bundle(folder, "early-theme.ts", ["--format=iife"]);
    bundle(folder, "style/console.css", ["--external=*.woff2"]);
    bundle(folder, "main.tsx", ["--format=esm", "--splitting", "--chunk-naming=[name]-[hash].[ext]"]);
    const texts = readdirSync(folder).map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return { name, text: name.endsWith(".css") ? withoutOldCopies(text) : text };
    });
    const font = readFileSync(join(import.meta.dir, "../../node_modules", FONT), "base64");
    return JSON.stringify({ files: [...texts, { name: "inter.woff2", base64: font }] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The bundler adds a copy with `:-webkit-any()` of each rule with `:is()`. Chromium still knows it, and weighs it as a
 * class: the copy would win over later rules, and only there.
 */
const withoutOldCopies = (css: string): string => css.replace(/[^{}]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g, "");

/** In another process: the caller is synchronous. */
function bundle(folder: string, entry: string, options: readonly string[]): void {
  const { stderr, success } = Bun.spawnSync(
    [
      ...[process.execPath, "build", join(UI, entry), `--outdir=${folder}`],
      ...["--production", "--target=browser", "--entry-naming=[name].[ext]", ...options],
    ],
    // Without it, an executable built with Bun would run itself with these arguments.
    { cwd: UI, env: { ...process.env, BUN_BE_BUN: "1" } },
  );
  if (success) return;
  console.error(stderr.toString());
  throw new Error(`${entry} of the console cannot be bundled.`);
}
