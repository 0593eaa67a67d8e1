import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRandom } from "../random.ts";
import { indexed, type Kept, listed, readKept, withApp } from "./crash/installation.ts";
import { editionOf, fileOf, markerOf, wholeFile } from "./crash/stories.ts";
import type { CampaignPart } from "./part.ts";

export interface CrashOptions {
  readonly kills: number;
  /** New stories in each round. */
  readonly stories: number;
  readonly seed: number;
  readonly onKill?: (line: string) => void;
}

/** Phase in which a process was killed, as far as the database shows. */
export type KilledAt = "start" | "import" | "index" | "rebuild" | "end";

export interface CrashSummary {
  readonly kills: Readonly<Record<KilledAt, number>>;
  /** Runs that ended before they could be killed. */
  readonly finished: number;
  /** Violated invariants; empty when there are none. */
  readonly faults: readonly string[];
  readonly stories: number;
  readonly passages: number;
}

const MAIN = resolve(import.meta.dir, "../../src/main.ts");
/** Share of the kills that may fall into the start of the program. */
const AT_START = 0.2;
/** Only in the first half: a rebuild repairs what an import has lost. */
const REBUILD_EVERY = 4;
/** Number of stories searched by their unique words at the end. */
const SAMPLE = 100;

/**
 * Kills an import or a rebuild of the search index at random points, repeatedly, and checks the invariants: what SQLite
 * acknowledged is stored once, searches work at once, and one complete run repairs the index.
 */
export async function crash({ kills, stories, seed, onKill }: CrashOptions): Promise<CrashSummary> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-crash-"));
  const dataDir = join(folder, "data");
  const file = join(folder, "stories.jsonl");
  const own = { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder };
  const random = createRandom(seed);
  const at: Record<KilledAt, number> = { start: 0, import: 0, index: 0, rebuild: 0, end: 0 };
  const faults: string[] = [];
  const longest = { import: 1_500, reindex: 1_500 };
  let finished = 0;
  let round = 0;
  let acknowledged: readonly string[] = [];
  const start = (command: "import" | "reindex") => {
    const argv = { import: ["import", file], reindex: ["reindex"] }[command];
    return Bun.spawn([process.execPath, MAIN, ...argv], {
      cwd: folder,
      env: { ...own, CASEFILE_DATA_DIR: dataDir, CASEFILE_STARTER_ENABLED: "false" },
      stdout: "ignore",
      stderr: "pipe",
    });
  };

  try {
    for (let killed = 0; killed < kills && faults.length === 0; round++) {
      await writeFile(file, fileOf(round, stories));
      const rebuilds = killed < kills / 2 && round % REBUILD_EVERY === REBUILD_EVERY - 1;
      const command = rebuilds ? "reindex" : "import";
      const before = await readKept(dataDir);
      const child = start(command);
      await killedOrEnded(child, dataDir, random() < AT_START ? "start" : "work", random() * longest[command]);
      const kept = await readKept(dataDir);
      if (child.signalCode === "SIGKILL") {
        killed++;
        const point = pointOf(command, before, kept, (round + 1) * stories - 1);
        at[point]++;
        onKill?.(`kill ${killed}: ${point}, ${kept?.ids.length ?? 0} stories, ${kept?.waiting ?? 0} wait`);
      } else {
        finished++;
        longest[command] = Math.max(200, longest[command] * 0.8);
        if (child.exitCode !== 0) faults.push(`round ${round}: exit ${child.exitCode}: ${await child.stderr.text()}`);
      }
      faults.push(...(await afterKill(dataDir, acknowledged)).map((fault) => `round ${round}: ${fault}`));
      acknowledged = kept?.ids ?? [];
    }
    const last = round - 1;
    await writeFile(file, wholeFile(last, stories));
    const child = start("import");
    if ((await child.exited) !== 0) faults.push(`the last run: exit ${child.exitCode}: ${await child.stderr.text()}`);
    faults.push(...(await atTheEnd(dataDir, last, stories)));
    const kept = await readKept(dataDir);
    return { kills: at, finished, faults, stories: kept?.ids.length ?? 0, passages: kept?.passages.length ?? 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Kills a process this many milliseconds after its start, or after its first write. */
async function killedOrEnded(
  child: Bun.Subprocess,
  dataDir: string,
  from: "start" | "work",
  ms: number,
): Promise<void> {
  const before = await writtenIn(dataDir);
  let ended = false;
  const end = child.exited.then(() => {
    ended = true;
  });
  while (from === "work" && !ended && (await writtenIn(dataDir)) === before) await Bun.sleep(2);
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await end;
  clearTimeout(timer);
}

/** Changes when the database is written or a table of the search index is created. */
async function writtenIn(dataDir: string): Promise<string> {
  const tables = await readdir(join(dataDir, "index/tables")).catch(() => []);
  const { size, lastModified } = Bun.file(join(dataDir, "casefile.sqlite-wal"));
  return [tables.length, size, lastModified].join();
}

function pointOf(
  command: "import" | "reindex",
  before: Kept | undefined,
  kept: Kept | undefined,
  last: number,
): KilledAt {
  if (command === "reindex") return "rebuild";
  // New stories are last in the file.
  if (kept?.ids.includes(`crash-story-${last}`)) return kept.waiting > 0 ? "index" : "end";
  return kept && kept.ids.length > (before?.ids.length ?? 0) ? "import" : "start";
}

/** Faults after a kill, before any repair. */
async function afterKill(dataDir: string, acknowledged: readonly string[]): Promise<string[]> {
  const kept = await readKept(dataDir);
  if (!kept) return [];
  const faults: string[] = [];
  if (!kept.intact) faults.push("the database is broken");
  const ids = new Set(kept.ids);
  const lost = acknowledged.filter((id) => !ids.has(id));
  if (lost.length > 0) faults.push(`${lost.length} acknowledged stories are lost, such as ${lost[0]}`);
  await withApp(dataDir, async (app) => {
    faults.push(...faultsOfList(await listed(app), kept.ids));
    const questions = ["harbour crane", "everystory"].map((query) => ({ query, limit: 50 }));
    for (const { query, hits } of await app.caseStudies.search(questions)) {
      const found = hits.map(({ study }) => study.id);
      if (new Set(found).size < found.length) faults.push(`a search for ${query} has a story twice`);
      if (found.some((id) => !ids.has(id))) faults.push(`a search for ${query} has a story that is not there`);
    }
  });
  return faults;
}

/** Faults after a complete run: every story must now be found in its latest edition. */
async function atTheEnd(dataDir: string, round: number, fresh: number): Promise<string[]> {
  const stories = (round + 1) * fresh;
  const wanted = Array.from({ length: stories }, (_, number) => `crash-story-${number}`);
  const faults: string[] = [];
  await withApp(dataDir, async (app) => {
    faults.push(...faultsOfList(await listed(app), wanted));
    const { waiting } = await app.index.state();
    if (waiting > 0) faults.push(`${waiting} stories still wait for the index`);
    for (let number = 0; number < stories; number += Math.ceil(stories / SAMPLE)) {
      const edition = editionOf(number, round, fresh);
      const questions = [markerOf(number, edition), markerOf(number, edition - 1)].map(
        (query) => ({ query, mode: "keyword", limit: 50 }) as const,
      );
      const [now, then] = await app.caseStudies.search(questions);
      const found = now?.hits.map(({ study }) => study.id).join() ?? "";
      if (found !== `crash-story-${number}`) faults.push(`story ${number} is found as "${found}"`);
      if (edition > 0 && then && then.hits.length > 0)
        faults.push(`story ${number} is found by what it no longer says`);
    }
  });
  const kept = (await readKept(dataDir))?.passages ?? [];
  const { count, found } = await indexed(dataDir, "everystory");
  const missing = new Set(kept).difference(new Set(found)).size;
  const stale = new Set(found).difference(new Set(kept)).size;
  if (missing > 0) faults.push(`${missing} of ${kept.length} passages are not indexed`);
  if (stale > 0) faults.push(`${stale} passages are indexed that are no more`);
  if (count !== kept.length || new Set(found).size < found.length)
    faults.push(`${count} passages are indexed, ${kept.length} are kept`);
  return faults;
}

function faultsOfList(listed: readonly string[], wanted: readonly string[]): string[] {
  const faults: string[] = [];
  if (new Set(listed).size < listed.length) faults.push("the list has a story twice");
  if (!Bun.deepEquals(listed.toSorted(), wanted.toSorted()))
    faults.push(`the list has ${listed.length} stories and not the ${wanted.length} that it should`);
  return faults;
}

export const crashes: CampaignPart = {
  name: "crash",
  about: "Kills an import or a rebuild of the index; stored stories are kept once, and one run completes the index.",
  async run({ short, seed, onProgress }) {
    const { kills, finished, faults, stories, passages } = await crash({
      kills: short ? 5 : 50,
      stories: short ? 100 : 200,
      seed,
      onKill: onProgress,
    });
    const at = Object.fromEntries(Object.entries(kills).map(([point, count]) => [`killed_in_${point}`, count]));
    return { figures: { ...at, finished, stories, passages }, faults, skipped: null };
  },
};
