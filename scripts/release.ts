import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readArguments } from "./arguments.ts";
import { compile } from "./build/compile.ts";
import { writeComponents } from "./build/components.ts";
import { PackageMissing } from "./build/fetch-package.ts";
import { fileNameOf, isThisMachine, TARGETS } from "./build/targets.ts";
import { assertNewer, releaseChangelog, releaseNotes } from "./release/changelog.ts";
import { versioned } from "./release/chart.ts";
import { formulaOf } from "./release/formula.ts";
import { buildImage } from "./release/image.ts";
import { installScript } from "./release/install-script.ts";
import { buildDeb, buildRpm } from "./release/packages.ts";
import { run } from "./release/run.ts";
import { publicKeyOf, sign } from "./release/sign.ts";
import { sumsOf, writeSums } from "./release/sums.ts";

/**
 * Makes a release: `npm run release -- 0.2.0 --base-url https://downloads.your-company.example --contact security@…`.
 *
 * It sets the version, dates the changelog, builds every executable, the Linux packages and images, and writes sums,
 * components, licences, notes, the chart, the formula and the install script to `dist/release/VERSION`. Nothing is published: the last
 * lines say what to commit, tag and upload.
 *
 * The secret key of minisign is named by CASEFILE_SIGNING_KEY, its public key by the same path with `.pub`.
 */
const usage = "npm run release -- VERSION --base-url URL --contact ADDRESS [--trial] [--partial]";
const { values, positionals, refuse } = readArguments(usage, {
  options: {
    "base-url": { type: "string" },
    /** Address or URL for reports of vulnerabilities, which the notes name; not needed for a trial. */
    contact: { type: "string" },
    /** Only this machine's executable and packages, unsigned when there is no key: to try the rest. */
    trial: { type: "boolean", default: false },
    /** Leaves out a target whose parts the registry does not have, and the formula then; to try the rest. */
    partial: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const root = resolve(import.meta.dir, "..");
const [version] = positionals;
const baseUrl = values["base-url"]?.replace(/\/+$/, "");
if (positionals.length !== 1 || version === undefined || !URL.canParse(baseUrl ?? ""))
  throw refuse("Give a version and --base-url.");
if (!values.contact && !values.trial) refuse("Give --contact: who receives reports of vulnerabilities.");

const manifest = await Bun.file(join(root, "package.json")).json();
assertNewer(manifest.version, version);
const changelog = releaseChangelog(
  await Bun.file(join(root, "CHANGELOG.md")).text(),
  version,
  new Date().toISOString().slice(0, 10),
);
const key = process.env.CASEFILE_SIGNING_KEY;
if (!key && !values.trial) throw new Error("CASEFILE_SIGNING_KEY does not name the secret key of minisign.");
const publicKey = key ? await publicKeyOf(`${key}.pub`) : undefined;
if (!values.trial && (await run(["git", "status", "--porcelain"], { cwd: root })) !== "")
  throw new Error("The working tree has changes; commit them first.");

const out = join(root, "dist/release", version);
const work = join(root, "dist/release/work");
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

// The executables report this version, so it is set before they are built. A trial puts the files back.
const restore = await setVersion();
try {
  const missing: string[] = [];
  const targets = values.trial ? TARGETS.filter(isThisMachine) : TARGETS;
  for (const target of targets) {
    const executable = join(out, fileNameOf(target, version));
    try {
      await compile(root, target, executable);
    } catch (error) {
      if (!values.partial || !(error instanceof PackageMissing)) throw error;
      missing.push(`${target.name}: ${error.message}`);
      continue;
    }
    if (target.platform !== "linux") continue;
    const input = { version, executable, arch: target.arch, root, out, work };
    console.log(await buildDeb(input));
    console.log(await buildRpm(input));
    console.log(await buildImage(input));
  }
  await run(["tar", "-czf", join(out, `casefile-chart-${version}.tgz`), "-C", join(root, "deploy/helm"), "casefile"]);
  await writeComponents(root, out);
  await writeLicences();
  await copyFile(join(root, "LICENSE"), join(out, "LICENSE"));
  await Bun.write(join(out, "RELEASE_NOTES.md"), releaseNotes(version, changelog.notes, values.contact));
  if (missing.length > 0) console.warn(`\nWithout ${missing.join("\nWithout ")}`);
  else if (!values.trial) await Bun.write(join(out, "casefile.rb"), formulaOf(version, baseUrl!, await sumsOf(out)));
  if (publicKey !== undefined) {
    const template = await Bun.file(join(root, "deploy/install.sh")).text();
    await Bun.write(join(out, "install.sh"), installScript(template, { baseUrl: baseUrl!, publicKey, version }));
  }
  const sums = await writeSums(out);
  if (key) await sign(sums, key, `casefile ${version}`);
} finally {
  if (values.trial) await restore();
  await rm(work, { recursive: true, force: true });
}

console.log(
  `\n${out}:\n${(await readdir(out))
    .sort()
    .map((name) => `  ${name}`)
    .join("\n")}`,
);
if (values.trial) console.log("\nA trial: version and changelog are as before.");
else
  console.log(`
Check the files, then:
  git commit -am "release: ${version}" && git tag -s v${version}
  upload the folder as ${baseUrl}/v${version}/ and install.sh as ${baseUrl}/install.sh`);

/** Writes the version and the changelog. @returns puts the files back */
async function setVersion(): Promise<() => Promise<void>> {
  const chart = "deploy/helm/casefile/Chart.yaml";
  const files = ["package.json", "package-lock.json", "client/package.json", "CHANGELOG.md", chart].map((name) =>
    join(root, name),
  );
  const before = await Promise.all(files.map((file) => Bun.file(file).text()));
  for (const cwd of [root, join(root, "client")])
    await run(["npm", "version", version!, "--no-git-tag-version", "--ignore-scripts", "--workspaces-update=false"], {
      cwd,
    });
  // Site owners find it in the User-Agent of each request.
  if (manifest.homepage === undefined) await run(["npm", "pkg", "set", `homepage=${baseUrl}`], { cwd: root });
  await Bun.write(join(root, "CHANGELOG.md"), changelog.text);
  await Bun.write(join(root, chart), versioned(await Bun.file(join(root, chart)).text(), version!));
  return async () => {
    for (const [at, file] of files.entries()) await Bun.write(file, before[at]!);
  };
}

async function writeLicences(): Promise<void> {
  const { loadLicences } = await import("../src/licences/licences.ts");
  await Bun.write(join(out, "THIRD_PARTY_LICENCES.txt"), await loadLicences());
}
