import { join } from "node:path";

export const MAIN = join(import.meta.dir, "../../src/main.ts");

/** Runs the program in a new process and directory, with only the given settings. */
export function start(
  cwd: string,
  argv: readonly string[],
  stdin: "ignore" | Blob = "ignore",
  variables: Readonly<Record<string, string>> = {},
) {
  const env = { PATH: process.env.PATH ?? "", HOME: cwd, TMPDIR: cwd, ...variables };
  return Bun.spawn([process.execPath, MAIN, ...argv], { cwd, env, stdin, stdout: "pipe", stderr: "pipe" });
}

export async function ended(child: ReturnType<typeof start>) {
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { out, err, code };
}

/** Serves until the returned `stop` is called, which returns how the process ended. */
export async function serving(cwd: string, ...argv: string[]) {
  const child = start(cwd, ["serve", "--port", "0", ...argv]);
  let said = "";
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  while (!said.includes("curl -N")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`it did not start: ${await child.stderr.text()}`);
    said += decoder.decode(value);
  }
  reader.releaseLock();
  return {
    said,
    url: /running at (\S+) and/.exec(said)?.[1] ?? "",
    async stop(signal: "SIGTERM" | "SIGINT") {
      const began = performance.now();
      child.kill(signal);
      const code = await child.exited;
      return { code, ms: performance.now() - began, log: await child.stderr.text() };
    },
  };
}
