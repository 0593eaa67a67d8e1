import { join } from "node:path";
import { openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import { type EngineParts, type Question, type SearchEngine, TooMuch } from "./search-engine.ts";
import { type Latency, measureLatency } from "./search-latency.ts";
import type { Material } from "./search-material.ts";
import { diskMb, residentMb } from "./search-memory.ts";
import { measureRecall, type Recall } from "./search-recall.ts";
import { openSource } from "./search-source.ts";

/**
 * One engine in a separate process, to measure its memory: `bun search-process.ts ENGINE PHASE STUDIES MATERIAL
 * DIR OUT`, where PHASE is `fill` or `ask` for an engine that keeps its data on disk and `both` for one that does not.
 */

export interface Filled {
  readonly version: string;
  readonly passages: number;
  readonly ingestSeconds: number;
  readonly buildSeconds: number | null;
  readonly embedsItself: boolean;
  readonly peakMb: number;
  readonly diskMb: number;
}

export const FILTERS = ["none", "industry", "company"] as const;
export interface Asked {
  readonly residentMb: number;
  readonly peakMb: number;
  readonly recall: Recall;
  /** Hits of a question without a filter, on average. */
  readonly hits: number;
  readonly alone: Readonly<Record<(typeof FILTERS)[number], Latency>>;
  /** Several callers without a filter, by their number; null for an engine that is too slow alone. */
  readonly between: Readonly<Record<(typeof BETWEEN)[number], Latency>> | null;
  /** Null for an engine that is too slow alone: sixteen would wait for minutes. */
  readonly together: Readonly<Record<(typeof FILTERS)[number], Latency>> | null;
}

/** Loaded when asked for: the packages of the others need not be installed. */
const OPEN: Readonly<Record<string, (parts: EngineParts) => Promise<SearchEngine>>> = {
  casefile: async (parts) => await (await import("./engines/casefile.ts")).openCasefile(parts),
  orama: async (parts) => await (await import("./engines/orama.ts")).openOrama(parts),
  "sqlite-vec": async (parts) => await (await import("./engines/sqlite-vec.ts")).openSqliteVec(parts),
  chroma: async (parts) => await (await import("./engines/chroma.ts")).openChroma(parts),
};
const LIMITS = { mb: 6_144, seconds: 600 };
export const CALLERS = 16;
/** Numbers of callers that are measured without a filter only. */
export const BETWEEN = [2, 4, 8] as const;
const WARM_UP = 30;
/** Milliseconds alone, above which sixteen callers are not tried. */
const TOO_SLOW = 1_000;
const LATENCY = { repetitions: 3, seconds: 20 };

if (import.meta.main) await main();

async function main(): Promise<void> {
  const [name = "", phase = "", count = "", folder = "", dir = "", out = ""] = process.argv.slice(2);
  const open = OPEN[name];
  if (!open) throw new Error(`no engine has the name ${name}`);
  const material: Material = await Bun.file(join(folder, "material.json")).json();
  const studies = Math.min(material.studies, Number(count));
  const passages = material.passagesUntil[studies] ?? material.passages;
  const { dimensions } = material;
  const encoder = name === "casefile" ? undefined : await openBuiltInEncoder({ unpackDir: join(folder, "native") });
  const embed = async (query: string) => (await encoder?.encode([query], "query"))?.[0] ?? new Float32Array(dimensions);
  let engine: SearchEngine | undefined;
  try {
    engine = await open({ dir, dimensions, embed });
    const others = () => engine?.otherProcesses ?? [];
    const memory = () => residentMb([process.pid, ...others()]);
    let filled: Filled | undefined;
    if (phase !== "ask") {
      const source = openSource(folder, { studies, passages, dimensions, limits: LIMITS, others });
      const done = await engine.ingest(source);
      filled = { version: engine.version, passages, ...done, peakMb: memory().peak, diskMb: await diskMb(dir) };
    }
    const asked = phase === "fill" ? undefined : await ask(engine, { folder, material, passages, memory });
    await Bun.write(out, JSON.stringify({ filled, asked }));
  } catch (error) {
    const taken = error instanceof TooMuch && typeof error.cause === "number" ? error.cause : null;
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof TooMuch)) console.error(error);
    await Bun.write(
      out,
      JSON.stringify({ refused: { reason, takenPassages: taken, isLimit: error instanceof TooMuch } }),
    );
  }
  // A server that keeps running would answer for the next size.
  await engine?.close().catch(console.error);
  // A thread that an engine leaves behind must not hold this process.
  process.exit(0);
}

interface Setting {
  readonly folder: string;
  readonly material: Material;
  readonly passages: number;
  readonly memory: () => { readonly now: number; readonly peak: number };
}

async function ask(engine: SearchEngine, { folder, material, passages, memory }: Setting): Promise<Asked> {
  const questions = (filter: (typeof FILTERS)[number]) =>
    material.queries.map(
      ({ text, ...values }): Question => ({ text, filter: filter === "none" ? {} : { [filter]: values[filter] } }),
    );
  const began = performance.now();
  for (const question of questions("none").slice(0, WARM_UP)) {
    await engine.search(question);
    if (performance.now() - began > LATENCY.seconds * 1_000) break;
  }
  let [hits, answers] = [0, 0];
  const measured = async (callers: number, filter: (typeof FILTERS)[number]) => {
    const latency = await measureLatency(
      questions(filter),
      async (question) => {
        const found = await engine.search(question);
        if (filter !== "none") return;
        hits += found.length;
        answers++;
      },
      { callers, ...LATENCY },
    );
    console.error(
      `  ${callers} callers, filter ${filter}: p50 ${latency.p50.toFixed(1)} p95 ${latency.p95.toFixed(1)} ms`,
    );
    return latency;
  };
  const alone = {
    none: await measured(1, "none"),
    industry: await measured(1, "industry"),
    company: await measured(1, "company"),
  };
  const between =
    alone.none.p50 > TOO_SLOW
      ? null
      : { 2: await measured(2, "none"), 4: await measured(4, "none"), 8: await measured(8, "none") };
  const together =
    alone.none.p50 > TOO_SLOW
      ? null
      : {
          none: await measured(CALLERS, "none"),
          industry: await measured(CALLERS, "industry"),
          company: await measured(CALLERS, "company"),
        };
  const { now, peak } = memory();
  const recall = await measureRecall(folder, { passages, dimensions: material.dimensions }, engine.nearest);
  return { residentMb: now, peakMb: peak, recall, hits: hits / Math.max(1, answers), alone, between, together };
}
