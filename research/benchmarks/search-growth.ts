import { readFileSync, writeFileSync } from "node:fs";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { createRandom } from "../../scripts/random.ts";
import { loadNative } from "../../src/casestudies/index/native.ts";
import { findPointer, openPassageIndex } from "../../src/casestudies/index/passage-index.ts";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { BUILT_IN_MANIFEST, openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import { CANDIDATES, RESULTS } from "./search-engine.ts";
import { quantile } from "./search-latency.ts";
import { storiesOf } from "./search-material.ts";
import { diskMb } from "./search-memory.ts";
import { generateQueries, type Story } from "./search-stories.ts";
import { corpusWording, inventedWording } from "./search-wording.ts";

/**
 * What one data directory costs as it grows. Case studies are added up to each size in a process of its own, then another
 * process asks. A million case studies take 20 GB of disk, and about half an hour of one core.
 */
export interface Growth {
  readonly studies: number;
  readonly added: number;
  readonly passages: number;
  /** Of 10^6 bytes. */
  readonly databaseMb: number;
  readonly indexMb: number;
  /** Processor seconds of what was added to the size before. */
  readonly importSeconds: number;
  readonly indexSeconds: number;
  /** The most memory during each, in MiB; null where the run was interrupted. */
  readonly importPeakMb: number | null;
  readonly indexPeakMb: number;
  /** Until the first question after a start is answered, which loads the index; by the clock, and of processor time. */
  readonly loadSeconds: number;
  readonly loadProcessorSeconds: number;
  /** After the questions, in MiB. */
  readonly residentMb: number;
  /** Milliseconds of one question, one caller: by the clock, and of processor time of all threads. */
  readonly wall: { readonly p50: number; readonly p95: number };
  readonly processor: { readonly p50: number; readonly p95: number };
  /** The ten nearest stored vectors among the first ten of as many as a search asks for. */
  readonly recall: number;
  /** Of the machine, when the size was done. */
  readonly load: number;
}

const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000];
const QUESTIONS = 250;
const WARM_UP = 50;
const RECALL_QUESTIONS = 20;
const NEAREST = 10;
const LINES = 2_000;
const SEED = 20_261_128;

type Filled = Omit<Growth, keyof AskedGrowth | "load" | "added">;
type AskedGrowth = Pick<
  Growth,
  "loadSeconds" | "loadProcessorSeconds" | "residentMb" | "wall" | "processor" | "recall"
>;

const processorSeconds = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

const statusMb = (name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d{1,12}) kB`, "m").exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) /
  1_024;

/** From now on `VmHWM` is the most memory since now. */
const forgetPeak = () => writeFileSync("/proc/self/clear_refs", "5");

const open = (data: string) =>
  openServices({
    config: loadConfig({ flags: { "data-dir": data }, env: {}, readFile: () => undefined }),
    version: "bench",
    log: { scannerFailed: console.error, taskFailed: console.error },
  });

async function fill(data: string, stories: string): Promise<Filled> {
  const app = await open(data);
  const before = process.cpuUsage();
  const told = await app.caseStudies.importFile({ name: "stories.jsonl", content: Bun.file(stories).stream() });
  const importSeconds = processorSeconds(before);
  const importPeakMb = statusMb("VmHWM");
  console.error(
    `  imported ${told.added} (${told.duplicate} duplicates) in ${importSeconds.toFixed(0)} processor seconds`,
  );
  forgetPeak();
  const between = process.cpuUsage();
  let said = 0;
  await app.index.indexNow({
    onProgress(done) {
      if (done - said < 20_000) return;
      said = done;
      console.error(`  ${done} indexed after ${processorSeconds(between).toFixed(0)} processor seconds`);
    },
  });
  const indexSeconds = processorSeconds(between);
  const indexPeakMb = statusMb("VmHWM");
  const { waiting, indexError, optimiseError } = await app.index.state();
  if (waiting > 0 || indexError || optimiseError)
    throw new Error(`${waiting} wait to be indexed; ${indexError ?? ""} ${optimiseError ?? ""}`);
  await app.close();
  const { passages, studies } = await counts(data);
  const databaseMb = (await diskMb(data)) - (await diskMb(join(data, "index")));
  const indexMb = await diskMb(join(data, "index", "tables"));
  return { studies, passages, databaseMb, indexMb, importSeconds, indexSeconds, importPeakMb, indexPeakMb };
}

async function table(data: string) {
  const { lance } = await loadNative(join(data, "native"));
  const pointer = await findPointer(join(data, "index"));
  return await (await lance.connect(join(data, "index", "tables"))).openTable(pointer?.table ?? "");
}

async function counts(data: string) {
  const studies = new Set<string>();
  let passages = 0;
  for await (const batch of (await table(data)).query().select(["study"])) {
    passages += batch.numRows;
    for (const study of batch.getChild("study")!) studies.add(study);
  }
  return { passages, studies: studies.size };
}

async function ask(data: string, questions: readonly string[]): Promise<AskedGrowth> {
  const app = await open(data);
  const search = (query: string) => app.caseStudies.search([{ query, limit: RESULTS, filter: {} }]);
  const [started, began] = [process.cpuUsage(), performance.now()];
  await search(questions[0] ?? "");
  const loadSeconds = (performance.now() - began) / 1_000;
  const loadProcessorSeconds = processorSeconds(started);
  for (const question of questions.slice(0, WARM_UP)) await search(question);
  const wall: number[] = [];
  const processor: number[] = [];
  for (const question of questions.slice(WARM_UP)) {
    const [before, asked] = [process.cpuUsage(), performance.now()];
    await search(question);
    wall.push(performance.now() - asked);
    processor.push(processorSeconds(before) * 1_000);
  }
  const residentMb = statusMb("VmRSS");
  await app.close();
  const ends = (values: readonly number[]) => ({ p50: quantile(values, 0.5), p95: quantile(values, 0.95) });
  const recall = await recallOf(data, questions.slice(WARM_UP, WARM_UP + RECALL_QUESTIONS));
  return { loadSeconds, loadProcessorSeconds, residentMb, wall: ends(wall), processor: ends(processor), recall };
}

/** Against the cosine with every stored vector, which has eight bits a dimension. */
async function recallOf(data: string, questions: readonly string[]): Promise<number> {
  const encoder = await openBuiltInEncoder({ unpackDir: join(data, "native") });
  const vectors = await encoder.encode(questions, "query");
  await encoder.close();
  const { dimensions, id: model } = BUILT_IN_MANIFEST;
  const best = vectors.map(() => ({ scores: new Float64Array(NEAREST).fill(-1), passages: new Float64Array(NEAREST) }));
  for await (const batch of (await table(data)).query().select(["passage", "scale", "vector"])) {
    const passages = batch.getChild("passage")!.toArray();
    const scales: Float32Array = batch.getChild("scale")!.toArray();
    const numbers: Int8Array = batch.getChild("vector")!.data[0]!.children[0]!.values;
    for (const [at, vector] of vectors.entries()) {
      const { scores, passages: found } = best[at]!;
      for (let row = 0; row < batch.numRows; row += 1) {
        let [sum, from] = [0, row * dimensions];
        for (let dimension = 0; dimension < dimensions; dimension += 1) sum += numbers[from++]! * vector[dimension]!;
        const score = sum * scales[row]!;
        let place = NEAREST - 1;
        if (score <= scores[place]!) continue;
        for (; place > 0 && scores[place - 1]! < score; place -= 1) {
          scores[place] = scores[place - 1]!;
          found[place] = found[place - 1]!;
        }
        scores[place] = score;
        found[place] = Number(passages[row]);
      }
    }
  }
  const index = await openPassageIndex({ dir: join(data, "index"), dimensions, model, clock: () => new Date() });
  let right = 0;
  for (const [at, vector] of vectors.entries()) {
    const found = new Set(
      (await index.nearest(vector, { limit: CANDIDATES })).slice(0, NEAREST).map(({ passage }) => passage),
    );
    right += best[at]!.passages.filter((passage) => found.has(passage)).length;
  }
  await index.close();
  return right / (vectors.length * NEAREST);
}

/**
 * Measures each size up to `most`. Finished sizes are kept in `growth.json` of the folder, and a later run goes on after them.
 *
 * @param corpus a folder with `case-studies.jsonl` and `queries.jsonl`; without it words are invented
 */
export async function benchGrowth({
  folder,
  corpus,
  most,
}: {
  readonly folder: string;
  readonly corpus: string | undefined;
  readonly most: number;
}): Promise<readonly Growth[]> {
  await mkdir(folder, { recursive: true });
  const [data, out, stories] = [join(folder, "data"), join(folder, "out.json"), join(folder, "stories.jsonl")];
  const asked = join(folder, "questions.json");
  const kept = Bun.file(join(folder, "growth.json"));
  const rows: Growth[] = (await kept.exists()) ? await kept.json() : [];
  const wording = corpus === undefined ? inventedWording(createRandom(7)) : await corpusWording(corpus);
  await Bun.write(asked, JSON.stringify(generateQueries(wording.queries, QUESTIONS + WARM_UP, createRandom(SEED))));
  const all = storiesOf(wording, most, createRandom(SEED));
  const run = async <T>(phase: "fill" | "ask", given: string): Promise<T> => {
    console.error(`${phase}, load ${loadavg()[0]?.toFixed(0)}, ${new Date().toISOString()}`);
    const child = Bun.spawn([process.execPath, import.meta.path, phase, out, data, given], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    if ((await child.exited) !== 0) throw new Error(`${phase} ended with ${child.exitCode}`);
    return await Bun.file(out).json();
  };
  let told = 0;
  for (const size of [...SIZES.filter((each) => each < most), most]) {
    const added = size - told;
    const isKnown = rows.some(({ studies }) => studies === size);
    await rm(stories, { force: true });
    while (told < size) {
      const lines: Story[] = [];
      for (; told < size && lines.length < LINES; told += 1) lines.push(all.next().value);
      if (!isKnown) await appendFile(stories, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    }
    if (isKnown) continue;
    const filled = await run<Filled>("fill", stories);
    if (filled.studies !== size) throw new Error(`${filled.studies} of ${size} case studies are indexed: start again`);
    rows.push({ ...filled, ...(await run<AskedGrowth>("ask", asked)), added, load: loadavg()[0] ?? 0 });
    await Bun.write(kept, `${JSON.stringify(rows, null, 2)}\n`);
    console.error(JSON.stringify(rows.at(-1)));
  }
  await rm(stories, { force: true });
  return rows;
}

if (import.meta.main) {
  const [phase, out = "", data = "", given = ""] = process.argv.slice(2);
  const figures = phase === "fill" ? await fill(data, given) : await ask(data, await Bun.file(given).json());
  await Bun.write(out, JSON.stringify(figures));
  // A thread of the index must not hold this process.
  process.exit(0);
}
