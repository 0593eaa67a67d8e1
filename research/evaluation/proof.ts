import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../../scripts/random.ts";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { corroboration } from "../../src/prospects/claims.ts";
import type { Proof } from "../../src/prospects/proof.ts";
import { wilson } from "./adjudicate.ts";
import { type BriefFigures, checkBriefs } from "./briefs.ts";

/** `research/labels/proof.json`: ids and grades only. Grades 0–3: would a salesperson send this study to this company? */
interface Labels {
  readonly prospects: readonly {
    readonly domain: string;
    readonly industry: string;
    readonly country: string | null;
    readonly held_out: boolean;
    readonly grades: Readonly<Record<string, number>>;
  }[];
}

interface HalfFigures {
  readonly prospects: number;
  readonly pairs: number;
  /** nDCG@10 of the formula, and of two of its parts alone. */
  readonly proof: number;
  readonly industry_alone: number;
  readonly tools_alone: number;
  /** 95% of 2,000 bootstrap samples of the companies. */
  readonly proof_interval: readonly [number, number];
}

export interface ProofFigures {
  readonly held_out: HalfFigures;
  readonly development: HalfFigures;
  readonly briefs: BriefFigures;
}

/** Null without labels. */
export type ClaimFigures = Readonly<Record<keyof typeof LABEL_FILES, CorroboratedFigures | null>>;

interface CorroboratedFigures {
  readonly pairs: number;
  /** Pairs whose tool the stored report shows by evidence of use. */
  readonly corroborated: number;
  /** Right pairs that corroborate, of all right pairs. */
  readonly recall: number;
  /** Of the pairs that corroborate; an unclear one counts as wrong. */
  readonly precision: number;
  readonly unclear: number;
  /** 95% interval after Wilson. */
  readonly interval: readonly [number, number];
}

/** A company and a tool that its recordings show, judged by reading them. */
export interface ClaimLabel {
  readonly domain: string;
  /** Id of the fingerprint. */
  readonly tool: string;
  /** Whether the company itself uses the product; false where the reader could not decide. */
  readonly correct: boolean;
  readonly unclear?: boolean;
  readonly reason?: string;
}

/** In `research/labels`. Misses of the held-out files are never read. */
export const LABEL_FILES = {
  held_out: ["claims-4.json"],
  held_out_2: ["claims-5.json"],
  development: ["claims.json", "claims-2.json", "claims-3.json"],
} as const;

const DEPTH = 10;
const SHUFFLES = 50;
const SAMPLES = 2_000;
const BRIEFS = 1_000;

/**
 * A store with the case studies of `corpus/case-studies.jsonl` and the recordings of `captures` and `pages` in a folder.
 * Pages of `held-out` files are for other evaluations.
 */
export async function openDevelopmentData(folder: string): Promise<{ app: Services; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "casefile-eval-"));
  const app = await openServices({
    config: loadConfig({ flags: { "data-dir": dataDir }, env: {}, readFile: () => undefined }),
    version: "eval",
    log: { scannerFailed: console.error, taskFailed: console.error },
  });
  const close = async () => {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await app.starter.load();
    const content = Bun.file(join(folder, "corpus/case-studies.jsonl")).stream();
    await app.caseStudies.importFile({ name: "case-studies.jsonl", content });
    const pages = join(dataDir, "recorded-pages");
    await Bun.$`mkdir -p ${pages} && tar --zstd -xf ${join(folder, "pages/pages.tar.zst")} -C ${pages}`.quiet();
    const captures = ["har", "dns_corporate", "multi", "dns_zones", "html"].map((name) =>
      join(folder, "captures", name),
    );
    await app.ingest.ingest({ paths: [...captures, ...(await readdir(pages)).map((name) => join(pages, name))] });
    await app.stack.catchUp();
    return { app, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Precision of `corroborated`, on the recordings of a folder. */
export async function evaluateClaims(folder: string, { misses = false } = {}): Promise<ClaimFigures> {
  const { app, close } = await openDevelopmentData(folder);
  try {
    return await measureCorroborated(app, misses);
  } finally {
    await close();
  }
}

/** Ranks the labelled case studies of each company, by the formula and by two of its parts alone. */
export async function evaluateProof(folder: string, { misses = false } = {}): Promise<ProofFigures> {
  const { app, close } = await openDevelopmentData(folder);
  try {
    return {
      ...(await measureProof(app, misses)),
      briefs: await checkBriefs(app, BRIEFS),
    };
  } finally {
    await close();
  }
}

export async function measureProof(
  app: Services,
  misses = false,
): Promise<Pick<ProofFigures, "held_out" | "development">> {
  const labels: Labels = await Bun.file(`${import.meta.dir}/../labels/proof.json`).json();
  const gains = { held_out: emptyGains(), development: emptyGains() };
  for (const { domain, industry, country, held_out, grades } of labels.prospects) {
    const { proofs } = await app.prospects.proofs(domain, {
      industry,
      ...(country === null ? {} : { country }),
      limit: 10_000,
    });
    const byId = new Map(proofs.map((proof) => [proof.case_study.id, proof]));
    const scoresBy = (score: (proof: Proof) => number) =>
      Object.fromEntries(Object.keys(grades).map((id) => [id, score(byId.get(id) ?? NONE)]));
    const half = gains[held_out ? "held_out" : "development"];
    const found = ndcg(
      grades,
      scoresBy(({ score }) => score),
    );
    half.pairs += Object.keys(grades).length;
    half.proof.push(found);
    half.industry_alone.push(
      ndcg(
        grades,
        scoresBy(({ reasons }) => Number(reasons.some(({ kind }) => kind === "same_industry"))),
      ),
    );
    half.tools_alone.push(
      ndcg(
        grades,
        scoresBy(
          ({ reasons }) => reasons.filter(({ kind }) => kind === "same_tool" || kind === "migrated_from").length,
        ),
      ),
    );
    if (misses && !held_out) explain(domain, found, grades, byId);
  }
  const figures = { held_out: figuresOf(gains.held_out), development: figuresOf(gains.development) };
  console.log(figures);
  return figures;
}

export async function readClaimLabels(files: readonly string[]): Promise<readonly ClaimLabel[]> {
  const contents: { pairs: ClaimLabel[] }[] = await Promise.all(
    files.map(async (name) => {
      const file = Bun.file(`${import.meta.dir}/../labels/${name}`);
      // Labels of a sheet that is not judged yet.
      return (await file.exists()) ? await file.json() : { pairs: [] };
    }),
  );
  return contents.flatMap(({ pairs }) => pairs);
}

/**
 * How many tools that would corroborate a claim are really used, of pairs that were labelled by reading the evidence. The
 * recordings have too few clients of the case studies, so the pairs are recorded companies and tools drawn at random, each
 * tool once in a file. The pairs of `claims.json` have tools of all kinds, those of the other files only tools that a vendor
 * sells, see `claims-sheet.ts`.
 */
async function measureCorroborated(app: Services, misses = false): Promise<ClaimFigures> {
  const measure = async (files: readonly string[], isShown: boolean): Promise<CorroboratedFigures | null> => {
    const pairs = await readClaimLabels(files);
    const seen: ClaimLabel[] = [];
    for (const pair of pairs) {
      const report = await app.detection.stored(pair.domain);
      const found = report?.detections.find(({ id }) => id === pair.tool);
      const isSeen = report !== undefined && found !== undefined && corroboration(found, report) !== undefined;
      if (isSeen) seen.push(pair);
      if (isShown && isSeen !== pair.correct)
        console.log(`${isSeen ? "wrong" : "missed"} ${pair.domain} ${pair.tool} ${pair.reason ?? ""}`);
    }
    if (pairs.length === 0) return null;
    const right = seen.filter(({ correct }) => correct).length;
    return {
      pairs: pairs.length,
      corroborated: seen.length,
      recall: rounded(right / pairs.filter(({ correct }) => correct).length),
      precision: rounded(right / seen.length),
      unclear: seen.filter(({ unclear }) => unclear).length,
      interval: wilson(right, seen.length),
    };
  };
  const figures = {
    held_out: await measure(LABEL_FILES.held_out, false),
    held_out_2: await measure(LABEL_FILES.held_out_2, false),
    development: await measure(LABEL_FILES.development, misses),
  };
  console.log(figures);
  return figures;
}

type Gains = { pairs: number } & Record<"proof" | "industry_alone" | "tools_alone", number[]>;
const emptyGains = (): Gains => ({ pairs: 0, proof: [], industry_alone: [], tools_alone: [] });
const NONE: Pick<Proof, "score" | "reasons"> & Proof = { score: 0, reasons: [] } as unknown as Proof;

const figuresOf = ({ pairs, proof, industry_alone, tools_alone }: Gains): HalfFigures => ({
  prospects: proof.length,
  pairs,
  proof: mean(proof),
  industry_alone: mean(industry_alone),
  tools_alone: mean(tools_alone),
  proof_interval: interval(proof),
});

const rounded = (value: number) => Math.round(value * 1_000) / 1_000;
const mean = (values: readonly number[]) => rounded(values.reduce((sum, value) => sum + value, 0) / values.length);

function interval(values: readonly number[]): [number, number] {
  const random = createRandom(1);
  const means = Array.from({ length: SAMPLES }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).sort((a, b) => a - b);
  return [means[Math.floor(SAMPLES * 0.025)] ?? 0, means[Math.floor(SAMPLES * 0.975)] ?? 0];
}

/** nDCG@10 with the gain 2^grade − 1; the mean over shuffles, so that ties are not decided by the order of ids. */
function ndcg(grades: Readonly<Record<string, number>>, scores: Readonly<Record<string, number>>): number {
  const ideal = dcg(Object.values(grades).sort((a, b) => b - a));
  if (ideal === 0) return 1;
  const random = createRandom(7);
  let sum = 0;
  for (let at = 0; at < SHUFFLES; at += 1) {
    const shuffled = Object.keys(grades).map((id) => ({ id, tie: random() }));
    shuffled.sort((a, b) => (scores[b.id] ?? 0) - (scores[a.id] ?? 0) || a.tie - b.tie);
    sum += dcg(shuffled.map(({ id }) => grades[id] ?? 0)) / ideal;
  }
  return sum / SHUFFLES;
}

const dcg = (ranked: readonly number[]) =>
  ranked.slice(0, DEPTH).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);

function explain(
  domain: string,
  found: number,
  grades: Readonly<Record<string, number>>,
  byId: ReadonlyMap<string, Proof>,
) {
  console.log(`\n${domain}: ${found.toFixed(3)}`);
  const rows = Object.entries(grades).sort((a, b) => (byId.get(b[0])?.score ?? 0) - (byId.get(a[0])?.score ?? 0));
  for (const [id, grade] of rows) {
    const proof = byId.get(id);
    const reasons = proof?.reasons.map(({ kind, value, points }) => `${kind} ${value} ${points}`).join(", ");
    console.log(`  ${grade}  ${(proof?.score ?? 0).toFixed(3)}  ${id}  ${reasons ?? ""}`);
  }
}
