import { expect, test } from "bun:test";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { inDirectory } from "../store/examples.ts";

const STORY = {
  title: "A bank leaves its old machine room",
  url: "https://tidewell.example/ledger",
  company: "Tidewell",
  client_name: "Grainbnk",
  client_domain: "grainbank.example",
  industry: "Banking",
  summary: "Hosting costs fell by half.",
  body: "The ledger ran on ageing mainframes. Hosting costs fell by half.",
};
const OTHER = {
  ...STORY,
  title: "Harbour pilots plan their turns",
  url: "https://tidewell.example/pilots",
  body: "Paper lists gave way to a shared board.",
};

const withApp = <T>(use: (app: Services) => Promise<T>): Promise<T> =>
  inDirectory(async (dataDir) => {
    const broke = (work: string, error: unknown) => {
      throw new Error(work, { cause: error });
    };
    const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
    const app = await openServices({ config, version: "1.2.3", log: { scannerFailed: broke, taskFailed: broke } });
    try {
      return await use(app);
    } finally {
      await app.close();
    }
  });

const take = (app: Services, ...records: readonly object[]) =>
  app.caseStudies.importFile({
    name: "stories.jsonl",
    content: new Blob(records.map((record) => `${JSON.stringify(record)}\n`)).stream(),
  });

const only = async (app: Services) => {
  const [study] = (await app.caseStudies.list({})).case_studies.filter(({ url }) => url === STORY.url);
  if (!study) throw new Error("the case study is not there");
  return study;
};

test("a corrected field survives another import of its file, which reports no change", async () => {
  await withApp(async (app) => {
    await take(app, STORY, OTHER);
    const { id } = await only(app);
    await app.caseStudies.correct(id, { client: { name: "Grainbank" }, country: "NO", industry: null });
    const corrected = await only(app);
    expect(corrected).toMatchObject({ client: { name: "Grainbank", domain: null }, country: "NO", industry: null });
    expect(await take(app, STORY, OTHER)).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
    expect(await only(app)).toEqual(corrected);
  });
});

test("uncorrected fields follow the file, also with another spelling of the URL and another id", async () => {
  await withApp(async (app) => {
    await take(app, STORY);
    const { id } = await only(app);
    await app.caseStudies.correct(id, { client: { name: "Grainbank", domain: "grainbank.example" } });
    const changed = {
      ...STORY,
      id: "from-elsewhere",
      url: `${STORY.url}/#top`,
      summary: "Costs fell by 52 %.",
      country: "SE",
    };
    expect(await take(app, changed)).toMatchObject({ added: 0, updated: 1 });
    const [study, ...more] = (await app.caseStudies.list({})).case_studies;
    expect(more).toEqual([]);
    expect(study).toMatchObject({
      id,
      client: { name: "Grainbank", domain: "grainbank.example" },
      summary: "Costs fell by 52 %.",
      country: "SE",
    });
  });
});

test("after a correction is removed, imports set the field again", async () => {
  await withApp(async (app) => {
    await take(app, STORY);
    const { id } = await only(app);
    await app.caseStudies.correct(id, { title: "Another title" });
    await app.caseStudies.takeBackCorrection(id, "title");
    await take(app, { ...STORY, title: "The title that the vendor gives it now" });
    expect((await only(app)).title).toBe("The title that the vendor gives it now");
  });
});
