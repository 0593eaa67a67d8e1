/** Builds the executable for this machine: `bun run build [FILE]`, by default `dist/casefile`. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";

const root = resolve(import.meta.dir, "..");
const outfile = resolve(process.argv[2] ?? `${root}/dist/casefile`);
const built = await Bun.build({
  entrypoints: [`${root}/src/main.ts`],
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
