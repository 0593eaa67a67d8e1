import { describe, expect, test } from "bun:test";
import { openServices } from "../../../src/compose.ts";
import { loadConfig } from "../../../src/config/config.ts";
import { inDirectory } from "../../store/examples.ts";

/** Starts the services, loads the starter case studies unless disabled, runs `use`, and closes. */
async function started<T>(
  dataDir: string,
  use: (app: Awaited<ReturnType<typeof openServices>>, changed: number) => Promise<T>,
  flags: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({ flags: { dataDir, ...flags }, env: {}, readFile: () => undefined });
  const app = await openServices({ config, version: "1.2.3", log: { scannerFailed: broke, taskFailed: broke } });
  try {
    const changed = await app.starter.load();
    await app.index.indexNow();
    return await use(app, changed);
  } finally {
    await app.close();
  }
}

/** How the built-in model rates the results of two questions that no case study answers, and of two that some answer. */
async function ratedBy({ caseStudies }: Pick<Awaited<ReturnType<typeof openServices>>, "caseStudies">) {
  const questions = [
    "asdf",
    "chocolate cake recipe",
    "which companies reduced their cloud bill",
    "faster release cycles with continuous delivery",
  ];
  const results = await caseStudies.search(questions.map((query) => ({ query })));
  const rated = await Promise.all(
    results.map(async ({ query, noGoodMatch }) => {
      const { noAnswer } = await caseStudies.answer({ query });
      return [query, { noGoodMatch, noAnswer }] as const;
    }),
  );
  return Object.fromEntries(rated);
}

describe("a new installation", () => {
  test("finds each starter case study by its title, others by meaning, and nothing good for what no story answers", async () => {
    await inDirectory(async (dataDir) => {
      const { left, records, found } = await started(dataDir, async (app, changed) => {
        let missed = 0;
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await app.caseStudies.list({}, { limit: 100, ...(cursor ? { cursor } : {}) });
          const questions = page.case_studies.map(({ title }) => ({ query: title, limit: 3 }));
          const answers = await app.caseStudies.search(questions);
          missed += answers.filter(
            ({ hits }, at) => !hits.some(({ study }) => study.id === page.case_studies[at]?.id),
          ).length;
          cursor = page.next_cursor;
        }
        const [answer] = await app.caseStudies.search([{ query: "lower spending on servers", mode: "semantic" }]);
        expect(await ratedBy(app)).toEqual({
          asdf: { noGoodMatch: true, noAnswer: true },
          "chocolate cake recipe": { noGoodMatch: true, noAnswer: true },
          "which companies reduced their cloud bill": { noGoodMatch: false, noAnswer: false },
          "faster release cycles with continuous delivery": { noGoodMatch: false, noAnswer: false },
        });
        return { left: missed, records: changed, found: answer?.hits ?? [] };
      });
      expect(records).toBeGreaterThanOrEqual(300);
      expect(left).toBe(0);
      expect(found).toHaveLength(5);
      expect(found[0]?.study).toMatchObject({ origin: "starter", company: { slug: expect.any(String) } });
      expect(await started(dataDir, async (_, changed) => changed)).toBe(0);
    });
  });

  test("has no case studies when the starter is disabled or the store is in memory", async () => {
    await inDirectory(async (dataDir) => {
      expect(await started(dataDir, async (app) => (await app.health.stats()).case_studies, { starter: false })).toBe(
        0,
      );
    });
    await inDirectory(async (dataDir) => {
      const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
      const app = await openServices({
        config,
        version: "1.2.3",
        log: { scannerFailed() {}, taskFailed() {} },
        inMemory: true,
      });
      expect([await app.starter.load(), (await app.health.stats()).by_origin.starter]).toEqual([0, 0]);
      await app.close();
    });
  });
});
