import { expect, test } from "bun:test";
import { createCaseStudyRepository } from "../../src/casestudies/repository.ts";
import { createFactReader } from "../../src/casestudies/study-facts.ts";
import { connect, queriesOf } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { NOW, outcomeOf, storeWithClock, studyOf } from "./study-examples.ts";

const naming = async (store: Awaited<ReturnType<typeof storeWithClock>>, tool: string) => {
  const among = await store.caseStudies.naming(tool);
  return (await store.caseStudies.list({ among }, { limit: 100 })).studies.map(({ id }) => id).sort();
};

test("case studies are listed by a tool that they name, in any case, as soon as they are saved", async () => {
  const store = await storeWithClock();
  const [first, second] = [
    studyOf({ id: "first", tools: ["Kettle"] }),
    studyOf({ id: "second", tools: ["Kettle DB"] }),
  ];
  await store.caseStudies.save([first, second]);
  expect(await naming(store, " kettle ")).toEqual(["first"]);
  expect(await naming(store, "Crane")).toEqual([]);
  store.after(1);
  await store.caseStudies.save([{ ...second, tools: ["KETTLE", "kettle", "Crane"] }]);
  expect(await naming(store, "Kettle")).toEqual(["first", "second"]);
  expect(await naming(store, "kettle db")).toEqual([]);
  store.after(200);
  await store.caseStudies.save([studyOf({ id: "third", tools: ["Crane"] })]);
  expect(await naming(store, "crane")).toEqual(["second", "third"]);
  await store.caseStudies.remove(["second"]);
  expect(await naming(store, "crane")).toEqual(["third"]);
  expect((await store.caseStudies.facets({})).tools.map(({ value, count }) => [value, count])).toEqual([
    ["Crane", 1],
    ["Kettle", 1],
  ]);
});

test("a change by a node whose clock is behind, or in the same millisecond, is noticed, and so is a removal", async () => {
  const store = await storeWithClock();
  const [first, second] = [studyOf({ id: "first", tools: ["Kettle"] }), studyOf({ id: "second", tools: ["Kettle"] })];
  await store.caseStudies.save([first, second]);
  expect(await naming(store, "kettle")).toEqual(["first", "second"]);
  store.after(-3_600);
  await store.caseStudies.save([{ ...first, tools: ["Crane"] }]);
  expect(await naming(store, "kettle")).toEqual(["second"]);
  await store.caseStudies.save([{ ...first, tools: ["Crane", "Lamp"] }]);
  expect(await naming(store, "lamp")).toEqual(["first"]);
  // The newest is removed before another one is added, and no one asks in between.
  await store.caseStudies.remove(["first"]);
  await store.caseStudies.save([studyOf({ id: "third", tools: ["Lamp"] })]);
  expect(await naming(store, "lamp")).toEqual(["third"]);
  expect((await store.caseStudies.facets({})).tools.map(({ label, count }) => [label, count])).toEqual([
    ["Kettle", 1],
    ["Lamp", 1],
  ]);
});

test("facts are read again after a while, though the version says that nothing changed, and only changes until then", async () => {
  const database = connect(":memory:");
  await migrate(database, { migrations: MIGRATIONS, dataDir: undefined, clock: () => new Date(NOW) });
  const { queries } = queriesOf(database);
  const caseStudies = createCaseStudyRepository(queries, new Map(), () => new Date(NOW));
  let time = 0;
  const facts = createFactReader(queries, () => time);
  const counts = async () => (await (await facts.read()).count(9)).tools.map(({ name, count }) => `${name} ${count}`);
  const studies = Array.from({ length: 1_200 }, () => studyOf({ tools: ["Kettle"] }));
  await caseStudies.save(studies);
  expect(await counts()).toEqual(["Kettle 1200"]);
  database.run(`update case_studies set tools = '["Crane"]' where number = 7`);
  await caseStudies.save([studyOf({ tools: ["Lamp"] })]);
  expect(await counts()).toEqual(["Kettle 1200", "Lamp 1"]);
  time = 16 * 60_000;
  // Whoever asks does not wait.
  expect(await counts()).toEqual(["Kettle 1200", "Lamp 1"]);
  await Bun.sleep(200);
  expect(await counts()).toEqual(["Kettle 1199", "Crane 1", "Lamp 1"]);
  database.close();
});

test("a request for facets by a tool reads the version of the case studies once", async () => {
  const database = connect(":memory:");
  await migrate(database, { migrations: MIGRATIONS, dataDir: undefined, clock: () => new Date(NOW) });
  const { queries } = queriesOf(database);
  let versions = 0;
  const counted = queries.withPlugin({
    transformQuery({ node }) {
      // No other query is without a table.
      if (node.kind === "SelectQueryNode" && node.from === undefined) versions += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const caseStudies = createCaseStudyRepository(counted, new Map(), () => new Date(NOW));
  await caseStudies.save([studyOf({ tools: ["Kettle"] }), studyOf({ tools: ["Crane"] })]);
  const count = async () => {
    versions = 0;
    const version = await caseStudies.version();
    const among = await caseStudies.naming("kettle", version);
    return (await caseStudies.facets({ among }, version)).tools.map(({ label }) => label);
  };
  expect(await count()).toEqual(["Kettle"]);
  expect(await count()).toEqual(["Kettle"]);
  expect(versions).toBe(1);
  await caseStudies.save([studyOf({ tools: ["Kettle", "Lamp"] })]);
  expect(await count()).toEqual(["Kettle", "Lamp"]);
  expect(await count()).toEqual(["Kettle", "Lamp"]);
  expect(versions).toBe(1);
  database.close();
});

test("readers that meet a reading of facts get what was saved before they asked", async () => {
  const store = await storeWithClock();
  await store.caseStudies.save([studyOf({ id: "first", tools: ["Kettle"] })]);
  const early = store.caseStudies.naming("lamp");
  await store.caseStudies.save([studyOf({ id: "second", tools: ["Lamp"] })]);
  const late = await Promise.all([1, 2, 3].map(() => naming(store, "lamp")));
  expect(late).toEqual([["second"], ["second"], ["second"]]);
  await early;
});

test("a tool is counted once per case study, under its most frequent spelling, within a filter", async () => {
  const { caseStudies } = await storeWithClock();
  await caseStudies.save([
    studyOf({ tools: ["Kettle"], country: "DE", outcomes: [outcomeOf("cost", 4)] }),
    studyOf({ tools: ["kettle", "KETTLE"], country: "DE", outcomes: [outcomeOf("cost", null)] }),
    studyOf({ tools: ["Kettle", "Crane"], country: "FR", outcomes: [outcomeOf("cost", null), outcomeOf("time", 2)] }),
  ]);
  const counts = async (filter: Parameters<typeof caseStudies.facets>[0]) => {
    const { tools, figures, countries } = await caseStudies.facets(filter);
    return [tools.map(({ label, count }) => [label, count]), figures, countries.map(({ value }) => value)];
  };
  expect(await counts({})).toEqual([
    [
      ["Kettle", 3],
      ["Crane", 1],
    ],
    2,
    ["DE", "FR"],
  ]);
  expect(await counts({ country: "DE" })).toEqual([[["Kettle", 2]], 1, ["DE"]]);
  expect(await counts({ figures: true })).toEqual([
    [
      ["Kettle", 2],
      ["Crane", 1],
    ],
    2,
    ["DE", "FR"],
  ]);
  expect(await counts({ among: await caseStudies.naming("crane") })).toEqual([
    [
      ["Crane", 1],
      ["Kettle", 1],
    ],
    1,
    ["FR"],
  ]);
  expect((await caseStudies.list({ figures: true }, { limit: 10 })).total).toBe(2);
});

test("a tool that very many name is listed newest first, page by page, with other filters", async () => {
  const { caseStudies } = await storeWithClock();
  const studies = Array.from({ length: 1_400 }, (_, number) =>
    studyOf({
      id: `many-${number}`,
      tools: number % 7 === 0 ? ["Crane"] : ["Kettle", `Tool ${number}`],
      country: number % 2 === 0 ? "DE" : "FR",
      published_at: `20${10 + (number % 15)}-03-01`,
    }),
  );
  await caseStudies.save(studies);
  const expected = studies
    .filter(({ tools, country }) => tools.includes("Kettle") && country === "DE")
    .sort((one, other) => {
      const [newer, older] = [other.published_at ?? "", one.published_at ?? ""];
      return newer < older ? -1 : newer > older ? 1 : one.id < other.id ? -1 : 1;
    })
    .map(({ id }) => id);
  const filter = { among: await caseStudies.naming("kettle"), country: "DE" };
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await caseStudies.list(filter, { limit: 100, cursor });
    expect(page.total).toBe(expected.length);
    found.push(...page.studies.map(({ id }) => id));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(found).toEqual(expected);
  expect((await caseStudies.facets(filter)).countries).toEqual([{ value: "DE", label: "DE", count: expected.length }]);
});
