import { readdirSync, readFileSync } from "node:fs";
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
  const stat = read(`/proc/${pid}/stat`);
  if (stat === "") return { own: 0, seconds: 0, ownResident: 0, resident: 0 };
  const own = await processorSeconds(pid);
  const ownResident = residentOf(pid);
  let [seconds, resident] = [own, ownResident];
  for (const child of childrenOf(pid)) {
    seconds += await processorSeconds(child);
    resident += residentOf(child);
  }
  // Children that have ended.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15)
    .map(Number);
  return { own, seconds: seconds + (user + system) / 100, ownResident, resident };
}

/** Those that each thread started. Reading every process of the machine would delay the simulated internet. */
function childrenOf(pid: number): number[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((thread) => read(`/proc/${pid}/task/${thread}/children`));
    return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
  } catch {
    // The process has ended.
    return [];
  }
}

const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024;

/** Read at once: the kernel computes it. Empty when the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
