import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BunPlugin } from "bun";
import { gatherLicences } from "../../src/licences/gather.ts";

const PACK_IMPORT = /import \{([^}]+)\} from "(\.\/pack\.ts)";/;

/**
 * Carries what the `packed.ts` files hold, data checked and read at build time, as compressed files and not as text of
 * the program: compiled code holds two copies of it. And the licences.
 *
 * @param cache a folder for the compressed files
 */
export async function carryPackedData(root: string, cache: string): Promise<BunPlugin> {
  await mkdir(cache, { recursive: true });
  const rewritten = new Map<string, string>();
  // Write all of them before bundling: the bundler does not see files created while it runs.
  for await (const name of new Bun.Glob("src/**/packed.ts").scan(root))
    rewritten.set(join(root, name), await rewrite(join(root, name), cache));
  const licences = await kept(cache, "licences", await gatherLicences(root));
  return {
    name: "packed data",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]licences[\\/]embedded\.ts$/ }, () => ({
        contents: `import path from ${JSON.stringify(licences)} with { type: "file" };\nexport const EMBEDDED_LICENCES = path;\n`,
        loader: "ts",
      }));
      build.onLoad({ filter: /[\\/]packed\.ts$/ }, ({ path }) => ({
        contents: rewritten.get(path) ?? "",
        loader: "ts",
      }));
    },
  };
}

async function rewrite(path: string, cache: string): Promise<string> {
  const source = await Bun.file(path).text();
  const [found, list = "", from = ""] = PACK_IMPORT.exec(source) ?? [];
  if (found === undefined) throw new Error(`${path} imports its data in another way now`);
  const makers = await import(join(dirname(path), from));
  const lines = ['import { readFileSync } from "node:fs";'];
  for (const [at, name] of list
    .split(",")
    .flatMap((item) => item.trim() || [])
    .entries()) {
    const file = await kept(cache, name, await makers[name]());
    lines.push(`import file${at} from ${JSON.stringify(file)} with { type: "file" };`);
    lines.push(`const ${name} = () => Bun.zstdDecompressSync(readFileSync(file${at})).toString();`);
  }
  return source.replace(found, lines.join("\n"));
}

/** Writes a compressed text under the hash of its content. @returns its path */
export async function kept(cache: string, name: string, text: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const path = join(cache, `${hash.slice(0, 16)}-${name}.zst`);
  if (!(await Bun.file(path).exists())) await Bun.write(path, Bun.zstdCompressSync(text, { level: 19 }));
  return path;
}
