import { networkInterfaces } from "node:os";

const INSIDE = "SMOKE_WITHOUT_NETWORK";

/**
 * Runs this script again in a network namespace of its own that has loopback and nothing else, so that whatever asks
 * outside fails. Linux alone has them; making one takes the right to, and `unshare` and `ip`.
 *
 * @returns the exit code of that run, or why there is none: the caller is to go on by itself
 */
export async function runWithoutNetwork(argv: readonly string[]): Promise<number | string> {
  if (process.env[INSIDE])
    return onlyLoopback() ? "without a network: loopback alone" : "in a namespace that has a network";
  const tools = Bun.which("unshare") !== null && Bun.which("ip") !== null;
  const way = tools && [["-n"], ["-r", "-n"]].find(canUse);
  if (!way) return "WITH the network of this machine: no namespace can be made here";
  const script = 'ip link set lo up && exec "$@"';
  const child = Bun.spawn(["unshare", ...way, "sh", "-c", script, "sh", process.execPath, ...argv], {
    env: { ...process.env, [INSIDE]: "1" },
    stdio: ["inherit", "inherit", "inherit"],
  });
  return await child.exited;
}

const onlyLoopback = () =>
  Object.values(networkInterfaces()).every((addresses) => addresses?.every(({ internal }) => internal));

const canUse = (flags: string[]) =>
  Bun.spawnSync(["unshare", ...flags, "ip", "link", "set", "lo", "up"], { stdout: "ignore", stderr: "ignore" })
    .exitCode === 0;
