import { join } from "node:path";
import createWabt from "wabt";

/** Assembles `kernel.wat` into `kernel.ts`: `bun scripts/generate-kernel.ts`. */

const FOLDER = join(import.meta.dir, "../src/casestudies/index");

/** The text of `kernel.ts`. */
export async function kernelModule(): Promise<string> {
  const wabt = await createWabt();
  const source = wabt.parseWat("kernel.wat", await Bun.file(join(FOLDER, "kernel.wat")).text(), {
    simd: true,
  });
  const { buffer } = source.toBinary({});
  const lines = buffer.toBase64().match(/.{1,110}/g) ?? [];
  return `/** Generated from kernel.wat by \`bun scripts/generate-kernel.ts\`: WebAssembly as base64. */
const KERNEL =
${lines.map((line) => `  "${line}"`).join(" +\n")};

let compiled: WebAssembly.Module | undefined;

/** The functions of kernel.wat on a memory of their own. */
export function startKernel() {
  compiled ??= new WebAssembly.Module(Uint8Array.fromBase64(KERNEL));
  return new WebAssembly.Instance(compiled).exports as unknown as {
    readonly memory: WebAssembly.Memory;
    sum(codes: number, blocks: number, pairs: number, table: number, sums: number): void;
    select(sums: number, count: number, least: number, out: number): number;
    dot(query: number, vectors: number, dimensions: number, places: number, count: number, out: number): void;
    score(postings: number, count: number, weight: number, lengths: number, damping: number, scores: number): void;
    above(scores: number, count: number, least: number, out: number): number;
  };
}
`;
}

if (import.meta.main) await Bun.write(join(FOLDER, "kernel.ts"), await kernelModule());
