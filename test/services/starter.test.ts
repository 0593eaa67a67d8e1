import { describe, expect, test } from "bun:test";
import { correct } from "../../src/casestudies/intake/corrections.ts";
import { parseRecord } from "../../src/casestudies/record.ts";
import { loadBuiltInStarter } from "../../src/casestudies/starter/packed.ts";
import { createStarterService } from "../../src/casestudies/starter/service.ts";
import type { StarterSet } from "../../src/casestudies/starter/starter.ts";
import type { NewCaseStudy } from "../../src/casestudies/types.ts";
import { tools } from "../casestudies/examples.ts";
import { HARBOURLINE, starterRecord, starterSet } from "../casestudies/starter/starter-examples.ts";
import { storeWithClock } from "../store/study-examples.ts";

const FERRY = starterRecord("ferry");
const TUG = starterRecord("tug");
const CRANE = starterRecord("crane");
const FIRST = starterSet({ ferry: FERRY, tug: TUG, crane: CRANE });
const ID = "harbourline--ferry";

/** An installation that is started with one release after another. */
async function installation() {
  const store = await storeWithClock({ industryNames: tools.industries.nameBySlug });
  const release = (set: StarterSet, { version = Bun.hash(JSON.stringify(set)).toString(), enabled = true } = {}) =>
    createStarterService({
      store: store.starter,
      tools,
      builtIn: async () => ({ version, set }),
      enabled,
      changed() {},
    });
  const importing = async (raw: object) => {
    await store.caseStudies.save([parseRecord({ company: "Harbourline", ...raw }, tools) as NewCaseStudy]);
  };
  return {
    store,
    release,
    importing,
    correcting: (id: string, values: object) => correct({ store, tools, changed() {} }, id, values),
    ids: async () => (await store.caseStudies.ids({})).toSorted(),
    revision: async (id = ID) => (await store.caseStudies.detail(id))?.revision,
  };
}

describe("the records that come with the program", () => {
  test("load all of them, each vendor with its domain and industry", async () => {
    const { store, release } = await installation();
    const { version, set } = loadBuiltInStarter();
    const starter = release(set, { version });
    const count = Object.keys(set.records).length;
    expect(await starter.loadStarter()).toBe(count);
    expect((await store.stats.read()).by_origin).toEqual({ starter: count, submitted: 0, imported: 0 });
    for (const { slug, domain, industry } of set.vendors) {
      const records = Object.keys(set.records).filter((name) => name.startsWith(`${slug}/`)).length;
      expect(await store.companies.find(slug)).toMatchObject({
        domain,
        industry: tools.industries.nameBySlug.get(industry),
        total_case_studies: records,
      });
    }
    expect(await starter.starterStatus()).toEqual({
      ...{ state: "current", enabled: true, records: count, kept: count },
      ...{ left_out: 0, corrected: 0, replaced: 0 },
    });
  });

  test("are not loaded by a second start", async () => {
    const { store, release, revision } = await installation();
    expect(await release(FIRST).loadStarter()).toBe(3);
    await store.outbox.done((await store.outbox.pending(10)).map(({ id }) => id));
    expect(await release(FIRST).loadStarter()).toBe(0);
    expect([await store.outbox.depth(), await revision()]).toEqual([0, 1]);
  });

  test("are not even compared when the set is that of the last start", async () => {
    const { release, ids } = await installation();
    await release(FIRST, { version: "one" }).loadStarter();
    expect(await release(starterSet({}), { version: "one" }).loadStarter()).toBe(0);
    expect(await ids()).toHaveLength(3);
  });

  test("are loaded once by two starts at once", async () => {
    const { release } = await installation();
    const loaded = await Promise.all([release(FIRST).loadStarter(), release(FIRST).loadStarter()]);
    expect(loaded.toSorted()).toEqual([0, 3]);
  });

  test("are left out where the settings say so", async () => {
    const { release, ids } = await installation();
    const starter = release(FIRST, { enabled: false });
    expect([await starter.loadStarter(), await ids()]).toEqual([0, []]);
    expect(await starter.starterStatus()).toMatchObject({ state: "absent", enabled: false, records: 3, kept: 0 });
  });

  test("stay as they are when they are turned off later", async () => {
    const { release, ids } = await installation();
    await release(FIRST).loadStarter();
    expect(await release(starterSet({ tug: TUG }), { enabled: false }).loadStarter()).toBe(0);
    expect(await ids()).toHaveLength(3);
  });
});

describe("removing them", () => {
  test("leaves what others brought, and no start or upgrade brings them back", async () => {
    const { store, release, importing, ids } = await installation();
    await release(FIRST).loadStarter();
    await importing({ id: "mine", title: "My own", url: "https://mine.example/story" });
    expect(await release(FIRST).removeStarter()).toBe(3);
    expect(await release(FIRST).loadStarter()).toBe(0);
    expect(await release(starterSet({ ferry: CRANE })).loadStarter()).toBe(0);
    expect(await ids()).toEqual(["mine"]);
    expect((await store.stats.read()).companies).toBe(1);
    expect((await release(FIRST).starterStatus()).state).toBe("removed");
  });

  test("is undone by restoring, which brings back what was removed one by one, and corrections hold", async () => {
    const { store, release, correcting, ids } = await installation();
    const starter = release(FIRST);
    await starter.loadStarter();
    await correcting(ID, { country: "NO" });
    await store.caseStudies.remove(["harbourline--tug"]);
    await starter.removeStarter();
    expect(await starter.restoreStarter()).toBe(3);
    expect(await ids()).toEqual(["harbourline--crane", ID, "harbourline--tug"]);
    expect((await store.caseStudies.find(ID))?.country).toBe("NO");
    expect([(await starter.starterStatus()).state, await starter.loadStarter()]).toEqual(["current", 0]);
  });

  test("of a single one is undone by restoring too, and the others stay as they are", async () => {
    const { store, release, revision } = await installation();
    const starter = release(FIRST);
    await starter.loadStarter();
    await store.caseStudies.remove(["harbourline--tug"]);
    expect([await starter.restoreStarter(), await revision()]).toEqual([1, 1]);
  });
});

describe("an upgrade", () => {
  test("updates what changed, adds what is new, removes what vanished, and leaves the rest alone", async () => {
    const { store, release, revision, ids } = await installation();
    await release(FIRST).loadStarter();
    expect((await release(starterSet({ ferry: FERRY })).starterStatus()).state).toBe("outdated");
    const second = starterSet({ ferry: FERRY, tug: { ...TUG, country: "NL" }, dock: starterRecord("dock") });
    expect(await release(second).loadStarter()).toBe(3);
    expect(await ids()).toEqual(["harbourline--dock", ID, "harbourline--tug"]);
    expect((await store.caseStudies.find("harbourline--tug"))?.country).toBe("NL");
    expect([await revision(), await revision("harbourline--tug")]).toEqual([1, 2]);
  });

  test("keeps one record where its address changed", async () => {
    const { store, release, ids } = await installation();
    await release(FIRST).loadStarter();
    const moved = { ...FERRY, url: "https://harbourline.example/moved/ferry" };
    await release(starterSet({ ferry: moved, tug: TUG, crane: CRANE })).loadStarter();
    expect(await ids()).toHaveLength(3);
    expect((await store.caseStudies.find(ID))?.url).toBe(moved.url);
  });

  test("leaves away what the operator removed, however often it changes", async () => {
    const { store, release, ids } = await installation();
    await release(FIRST).loadStarter();
    await store.caseStudies.remove([ID]);
    await release(starterSet({ ferry: { ...FERRY, country: "NO" }, tug: TUG })).loadStarter();
    await release(starterSet({ tug: TUG })).loadStarter();
    const third = release(starterSet({ ferry: { ...FERRY, country: "SE" }, tug: TUG }));
    await third.loadStarter();
    expect(await ids()).toEqual(["harbourline--tug"]);
    expect((await third.starterStatus()).left_out).toBe(1);
  });

  test("lets corrections hold over a record that changed, and keeps a corrected one that vanished", async () => {
    const { store, release, correcting } = await installation();
    await release(FIRST).loadStarter();
    await correcting(ID, { country: "NO", client: { name: "The Ferry", domain: null } });
    await correcting("harbourline--tug", { country: "NO" });
    const second = release(starterSet({ ferry: { ...FERRY, country: "DE", challenge: "Fog." }, crane: CRANE }));
    await second.loadStarter();
    expect(await store.caseStudies.find(ID)).toMatchObject({
      ...{ country: "NO", challenge: "Fog.", client: { name: "The Ferry" } },
      origin: "starter",
    });
    expect((await store.caseStudies.find("harbourline--tug"))?.country).toBe("NO");
    expect(await second.starterStatus()).toMatchObject({ kept: 3, corrected: 2 });
  });

  test("follows a company that the operator renamed, and leaves what did not change alone", async () => {
    const { store, release, revision } = await installation();
    await release(FIRST).loadStarter();
    await store.companies.edit("harbourline", { slug: "quayline", name: "Quayline" });
    const second = starterSet({ ferry: { ...FERRY, country: "NO" }, tug: TUG, dock: starterRecord("dock") });
    const before = await revision("harbourline--tug");
    await release(second).loadStarter();
    expect(await revision("harbourline--tug")).toBe(before);
    expect(await store.companies.find("harbourline")).toBeUndefined();
    expect(await store.companies.find("quayline")).toMatchObject({ name: "Quayline", total_case_studies: 3 });
  });
});

describe("what others brought", () => {
  const own = { title: "As I tell it", url: `${FERRY.url}/?utm_source=mail` };

  test("stays where it has the address of a record", async () => {
    const { store, release, importing, ids } = await installation();
    await importing({ id: "mine", ...own });
    const starter = release(FIRST);
    expect(await starter.loadStarter()).toBe(2);
    expect(await ids()).toEqual(["harbourline--crane", "harbourline--tug", "mine"]);
    expect(await store.caseStudies.find("mine")).toMatchObject({ title: own.title, origin: "imported" });
    expect((await starter.starterStatus()).replaced).toBe(1);
  });

  test("takes the place of a record, for good", async () => {
    const { store, release, importing } = await installation();
    await release(FIRST).loadStarter();
    await importing(own);
    const second = release(starterSet({ ferry: { ...FERRY, country: "NO" }, tug: TUG }));
    await second.loadStarter();
    expect(await store.caseStudies.find(ID)).toMatchObject({ title: own.title, country: null, origin: "imported" });
    await release(starterSet({ tug: TUG })).loadStarter();
    await second.removeStarter();
    expect(await store.caseStudies.find(ID)).toMatchObject({ title: own.title });
  });

  test("under the id of a record is another case study", async () => {
    const { store, release, importing } = await installation();
    await importing({ id: ID, title: "Mine", url: "https://mine.example/ferry" });
    await release(FIRST).loadStarter();
    expect(await store.caseStudies.find(ID)).toMatchObject({ title: "Mine", origin: "imported" });
    expect((await store.stats.read()).by_origin).toEqual({ starter: 3, submitted: 0, imported: 1 });
    const second = starterSet({ ferry: { ...FERRY, country: "NO" }, tug: TUG, crane: CRANE });
    expect(await release(second).loadStarter()).toBe(1);
    expect(await store.caseStudies.find(ID)).toMatchObject({ title: "Mine" });
  });

  test("knows of its company what the starter knows", async () => {
    const { store, release, importing } = await installation();
    await importing(own);
    await release(FIRST).loadStarter();
    expect(await store.companies.find("harbourline")).toMatchObject({ domain: HARBOURLINE.domain });
  });
});
