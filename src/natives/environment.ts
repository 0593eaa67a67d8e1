import { dlopen } from "bun:ffi";

const LIBC: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/** Sets an environment variable for native code, which does not see changes of `process.env`. Linux and macOS only. */
export function setNativeVariable(name: string, value: string): void {
  const library = LIBC[process.platform];
  if (library === undefined) return;
  const { symbols } = dlopen(library, { setenv: { args: ["buffer", "buffer", "i32"], returns: "i32" } });
  symbols.setenv(Buffer.from(`${name}\0`), Buffer.from(`${value}\0`), 1);
}
