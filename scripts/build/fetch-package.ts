import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** The registry lacks a package, or its hash differs from the lock file. The message names the package. */
export class PackageMissing extends Error {}

/**
 * Finds a file of an npm package that is made for another machine: npm installs only this machine's. Fetched once into
 * `cache`; held against the lock file's hash where the lock file has one.
 *
 * @throws PackageMissing
 */
export async function findPackageFile(
  root: string,
  cache: string,
  { name, version, file }: { readonly name: string; readonly version: string; readonly file: string },
): Promise<string> {
  const installed = join(root, "node_modules", name);
  if (await isVersion(installed, version)) {
    if (await Bun.file(join(installed, file)).exists()) return join(installed, file);
  }
  const folder = join(cache, `${name.replace("/", "-")}-${version}`);
  if (!(await isVersion(folder, version))) await fetchPackage(root, cache, folder, name, version);
  const path = join(folder, file);
  if (!(await Bun.file(path).exists())) throw new PackageMissing(`${name}@${version} has no ${file}`);
  return path;
}

async function isVersion(folder: string, version: string): Promise<boolean> {
  const manifest = Bun.file(join(folder, "package.json"));
  return (await manifest.exists()) && (await manifest.json()).version === version;
}

async function fetchPackage(root: string, cache: string, folder: string, name: string, version: string) {
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "fetch-"));
  try {
    // npm verifies what it fetches against the registry's hash.
    const packed = await run(["npm", "pack", `${name}@${version}`, "--json", "--pack-destination", work], root);
    if (packed.code !== 0) {
      const reasons = [...packed.err.matchAll(/^npm error (?:notarget |404 )?(.*)$/gm)].map(([, text = ""]) => text);
      const reason = reasons.find((text) => / found /.test(text)) ?? reasons[0] ?? packed.err;
      throw new PackageMissing(`the registry does not give ${name}@${version} (${reason.trim().slice(0, 200)})`);
    }
    const [filename] = await Array.fromAsync(new Bun.Glob("*.tgz").scan(work));
    if (filename === undefined) throw new PackageMissing(`npm packed nothing for ${name}@${version}`);
    const expected = await lockedHash(root, name, version);
    const hash = new Bun.CryptoHasher("sha512").update(await Bun.file(join(work, filename)).bytes()).digest("base64");
    if (expected === undefined) console.log(`  ${name}@${version} is not in the lock file; its sha512 is ${hash}`);
    else if (expected !== `sha512-${hash}`)
      throw new PackageMissing(`${name}@${version} is not what the lock file knows by this name`);
    const unpacked = await run(["tar", "-xzf", join(work, filename), "-C", work], root);
    if (unpacked.code !== 0) throw new PackageMissing(`${name}@${version} cannot be unpacked: ${unpacked.err.trim()}`);
    await rm(folder, { recursive: true, force: true });
    await rename(join(work, "package"), folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function lockedHash(root: string, name: string, version: string): Promise<string | undefined> {
  const { packages } = await Bun.file(join(root, "package-lock.json")).json();
  const locked = packages[`node_modules/${name}`];
  return locked?.version === version ? locked.integrity : undefined;
}

async function run(command: string[], cwd: string) {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const [, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { err, code };
}
