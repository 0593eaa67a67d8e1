import { mkdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Check, check, failed, ok, warning } from "./check.ts";

const MIB = 1_048_576;
const LEAST_ROOM = 512 * MIB;
const GOOD_ROOM = 2_048 * MIB;
/** The program was not made before this. */
const EARLIEST = Date.parse("2026-01-01T00:00:00Z");
const HOUR_MS = 3_600_000;

/** The directory and the disk below it. */
export async function* checkDirectory(dataDir: string): AsyncGenerator<Check> {
  yield await check(
    "data-directory",
    "Data directory",
    async () => {
      const isTaken = (await stat(dataDir).catch(() => undefined))?.isDirectory() === false;
      if (isTaken) return failed(`${dataDir} is a file, not a folder.`, "Choose another directory with --data-dir.");
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const probe = join(dataDir, `.doctor-${process.pid}`);
      try {
        await writeFile(probe, "x", { mode: 0o600 });
      } finally {
        await rm(probe, { force: true });
      }
      const { mode } = await stat(dataDir);
      if (process.platform !== "win32" && (mode & 0o077) !== 0) {
        return warning(
          `${dataDir} can be read by other users of this machine.`,
          `Run chmod 700 ${dataDir} to keep them out.`,
        );
      }
      return ok(`${dataDir} can be written, by this user alone.`);
    },
    `Let this user write ${dataDir}, or choose another with --data-dir.`,
  );
  yield await check(
    "room",
    "Room on its disk",
    async () => {
      const { bavail, bsize } = await statfs(dataDir);
      const free = bavail * bsize;
      const told = `${Math.round(free / MIB).toLocaleString("en")} MiB are free.`;
      const remedy = "Make room, or move the data directory to a larger disk.";
      if (free < LEAST_ROOM) return failed(told, remedy);
      return free < GOOD_ROOM ? warning(told, remedy) : ok(told);
    },
    "Mount the disk of the data directory, or choose another directory with --data-dir.",
  );
}

const CLOCK = "Set the machine's clock, best by NTP: certificates, quotas and schedules go by it.";

/** @param newest instant of the newest record that is kept, ISO 8601; null when there is none */
export const checkClock = (now: Date, newest: string | null, outside: Date | null): Promise<Check> =>
  check(
    "clock",
    "Clock",
    () => {
      if (now.getTime() < EARLIEST) return failed(`The clock says ${now.toISOString()}.`, CLOCK);
      if (newest !== null && Date.parse(newest) > now.getTime() + HOUR_MS) {
        return failed(`The clock says ${now.toISOString()}, before a record of ${newest}.`, CLOCK);
      }
      if (outside !== null) {
        const off = Math.round(Math.abs(outside.getTime() - now.getTime()) / 1_000);
        if (off > 300) return warning(`The clock is ${off} seconds away from that of a server outside.`, CLOCK);
        return ok(`${now.toISOString()}, ${off} seconds from a server outside.`);
      }
      return ok(`${now.toISOString()}; nothing contradicts it.`);
    },
    CLOCK,
  );
