import { rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BunPlugin } from "bun";

const ROOT = resolve(import.meta.dir, "..");
const PACKAGE = join(ROOT, "node_modules/onnxruntime-node");
/** The libraries that the add-on asks the system for, by the names under which it does. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  linux: ["libonnxruntime.so.1"],
  darwin: ["libonnxruntime.1.dylib"],
  win32: ["onnxruntime.dll"],
};
const ADDON = "onnxruntime_binding.node";
/** Where the package looks for its add-on; an executable has no such folder. */
const LOOK_UP = /require\(`\.\.\/bin\/[^`]*`\)/;

/**
 * Puts ONNX Runtime's native parts into an executable, compressed, and has the package take its add-on from
 * `src/embed/native.ts`, which unpacks them. The compressed files are kept by content in `cache`: compressing takes
 * seconds.
 */
export async function carryNatives(cache: string): Promise<BunPlugin> {
  const folder = join(PACKAGE, "bin/napi-v6", process.platform, process.arch);
  const names = [...(LIBRARIES[process.platform] ?? []), ADDON];
  const parts = await Promise.all(names.map((name) => compressed(join(folder, name), name, cache)));
  const imports = parts.map(({ path }, at) => `import part${at} from ${JSON.stringify(path)} with { type: "file" };`);
  const list = parts.map(({ name, sha256 }, at) => `{ ...${JSON.stringify({ name, sha256 })}, path: part${at} }`);
  return {
    name: "natives",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]embed[\\/]native-files\.ts$/ }, () => ({
        contents: `${imports.join("\n")}\nexport const NATIVE_FILES = [${list.join(", ")}];\n`,
        loader: "ts",
      }));
      build.onLoad({ filter: /onnxruntime-node[\\/]dist[\\/]binding\.js$/ }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!LOOK_UP.test(source)) throw new Error("onnxruntime-node looks for its add-on in another way now");
        return { contents: source.replace(LOOK_UP, "globalThis.casefileOnnxRuntime"), loader: "js" };
      });
    },
  };
}

async function compressed(source: string, name: string, cache: string) {
  const content = await Bun.file(source).bytes();
  const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  const path = join(cache, `${sha256.slice(0, 16)}-${name}.zst`);
  if (!(await Bun.file(path).exists())) {
    await Bun.write(`${path}.${process.pid}`, Bun.zstdCompressSync(content, { level: 12 }));
    await rename(`${path}.${process.pid}`, path);
  }
  return { name, sha256, path };
}
