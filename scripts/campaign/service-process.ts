import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const EXAMPLE = join(ROOT, "data/examples/harbourline.example.json");
/** The recorded company whose stored result the attacks request. */
export const RECORDED = "harbourline.example";

const FLAGS = ["--accounts-keyless-per-hour", "100000", "--accounts-monthly-limit", "1000000"];

/** How a command of Casefile ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command on a data directory. */
export async function runCasefile(dataDir: string, ...argv: readonly string[]): Promise<Ended> {
  const child = spawn(dataDir, argv);
  const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  clearTimeout(timer);
  return { code, out, err };
}

function spawn(dataDir: string, argv: readonly string[]) {
  const command = process.env.CASEFILE_BINARY
    ? [resolve(process.env.CASEFILE_BINARY)]
    : [process.execPath, join(ROOT, "src/main.ts")];
  const env = { PATH: process.env.PATH ?? "", HOME: dataDir, CASEFILE_DATA_DIR: dataDir, MALLOC_ARENA_MAX: "2" };
  return Bun.spawn([...command, ...argv], { env, stdout: "pipe", stderr: "pipe" });
}

/** A stored scan and the included case studies, indexed. */
export async function furnish(dataDir: string): Promise<void> {
  for (const argv of [
    ["enrich", "--from", EXAMPLE, "--keep"],
    ["search", "lower cloud costs"],
  ]) {
    const { code, err } = await runCasefile(dataDir, ...argv);
    if (code !== 0) throw new Error(`casefile ${argv.join(" ")} failed: ${err}`);
  }
}

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** Whether the process has not ended. */
  isRunning(): boolean;
  /** The status and body of a response; status 0 when there was none in 30 seconds. */
  request(path: string, options?: RequestOptions): Promise<{ readonly status: number; readonly body: string }>;
  stop(): Promise<Ended>;
}

interface RequestOptions {
  readonly key?: string | undefined;
  readonly json?: unknown;
}

/** Starts the service. @throws Error with its messages when it ends before it listens */
export async function startServiceProcess(dataDir: string, flags: readonly string[] = []): Promise<ServiceProcess> {
  const child = spawn(dataDir, ["serve", "--port", "0", "--scan-allowed-reserved-tlds", "example", ...FLAGS, ...flags]);
  const log = child.stderr.text();
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  let out = "";
  while (!out.includes("curl -N")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the service ended with ${await child.exited}: ${await log}`);
    out += decoder.decode(value, { stream: true });
  }
  const url = /running at (http:\S+)/.exec(out)?.[1] ?? "";
  return {
    url,
    pid: child.pid,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async request(path, { key, json } = {}) {
      try {
        const response = await fetch(`${url}${path}`, {
          method: json === undefined ? "GET" : "POST",
          headers: {
            ...(key === undefined ? {} : { "x-api-key": key }),
            ...(json === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(json === undefined ? {} : { body: JSON.stringify(json) }),
          signal: AbortSignal.timeout(30_000),
        });
        return { status: response.status, body: await response.text() };
      } catch {
        return { status: 0, body: "" };
      }
    },
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
      const code = await child.exited;
      clearTimeout(timer);
      return { code, out, err: await log };
    },
  };
}
