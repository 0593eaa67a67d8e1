import { networkInterfaces } from "node:os";

const INSIDE = "SMOKE_WITHOUT_NETWORK";

/**
 * Runs this script again in a network namespace with loopback only, so that every connection to the outside fails.
 * Needs Linux, the permission to create namespaces, and the commands `unshare` and `ip`.
 *
 * @returns the exit code of that run, or the reason there is none; the caller then continues in this process
 */
export async function runWithoutNetwork(argv: readonly string[]): Promise<number | string> {
  if (process.env[INSIDE])
    return onlyLoopback() ? "without a network: loopback only" : "in a namespace that has a network";
  const tools = Bun.which("unshare") !== null && Bun.which("ip") !== null;
  const namespace = tools && [["-n"], ["-r", "-n"]].find(canUse);
  if (!namespace) return "WITH the network of this machine: cannot create a network namespace";
  const script = 'ip link set lo up && exec "$@"';
  const child = Bun.spawn(["unshare", ...namespace, "sh", "-c", script, "sh", process.execPath, ...argv], {
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
