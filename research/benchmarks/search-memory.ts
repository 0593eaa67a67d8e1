import { existsSync, readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Total resident memory of the processes in MB of 2^20 bytes; only of this process if the system reports no other. */
export function residentMb(processes: readonly number[]): { readonly now: number; readonly peak: number } {
  if (!existsSync("/proc/self/status")) {
    const mb = process.memoryUsage.rss() / 2 ** 20;
    return { now: mb, peak: mb };
  }
  const told = processes.map((id) => {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d{1,12}) kB`, "m").exec(status)?.[1] ?? 0);
    return { now: kilobytes("VmRSS"), peak: kilobytes("VmHWM") };
  });
  const sum = (of: (one: { now: number; peak: number }) => number) =>
    told.reduce((all, one) => all + of(one), 0) / 1_024;
  return { now: sum(({ now }) => now), peak: sum(({ peak }) => peak) };
}

/** Bytes of a folder's files, in MB of 10^6 bytes. */
export async function diskMb(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}
