import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MEMORY_VARIABLE } from "./memory-limit.ts";

/** First argument of a process that the service starts for itself; no command of the command line. */
export const CHILD_COMMAND = "child-process";

export interface ChildOptions {
  /** Name of the task, by which the child chooses its code. */
  readonly task: string;
  /**
   * Bytes of memory. On Linux the kernel refuses more, and everywhere the parent reads the size of the process ten times a
   * second, if the system reports it.
   */
  readonly memory: number;
  /** Called with each message of the child. */
  readonly onMessage: (message: unknown) => void;
  /** Called once, with the reason in words that complete "The process …". */
  readonly onEnd: (reason: string) => void;
}

export interface Child {
  readonly pid: number;
  send(message: unknown): void;
  /** Ends the process at once. */
  kill(reason: string): void;
  /** An idle child does not keep this process alive. */
  setBusy(busy: boolean): void;
}

const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);
const PROGRAM = IN_EXECUTABLE
  ? [process.execPath]
  : [process.execPath, fileURLToPath(new URL("../child.ts", import.meta.url))];
/** JavaScriptCore reserves a gigabyte for compiled code, which counts; without any it only interprets. */
const COMPILED_CODE = 64 * 1_048_576;
/**
 * What the runtime reserves without using it: 200 MB, and the executable that contains this program. Within a limit of
 * 1,130 to 1,500 MiB in all it reserves 1 GiB and then lacks the rest to start, so a task gets at most 640 MiB.
 */
const RESERVED = 200 * 1_048_576 + (IN_EXECUTABLE ? Bun.file(process.execPath).size : 0);
const WATCH_MS = 100;

/** Starts this program again as a child that runs one task. */
export function startChild({ task, memory, onMessage, onEnd }: ChildOptions): Child {
  let reason: string | undefined;
  const child = Bun.spawn([...PROGRAM, CHILD_COMMAND, task], {
    env: {
      ...process.env,
      [MEMORY_VARIABLE]: String(memory + RESERVED),
      // The garbage collector would otherwise plan with the memory of the machine.
      BUN_JSC_forceRAMSize: String(memory),
      BUN_JSC_jitMemoryReservationSize: String(COMPILED_CODE),
    },
    stdio: ["ignore", "ignore", "ignore"],
    serialization: "advanced",
    ipc: onMessage,
    onExit(_, code, signal) {
      clearInterval(watch);
      onEnd(reason ?? `ended by itself (${signal ?? code})`);
    },
  });
  const kill = (why: string) => {
    reason ??= why;
    child.kill("SIGKILL");
  };
  const watch = setInterval(async () => {
    const size = await residentBytes(child.pid);
    if (size !== undefined && size > memory) kill(`exceeded ${Math.round(memory / 1_048_576)} MiB of memory`);
  }, WATCH_MS);
  watch.unref();
  child.unref();
  return {
    pid: child.pid,
    send(message) {
      // `onEnd` reports a child that has ended.
      if (child.exitCode === null && child.signalCode === null) child.send(message);
    },
    kill,
    setBusy: (busy) => (busy ? child.ref() : child.unref()),
  };
}

/** Seconds that a process has computed; the time that has passed where the system does not report it. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = readProcess(pid, "stat");
  // The name of the process, in brackets, may contain spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return user === undefined || system === undefined ? performance.now() / 1_000 : (user + system) / TICKS_PER_SECOND;
}

const TICKS_PER_SECOND = 100;

/** Read at once: the kernel computes it, and a thread that waits for it costs ten times as much. */
function readProcess(pid: number, file: "stat" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // The process has ended, or the system has no such files.
    return "";
  }
}

/** Undefined where the system does not report it. */
async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform === "darwin") {
    const kibibytes = Number(await new Response(Bun.spawn(["/bin/ps", "-o", "rss=", "-p", String(pid)]).stdout).text());
    return kibibytes > 0 ? kibibytes * 1_024 : undefined;
  }
  // In kibibytes, where `statm` counts pages, whose size differs between machines.
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readProcess(pid, "status"))?.[1]);
  return kibibytes > 0 ? kibibytes * 1_024 : undefined;
}
