/** Generated from kernel.wat by `npx bun scripts/generate-kernel.ts`: WebAssembly as base64. */
const KERNEL =
  "AGFzbQEAAAABKwVgBX9/f39/AGAEf39/fwF/YAZ/f39/f38AYAZ/f3x/f38AYAR/f31/AX8DBgUAAQIDBAUDAQABBy8GBm1lbW9yeQIAA3N1bQ" +
  "AABnNlbGVjdAABA2RvdAACBXNjb3JlAAMFYWJvdmUABAqLCQXJAgICfwl7QQ/9DyEHQf8B/RAhCANA/QwAAAAAAAAAAAAAAAAAAAAAIQz9DAAA" +
  "AAAAAAAAAAAAAAAAAAAhDf0MAAAAAAAAAAAAAAAAAAAAACEO/QwAAAAAAAAAAAAAAAAAAAAAIQ8gAiEFIAMhBgNAIAb9AAQAIQkgBv0ABBAhCi" +
  "AA/QAEACELIAkgCyAH/U79DiAKIAtBBP2NASAH/U79Dv1uIQsgDCALIAj9Tv2OASEMIA0gC0EI/Y0B/Y4BIQ0gAP0ABBAhCyAJIAsgB/1O/Q4g" +
  "CiALQQT9jQEgB/1O/Q79biELIA4gCyAI/U79jgEhDiAPIAtBCP2NAf2OASEPIABBIGohACAGQSBqIQYgBUEBayIFDQALIAQgDP0LBAAgBCAN/Q" +
  "sEECAEIA79CwQgIAQgD/0LBDAgBEHAAGohBCABQQFrIgENAAsLaAIDfwF7IAMhBiAC/RAhBwNAIAD9AAQAIAf9Nv2EASEFAkADQCAFRQ0BIAMg" +
  "BCAFaGo2AgAgA0EEaiEDIAUgBUEBa3EhBQwACwsgAEEQaiEAIARBCGohBCAEIAFJDQALIAMgBmtBAnYL/wMCBn8HeyAAIAJBAXRqIQsCQANAIA" +
  "RFDQEgASADKAIAIAJsaiEGIAEgAygCBCACbGohByABIAMoAgggAmxqIQggASADKAIMIAJsaiEJIAAhCv0MAAAAAAAAAAAAAAAAAAAAACEP/QwA" +
  "AAAAAAAAAAAAAAAAAAAAIRD9DAAAAAAAAAAAAAAAAAAAAAAhEf0MAAAAAAAAAAAAAAAAAAAAACESA0AgCv0ABAAhDCAK/QAEECENIAb9AAQAIQ" +
  "4gBkEQaiEGIA8gDv2HASAM/boBIA79iAEgDf26Af2uAf2uASEPIAf9AAQAIQ4gB0EQaiEHIBAgDv2HASAM/boBIA79iAEgDf26Af2uAf2uASEQ" +
  "IAj9AAQAIQ4gCEEQaiEIIBEgDv2HASAM/boBIA79iAEgDf26Af2uAf2uASERIAn9AAQAIQ4gCUEQaiEJIBIgDv2HASAM/boBIA79iAEgDf26Af" +
  "2uAf2uASESIApBIGohCiAKIAtJDQALIAUgD/0bACAP/RsBaiAP/RsCIA/9GwNqajYCACAFIBD9GwAgEP0bAWogEP0bAiAQ/RsDamo2AgQgBSAR" +
  "/RsAIBH9GwFqIBH9GwIgEf0bA2pqNgIIIAUgEv0bACAS/RsBaiAS/RsCIBL9GwNqajYCDCADQRBqIQMgBUEQaiEFIARBBGshBAwACwsLawICfw" +
  "F8AkADQCABRQ0BIAAoAgBBBHYhBiAAKAIAQQ9xuCEIIAUgBkECdGohByAHIAcqAgC7IAIgCKIgCCAEIAMgBkEBdGovAQBBAnRqKgIAu6CjoLY4" +
  "AgAgAEEEaiEAIAFBAWshAQwACwsLaAIDfwF7IAMhBiAC/RMhBwNAIAD9AAQAIAf9RP2kASEFAkADQCAFRQ0BIAMgBCAFaGo2AgAgA0EEaiEDIA" +
  "UgBUEBa3EhBQwACwsgAEEQaiEAIARBBGohBCAEIAFJDQALIAMgBmtBAnYL";

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
