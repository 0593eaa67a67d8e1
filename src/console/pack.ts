import { join } from "node:path";

const UI = join(import.meta.dir, "ui");

/**
 * Bundles the console. A macro: it runs at build time, or, from source, when the first page is loaded.
 *
 * @returns JSON of a `Bundle`
 * @throws Error with the bundler's message, so that an error breaks the build and not a user's page
 */
export function packBundle(): string {
  return JSON.stringify({
    script: bundled("main.tsx"),
    style: bundled("style/console.css"),
    theme: bundled("early-theme.ts", "iife"),
  });
}

/** In another process: inside a macro, the bundler would wait for itself for ever. */
function bundled(entry: string, format = "esm"): string {
  const { stdout, stderr, success } = Bun.spawnSync(
    [process.execPath, "build", join(UI, entry), "--production", "--target=browser", `--format=${format}`],
    // Without it, an executable built with Bun would run itself with these arguments.
    { cwd: UI, env: { ...process.env, BUN_BE_BUN: "1" } },
  );
  if (success) return stdout.toString();
  // The bundler hides what a macro throws.
  console.error(stderr.toString());
  throw new Error(`${entry} of the console cannot be bundled.`);
}
