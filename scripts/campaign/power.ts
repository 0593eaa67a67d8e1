import { Database } from "bun:sqlite";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashOf } from "../../src/accounts/service.ts";
import { openBackupFiles } from "../../src/backup/service.ts";
import { findPointer, openPassageIndex } from "../../src/casestudies/index/passage-index.ts";
import { openBox } from "../../test/box/box.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";
import { createClient, createHistory, importStories } from "./history.ts";
import type { CampaignPart } from "./part.ts";
import { runCommand, startService } from "./running.ts";

const CUTS = 20;
const SHORT_CUTS = 3;
/** Sparse: only what is written takes space. */
const DISK_BYTES = 256 * 1_048_576;
const MAX_COPIES = 10;

/**
 * A file system in a file shows what a disk holds when the power fails: what was not flushed is not in the file yet. After
 * each acknowledgement the file is copied, and the copy is mounted and read.
 */
export const power: CampaignPart = {
  name: "power",
  about: "Copies the disk after each acknowledgement, as a power failure would leave it; nothing acknowledged is lost.",
  async run({ short, onProgress }) {
    const home = await mkdtemp(join(tmpdir(), "casefile-power-"));
    const disk = join(home, "disk");
    const place = join(home, "mounted");
    const unable = await mountNew(disk, place);
    if (unable !== null) {
      await rm(home, { recursive: true, force: true });
      return { figures: {}, faults: [], skipped: unable };
    }
    const dataDir = join(place, "data");
    const box = await openBox({
      companies: [{ domain: "vendor.test", pages: { "/customers/*": "<title>Nothing here</title>" } }],
    });
    const history = createHistory();
    const faults: string[] = [];
    const cuts = short ? SHORT_CUTS : CUTS;
    let service: Awaited<ReturnType<typeof startService>> | undefined;
    try {
      await importStories([0, 1, 2, 3, 4, 5, 6], history, dataDir, home);
      const flags = { ...(await flagsInto(box, dataDir)), "accounts-keyless-per-hour": 100_000 };
      service = await startService(flags, home);
      const client = createClient({ history, dataDir, home, operatorToken: service.operatorToken ?? "" });
      await client.use(service);
      const archives: string[] = [];
      const { pid } = service;
      const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
        ...client.kinds.map((kind) => [kind, () => client.changes[kind](0)] as const),
        ["backup", async () => archives.push(String(Object(await client.ask("POST", "/admin/backup")).name))],
        // Last: the client's own token ends with it.
        [
          "token",
          () =>
            history.change(
              "token",
              async () =>
                /cf_operator_\w+/.exec(
                  (await runCommand(["operator", "reset-token"], { "data-dir": dataDir }, home)).out,
                )?.[0],
              (token) => (database) =>
                database.query("select value from settings where name = 'operator_token_hash'").values().join() ===
                hashOf(String(token)),
            ),
        ],
      ];
      for (let cut = 0; cut < cuts && faults.length === 0; cut++) {
        // The short form takes some of all; the last step is last in both.
        const others = steps.length - 1;
        const step = steps[cut === cuts - 1 ? others : Math.floor((cut * others) / Math.min(cuts, others)) % others];
        const [kind, change] = step ?? ["nothing", async () => {}];
        await change();
        const copy = join(home, "copy");
        await copyDisk(disk, copy, pid);
        faults.push(
          ...(await lostIn(copy, join(home, "restored"), history, archives)).map((fault) => `after ${kind}: ${fault}`),
        );
        onProgress(`cut ${cut + 1} after ${kind}: ${history.size} acknowledged, ${faults.length} lost`);
      }
      return { figures: { cuts, acknowledged: history.size }, faults, skipped: null };
    } finally {
      await service?.end("SIGKILL");
      await box.close();
      await shell(["umount", place]);
      await rm(home, { recursive: true, force: true });
    }
  },
};

async function shell(argv: readonly string[]): Promise<{ code: number; err: string }> {
  try {
    const child = Bun.spawn([...argv], { stdout: "ignore", stderr: "pipe" });
    return { err: (await child.stderr.text()).trim(), code: await child.exited };
  } catch (error) {
    return { err: String(error), code: 127 };
  }
}

/** Mounts a new ext4 file system in a file. Returns why that is not possible here; null on success. */
async function mountNew(disk: string, place: string): Promise<string | null> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "mounting a file needs Linux and root";
  await writeFile(disk, "");
  await truncate(disk, DISK_BYTES);
  await mkdir(place);
  for (const argv of [
    ["mkfs.ext4", "-q", "-F", disk],
    ["mount", "-o", "loop", disk, place],
  ]) {
    const { code, err } = await shell(argv);
    if (code !== 0) return `${argv[0]}: ${err}`;
  }
  return null;
}

/** Copies the disk in one state: the service is halted, and the copy is repeated until two are equal. */
async function copyDisk(disk: string, copy: string, pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  try {
    for (let attempt = 0; attempt < MAX_COPIES; attempt++) {
      await shell(["cp", "--sparse=always", disk, copy]);
      if ((await shell(["cmp", "-s", disk, copy])).code === 0) return;
    }
    throw new Error("The disk does not come to rest.");
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

/** What a copy of the disk lacks when it is mounted and read like the disk after a power failure. */
async function lostIn(
  copy: string,
  place: string,
  history: ReturnType<typeof createHistory>,
  archives: readonly string[],
): Promise<string[]> {
  await mkdir(place, { recursive: true });
  const mounted = await shell(["mount", "-o", "loop", copy, place]);
  if (mounted.code !== 0) return [`the disk cannot be mounted: ${mounted.err}`];
  try {
    const dataDir = join(place, "data");
    const path = join(dataDir, "casefile.sqlite");
    if (!(await Bun.file(path).exists())) return ["the database is lost"];
    const database = new Database(path, { readwrite: true, create: false });
    const faults: string[] = [];
    try {
      const found = database.query("pragma integrity_check").values().join();
      if (found !== "ok") faults.push(`the database is damaged: ${found}`);
      else faults.push(...history.missingIn(database), ...(await missingInIndex(database, join(dataDir, "index"))));
    } finally {
      database.close();
    }
    for (const name of archives) {
      const verified = openBackupFiles({ dataDir }).verify(join(dataDir, "backups", name), { scratch: tmpdir() });
      await verified.catch((error) => faults.push(`the backup ${name} is lost: ${error}`));
    }
    return faults;
  } catch (error) {
    return [`the database cannot be read: ${error}`];
  } finally {
    await shell(["umount", place]);
  }
}

/** Case studies that the database has as indexed, and the index does not have. */
async function missingInIndex(database: Database, dir: string): Promise<string[]> {
  const indexed = database
    .query<{ n: number }, []>(
      `select count(*) n from passages join case_studies on case_studies.number = passages.study_number
       where indexed_at is not null and case_studies.id not in (select case_study_id from outbox)`,
    )
    .get()?.n;
  const pointer = await findPointer(dir);
  if (!pointer) return indexed ? [`the index of ${indexed} passages is lost`] : [];
  const index = await openPassageIndex({ dir, ...pointer, clock: () => new Date() });
  try {
    const { passages } = await index.counts();
    return passages < Number(indexed) ? [`the index has ${passages} of ${indexed} passages`] : [];
  } finally {
    await index.close();
  }
}
