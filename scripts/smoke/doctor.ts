import { open, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Machine } from "./machine.ts";

interface Check {
  readonly id: string;
  readonly status: string;
  readonly remedy: string | null;
}

/** `casefile doctor`, also when one bit of an unpacked native module has changed. */
export async function doctor({ json, run, check, work }: Machine): Promise<void> {
  const command = ["doctor", "--offline"];
  const healthy: { checks: Check[]; failed: number } = await json(command);
  check("passes all checks", healthy.failed === 0 && healthy.checks.length >= 8);

  const native = join(work, "casefile-data/native");
  const part = (await readdir(native, { recursive: true })).find((name) => /lancedb.*\.node$/.test(name)) ?? "";
  await flipBit(join(native, part));
  const { code, out } = await run([...command, "--json"]);
  const damaged: Check | undefined = JSON.parse(out).checks.find(({ id }: Check) => id === "native-parts");
  check(
    "reports a damaged native module, and the remedy",
    code === 1 && damaged?.status === "failed" && damaged.remedy?.includes(native) === true,
  );
  await rm(native, { recursive: true });
  check("passes again after the remedy", (await json(command)).failed === 0);
}

/** Flips one bit and keeps size and times, so that the check at startup does not see it. */
async function flipBit(path: string): Promise<void> {
  const { atime, mtime, size } = await stat(path);
  const file = await open(path, "r+");
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, size - 1);
  await file.close();
  await utimes(path, atime, mtime);
}
