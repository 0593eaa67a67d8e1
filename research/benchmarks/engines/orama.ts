import { create, getByID, insertMultiple, search } from "@orama/orama";
import { version } from "@orama/orama/package.json";
import { CANDIDATES, type EngineParts, RESULTS, type SearchEngine } from "../search-engine.ts";
import { firstDistinct } from "./fusion.ts";

/**
 * Orama takes every passage above a similarity, and has no other bound. Above this one are some hundred of 400,000 for
 * the middle question of a corpus, with this encoder; its default of 0.8 lets none through, and words alone would rank.
 */
const SIMILARITY = 0.3;

/** Orama's hybrid mode with its default weights, all in memory. */
export async function openOrama({ embed }: EngineParts): Promise<SearchEngine> {
  const index = create({
    schema: {
      title: "string",
      text: "string",
      company: "enum",
      industry: "enum",
      vector: "vector[256]",
    } as const,
    components: { tokenizer: { language: "english", stemming: true } },
  });
  return {
    version,
    async ingest({ passages, check }) {
      const began = performance.now();
      let taken = 0;
      for await (const batch of passages(1_000)) {
        const documents = batch.map(({ number, vector, ...passage }) => ({
          ...passage,
          id: String(number),
          vector: Array.from(vector),
        }));
        await insertMultiple(index, documents, documents.length);
        taken += batch.length;
        check(taken);
      }
      return { ingestSeconds: (performance.now() - began) / 1_000, buildSeconds: null, embedsItself: false };
    },
    async search({ text, filter: { company, industry } }) {
      const { hits } = await search(index, {
        mode: "hybrid",
        term: text,
        properties: ["title", "text"],
        vector: { value: Array.from(await embed(text)), property: "vector" },
        similarity: SIMILARITY,
        limit: CANDIDATES,
        where: {
          ...(company === undefined ? {} : { company: { eq: company } }),
          ...(industry === undefined ? {} : { industry: { eq: industry } }),
        },
      });
      const studies = hits.map(({ document }) => ("study" in document ? String(document.study) : ""));
      return firstDistinct(studies, RESULTS);
    },
    async nearest(vector, limit) {
      const { hits } = await search(index, {
        mode: "vector",
        vector: { value: Array.from(vector), property: "vector" },
        similarity: 0,
        limit,
      });
      return hits.map(({ id }) => Number(getByID(index, id)?.id));
    },
    close: async () => {},
  };
}
