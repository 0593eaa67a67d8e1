import { join } from "node:path";
import createWabt from "wabt";

/** Assembles `vector-kernel.wat` into `vector-kernel.ts`: `bun scripts/generate-kernel.ts`. */

const FOLDER = join(import.meta.dir, "../src/casestudies/index");

/** The text of `vector-kernel.ts`. */
export async function kernelModule(): Promise<string> {
  const wabt = await createWabt();
  const source = wabt.parseWat("vector-kernel.wat", await Bun.file(join(FOLDER, "vector-kernel.wat")).text(), {
    simd: true,
  });
  const { buffer } = source.toBinary({});
  const lines = buffer.toBase64().match(/.{1,110}/g) ?? [];
  return `/** Generated from vector-kernel.wat by \`bun scripts/generate-kernel.ts\`: WebAssembly as base64. */
export const KERNEL =
${lines.map((line) => `  "${line}"`).join(" +\n")};
`;
}

if (import.meta.main) await Bun.write(join(FOLDER, "vector-kernel.ts"), await kernelModule());
