import { join } from "node:path";

const UI = join(import.meta.dir, "ui");

/**
 * Runs at bundle time, as a macro; when the program runs from source, that is when the first page is asked for.
 *
 * @returns JSON of a `Bundle`
 * @throws Error with what the bundler says, so that a fault breaks the build and not a user's page
 */
export function packBundle(): string {
  return JSON.stringify({
    script: bundled("main.tsx"),
    style: bundled("style/console.css"),
    theme: bundled("early-theme.ts", "iife"),
  });
}

/** A process of its own: a bundler that waits for itself inside its macro would wait for ever. */
function bundled(entry: string, format = "esm"): string {
  const { stdout, stderr, success } = Bun.spawnSync(
    [process.execPath, "build", join(UI, entry), "--production", "--target=browser", `--format=${format}`],
    // A program that was built with Bun would take the words for its own.
    { cwd: UI, env: { ...process.env, BUN_BE_BUN: "1" } },
  );
  if (success) return stdout.toString();
  // The bundler hides what a macro throws; the faults must be seen where they can be mended.
  console.error(stderr.toString());
  throw new Error(`${entry} of the console could not be bundled.`);
}
