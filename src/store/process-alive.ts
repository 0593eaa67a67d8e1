/** Whether a process with this id runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive though we may not signal it.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
