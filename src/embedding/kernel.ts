/** Generated from kernel.wat by `npx bun scripts/generate-kernel.ts`: WebAssembly as base64. */
const KERNEL =
  "AGFzbQEAAAABCgFgBn9/f39/fwADAgEABQMBAAEHEAIGbWVtb3J5AgADc3VtAAAKtQIBsgICBH8HeyAAIAFBAnRqIQgDQP0MAAAAAAAAAAAAAA" +
  "AAAAAAACEN/QwAAAAAAAAAAAAAAAAAAAAAIQ79DAAAAAAAAAAAAAAAAAAAAAAhD/0MAAAAAAAAAAAAAAAAAAAAACEQIAAhBwNAIAcoAgAhCSAD" +
  "IAlBAnRq/QkCACEKIAIgCSAEbGogBmr9AAQAIQsgC/2HASEMIA0gCiAM/acB/foB/eYB/eQBIQ0gDiAKIAz9qAH9+gH95gH95AEhDiAL/YgBIQ" +
  "wgDyAKIAz9pwH9+gH95gH95AEhDyAQIAogDP2oAf36Af3mAf3kASEQIAdBBGohByAHIAhJDQALIAUgDf0LBAAgBSAO/QsEECAFIA/9CwQgIAUg" +
  "EP0LBDAgBUHAAGohBSAGQRBqIQYgBiAESQ0ACws=";

let compiled: WebAssembly.Module | undefined;

/** The functions of kernel.wat on a memory of their own. */
export function startKernel() {
  compiled ??= new WebAssembly.Module(Uint8Array.fromBase64(KERNEL));
  return new WebAssembly.Instance(compiled).exports as unknown as {
    readonly memory: WebAssembly.Memory;
    sum(ids: number, count: number, table: number, scales: number, width: number, out: number): void;
  };
}
