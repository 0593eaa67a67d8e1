import { join } from "node:path";
import type { BunPlugin } from "bun";
import type { NativeFile, NativePart } from "../../src/natives/files.ts";
import { compressed } from "./compress.ts";
import { findPackageFile } from "./fetch-package.ts";
import type { Target } from "./targets.ts";

const ADDON = "onnxruntime_binding.node";
/** Where ONNX Runtime's package searches for its add-on; an executable has no such folder. */
const ONNX_LOOK_UP = /require\(`\.\.\/bin\/[^`]*`\)/;
/** LanceDB's package tries one platform package after another; this matches the export of the one it found. */
const LANCE_EXPORTS = "module.exports = nativeBinding;";

/**
 * Puts the native files of LanceDB and ONNX Runtime into an executable, compressed, and has the packages take their
 * add-ons from `src/natives`, which unpacks them.
 *
 * @param cache a folder for what was fetched and compressed: both are slow
 * @throws PackageMissing when the registry has no add-on for the target
 */
export async function carryNatives(root: string, cache: string, target: Target): Promise<BunPlugin> {
  const [lancedb, onnxruntime] = await Promise.all([lanceFiles(root, cache, target), onnxFiles(root, cache, target)]);
  const parts: Record<NativePart, readonly NativeFile[]> = { lancedb, onnxruntime };
  return {
    name: "natives",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]natives[\\/]files\.ts$/ }, () => ({
        contents: listOf(parts),
        loader: "ts",
      }));
      build.onLoad({ filter: /onnxruntime-node[\\/]dist[\\/]binding\.js$/ }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!ONNX_LOOK_UP.test(source)) throw new Error("onnxruntime-node looks for its add-on in another way now");
        return { contents: source.replace(ONNX_LOOK_UP, "globalThis.casefileOnnxRuntime"), loader: "js" };
      });
      build.onLoad({ filter: /@lancedb[\\/]lancedb[\\/]dist[\\/]native\.js$/ }, async ({ path }) => {
        const [, exported, ...more] = (await Bun.file(path).text()).split(LANCE_EXPORTS);
        if (exported === undefined || more.length > 0)
          throw new Error("@lancedb/lancedb looks for its add-on in another way now");
        return {
          contents: `const nativeBinding = globalThis.casefileLanceDb;\n${LANCE_EXPORTS}${exported}`,
          loader: "js",
        };
      });
    },
  };
}

async function onnxFiles(root: string, cache: string, target: Target): Promise<NativeFile[]> {
  // The package contains the add-ons of all platforms.
  const folder = join(root, "node_modules/onnxruntime-node/bin/napi-v6", target.platform, target.arch);
  const names = [target.onnxruntime, ADDON];
  return await Promise.all(names.map((name) => compressed(join(folder, name), name, target, join(cache, "natives"))));
}

async function lanceFiles(root: string, cache: string, target: Target): Promise<NativeFile[]> {
  const { version } = await Bun.file(join(root, "node_modules/@lancedb/lancedb/package.json")).json();
  const source = await findPackageFile(root, join(cache, "packages"), { ...target.lancedb, version });
  return [await compressed(source, target.lancedb.file, target, join(cache, "natives"))];
}

function listOf(parts: Readonly<Record<NativePart, readonly NativeFile[]>>): string {
  const imports: string[] = [];
  const listed = Object.entries(parts).map(([part, files]) => {
    const items = files.map(({ path, ...facts }) => {
      imports.push(`import file${imports.length} from ${JSON.stringify(path)} with { type: "file" };`);
      return `{ ...${JSON.stringify(facts)}, path: file${imports.length - 1} }`;
    });
    return `${part}: [${items.join(", ")}]`;
  });
  return `${imports.join("\n")}\nexport const NATIVE_FILES = { ${listed.join(", ")} };\n`;
}
