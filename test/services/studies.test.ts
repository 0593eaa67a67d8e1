import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SearchMode, StudyFilter } from "../../src/casestudies/types.ts";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { openStore } from "../../src/store.ts";
import { story } from "../casestudies/examples.ts";
import { copiesOf } from "../store/copies.ts";
import { inDirectory } from "../store/examples.ts";
import { type FileRecord, INVENTED, QUESTIONS } from "./invented-studies.ts";

/** An application with the product's encoder and index. */
async function opened(dataDir: string): Promise<Services> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
  return openServices({ config, version: "1.2.3", log: { scannerFailed: broke, taskFailed: broke } });
}

const fileOf = (records: readonly unknown[]) => ({
  name: "studies.jsonl",
  content: new Blob(records.map((record) => `${JSON.stringify(record)}\n`)).stream(),
});

async function take(app: Services, records: readonly unknown[]) {
  const summary = await app.caseStudies.importFile(fileOf(records));
  await app.index.indexNow();
  return summary;
}

const withInstallation = copiesOf(async (dataDir) => {
  const app = await opened(dataDir);
  await take(app, INVENTED).finally(() => app.close());
});

/** Runs `use` on a new installation with all invented case studies. */
const withStudies = <T>(use: (app: Services, dataDir: string) => Promise<T>): Promise<T> =>
  withInstallation(async (dataDir) => {
    const app = await opened(dataDir);
    try {
      return await use(app, dataDir);
    } finally {
      await app.close();
    }
  });

async function found(
  app: Services,
  query: string,
  {
    mode = "hybrid",
    limit = 3,
    ...filter
  }: { mode?: SearchMode; limit?: number } & Pick<StudyFilter, "company" | "industry" | "country"> = {},
): Promise<string[]> {
  const [answer] = await app.caseStudies.search([{ query, mode, limit, filter }]);
  return answer?.hits.map(({ study }) => study.id) ?? [];
}

const recordOf = (id: string): FileRecord => {
  const record = INVENTED.find((one) => one.id === id);
  if (!record) throw new Error(`no invented case study ${id}`);
  return record;
};

const STEEL = recordOf("quarrystone-ironbridge-steel");
/** A new edition of the steel works' story. */
const RETOLD = {
  ...STEEL,
  title: "Lunch at Ironbridge Steel",
  outcomes: [{ text: "Queues at noon are gone" }],
  body: "## The challenge\n\nThe canteen cooked soup that nobody ate.\n\n## The result\n\nStaff vote for their favourite meals.",
};
const ABOUT_OLD = "visual quality inspection on a production line";
const ABOUT_NEW = "better meals in the staff canteen";

describe("an imported case study", () => {
  let app: Services;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "casefile-test-"));
    app = await opened(dataDir);
    await take(app, INVENTED);
  });
  afterAll(async () => {
    await app.close();
    await rm(dataDir, { recursive: true });
  });

  test.each(["semantic", "hybrid"] as const)("is found by meaning, in other words (%s)", async (mode) => {
    const answers = await app.caseStudies.search(QUESTIONS.map(([query]) => ({ query, mode, limit: 3 })));
    const missed = QUESTIONS.filter(([, id], at) => !answers[at]?.hits.some(({ study }) => study.id === id));
    expect(missed).toEqual([]);
  });

  test.each(QUESTIONS.slice(0, 4))("has the same result for a query alone and in a batch (%s)", async (query) => {
    const [alone] = await app.caseStudies.search([{ query }]);
    const many = await app.caseStudies.search(QUESTIONS.map(([one]) => ({ query: one })));
    const same = many.find((answer) => answer.query === query);
    expect(same?.hits.map(({ study }) => study.id)).toEqual(alone?.hits.map(({ study }) => study.id) ?? []);
  });

  test("is returned with a descending score from 0 to 1, and a passage of its text", async () => {
    for (const mode of ["semantic", "hybrid", "keyword"] as const) {
      const [answer] = await app.caseStudies.search([{ query: "fewer failures of motors", mode, limit: 20 }]);
      const scores = answer?.hits.map(({ score }) => score) ?? [];
      expect(scores.length).toBeGreaterThan(0);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
      for (const { study, passage } of answer?.hits ?? []) {
        const { body, title, outcomes } = recordOf(study.id);
        const whole = [title, body, ...outcomes.map(({ text }) => text)].join(" ").replace(/[#.:\s]+/g, " ");
        expect(whole).toContain(passage.text.replace(/[.:\s]+/g, " ").slice(0, 40));
      }
    }
  });

  test.each([
    [{ company: "tidewell" }, 8],
    [{ company: "Ashgrove" }, 8],
    [{ industry: "Financial Services" }, 3],
    [{ industry: "banking" }, 3],
    [{ industry: "retail" }, 2],
    [{ industry: "retail and banking" }, 5],
    [{ company: "lanternfish", industry: "bank" }, 2],
    [{ country: "Germany" }, 4],
    [{ country: "gb", company: "tidewell" }, 2],
    [{ country: "JP" }, 0],
  ])("passes a filter if it matches, and is still found (%p)", async (filter, expected) => {
    const narrowed = await app.caseStudies.list(filter, { limit: 100 });
    expect(narrowed.total).toBe(expected);
    const ids = narrowed.case_studies.map(({ id }) => id).sort();
    for (const mode of ["semantic", "hybrid"] as const) {
      expect((await found(app, "a story of success", { mode, limit: 50, ...filter })).sort()).toEqual(ids);
    }
    const three = await found(app, "less water and fuel", { limit: 3, ...filter });
    expect(three).toHaveLength(Math.min(3, expected));
  });

  test("is returned once in an unfiltered search with limit 50", async () => {
    const all = await found(app, "a story of success", { mode: "semantic", limit: 50 });
    expect(all).toHaveLength(40);
    expect(new Set(all).size).toBe(40);
  });

  test.each([
    "the",
    "?!",
    "😀",
    "' OR 1=1 --",
    '"unbalanced (',
    "a* AND NOT b~2",
    "\u0000",
    "\ud800",
    "x".repeat(1_000),
  ])("is searched without an error for an odd query (%p)", async (query) => {
    for (const mode of ["semantic", "hybrid", "keyword"] as const) {
      expect((await found(app, query, { mode, limit: 50 })).length).toBeLessThanOrEqual(40);
    }
  });

  test("is reported as indexed, and nothing is pending", async () => {
    const { case_studies } = await app.caseStudies.list({}, { limit: 100 });
    expect(case_studies.filter(({ indexed_at }) => indexed_at === null)).toEqual([]);
    expect(await app.index.state()).toEqual({
      optimiseError: null,
      indexError: null,
      waiting: 0,
      oldestSeconds: 0,
      failures: { total: 0, first: [] },
      snapshots: null,
    });
    expect(await app.health.ready()).toEqual({ ready: true, reason: null, index: null, alarms: [] });
  });

  test("is unchanged by another import, and is not embedded again", async () => {
    const summary = await app.caseStudies.importFile(fileOf(INVENTED));
    expect(summary).toMatchObject({ read: 40, added: 0, updated: 0, unchanged: 40, duplicate: 0, bad_lines: 0 });
    expect(await app.index.indexNow()).toBe(0);
  });

  test("gives the same results after an export to another installation", async () => {
    const exported = { jsonl: "", csv: "" };
    for (const format of ["jsonl", "csv"] as const) {
      for await (const part of app.caseStudies.exportAll(format)) exported[format] += part;
    }
    const questions = QUESTIONS.map(([query]) => ({ query, limit: 5 }));
    const idsOf = async (of: Services) =>
      (await of.caseStudies.search(questions)).map(({ hits }) =>
        hits.map(({ study, passage }) => [study.id, passage.text]),
      );
    const before = await idsOf(app);
    for (const format of ["jsonl", "csv"] as const) {
      await inDirectory(async (directory) => {
        const other = await opened(directory);
        const file = { name: `export.${format}`, content: new Blob([exported[format]]).stream() };
        expect(await other.caseStudies.importFile(file)).toMatchObject({ added: 40, bad_lines: 0 });
        await other.index.indexNow();
        expect(await idsOf(other)).toEqual(before);
        await other.close();
      });
    }
  });
});

test("is a duplicate under a second URL, and found once", async () => {
  await withStudies(async (app) => {
    const long = { ...STEEL, id: "steel-at-length", url: `${STEEL.url}/long`, body: story(400) };
    const again = { ...long, id: "steel-again", url: `${STEEL.url}/again`, body: `${long.body}\n\nRead more!` };
    const elsewhere = { ...again, id: "other-client", client: recordOf("quarrystone-gridwell").client };
    const summary = await take(app, [long, again, { ...elsewhere, url: `${STEEL.url}/other` }]);
    expect(summary).toMatchObject({ added: 2, duplicate: 1, duplicates: [{ line: 2, of: "steel-at-length" }] });
    const all = await found(app, long.body.slice(0, 200), { limit: 50 });
    expect(all.filter((id) => /^(steel|other)-/.test(id)).sort()).toEqual(["other-client", "steel-at-length"]);
    await expect(app.caseStudies.get("steel-again")).rejects.toMatchObject({ code: "study.not_found" });
  });
});

describe("a changed case study", () => {
  test("is found by its new text and no longer by the old", async () => {
    await withStudies(async (app) => {
      expect(await found(app, ABOUT_OLD)).toContain(STEEL.id);
      expect(await take(app, [RETOLD])).toMatchObject({ updated: 1, added: 0 });
      expect((await found(app, ABOUT_NEW))[0]).toBe(STEEL.id);
      expect(await found(app, "cameras judge the surface", { mode: "keyword", limit: 50 })).not.toContain(STEEL.id);
      for (const mode of ["semantic", "hybrid"] as const) {
        expect(await found(app, ABOUT_OLD, { mode })).not.toContain(STEEL.id);
      }
      const all = await found(app, "a story of success", { mode: "semantic", limit: 50 });
      expect(all.filter((id) => id === STEEL.id)).toHaveLength(1);
    });
  });

  test("is returned in its current form, even before indexing", async () => {
    await withStudies(async (app) => {
      await app.caseStudies.importFile(fileOf([RETOLD]));
      const [answer] = await app.caseStudies.search([{ query: ABOUT_OLD, limit: 50 }]);
      const told = answer?.hits.find(({ study }) => study.id === STEEL.id);
      if (told) expect(told.study.title).toBe(RETOLD.title);
      expect((await app.caseStudies.get(STEEL.id)).indexed_at).toBeNull();
      expect(await app.index.indexNow()).toBe(1);
      expect((await app.caseStudies.get(STEEL.id)).indexed_at).not.toBeNull();
    });
  });

  test("is found under its new industry and company", async () => {
    await withStudies(async (app) => {
      const { company } = recordOf("ashgrove-nimbus-sports");
      await take(app, [{ ...STEEL, company, industry: "Sports" }]);
      const query = ABOUT_OLD;
      expect(await found(app, query, { company: "quarrystone", limit: 50 })).not.toContain(STEEL.id);
      expect(await found(app, query, { company: "ashgrove" })).toContain(STEEL.id);
      expect(await found(app, query, { industry: "sports" })).toContain(STEEL.id);
    });
  });

  test("is not found after its removal, at once and after a restart", async () => {
    await withStudies(async (app, dataDir) => {
      // As a command in another process does.
      const other = await openStore({ dataDir, clock: () => new Date() });
      expect(await other.caseStudies.remove([STEEL.id])).toBe(1);
      await other.close();
      for (const indexed of [false, true]) {
        if (indexed) await app.index.indexNow();
        expect(await found(app, ABOUT_OLD, { limit: 50 })).not.toContain(STEEL.id);
        expect(await found(app, "a story of success", { mode: "semantic", limit: 50 })).toHaveLength(39);
      }
      await app.close();
      const again = await opened(dataDir);
      expect(await found(again, ABOUT_OLD, { limit: 50 })).not.toContain(STEEL.id);
      await again.close();
    });
  });
});

describe("the index", () => {
  test("answers searches during a rebuild, with the same results afterwards", async () => {
    await withStudies(async (app) => {
      const [query, id] = QUESTIONS[0] ?? ["", ""];
      const before = await found(app, query, { limit: 5 });
      let running = true;
      const rebuilt = app.index.rebuild().finally(() => {
        running = false;
      });
      let answers = 0;
      while (running) {
        expect(await found(app, query)).toContain(id);
        answers++;
      }
      expect(await rebuilt).toBe(40);
      expect(answers).toBeGreaterThan(0);
      expect(await found(app, query, { limit: 5 })).toEqual(before);
    });
  });

  test("includes imports during a rebuild", async () => {
    await withStudies(async (app) => {
      const [rebuilt, summary] = await Promise.all([app.index.rebuild(), app.caseStudies.importFile(fileOf([RETOLD]))]);
      expect([rebuilt, summary.updated]).toEqual([40, 1]);
      await app.index.indexNow();
      expect((await found(app, ABOUT_NEW))[0]).toBe(STEEL.id);
      expect(await found(app, ABOUT_OLD, { mode: "semantic" })).not.toContain(STEEL.id);
    });
  });

  test("is rebuilt from the store when it is lost", async () => {
    await withStudies(async (app, dataDir) => {
      const [query, id] = QUESTIONS[0] ?? ["", ""];
      const before = await found(app, query, { limit: 5 });
      await app.close();
      await rm(join(dataDir, "index"), { recursive: true });
      const again = await opened(dataDir);
      await again.index.rebuild();
      expect(await found(again, query, { limit: 5 })).toEqual(before);
      expect(before).toContain(id);
      await again.close();
    });
  });

  test("survives a restart", async () => {
    await withStudies(async (app, dataDir) => {
      const [query] = QUESTIONS[1] ?? [""];
      const before = await found(app, query, { limit: 5 });
      await app.close();
      const again = await opened(dataDir);
      expect(await found(again, query, { limit: 5 })).toEqual(before);
      expect(await again.index.indexNow()).toBe(0);
      await again.close();
    });
  });

  test("is updated by a running service on its own", async () => {
    await withStudies(async (app) => {
      const upkeep = app.index.startWorker();
      await app.caseStudies.importFile(fileOf([RETOLD]));
      upkeep.wake();
      while ((await app.index.state()).waiting > 0) {
        await Bun.sleep(5);
        upkeep.wake();
      }
      await upkeep.stop();
      expect((await found(app, ABOUT_NEW))[0]).toBe(STEEL.id);
    });
  });
});
