import { open, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Machine } from "./machine.ts";

interface Told {
  readonly id: string;
  readonly status: string;
  readonly remedy: string | null;
}

/** The check-up, also where a native part that was unpacked has lost a bit. */
export async function doctor({ json, run, check, work }: Machine): Promise<void> {
  const look = ["doctor", "--offline"];
  const sound: { checks: Told[]; failed: number } = await json(look);
  check("finds itself sound", sound.failed === 0 && sound.checks.length >= 8);

  const native = join(work, "casefile-data/native");
  const part = (await readdir(native, { recursive: true })).find((name) => /lancedb.*\.node$/.test(name)) ?? "";
  await flipped(join(native, part));
  const { code, out } = await run([...look, "--json"]);
  const told: Told | undefined = JSON.parse(out).checks.find(({ id }: Told) => id === "native-parts");
  check(
    "tells of a native part that has lost a bit, and what to do",
    code === 1 && told?.status === "failed" && told.remedy?.includes(native) === true,
  );
  await rm(native, { recursive: true });
  check("is sound again when that was done", (await json(look)).failed === 0);
}

/** One bit is another; size and time are as before, so that no start sees it. */
async function flipped(path: string): Promise<void> {
  const { atime, mtime, size } = await stat(path);
  const file = await open(path, "r+");
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, size - 1);
  await file.close();
  await utimes(path, atime, mtime);
}
