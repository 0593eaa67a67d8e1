import { join } from "node:path";
import { openPassageIndex, type PassageIndex } from "../../../src/casestudies/index/passage-index.ts";
import { openServices } from "../../../src/compose.ts";
import { loadConfig } from "../../../src/config/config.ts";
import { BUILT_IN_MANIFEST } from "../../../src/embedding/built-in.ts";
import { type EngineParts, RESULTS, type SearchEngine } from "../search-engine.ts";

/** The product through its services: it imports files and answers questions with records and highlighted passages. */
export async function openCasefile({ dir, dimensions }: EngineParts): Promise<SearchEngine> {
  const config = loadConfig({ flags: { "data-dir": dir }, env: {}, readFile: () => undefined });
  const app = await openServices({
    config,
    version: "bench",
    log: { scannerFailed: console.error, taskFailed: console.error },
  });
  let index: PassageIndex | undefined;
  let isOpen = true;
  const closeApp = async () => {
    if (isOpen) await app.close();
    isOpen = false;
  };
  /** Separate from the application, which does not expose its index. */
  const passageIndex = async () => {
    await closeApp();
    index ??= await openPassageIndex({
      dir: join(dir, "index"),
      dimensions,
      model: BUILT_IN_MANIFEST.id,
      clock: () => new Date(),
    });
    return index;
  };
  return {
    version: "this commit",
    async ingest({ records, check, studies }) {
      const began = performance.now();
      const told = await app.caseStudies.importFile({ name: "studies.jsonl", content: records() });
      if (told.added !== studies) throw new Error(`${told.added} of ${studies} case studies were added`);
      const imported = performance.now();
      console.error(`casefile: imported in ${((imported - began) / 1_000).toFixed(1)} s`);
      let said = 0;
      let written = imported;
      await app.index.indexNow({
        onProgress: (done) => {
          check(done * 4);
          written = performance.now();
          if (done - said < 10_000) return;
          said = done;
          console.error(`casefile: ${done} indexed after ${((performance.now() - imported) / 1_000).toFixed(0)} s`);
        },
      });
      // A large import is followed by this of itself; a smaller one waits for the service's upkeep.
      await (await passageIndex()).optimise();
      const ingestSeconds = (written - began) / 1_000;
      return { ingestSeconds, buildSeconds: (performance.now() - began) / 1_000 - ingestSeconds, embedsItself: true };
    },
    async search({ text, filter }) {
      const [answer] = await app.caseStudies.search([{ query: text, limit: RESULTS, filter }]);
      return (answer?.hits ?? []).map(({ study }) => study.id);
    },
    async nearest(vector, limit) {
      const opened = await passageIndex();
      // The database counts passages from 1 in the order in which they came.
      return (await opened.nearest(vector, { limit })).map(({ passage }) => passage - 1);
    },
    async close() {
      await index?.close();
      await closeApp();
    },
  };
}
