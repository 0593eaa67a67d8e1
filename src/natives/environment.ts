import { dlopen } from "bun:ffi";

const LIBC: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/**
 * Sets a variable of the environment that native code reads; `process.env` alone is not seen by it. Does nothing where
 * the C library is not known.
 */
export function setNativeVariable(name: string, value: string): void {
  const library = LIBC[process.platform];
  if (library === undefined) return;
  const { symbols } = dlopen(library, { setenv: { args: ["buffer", "buffer", "i32"], returns: "i32" } });
  symbols.setenv(Buffer.from(`${name}\0`), Buffer.from(`${value}\0`), 1);
}
