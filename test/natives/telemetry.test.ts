import { expect, test } from "bun:test";
import { join } from "node:path";

/** Since 1.29 it writes log files and sends telemetry unless an environment variable is set before the start. */
const FIRST_WITH_TELEMETRY = [1, 29] as const;

test("the version of ONNX Runtime has no telemetry", async () => {
  const root = join(import.meta.dir, "../..");
  const { dependencies } = await Bun.file(join(root, "package.json")).json();
  const installed = await Bun.file(join(root, "node_modules/onnxruntime-node/package.json")).json();
  expect(installed.version).toBe(dependencies["onnxruntime-node"]);
  const [major = 0, minor = 0] = installed.version.split(".").map(Number);
  const [withMajor, withMinor] = FIRST_WITH_TELEMETRY;
  expect(major < withMajor || (major === withMajor && minor < withMinor)).toBe(true);
});

test("its library contains no address of a collector", async () => {
  const library = Bun.file(
    join(import.meta.dir, "../../node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1"),
  );
  const content = Buffer.from(await library.bytes());
  for (const trace of ["events.data.microsoft.com", "mat-debug-", "ORT_DISABLE_TELEMETRY"])
    expect([trace, content.includes(trace)]).toEqual([trace, false]);
});
