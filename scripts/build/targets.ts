import type { Build } from "bun";

/** A platform that an executable is built for. */
export interface Target {
  readonly name: string;
  readonly platform: "linux" | "darwin" | "win32";
  readonly arch: "x64" | "arm64";
  /** Bun's name for the target, and the npm package of its runtime with the runtime's path in that package. */
  readonly compile: Build.CompileTarget;
  readonly runtime: { readonly name: string; readonly file: string };
  /** The npm package of LanceDB's add-on, and the add-on's path in that package. */
  readonly lancedb: { readonly name: string; readonly file: string };
  /** File name of the shared library that ONNX Runtime's add-on loads. */
  readonly onnxruntime: string;
}

/** The platforms that LanceDB, ONNX Runtime and Bun all support. Linux means glibc. */
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
