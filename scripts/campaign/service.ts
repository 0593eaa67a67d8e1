import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Box } from "../../test/box/box.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");

/** A service in a process of its own, connected to a test internet. `CASEFILE_BINARY` names an executable. */
export interface AttackedService {
  readonly url: string;
  readonly operatorToken: string;
  /** False after the process ended. */
  isAlive(): boolean;
  /** Most mebibytes resident so far: of the service, and of the service with its child processes. */
  peak(): { readonly service: number; readonly all: number };
  /** Lines of the log, as JSON. */
  log(): readonly Readonly<Record<string, unknown>>[];
  post(path: string, body: unknown, token?: string): Promise<Response>;
  stop(): Promise<void>;
}

const SAMPLE_MS = 50;

export async function startAttackedService(
  box: Box,
  flags: Readonly<Record<string, string>>,
): Promise<AttackedService> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-campaign-"));
  const program = process.env.CASEFILE_BINARY ? [resolve(process.env.CASEFILE_BINARY)] : [process.execPath, MAIN];
  const all = { ...(await flagsInto(box, join(folder, "data"))), "log-format": "json", ...flags };
  const args = Object.entries(all).flatMap(([name, value]) => [
    `--${name}`,
    Array.isArray(value) ? value.join(",") : String(value),
  ]);
  const child = Bun.spawn([...program, "serve", "--port", "0", "--no-starter", ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder },
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines: string[] = [];
  const logged = (async () => {
    let rest = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
    }
  })();
  let output = "";
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  while (!/running at (http:\S+)[\s\S]*cf_operator_\w{40}/.test(output)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the service did not start: ${lines.join("\n")}`);
    output += value;
  }
  const url = /running at (http:\S+)/.exec(output)?.[1] ?? "";
  let service = 0;
  let sum = 0;
  const sampling = setInterval(() => {
    const sizes = [child.pid, ...childrenOf(child.pid)].map(residentMebibytes);
    service = Math.max(service, sizes[0] ?? 0);
    sum = Math.max(
      sum,
      sizes.reduce((total, size) => total + size, 0),
    );
  }, SAMPLE_MS);
  return {
    url,
    operatorToken: /cf_operator_\w{40}/.exec(output)?.[0] ?? "",
    isAlive: () => child.exitCode === null && child.signalCode === null,
    peak: () => ({ service: Math.round(service), all: Math.round(sum) }),
    log: () =>
      lines.map((line) => {
        try {
          return JSON.parse(line) as Record<string, unknown>;
        } catch {
          return { msg: line };
        }
      }),
    post: (path, body, token) =>
      fetch(url + path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      }),
    async stop() {
      clearInterval(sampling);
      child.kill("SIGTERM");
      await child.exited;
      await logged;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const residentMebibytes = (pid: number): number => {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4_096) / 1_048_576;
  } catch {
    return 0;
  }
};

function childrenOf(parent: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** A server that does nothing else, in a process of its own: what the machine itself adds to a response. */
export async function startIdleServer(): Promise<{ readonly url: string; stop(): void }> {
  const code = 'console.log(Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("ok") }).url.href)';
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  return { url: new TextDecoder().decode(value).trim(), stop: () => child.kill() };
}

/** Measures a URL from another thread, which the attack does not delay. Call `stop` for the sorted milliseconds. */
export function startProbe(url: string): { stop(): Promise<number[]> } {
  const worker = new Worker(new URL("./probe.ts", import.meta.url).href);
  worker.postMessage(url);
  return {
    async stop() {
      const times = new Promise<number[]>((done) => {
        worker.onmessage = ({ data }: MessageEvent<number[]>) => done(data);
      });
      worker.postMessage("stop");
      const sorted = (await times).toSorted((a, b) => a - b);
      worker.terminate();
      return sorted;
    },
  };
}

/** @param sorted ascending; 0 without values */
export const percentile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
