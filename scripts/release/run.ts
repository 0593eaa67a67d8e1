/**
 * Runs a program to its end.
 *
 * @returns what it printed to standard output
 * @throws Error with the end of its messages when it is missing or fails
 */
export async function run(
  command: readonly string[],
  options: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const [name = ""] = command;
  if (Bun.which(name) === null) throw new Error(`${name} is not installed.`);
  const child = Bun.spawn([...command], {
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${name} failed with ${code}:\n${(err || out).slice(-2_000)}`);
  return out;
}
