/**
 * Milliseconds that this process has had of the processor. Tests that hold a computation to be quick measure this and not
 * the clock: on a busy machine everything is late.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
