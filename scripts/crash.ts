/**
 * Kills an import or a rebuild of the search index at random points, again and again, and holds what must then be true:
 * what SQLite acknowledged is there once, searches answer at once, and one run to the end makes the index whole.
 * `bun scripts/crash.ts [--kills 50] [--stories 300] [--seed 1]`
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { indexed, listed, readKept, withApp } from "./crash/installation.ts";
import { editionOf, fileOf, markerOf, storiesIn } from "./crash/stories.ts";

export interface CrashOptions {
  readonly kills: number;
  /** In the first round's file. */
  readonly stories: number;
  readonly seed: number;
  readonly onKill?: (line: string) => void;
}

/** At which work a process was when it was killed, as far as the database tells. */
export type KilledAt = "start" | "import" | "index" | "rebuild" | "end";

export interface CrashSummary {
  readonly kills: Readonly<Record<KilledAt, number>>;
  /** Runs that ended before they could be killed. */
  readonly finished: number;
  /** What was found to be wrong; empty when all is well. */
  readonly faults: readonly string[];
  readonly stories: number;
  readonly passages: number;
}

const MAIN = resolve(import.meta.dir, "../src/main.ts");
/** Before this a process has not read its own program. */
const EARLIEST_MS = 150;
const EARLY_MS = 1_200;
const REBUILD_EVERY = 4;

export async function crash({ kills, stories, seed, onKill }: CrashOptions): Promise<CrashSummary> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-crash-"));
  const dataDir = join(folder, "data");
  const file = join(folder, "stories.jsonl");
  const random = randomOf(seed);
  const at: Record<KilledAt, number> = { start: 0, import: 0, index: 0, rebuild: 0, end: 0 };
  const faults: string[] = [];
  const longest = { import: 4_000, reindex: 3_000 };
  let finished = 0;
  let round = 0;
  let acknowledged: readonly string[] = [];
  const start = (command: "import" | "reindex") =>
    Bun.spawn([process.execPath, MAIN, command, ...(command === "import" ? [file] : []), "--data-dir", dataDir], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder },
      stdout: "ignore",
      stderr: "pipe",
    });

  try {
    for (let killed = 0; killed < kills; round++) {
      await writeFile(file, fileOf(round, stories));
      const command = round % REBUILD_EVERY === REBUILD_EVERY - 1 ? "reindex" : "import";
      const before = await readKept(dataDir);
      const began = performance.now();
      const child = start(command);
      // Reading the file is soon done: half of the kills fall into the time in which it may be at that.
      const within = random() < 0.5 ? Math.min(EARLY_MS, longest[command]) : longest[command];
      const timer = setTimeout(() => child.kill("SIGKILL"), EARLIEST_MS + random() * within);
      await child.exited;
      clearTimeout(timer);
      const kept = await readKept(dataDir);
      if (child.signalCode === "SIGKILL") {
        killed++;
        const point = pointOf(command, before?.waiting ?? 0, kept, storiesIn(round, stories));
        at[point]++;
        onKill?.(`kill ${killed}: ${point}, ${kept?.ids.length ?? 0} stories, ${kept?.waiting ?? 0} wait`);
      } else {
        finished++;
        longest[command] = Math.max(400, (performance.now() - began) * 0.95 - EARLIEST_MS);
        if (child.exitCode !== 0) faults.push(`round ${round}: exit ${child.exitCode}: ${await child.stderr.text()}`);
      }
      faults.push(...(await afterKill(dataDir, acknowledged, round)));
      acknowledged = kept?.ids ?? [];
    }
    const last = round - 1;
    const child = start("import");
    if ((await child.exited) !== 0) faults.push(`the last run: exit ${child.exitCode}: ${await child.stderr.text()}`);
    faults.push(...(await atTheEnd(dataDir, last, storiesIn(last, stories))));
    const kept = await readKept(dataDir);
    return { kills: at, finished, faults, stories: kept?.ids.length ?? 0, passages: kept?.passages ?? 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pointOf(
  command: "import" | "reindex",
  waited: number,
  kept: Awaited<ReturnType<typeof readKept>>,
  wanted: number,
): KilledAt {
  if (!kept) return "start";
  if (command === "reindex") return "rebuild";
  if (kept.ids.length < wanted) return kept.waiting === waited ? "start" : "import";
  return kept.waiting > 0 ? "index" : "end";
}

/** Faults that a kill has left, before anything is made good. */
async function afterKill(dataDir: string, acknowledged: readonly string[], round: number): Promise<string[]> {
  const kept = await readKept(dataDir);
  if (!kept) return [];
  const faults: string[] = [];
  if (!kept.intact) faults.push("the database is broken");
  const ids = new Set(kept.ids);
  const lost = acknowledged.filter((id) => !ids.has(id));
  if (lost.length > 0) faults.push(`${lost.length} acknowledged stories are lost, such as ${lost[0]}`);
  await withApp(dataDir, async (app) => {
    faults.push(...faultsOfList(await listed(app), kept.ids));
    const questions = ["harbour crane", markerOf(round, editionOf(round, round))].map((query) => ({
      query,
      limit: 50,
    }));
    for (const { query, hits } of await app.searchStudies(questions)) {
      const found = hits.map(({ study }) => study.id);
      if (new Set(found).size < found.length) faults.push(`a search for ${query} has a story twice`);
      if (found.some((id) => !ids.has(id))) faults.push(`a search for ${query} has a story that is not there`);
    }
  });
  return faults.map((fault) => `round ${round}: ${fault}`);
}

/** Faults that are there after a run to the end: now all of the last file must be found, as it was told last. */
async function atTheEnd(dataDir: string, round: number, stories: number): Promise<string[]> {
  const wanted = Array.from({ length: stories }, (_, number) => `crash-story-${number}`);
  const faults: string[] = [];
  await withApp(dataDir, async (app) => {
    faults.push(...faultsOfList(await listed(app), wanted));
    const { waiting } = await app.indexState();
    if (waiting > 0) faults.push(`${waiting} stories still wait for the index`);
    for (let number = 0; number < stories; number++) {
      const edition = editionOf(number, round);
      const questions = [markerOf(number, edition), markerOf(number, edition - 1)].map(
        (query) => ({ query, mode: "keyword", limit: 50 }) as const,
      );
      const [now, then] = await app.searchStudies(questions);
      const found = now?.hits.map(({ study }) => study.id).join() ?? "";
      if (found !== `crash-story-${number}`) faults.push(`story ${number} is found as "${found}"`);
      if (then && then.hits.length > 0) faults.push(`story ${number} is found by what it no longer says`);
    }
  });
  const kept = await readKept(dataDir);
  const { count, found } = await indexed(dataDir, "everystory");
  if (count !== kept?.passages) faults.push(`${count} passages are indexed, ${kept?.passages} are kept`);
  if (new Set(found).size < found.length) faults.push("passages are indexed twice");
  if (found.length !== stories) faults.push(`${found.length} of ${stories} stories are found by a word of all`);
  return faults;
}

function faultsOfList(listed: readonly string[], wanted: readonly string[]): string[] {
  const faults: string[] = [];
  if (new Set(listed).size < listed.length) faults.push("the list has a story twice");
  if (!Bun.deepEquals(listed.toSorted(), wanted.toSorted()))
    faults.push(`the list has ${listed.length} stories and not the ${wanted.length} that it should`);
  return faults;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      kills: { type: "string", default: "50" },
      stories: { type: "string", default: "300" },
      seed: { type: "string", default: "1" },
    },
  });
  const summary = await crash({
    kills: Number(values.kills),
    stories: Number(values.stories),
    seed: Number(values.seed),
    onKill: (line) => console.log(line),
  });
  const kinds = Object.entries(summary.kills).map(([point, count]) => `${count} at ${point}`);
  console.log(`\n${values.kills} kills (${kinds.join(", ")}); ${summary.finished} runs ended before they were killed`);
  console.log(`${summary.stories} stories, ${summary.passages} passages`);
  for (const fault of summary.faults) console.error(`FAULT ${fault}`);
  console.log(summary.faults.length === 0 ? "every story is there once, and found as told last" : "FAILED");
  process.exitCode = summary.faults.length === 0 ? 0 : 1;
}
