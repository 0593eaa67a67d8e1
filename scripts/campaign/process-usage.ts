import { readdir, readFile } from "node:fs/promises";
import { processorSeconds } from "../../src/processes/child.ts";

/** What a process and its children use, from `/proc`. */
export interface ProcessUsage {
  /** Seconds of processor time of the process itself, and with its children, also those that have ended. */
  readonly own: number;
  readonly seconds: number;
  /** Resident bytes of the process itself, and with its children. */
  readonly ownResident: number;
  readonly resident: number;
}

/** All zero when the process has ended. */
export async function usageOf(pid: number): Promise<ProcessUsage> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  if (stat === "") return { own: 0, seconds: 0, ownResident: 0, resident: 0 };
  const own = await processorSeconds(pid);
  const ownResident = await residentOf(pid);
  let [seconds, resident] = [own, ownResident];
  for (const each of await readdir("/proc")) {
    if (!/^\d+$/.test(each)) continue;
    const status = await readFile(`/proc/${each}/status`, "utf8").catch(() => "");
    if (!status.includes(`\nPPid:\t${pid}\n`)) continue;
    seconds += await processorSeconds(Number(each));
    resident += await residentOf(Number(each));
  }
  // Children that have ended.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15)
    .map(Number);
  return { own, seconds: seconds + (user + system) / 100, ownResident, resident };
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}
