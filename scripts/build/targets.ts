import type { Build } from "bun";

/** A kind of machine that an executable is built for. */
export interface Target {
  readonly name: string;
  readonly platform: "linux" | "darwin" | "win32";
  readonly arch: "x64" | "arm64";
  /** Bun's own name for it, and the npm package of its runtime with the runtime's place in there. */
  readonly compile: Build.CompileTarget;
  readonly runtime: { readonly name: string; readonly file: string };
  /** The npm package of LanceDB's add-on, and the add-on's place in there. */
  readonly lancedb: { readonly name: string; readonly file: string };
  /** The library that ONNX Runtime's add-on asks the system for, by the name under which it does. */
  readonly onnxruntime: string;
}

/** Where LanceDB, ONNX Runtime and Bun all exist. Linux is glibc's. */
export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    platform: "linux",
    arch: "x64",
    compile: "bun-linux-x64",
    runtime: { name: "@oven/bun-linux-x64", file: "bin/bun" },
    lancedb: { name: "@lancedb/lancedb-linux-x64-gnu", file: "lancedb.linux-x64-gnu.node" },
    onnxruntime: "libonnxruntime.so.1",
  },
  {
    name: "linux-arm64",
    platform: "linux",
    arch: "arm64",
    compile: "bun-linux-arm64",
    runtime: { name: "@oven/bun-linux-aarch64", file: "bin/bun" },
    lancedb: { name: "@lancedb/lancedb-linux-arm64-gnu", file: "lancedb.linux-arm64-gnu.node" },
    onnxruntime: "libonnxruntime.so.1",
  },
  {
    name: "darwin-arm64",
    platform: "darwin",
    arch: "arm64",
    compile: "bun-darwin-arm64",
    runtime: { name: "@oven/bun-darwin-aarch64", file: "bin/bun" },
    lancedb: { name: "@lancedb/lancedb-darwin-arm64", file: "lancedb.darwin-arm64.node" },
    onnxruntime: "libonnxruntime.1.dylib",
  },
  {
    name: "windows-x64",
    platform: "win32",
    arch: "x64",
    compile: "bun-windows-x64",
    runtime: { name: "@oven/bun-windows-x64", file: "bin/bun.exe" },
    lancedb: { name: "@lancedb/lancedb-win32-x64-msvc", file: "lancedb.win32-x64-msvc.node" },
    onnxruntime: "onnxruntime.dll",
  },
];

export const isThisMachine = ({ platform, arch }: Target) => platform === process.platform && arch === process.arch;

/** `casefile-0.1.0-linux-arm64`, `casefile-0.1.0-windows-x64.exe` */
export const fileNameOf = ({ name, platform }: Target, version: string) =>
  `casefile-${version}-${name}${platform === "win32" ? ".exe" : ""}`;
