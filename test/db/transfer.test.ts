import { afterEach, expect, test } from "bun:test";
import { createCaseStudyRepository } from "../../src/casestudies/repository.ts";
import { openDatabase } from "../../src/db/database.ts";
import { createSettingsRepository } from "../../src/db/settings.ts";
import { copyTables } from "../../src/db/transfer.ts";
import { companyOf, outcomeOf, studyOf } from "../casestudies/study-examples.ts";

const clock = () => new Date("2026-05-04T12:00:00.000Z");
const databases: Awaited<ReturnType<typeof openDatabase>>[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.close();
});

async function opened() {
  const database = await openDatabase({ dataDir: ":memory:", clock });
  databases.push(database);
  const { queries } = database;
  return {
    ...database,
    studies: createCaseStudyRepository(queries, new Map(), clock),
    settings: createSettingsRepository(queries),
  };
}

const study = (number: number) =>
  studyOf({
    id: `study-${number}`,
    url: `https://vendor.example/${number}`,
    company: companyOf(`company-${number % 7}`),
    client: { name: `Client ${number}`, domain: null },
    outcomes: [outcomeOf("cost", number / 3)],
    passages: [{ heading: null, text: `a \ud83d\ude00 passage, ${number}` }],
  });

test("a copy has the same content, and continues the numbers of its rows", async () => {
  const [source, target] = [await opened(), await opened()];
  await source.studies.save(Array.from({ length: 230 }, (_, number) => study(number)));
  await source.studies.remove(["study-229"]);
  await source.settings.set("colour", "red");
  await target.settings.set("colour", "blue");
  const copied = await copyTables(source, target);
  expect(copied.find(({ table }) => table === "case_studies")?.rows).toBe(229);
  expect(copied.map(({ table }) => table)).not.toContain("outbox");
  expect(await target.settings.find("colour")).toBe("red");
  const ids = Array.from({ length: 229 }, (_, number) => `study-${number}`);
  expect(await target.studies.byIds(ids)).toEqual(await source.studies.byIds(ids));
  // The search index could take a number that was given before for a removed study.
  const next = async ({ studies, queries }: typeof source) => {
    await studies.save([study(1_000)]);
    return await queries.selectFrom("case_studies").select("number").where("id", "=", "study-1000").execute();
  };
  expect(await next(target)).toEqual(await next(source));
});

test("a target with data is refused and unchanged", async () => {
  const [source, target] = [await opened(), await opened()];
  await source.studies.save([study(1)]);
  await target.studies.save([study(2)]);
  await target.settings.set("colour", "blue");
  await expect(copyTables(source, target)).rejects.toMatchObject({ code: "store.unusable" });
  expect(await target.studies.ids({})).toEqual(["study-2"]);
  expect(await target.settings.find("colour")).toBe("blue");
});

test("a copy that is interrupted leaves an empty target", async () => {
  const [source, target] = [await opened(), await opened()];
  await source.studies.save([study(1)]);
  const over = new AbortController();
  const copying = copyTables(source, target, { signal: over.signal, onProgress: () => over.abort(new Error("over")) });
  await expect(copying).rejects.toThrow("over");
  expect(await target.queries.selectFrom("companies").selectAll().execute()).toEqual([]);
});
