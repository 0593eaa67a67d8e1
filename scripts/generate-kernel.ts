import { join } from "node:path";
import createWabt from "wabt";

/** Assembles each `kernel.wat` into `kernel.ts`: `npx bun scripts/generate-kernel.ts`. */

const SOURCE = join(import.meta.dir, "../src");

/** The exported functions of the kernel in each folder. */
export const KERNELS = {
  "casestudies/index": [
    "sum(codes: number, blocks: number, pairs: number, table: number, sums: number): void",
    "select(sums: number, count: number, least: number, out: number): number",
    "dot(query: number, vectors: number, dimensions: number, places: number, count: number, out: number): void",
    "score(postings: number, count: number, weight: number, lengths: number, damping: number, scores: number): void",
    "above(scores: number, count: number, least: number, out: number): number",
  ],
  embedding: ["sum(ids: number, count: number, table: number, scales: number, width: number, out: number): void"],
} as const;

/** The text of a folder's `kernel.ts`. */
export async function kernelModule(folder: keyof typeof KERNELS): Promise<string> {
  const wabt = await createWabt();
  const text = await Bun.file(join(SOURCE, folder, "kernel.wat")).text();
  const { buffer } = wabt.parseWat("kernel.wat", text, { simd: true }).toBinary({});
  const lines = buffer.toBase64().match(/.{1,110}/g) ?? [];
  return `/** Generated from kernel.wat by \`npx bun scripts/generate-kernel.ts\`: WebAssembly as base64. */
const KERNEL =
${lines.map((line) => `  "${line}"`).join(" +\n")};

let compiled: WebAssembly.Module | undefined;

/** The functions of kernel.wat on a memory of their own. */
export function startKernel() {
  compiled ??= new WebAssembly.Module(Uint8Array.fromBase64(KERNEL));
  return new WebAssembly.Instance(compiled).exports as unknown as {
    readonly memory: WebAssembly.Memory;
${KERNELS[folder].map((signature) => `    ${signature};\n`).join("")}  };
}
`;
}

if (import.meta.main) {
  for (const folder of Object.keys(KERNELS) as (keyof typeof KERNELS)[])
    await Bun.write(join(SOURCE, folder, "kernel.ts"), await kernelModule(folder));
}
