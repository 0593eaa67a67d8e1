import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StudyResults } from "../../../src/casestudies/types.ts";
import { openServices } from "../../../src/compose.ts";
import { loadConfig } from "../../../src/config/config.ts";

/** A question of `test/evaluation/starter-questions.yaml`. */
export interface Question {
  readonly question: string;
  /** Ids of records that answer it. */
  readonly fitting: readonly string[];
  /** A reader's rating of the first three results. */
  readonly verdict: string;
}

export interface Answered extends Question {
  readonly found: readonly { readonly id: string; readonly title: string }[];
}

/** Searches a new installation with only the starter records, in the default mode. */
export async function askStarter(questions: readonly Question[]): Promise<Answered[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "casefile-starter-"));
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
  const app = await openServices({ config, version: "report", log: { scannerFailed: broke, taskFailed: broke } });
  try {
    await app.starter.load();
    await app.index.indexNow();
    const answers: StudyResults[] = [];
    // Ten at once, the size of a batch.
    for (let at = 0; at < questions.length; at += 10) {
      const batch = questions.slice(at, at + 10).map(({ question }) => ({ query: question, limit: 3 }));
      answers.push(...(await app.caseStudies.search(batch)));
    }
    return questions.map((question, at) => ({
      ...question,
      found: (answers[at]?.hits ?? []).map(({ study: { id, title } }) => ({ id, title })),
    }));
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
