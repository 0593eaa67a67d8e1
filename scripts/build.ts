import { resolve } from "node:path";
import { readArguments } from "./arguments.ts";
import { compile } from "./build/compile.ts";
import { PackageMissing } from "./build/fetch-package.ts";
import { fileNameOf, isThisMachine, TARGETS, type Target } from "./build/targets.ts";

/**
 * Builds executables. `npm run build -- [FILE]` builds this machine's, by default `dist/casefile`.
 * `npm run build -- --target linux-x64 [--target …]`, or `--target all`, builds `dist/casefile-<version>-<target>[.exe]`
 * each, and ends with 1 when one could not be built. `release.ts` makes a release of them.
 */

const root = resolve(import.meta.dir, "..");
const dist = resolve(root, "dist");
const known = TARGETS.map(({ name }) => name).join(", ");
const usage = `npm run build -- [FILE] | --target TARGET [--target ...]\nTargets: ${known}, all`;
const { values, positionals, refuse } = readArguments(usage, {
  options: { target: { type: "string", multiple: true, default: [] } },
  allowPositionals: true,
});

const named = (name: string): Target =>
  TARGETS.find((target) => target.name === name) ?? refuse(`Unknown target ${name}: use ${known} or all.`);

if (values.target.length === 0) {
  const target = TARGETS.find(isThisMachine);
  if (!target) throw new Error(`LanceDB and ONNX Runtime have no parts for this machine; there are ${known}.`);
  await compile(root, target, resolve(positionals[0] ?? `${dist}/casefile`));
} else {
  const { version } = await Bun.file(`${root}/package.json`).json();
  const wanted = values.target.includes("all") ? TARGETS : values.target.map(named);
  const missed: string[] = [];
  for (const target of wanted) {
    try {
      await compile(root, target, resolve(dist, fileNameOf(target, version)));
    } catch (error) {
      if (!(error instanceof PackageMissing)) throw error;
      missed.push(`${target.name} was not built: ${error.message}`);
    }
  }
  for (const line of missed) console.error(line);
  if (missed.length > 0) process.exitCode = 1;
}
