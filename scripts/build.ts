/** Builds the executable for this machine: `bun run build [FILE]`, by default `dist/casefile`. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { carryNatives } from "./natives.ts";

const root = resolve(import.meta.dir, "..");
const outfile = resolve(process.argv[2] ?? `${root}/dist/casefile`);
const built = await Bun.build({
  // A thread's code is an entry point of its own; its place below the root is how the program finds it.
  entrypoints: [
    `${root}/src/main.ts`,
    `${root}/src/embed/thread.ts`,
    `${root}/src/studies/extract/pdf/thread.ts`,
    `${root}/src/store/copy/thread.ts`,
  ],
  root: `${root}/src`,
  plugins: [await carryNatives(`${root}/node_modules/.cache/natives`)],
  minify: true,
  sourcemap: "none",
  compile: {
    outfile,
    // The working directory of a user may hold anything: its .env and bunfig.toml are not ours to read.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
});
for (const message of built.logs) console.error(String(message));
if (!built.success) process.exit(1);
console.log(`${outfile}: ${((await stat(outfile)).size / 1_048_576).toFixed(0)} MiB`);
