import { resolve } from "node:path";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");

/** A service in a process of its own, as a user starts it. */
export interface RunningService {
  readonly url: string;
  readonly pid: number;
  /** What it wrote to standard error; resolves when it has ended. */
  readonly log: Promise<string>;
  /** Shown until it has been used. */
  readonly operatorToken: string | undefined;
  /** Resolves to the exit code when it has ended. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number>;
}

/** @throws Error with the log when it ends before it serves */
export async function startService(
  flags: Readonly<Record<string, unknown>>,
  home: string,
  main = MAIN,
): Promise<RunningService> {
  const child = Bun.spawn([process.execPath, main, "serve", "--port", "0", ...argvOf(flags)], {
    ...processOptions(home),
    stdout: "pipe",
    stderr: "pipe",
  });
  const log = child.stderr.text();
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes("Try it")) break;
  }
  const url = /running at (http:\/\/\S+)/.exec(text)?.[1];
  if (url === undefined) throw new Error(`The service did not start: ${(await log).slice(-2_000)}`);
  return {
    url,
    pid: child.pid,
    log,
    operatorToken: /cf_operator_[0-9A-Za-z]{40}/.exec(text)?.[0],
    async end(signal) {
      child.kill(signal);
      return await child.exited;
    },
  };
}

/** Runs one command to its end. */
export async function runCommand(
  argv: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  home: string,
  main = MAIN,
) {
  const child = Bun.spawn([process.execPath, main, ...argv, ...argvOf(flags)], {
    ...processOptions(home),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { out, err, code };
}

const argvOf = (flags: Readonly<Record<string, unknown>>) =>
  Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);

const processOptions = (home: string) => ({
  cwd: home,
  env: { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: home, CASEFILE_STARTER_ENABLED: "false" },
});
