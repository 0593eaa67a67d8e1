import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBox } from "../../test/box/box.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";
import { createRandom } from "../random.ts";
import { createClient, createHistory, importStories, Refused } from "./history.ts";
import type { CampaignPart } from "./part.ts";
import { type RunningService, startService } from "./running.ts";

const KILLS = 200;
const SHORT_KILLS = 8;
const WORKERS = 4;
/** Milliseconds of requests before a kill. */
const LONGEST = 1_500;
/** An import is a process of its own, which takes a second. */
const IMPORT_EVERY = 4;
const SETTLE_SECONDS = 180;

export const kill: CampaignPart = {
  name: "kill",
  about: "Kills the service with kill -9 while a client changes everything; what was acknowledged is there afterwards.",
  async run({ short, seed, onProgress }) {
    const kills = short ? SHORT_KILLS : KILLS;
    const random = createRandom(seed);
    const home = await mkdtemp(join(tmpdir(), "casefile-kill-"));
    const dataDir = join(home, "data");
    const box = await openBox({
      companies: [{ domain: "vendor.test", pages: { "/customers/*": "<title>Nothing here</title>" } }],
    });
    const history = createHistory();
    const faults: string[] = [];
    const startMs: number[] = [];
    let killed = 0;
    try {
      await importStories([0, 1, 2, 3, 4, 5, 6], history, dataDir, home);
      const flags = { ...(await flagsInto(box, dataDir)), "accounts-keyless-per-hour": 100_000 };
      const start = async (): Promise<RunningService> => {
        const began = performance.now();
        const service = await startService(flags, home);
        startMs.push(performance.now() - began);
        return service;
      };
      let service = await start();
      const operatorToken = service.operatorToken ?? "";
      const client = createClient({ history, dataDir, home, operatorToken });
      const requests = client.kinds.filter((kind) => kind !== "import");

      /** Changes one thing after the other until the service is gone. */
      const work = async (worker: number, isKilled: () => boolean): Promise<void> => {
        while (!isKilled()) {
          const kind = requests[Math.floor(random() * requests.length)] ?? "key";
          try {
            await client.changes[kind](worker);
          } catch (error) {
            if (error instanceof Refused) faults.push(error.message);
            else if (!isKilled()) await Bun.sleep(1);
          }
        }
      };

      for (; killed < kills && faults.length === 0; killed++) {
        await client.use(service);
        let isKilled = false;
        const working = Array.from({ length: WORKERS }, (_, worker) => work(worker, () => isKilled));
        const importing = killed % IMPORT_EVERY === 0 ? client.changes.import() : Promise.resolve();
        await Bun.sleep(random() * LONGEST);
        isKilled = true;
        await service.end("SIGKILL");
        await Promise.all([...working, importing]);
        service = await start();
        faults.push(...missingIn(dataDir, history));
        onProgress(
          `kill ${killed + 1}: ${history.size} acknowledged, ready after ${Math.round(startMs.at(-1) ?? 0)} ms`,
        );
      }
      faults.push(...(await unfinishedIn(dataDir)));
      const code = await service.end("SIGTERM");
      if (code !== 0) faults.push(`the last service ended with ${code} after SIGTERM`);
      faults.push(...missingIn(dataDir, history), ...damageIn(dataDir));
      const sorted = startMs.toSorted((a, b) => a - b);
      return {
        figures: {
          kills: killed,
          acknowledged: history.size,
          ...Object.fromEntries(Object.entries(history.counts).map(([kind, count]) => [`acknowledged_${kind}`, count])),
          restart_p50_ms: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
          restart_max_ms: Math.round(sorted.at(-1) ?? 0),
        },
        faults,
        skipped: null,
      };
    } finally {
      await box.close();
      await rm(home, { recursive: true, force: true });
    }
  },
};

function withDatabase<T>(dataDir: string, use: (database: Database) => T): T {
  const database = new Database(join(dataDir, "casefile.sqlite"), { readwrite: true, create: false });
  try {
    database.run("pragma busy_timeout = 5000");
    return use(database);
  } finally {
    database.close();
  }
}

const missingIn = (dataDir: string, history: ReturnType<typeof createHistory>) =>
  withDatabase(dataDir, (database) => history.missingIn(database));

const damageIn = (dataDir: string): string[] =>
  withDatabase(dataDir, (database) => {
    const found = database.query("pragma integrity_check").values().join();
    return found === "ok" ? [] : [`the database is damaged: ${found}`];
  });

/** Jobs that no worker brings to an end, and submissions without a job that leads them on. */
async function unfinishedIn(dataDir: string): Promise<string[]> {
  const open = `select kind || ' job ' || id || ' is ' || state from jobs
    where state = 'running' or (state = 'waiting' and kind <> 'mail' and run_after < strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;
  const stuck = `select 'submission ' || id || ' is ' || state || ' without a job' from submissions
    where state in ('waiting', 'crawling', 'structuring', 'indexing')
    and not exists (select 1 from jobs where jobs.state in ('waiting', 'running')
      and json_extract(payload, '$.submission') = submissions.id)`;
  const find = (sql: string) => withDatabase(dataDir, (database) => database.query(sql).values().map(String));
  for (let second = 0; second < SETTLE_SECONDS && find(open).length > 0; second++) await Bun.sleep(1_000);
  return [...find(open), ...find(stuck)];
}
