import { join } from "node:path";
import type { BunPlugin } from "bun";
import { kept } from "./packed-data.ts";

const PDF_JS = "unpdf/dist/pdfjs.mjs";

/**
 * Carries pdf.js as compressed text, which is compiled when it is imported: 0.4 MB of the executable. Compiled beforehand
 * it took 6 MB, and a PDF was read 60 ms sooner; a site is left alone for a second between two requests anyway.
 *
 * @param cache a folder for the compressed file
 * @throws Error when pdf.js comes in another way now, or cannot be bundled
 */
export async function carryPackedCode(root: string, cache: string): Promise<BunPlugin> {
  // Bundled, it is ASCII under a mark by which the engine gets it as it is. Without one Bun translates it first, and
  // keeps what it made in the user's home.
  const { outputs } = await Bun.build({
    entrypoints: [join(root, "node_modules", PDF_JS)],
    target: "bun",
    minify: true,
  });
  const [source = "", ...others] = await Promise.all(outputs.map((output) => output.text()));
  const { exports, imports } = new Bun.Transpiler({ loader: "js" }).scan(source);
  // A module without a file path cannot resolve other modules.
  if (!source.startsWith("// @bun\n") || exports.length === 0 || imports.length + others.length > 0)
    throw new Error(`${PDF_JS} is another kind of module now`);
  // Write it before bundling: the bundler does not see files created while it runs.
  const contents = unpacking(await kept(cache, "pdfjs", source), exports);
  return {
    name: "packed code",
    setup(build) {
      build.onLoad({ filter: /[\\/]unpdf[\\/]dist[\\/]pdfjs\.mjs$/ }, () => ({ contents, loader: "js" }));
    },
  };
}

const unpacking = (file: string, exports: readonly string[]) => `
import { readFileSync } from "node:fs";
import file from ${JSON.stringify(file)} with { type: "file" };
const text = new Blob([Bun.zstdDecompressSync(readFileSync(file))], { type: "text/javascript" });
const address = URL.createObjectURL(text);
const code = await import(address);
URL.revokeObjectURL(address);
export const { ${exports.join(", ")} } = code;
`;
