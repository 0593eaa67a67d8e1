import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SearchOptions } from "../../src/casestudies/search/search.ts";
import { openSearchBackend } from "../../src/casestudies/search/search-backend.ts";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { lazy } from "../../src/core/async.ts";
import { openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import { createAvailableModels } from "../../src/models/available-models.ts";
import { openStore } from "../../src/store.ts";

/** What `createSearch` needs to search the case studies of a folder. */
export interface CorpusSearch extends Pick<SearchOptions, "caseStudies" | "use"> {
  /** Id of the model of the index. */
  readonly model: string;
  close(): Promise<void>;
}

/**
 * Imports `case-studies.jsonl` of a folder into a separate store and opens its parts.
 *
 * @param folder a model that replaces the built-in one
 */
export async function openCorpusSearch(corpus: string, folder?: string): Promise<CorpusSearch> {
  const dataDir = await mkdtemp(join(tmpdir(), "casefile-corpus-"));
  const unpackDir = join(dataDir, "native");
  const app = await openServices({
    config: loadConfig({ flags: { "data-dir": dataDir }, env: {}, readFile: () => undefined }),
    version: "eval",
    log: { scannerFailed: console.error, taskFailed: console.error },
  });
  try {
    if (folder !== undefined) {
      await app.models.add({ dir: folder, name: "trial" });
      await app.models.use("trial");
    }
    await app.caseStudies.importFile({
      name: "case-studies.jsonl",
      content: Bun.file(join(corpus, "case-studies.jsonl")).stream(),
    });
    await app.index.indexNow();
  } finally {
    await app.close();
  }
  const store = await openStore({ dataDir });
  const models = createAvailableModels(join(dataDir, "models"), unpackDir);
  const backend = openSearchBackend({
    dataDir,
    unpackDir,
    inMemory: false,
    modelById: models.getById,
    builtIn: lazy(() => openBuiltInEncoder({ unpackDir })).get,
    chosen: async () => models.builtIn,
    requeue: async () => {},
    clock: () => new Date(),
  });
  return {
    caseStudies: store.caseStudies,
    use: backend.use,
    model: (await backend.model()) ?? "",
    async close() {
      await backend.close();
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
