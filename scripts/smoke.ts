import { cp, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { commandLine } from "./smoke/command-line.ts";
import { customModel } from "./smoke/custom-model.ts";
import { doctor } from "./smoke/doctor.ts";
import { firstUse, search } from "./smoke/first-use.ts";
import { live } from "./smoke/live.ts";
import { openMachine } from "./smoke/machine.ts";
import { moved } from "./smoke/moved.ts";
import { runWithoutNetwork } from "./smoke/no-network.ts";
import { serving } from "./smoke/serving.ts";
import { upgrade } from "./smoke/upgrade.ts";
import { watching } from "./smoke/watching.ts";

/**
 * Tests the executable as a user runs it: without a network (where a namespace can be created), in a folder with an
 * `.env` and a `bunfig.toml` that it must ignore, with an empty home and an empty directory for temporary files.
 * `npm run smoke [FILE]`; without a file it builds one first.
 */

const ended = await runWithoutNetwork(process.argv.slice(1));
if (typeof ended === "number") process.exit(ended);
console.log(`  ${ended}`);

/** The size of the executable that the documentation promises. */
const MAX_BYTES = 200_000_000;
const root = resolve(import.meta.dir, "..");
const machine = await openMachine();
const { binary, work, check } = machine;

try {
  const given = process.argv[2];
  if (given) await cp(given, binary);
  else {
    const build = Bun.spawn([process.execPath, `${root}/scripts/build.ts`, binary], { cwd: root, stdout: "ignore" });
    if ((await build.exited) !== 0) throw new Error("The executable could not be built.");
  }
  check("is no larger than 200 MB", (await stat(binary)).size <= MAX_BYTES);
  await Bun.write(join(work, ".env"), "CASEFILE_SERVER_PORT=not-a-port\n");
  await Bun.write(join(work, "bunfig.toml"), 'preload = ["./absent.ts"]\n');
  await cp(`${root}/data/examples/harbourline.example.json`, join(work, "example.json"));

  // The order matters: later parts use the data of earlier ones.
  for (const part of [firstUse, search, serving, commandLine, customModel, live, watching, moved, upgrade, doctor]) {
    const began = performance.now();
    await part(machine);
    console.log(`  ${part.name}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  }
  check("keeps its files in its data directory", (await readdir(work)).includes("casefile-data"));
  check(
    "writes nothing to the home directory or the directory for temporary files",
    (await machine.traces()).length === 0,
  );
  console.log(`smoke: ${machine.checks()} checks passed`);
} finally {
  await machine.remove();
}
