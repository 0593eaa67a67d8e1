import { join } from "node:path";
import { openPassageIndex } from "../../src/casestudies/index/passage-index.ts";
import { passageMarker } from "../../src/casestudies/search/highlight.ts";
import { bestOfBoth, type FoundPassage, fuse, RANKING } from "../../src/casestudies/search/ranking.ts";
import { createFeatures, RELEVANCE } from "../../src/casestudies/search/relevance.ts";
import { createTermStatistics, textInContext } from "../../src/casestudies/search/term-statistics.ts";
import { BUILT_IN_MANIFEST, openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import type { Interaction } from "../../src/embedding/interaction.ts";
import { openStore } from "../../src/store.ts";

/** A part of a search: milliseconds of one question, by the clock, and of processor time. */
export interface ProfiledPart {
  readonly part: string;
  readonly milliseconds: number;
  readonly mainThread: number;
  readonly allThreads: number;
}

/** As a search for ten case studies asks. */
const [CANDIDATES, COMPARED, PRESENTED, RESULTS] = [60, 40, 15, 10];

/** Measures each part of a search on its own, one question after another, on the index of a data directory. */
export async function profileSearch(dir: string, questions: readonly string[]): Promise<ProfiledPart[]> {
  const unpackDir = join(dir, "native");
  const encoder = await openBuiltInEncoder({ unpackDir });
  const store = await openStore({ dataDir: dir });
  const { dimensions, id: model } = BUILT_IN_MANIFEST;
  const index = await openPassageIndex({ dir: join(dir, "index"), dimensions, model, clock: () => new Date() });
  const parts: ProfiledPart[] = [];
  const measured = async <Q, T>(part: string, inputs: readonly Q[], work: (input: Q) => Promise<T>): Promise<T[]> => {
    const results: T[] = [];
    const each = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000 / inputs.length;
    const [all, main, began] = [process.cpuUsage(), process.threadCpuUsage(), performance.now()];
    for (const input of inputs) results.push(await work(input));
    parts.push({
      part,
      milliseconds: (performance.now() - began) / inputs.length,
      mainThread: each(process.threadCpuUsage(main)),
      allThreads: each(process.cpuUsage(all)),
    });
    return results;
  };
  try {
    await index.warm();
    await createTermStatistics(store.caseStudies)(encoder);
    // The first questions fill caches.
    for (const question of questions.slice(0, 30)) {
      const [vector = new Float32Array(dimensions)] = await encoder.encode([question], "query");
      await Promise.all([index.keyword(question, { limit: CANDIDATES }), index.nearest(vector, { limit: CANDIDATES })]);
    }
    const vectors = await measured("embedding", questions, async (question) => {
      const [vector = new Float32Array(dimensions)] = await encoder.encode([question], "query");
      return vector;
    });
    const words = await measured("words", questions, (question) => index.keyword(question, { limit: CANDIDATES }));
    const near = await measured("vectors", vectors, (vector) => index.nearest(vector, { limit: CANDIDATES }));
    const candidates = questions.map((_, at) => bestOfBoth(words[at] ?? [], near[at] ?? [], COMPARED));
    const passages = await measured("reading passages", candidates, (those) =>
      store.caseStudies.passages(those.map(({ passage }) => passage)),
    );
    const read = new Map(passages.flat().map((passage) => [passage.id, textInContext(passage)]));
    const interact = async (at: number) => {
      const numbers = (candidates[at] ?? []).map(({ passage }) => passage);
      const texts = { collection: "profile", numbers, read: async () => read };
      const interaction = await encoder.interact?.(questions[at] ?? "", texts);
      return { interaction, compared: found(candidates[at] ?? [], interaction) };
    };
    await measured("tokenising and comparing them", [...questions.keys()], interact);
    const compared = await measured("comparing them again", [...questions.keys()], interact);
    const ranked = await measured("ranking", [...questions.keys()], async (at) =>
      fuse([
        { found: words[at] ?? [], weight: 0.25, further: RANKING.further.keyword },
        { found: near[at] ?? [], weight: 0.2, further: RANKING.further.semantic },
        { found: compared[at]?.compared ?? [], weight: 0.55, further: RANKING.further.interaction },
      ]),
    );
    await measured("relevance", [...questions.keys()], async (at) => {
      const featuresOf = createFeatures({
        weights: compared[at]?.interaction?.weights ?? [],
        compared: compared[at]?.compared ?? [],
        keyword: words[at] ?? [],
        semantic: near[at] ?? [],
      });
      return (ranked[at] ?? []).slice(0, PRESENTED).map(({ study }) => RELEVANCE.rate(featuresOf(study)));
    });
    await measured("records", ranked, (those) =>
      store.caseStudies.withFingerprints(those.slice(0, PRESENTED).map(({ study }) => study)),
    );
    await measured("marking", [...questions.keys()], async (at) => {
      const texts = new Map((passages[at] ?? []).map(({ id, text }) => [id, text]));
      const mark = passageMarker(questions[at] ?? "");
      return (ranked[at] ?? []).slice(0, RESULTS).map(({ passage }) => mark(texts.get(passage) ?? ""));
    });
    return parts;
  } finally {
    await index.close();
    await encoder.close();
    await store.close();
  }
}

const found = (candidates: readonly FoundPassage[], interaction: Interaction | undefined) =>
  candidates.map((candidate, at) => ({
    ...candidate,
    score: interaction?.scores[at] ?? 0,
    matches: interaction?.matches[at] ?? [],
    nearest: interaction?.nearest[at] ?? [],
  }));

if (import.meta.main) {
  const [dir = "", material = ""] = process.argv.slice(2);
  const { queries } = await Bun.file(join(material, "material.json")).json();
  console.table(
    await profileSearch(
      dir,
      queries.map(({ text }: { text: string }) => text),
    ),
  );
}
