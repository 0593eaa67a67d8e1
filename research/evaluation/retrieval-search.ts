import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPassageIndex } from "../../src/casestudies/index/passage-index.ts";
import { createSearch } from "../../src/casestudies/search/search.ts";
import type { PassageInContext } from "../../src/casestudies/search/term-statistics.ts";
import type { CaseStudy } from "../../src/casestudies/types.ts";
import type { Encoder } from "../../src/embedding/encoder.ts";
import type { Entry } from "./retrieval-sets.ts";

export interface RetrievalSearch {
  /** Each document's score by the product's index of words, 0 for what shares none. */
  wordScores(query: string): Promise<number[]>;
  /** Ids of the ten best documents by the product's search: words, vectors and the comparison of tokens, with its shares. */
  bestTen(query: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Number of documents from the keyword search; further ones share too little with the question to matter. */
const FOUND_BY_WORDS = 1_000;
const DEPTH = 10;

/** Puts documents into a separate index, each as a case study of one passage. */
export async function openRetrievalSearch(
  encoder: Encoder,
  documents: readonly Entry[],
  vectors: readonly Float32Array[],
): Promise<RetrievalSearch> {
  const dir = await mkdtemp(join(tmpdir(), "casefile-eval-"));
  const index = await openPassageIndex({
    dir,
    dimensions: encoder.dimensions,
    model: encoder.id,
    clock: () => new Date(),
  });
  await index.upsert(
    documents.map(({ id, text }, at) => ({
      ...{ passage: at + 1, study: id, company: "", industry: null, client: null, country: null, published_at: null },
      ...{ title: "", heading: null, text, vector: vectors[at]! },
    })),
  );
  await index.optimise();
  const passageOf = (id: number): PassageInContext => ({
    ...{ id, heading: null, text: documents[id - 1]!.text, title: "", client: null, industry: null, summary: null },
  });
  const search = createSearch({
    caseStudies: {
      withFingerprints: async (ids) => ids.map((id) => ({ study: withoutContent(id), fingerprint: null })),
      passages: async (ids) => ids.map(passageOf),
      newestPassage: async () => documents.length,
      sample: async () => documents.map((_, at) => passageOf(at + 1)),
    },
    use: (work) => work({ index, encoder: async () => encoder }),
  });
  return {
    async wordScores(query) {
      const scores = new Array<number>(documents.length).fill(0);
      for (const { passage, score } of await index.keyword(query, { limit: FOUND_BY_WORDS }))
        scores[passage - 1] = score;
      return scores;
    },
    async bestTen(query) {
      const [answer] = await search([{ query, limit: DEPTH, mode: "hybrid", filter: {} }]);
      return (answer?.hits ?? []).map(({ study }) => study.id);
    },
    async close() {
      await index.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const withoutContent = (id: string): CaseStudy => ({
  ...{ id, title: "", url: "", company: { name: "", slug: "" }, client: { name: null, domain: null } },
  ...{ industry: null, country: null, summary: null, challenge: null, solution: null, outcomes: [], products: [] },
  ...{ tools: [], quote: null, published_at: null, language: null, indexed_at: null, origin: "imported" },
});
