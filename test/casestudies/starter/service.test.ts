import { describe, expect, test } from "bun:test";
import { parseRecord } from "../../../src/casestudies/record.ts";
import { correct } from "../../../src/casestudies/review/corrections.ts";
import { loadBuiltInStarter } from "../../../src/casestudies/starter/packed.ts";
import type { StarterSet } from "../../../src/casestudies/starter/records.ts";
import { createStarterService } from "../../../src/casestudies/starter/service.ts";
import type { NewCaseStudy } from "../../../src/casestudies/types.ts";
import { tools } from "../examples.ts";
import { storeWithClock } from "../study-examples.ts";
import { HARBOURLINE, starterRecord, starterSet } from "./starter-examples.ts";

const FERRY = starterRecord("ferry");
const TUG = starterRecord("tug");
const CRANE = starterRecord("crane");
const FIRST = starterSet({ ferry: FERRY, tug: TUG, crane: CRANE });
const ID = "harbourline--ferry";

/** An installation that is started with several releases in turn. */
async function installation() {
  const store = await storeWithClock({ industryNames: tools.industries.nameBySlug });
  const release = (set: StarterSet, { version = Bun.hash(JSON.stringify(set)).toString(), enabled = true } = {}) =>
    createStarterService({
      repository: store.starter,
      context: tools,
      loadBuiltIn: async () => ({ version, set }),
      enabled,
      onChange() {},
    });
  const importing = async (raw: object) => {
    await store.caseStudies.save([parseRecord({ company: "Harbourline", ...raw }, tools) as NewCaseStudy]);
  };
  return {
    store,
    release,
    importing,
    correcting: (id: string, values: object) => correct({ ...store, parseContext: tools }, id, values),
    ids: async () => (await store.caseStudies.ids({})).toSorted(),
    revision: async (id = ID) => (await store.caseStudies.detail(id))?.revision,
  };
}

describe("loading the starter case studies", () => {
  test("stores all records, each vendor with its domain and industry", async () => {
    const { store, release } = await installation();
    const { version, set } = loadBuiltInStarter();
    const starter = release(set, { version });
    const count = Object.keys(set.records).length;
    expect(await starter.load()).toBe(count);
    expect((await store.stats.read()).by_origin).toEqual({ starter: count, submitted: 0, imported: 0 });
    for (const { slug, domain, industry } of set.vendors) {
      const records = Object.keys(set.records).filter((name) => name.startsWith(`${slug}/`)).length;
      expect(await store.companies.find(slug)).toMatchObject({
        domain,
        industry: tools.industries.nameBySlug.get(industry),
        total_case_studies: records,
      });
    }
    expect(await starter.status()).toEqual({
      state: "current",
      enabled: true,
      records: count,
      kept: count,
      left_out: 0,
      corrected: 0,
      replaced: 0,
    });
  });

  test("happens once", async () => {
    const { store, release, revision } = await installation();
    expect(await release(FIRST).load()).toBe(3);
    await store.outbox.done((await store.outbox.pending(10)).map(({ id }) => id));
    expect(await release(FIRST).load()).toBe(0);
    expect([await store.outbox.depth(), await revision()]).toEqual([0, 1]);
  });

  test("compares nothing when the version is unchanged", async () => {
    const { release, ids } = await installation();
    await release(FIRST, { version: "one" }).load();
    expect(await release(starterSet({}), { version: "one" }).load()).toBe(0);
    expect(await ids()).toHaveLength(3);
  });

  test("happens once when two processes start at the same time", async () => {
    const { release } = await installation();
    const loaded = await Promise.all([release(FIRST).load(), release(FIRST).load()]);
    expect(loaded.toSorted()).toEqual([0, 3]);
  });

  test("is skipped when disabled", async () => {
    const { release, ids } = await installation();
    const starter = release(FIRST, { enabled: false });
    expect([await starter.load(), await ids()]).toEqual([0, []]);
    expect(await starter.status()).toMatchObject({ state: "absent", enabled: false, records: 3, kept: 0 });
  });

  test("leaves loaded records in place when disabled later", async () => {
    const { release, ids } = await installation();
    await release(FIRST).load();
    expect(await release(starterSet({ tug: TUG }), { enabled: false }).load()).toBe(0);
    expect(await ids()).toHaveLength(3);
  });
});

describe("removing them", () => {
  test("keeps other case studies, and no start or upgrade loads them again", async () => {
    const { store, release, importing, ids } = await installation();
    await release(FIRST).load();
    await importing({ id: "mine", title: "My own", url: "https://mine.example/story" });
    expect(await release(FIRST).remove()).toBe(3);
    expect(await release(FIRST).load()).toBe(0);
    expect(await release(starterSet({ ferry: CRANE })).load()).toBe(0);
    expect(await ids()).toEqual(["mine"]);
    expect((await store.stats.read()).companies).toBe(1);
    expect((await release(FIRST).status()).state).toBe("removed");
  });

  test("is undone by restoring, also of records removed one by one; corrections are kept", async () => {
    const { store, release, correcting, ids } = await installation();
    const starter = release(FIRST);
    await starter.load();
    await correcting(ID, { country: "NO" });
    await store.caseStudies.remove(["harbourline--tug"]);
    await starter.remove();
    expect(await starter.restore()).toBe(3);
    expect(await ids()).toEqual(["harbourline--crane", ID, "harbourline--tug"]);
    expect((await store.caseStudies.find(ID))?.country).toBe("NO");
    expect([(await starter.status()).state, await starter.load()]).toEqual(["current", 0]);
  });

  test("of a single record is undone by restoring, and the others do not change", async () => {
    const { store, release, revision } = await installation();
    const starter = release(FIRST);
    await starter.load();
    await store.caseStudies.remove(["harbourline--tug"]);
    expect([await starter.restore(), await revision()]).toEqual([1, 1]);
  });
});

describe("an upgrade", () => {
  test("updates changed records, adds new ones, removes vanished ones, and leaves the rest", async () => {
    const { store, release, revision, ids } = await installation();
    await release(FIRST).load();
    expect((await release(starterSet({ ferry: FERRY })).status()).state).toBe("outdated");
    const second = starterSet({ ferry: FERRY, tug: { ...TUG, country: "NL" }, dock: starterRecord("dock") });
    expect(await release(second).load()).toBe(3);
    expect(await ids()).toEqual(["harbourline--dock", ID, "harbourline--tug"]);
    expect((await store.caseStudies.find("harbourline--tug"))?.country).toBe("NL");
    expect([await revision(), await revision("harbourline--tug")]).toEqual([1, 2]);
  });

  test("keeps one record when its URL changed", async () => {
    const { store, release, ids } = await installation();
    await release(FIRST).load();
    const moved = { ...FERRY, url: "https://harbourline.example/moved/ferry" };
    await release(starterSet({ ferry: moved, tug: TUG, crane: CRANE })).load();
    expect(await ids()).toHaveLength(3);
    expect((await store.caseStudies.find(ID))?.url).toBe(moved.url);
  });

  test("never adds a record again that the operator removed", async () => {
    const { store, release, ids } = await installation();
    await release(FIRST).load();
    await store.caseStudies.remove([ID]);
    await release(starterSet({ ferry: { ...FERRY, country: "NO" }, tug: TUG })).load();
    await release(starterSet({ tug: TUG })).load();
    const third = release(starterSet({ ferry: { ...FERRY, country: "SE" }, tug: TUG }));
    await third.load();
    expect(await ids()).toEqual(["harbourline--tug"]);
    expect((await third.status()).left_out).toBe(1);
  });

  test("keeps corrections of a changed record, and a corrected record that vanished", async () => {
    const { store, release, correcting } = await installation();
    await release(FIRST).load();
    await correcting(ID, { country: "NO", client: { name: "The Ferry", domain: null } });
    await correcting("harbourline--tug", { country: "NO" });
    const second = release(starterSet({ ferry: { ...FERRY, country: "DE", challenge: "Fog." }, crane: CRANE }));
    await second.load();
    expect(await store.caseStudies.find(ID)).toMatchObject({
      country: "NO",
      challenge: "Fog.",
      client: { name: "The Ferry" },
      origin: "starter",
    });
    expect((await store.caseStudies.find("harbourline--tug"))?.country).toBe("NO");
    expect(await second.status()).toMatchObject({ kept: 3, corrected: 2 });
  });

  test("follows a renamed company, and leaves unchanged records alone", async () => {
    const { store, release, revision } = await installation();
    await release(FIRST).load();
    await store.companies.edit("harbourline", { slug: "quayline", name: "Quayline" });
    const second = starterSet({ ferry: { ...FERRY, country: "NO" }, tug: TUG, dock: starterRecord("dock") });
    const before = await revision("harbourline--tug");
    await release(second).load();
    expect(await revision("harbourline--tug")).toBe(before);
    expect(await store.companies.find("harbourline")).toBeUndefined();
    expect(await store.companies.find("quayline")).toMatchObject({ name: "Quayline", total_case_studies: 3 });
  });
});

describe("a case study from elsewhere", () => {
  const own = { title: "My version", url: `${FERRY.url}/?utm_source=mail` };

  test("stays when it has the URL of a record", async () => {
    const { store, release, importing, ids } = await installation();
    await importing({ id: "mine", ...own });
    const starter = release(FIRST);
    expect(await starter.load()).toBe(2);
    expect(await ids()).toEqual(["harbourline--crane", "harbourline--tug", "mine"]);
    expect(await store.caseStudies.find("mine")).toMatchObject({ title: own.title, origin: "imported" });
    expect((await starter.status()).replaced).toBe(1);
  });

  test("replaces a record permanently", async () => {
    const { store, release, importing } = await installation();
    await release(FIRST).load();
    await importing(own);
    const second = release(starterSet({ ferry: { ...FERRY, country: "NO" }, tug: TUG }));
    await second.load();
    expect(await store.caseStudies.find(ID)).toMatchObject({ title: own.title, country: null, origin: "imported" });
    await release(starterSet({ tug: TUG })).load();
    await second.remove();
    expect(await store.caseStudies.find(ID)).toMatchObject({ title: own.title });
  });

  test("with the id of a record is kept as another case study", async () => {
    const { store, release, importing } = await installation();
    await importing({ id: ID, title: "Mine", url: "https://mine.example/ferry" });
    await release(FIRST).load();
    expect(await store.caseStudies.find(ID)).toMatchObject({ title: "Mine", origin: "imported" });
    expect((await store.stats.read()).by_origin).toEqual({ starter: 3, submitted: 0, imported: 1 });
    const second = starterSet({ ferry: { ...FERRY, country: "NO" }, tug: TUG, crane: CRANE });
    expect(await release(second).load()).toBe(1);
    expect(await store.caseStudies.find(ID)).toMatchObject({ title: "Mine" });
  });

  test("gets the company's domain from the starter records", async () => {
    const { store, release, importing } = await installation();
    await importing(own);
    await release(FIRST).load();
    expect(await store.companies.find("harbourline")).toMatchObject({ domain: HARBOURLINE.domain });
  });
});
