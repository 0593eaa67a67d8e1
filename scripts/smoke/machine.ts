import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface RunOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Service {
  readonly url: string;
  /** @returns the exit code */
  stop(): Promise<number>;
}

/** A user's machine: the executable, an empty home, an empty directory for temporary files, and a folder to work in. */
export interface Machine {
  readonly binary: string;
  /** Working directory of commands; the data directory is inside it. */
  readonly work: string;
  /** Runs the executable. */
  run(argv: readonly string[], options?: RunOptions): Promise<Ended>;
  /** @returns standard output. @throws Error when the exit code is not 0 */
  ok(argv: readonly string[], options?: RunOptions): Promise<string>;
  /** The same as JSON. */
  json(argv: readonly string[], options?: RunOptions): Promise<ReturnType<typeof JSON.parse>>;
  serve(argv: readonly string[]): Promise<Service>;
  /** Counts and prints a check that passes. @throws Error for one that fails */
  check(what: string, holds: boolean): void;
  /** Number of checks that passed. */
  checks(): number;
  /** Names of the files written outside the working directory, where none is expected. */
  traces(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function openMachine(): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-smoke-"));
  const [work, home, temporary] = ["work", "home", "tmp"].map((name) => join(folder, name)) as [string, string, string];
  await Promise.all([mkdir(work), mkdir(home), mkdir(temporary)]);
  const binary = join(folder, "casefile");
  const env = { HOME: home, TMPDIR: temporary, PATH: "/usr/bin:/bin" };
  let checks = 0;

  const run: Machine["run"] = async (argv, { cwd = work, stdin, variables = {} } = {}) => {
    const child = Bun.spawn([binary, ...argv], {
      cwd,
      env: { ...env, ...variables },
      stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out, err };
  };
  const ok: Machine["ok"] = async (argv, options) => {
    const { code, out, err } = await run(argv, options);
    if (code !== 0) throw new Error(`casefile ${argv.join(" ")} ended with ${code}:\n${out}${err}`);
    return out;
  };

  return {
    binary,
    work,
    run,
    ok,
    json: async (argv, options) => JSON.parse(await ok([...argv, "--json"], options)),
    async serve(argv) {
      const child = Bun.spawn([binary, "serve", "--port", "0", ...argv], {
        cwd: work,
        env,
        stdout: "pipe",
        stderr: "pipe",
      });
      const url = await firstMatch(child.stdout, /running at (http:\S+)/).catch(async (error) => {
        throw new Error(`${error.message}${await child.stderr.text()}`);
      });
      return {
        url,
        async stop() {
          child.kill("SIGTERM");
          return await child.exited;
        },
      };
    },
    check(what, holds) {
      if (!holds) throw new Error(`the executable fails: ${what}`);
      checks += 1;
      console.log(`  ${what}`);
    },
    checks: () => checks,
    traces: async () => (await Promise.all([readdir(home), readdir(temporary)])).flat(),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function firstMatch(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const found = pattern.exec(text)?.[1];
    if (found) return found;
  }
  throw new Error(`the service exited before it printed its address:\n${text}`);
}
