import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { createRandom } from "../../scripts/random.ts";
import { type Material, writeMaterial } from "./search-material.ts";
import type { Asked, Filled } from "./search-process.ts";
import type { BenchFigures, Row } from "./search-table.ts";
import { corpusWording, inventedWording } from "./search-wording.ts";

export const ENGINES = ["casefile", "sqlite-vec", "orama", "chroma"] as const;
export type Engine = (typeof ENGINES)[number];

export interface SearchBenchOptions {
  readonly studies: number;
  /** A folder with `case-studies.jsonl` and `queries.jsonl`; without it words are invented. */
  readonly corpus: string | undefined;
  readonly engines: readonly Engine[];
  /** A folder for the material and the engines' data, which a later run uses again; by default a temporary one. */
  readonly keep?: string | undefined;
  /** Called with the results so far after each engine, since a full run takes long. */
  readonly onFigures: (figures: BenchFigures) => Promise<void>;
}

/** Smaller sizes for an engine that cannot hold everything. */
const LESS = [25_000, 10_000, 5_000, 2_000];

/**
 * Compares the search with the alternatives for a TypeScript program, all with the same passages, vectors and
 * questions, one after another. Takes about 25 minutes and 3 GB of the temp folder for 100,000 case studies.
 */
export async function benchSearch(options: SearchBenchOptions): Promise<void> {
  const [load = 0] = loadavg();
  const folder = options.keep ?? (await mkdtemp(join(tmpdir(), "casefile-bench-")));
  const isKept = options.keep !== undefined;
  try {
    const material = await materialOf(folder, options);
    const rows: Row[] = [];
    const figures = (): BenchFigures => ({ material: summaryOf(material), machine: machine(load), rows });
    for (const engine of options.engines) {
      rows.push(...(await measureEngine(folder, engine, material, isKept)));
      await options.onFigures(figures());
    }
    const sizes = new Set(
      rows.flatMap((row) => ("filled" in row && row.studies < material.studies ? [row.studies] : [])),
    );
    if (options.engines.includes("casefile")) {
      for (const size of sizes) rows.push(await measureSize(folder, "casefile", size, isKept));
      await options.onFigures(figures());
    }
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the material, or reads what an earlier run kept. */
async function materialOf(folder: string, { corpus, studies }: SearchBenchOptions): Promise<Material> {
  const kept = Bun.file(join(folder, "material", "material.json"));
  if (await kept.exists()) {
    const material: Material = await kept.json();
    if (material.studies === studies) return material;
    throw new Error(
      `${folder} holds ${material.studies} case studies, not ${studies}: remove it or name another folder`,
    );
  }
  const wording = corpus === undefined ? inventedWording(createRandom(7)) : await corpusWording(corpus);
  const began = performance.now();
  const material = await writeMaterial(join(folder, "material"), wording, { count: studies, sizes: LESS });
  console.error(
    `material: ${material.passages} passages in ${((performance.now() - began) / 1_000).toFixed(0)} s, of which embedding ${material.embedSeconds.toFixed(0)} s`,
  );
  return material;
}

/** All of the material, or the largest part that the engine can hold. */
async function measureEngine(
  folder: string,
  engine: Engine,
  { studies, passages }: Material,
  isKept: boolean,
): Promise<Row[]> {
  const rows: Row[] = [];
  let most = studies;
  for (const size of [studies, ...LESS.filter((less) => less < studies)]) {
    if (size > most) continue;
    const row = await measureSize(folder, engine, size, isKept);
    rows.push(row);
    if (!("refused" in row) || !row.refused.isLimit) break;
    const { takenPassages } = row.refused;
    if (takenPassages !== null) most = (takenPassages / passages) * studies;
  }
  return rows;
}

interface Refused {
  readonly reason: string;
  readonly takenPassages: number | null;
  readonly isLimit: boolean;
}
interface Measurement {
  readonly filled?: Filled;
  readonly asked?: Asked;
  readonly refused?: Refused;
}
type Measured = { readonly engine: Engine; readonly studies: number } & (
  | { readonly filled: Filled; readonly asked: Asked }
  | { readonly refused: Refused }
);

async function measureSize(folder: string, engine: Engine, studies: number, isKept: boolean): Promise<Measured> {
  const dir = join(folder, `${engine}-${studies}`);
  const filledBefore = Bun.file(join(dir, "filled.json"));
  await mkdir(dir, { recursive: true });
  const run = async (phase: "fill" | "ask" | "both"): Promise<Measurement> => {
    console.error(`${engine}, ${studies} case studies: ${phase}`);
    const out = join(folder, "out.json");
    await rm(out, { force: true });
    const script = join(import.meta.dir, "search-process.ts");
    const child = Bun.spawn(
      [process.execPath, script, engine, phase, String(studies), join(folder, "material"), dir, out],
      {
        stdout: "ignore",
        stderr: "inherit",
      },
    );
    const code = await child.exited;
    if (await Bun.file(out).exists()) return await Bun.file(out).json();
    return { refused: { reason: `its process ended with ${code}`, takenPassages: null, isLimit: false } };
  };
  try {
    // An in-memory engine must be queried in the process that filled it.
    const first: Measurement = (await filledBefore.exists())
      ? { filled: await filledBefore.json() }
      : await run(engine === "orama" ? "both" : "fill");
    if (isKept && engine !== "orama" && first.filled) await Bun.write(filledBefore, JSON.stringify(first.filled));
    const second = engine === "orama" || first.refused ? first : await run("ask");
    const refused = first.refused ?? second.refused;
    if (refused) return { engine, studies, refused };
    if (!first.filled || !second.asked) throw new Error(`${engine} told nothing`);
    return { engine, studies, filled: first.filled, asked: second.asked };
  } finally {
    if (!isKept) await rm(dir, { recursive: true, force: true });
  }
}

const summaryOf = ({ queries, passagesUntil: _, ...material }: Material) => ({
  ...material,
  questions: queries.length,
});

function machine(load: number): BenchFigures["machine"] {
  const [processor] = cpus();
  return {
    cores: cpus().length,
    processor: processor?.model.trim() ?? "unknown",
    load,
    memoryGib: totalmem() / 2 ** 30,
    platform: `${process.platform} ${process.arch}`,
    bun: Bun.version,
  };
}
