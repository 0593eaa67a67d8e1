import { afterEach, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "../../src/store.ts";
import { type Box, openBox } from "../box/box.ts";
import { inDirectory } from "../store/examples.ts";
import { openBoxedApp, until } from "./boxed-app.ts";

let box: Box | undefined;
afterEach(async () => {
  await box?.close();
  box = undefined;
});

const PAGE = "<title>Brightpine</title><h1>Parcels</h1>";
const code = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error) => error.code,
  );

test("nothing is requested from an opted-out domain by any path, at once and from then on", async () => {
  box = await openBox({
    companies: [
      { domain: "brightpine.test", pages: { "/": PAGE, "www/": PAGE, "www/customers": PAGE } },
      // A page of another company that leads to the opted-out one.
      { domain: "quarrystone.test", pages: { "/": { redirect: "https://www.brightpine.test/" }, "www/": PAGE } },
    ],
  });
  const { hits } = box;
  const inBox = box;
  /** Hits of web servers and DNS that name the domain. */
  const asked = () => hits.filter((hit) => JSON.stringify(hit).includes("brightpine"));
  await inDirectory(async (dataDir) => {
    const app = await openBoxedApp(inBox, dataDir, { "crawl-auto-approve": "same-domain" });
    try {
      expect((await app.detection.enrich("brightpine.test")).cached).toBe(false);
      await app.watches.watch("brightpine.test");
      const before = asked().length;
      expect(before).toBeGreaterThan(0);

      await app.optOuts.add("brightpine.test", "asked by post");
      expect(await code(app.detection.enrich("brightpine.test", { maxAgeSeconds: 0 }))).toBe("domain.opted_out");
      // A stored result is not returned either.
      expect(await code(app.detection.enrich("https://www.brightpine.test/x"))).toBe("domain.opted_out");
      expect(await code(app.detection.enrichSteps("brightpine.test"))).toBe("domain.opted_out");
      expect(await code(app.detection.capture("brightpine.test"))).toBe("domain.opted_out");
      expect(await code(app.watches.watch("brightpine.test"))).toBe("domain.opted_out");
      const url = "https://www.brightpine.test/customers";
      const signal = new AbortController().signal;
      expect(await code(app.intake.crawl(url, { signal }).next())).toBe("domain.opted_out");
      expect(
        await code(
          app.intake.submit({ company_name: "Brightpine", case_study_url: url, contact_email: "ana@brightpine.test" }),
        ),
      ).toBe("domain.opted_out");

      const working = [app.watches.startWatching(), app.batches.startWorker()];
      const owner = { owner: "" };
      const { id } = await app.batches.create(owner, [{ input: "brightpine.test" }, { input: "quarrystone.test" }]);
      await until(async () => (await app.batches.get(owner, id)).state === "done");
      expect((await app.batches.get(owner, id)).progress.failed).toEqual({ "domain.opted_out": 1 });
      await until(async () => (await app.watches.listWatches()).watches[0]?.last_error !== null);
      expect((await app.watches.listWatches()).watches[0]?.last_error).toContain("opted out");
      await app.detection.enrich("quarrystone.test");
      for (const each of working) await each.stop();
      expect(asked().length).toBe(before);

      await app.optOuts.remove("brightpine.test");
      expect(await code(app.detection.enrich("brightpine.test", { maxAgeSeconds: 0 }))).toBe("ok");
      expect(asked().length).toBeGreaterThan(before);
    } finally {
      await app.close();
    }
  });
}, 60_000);

test("a file of opt-outs holds, is read again when it changes, and a broken one changes nothing", async () => {
  box = await openBox({ companies: [{ domain: "brightpine.test", pages: { "/": PAGE } }] });
  const inBox = box;
  await inDirectory(async (dataDir) => {
    const file = join(dataDir, "opt-outs.txt");
    await writeFile(file, "# asked by letter\nbrightpine.*  # all of them\n\n");
    const app = await openBoxedApp(inBox, dataDir, { "scan-opt-outs-file": file });
    try {
      expect(await code(app.detection.enrich("brightpine.test"))).toBe("domain.opted_out");
      expect((await app.optOuts.list()).opt_outs).toEqual([
        { pattern: "brightpine.*", note: null, created_at: null, source: "file" },
      ]);
      expect(await code(app.optOuts.remove("brightpine.*"))).toBe("opt_out.not_found");
      await writeFile(file, "someone-else.example\n");
      // The list reads the file at once; requests notice within a second.
      expect((await app.optOuts.list()).opt_outs.map(({ pattern }) => pattern)).toEqual(["someone-else.example"]);
      expect(await code(app.detection.enrich("brightpine.test"))).toBe("ok");
    } finally {
      await app.close();
    }
    await writeFile(file, "not a domain\n");
    expect(await code(openBoxedApp(inBox, dataDir, { "scan-opt-outs-file": file }))).toBe("config.invalid");
  });
}, 60_000);

test("a change of the list by a node whose clock is behind is seen by the others", async () => {
  let time = "2026-05-04T12:00:00.000Z";
  const store = await openStore({ dataDir: ":memory:", clock: () => new Date(time) });
  const versions = new Set([await store.optOuts.version()]);
  const put = async (pattern: string) => {
    await store.optOuts.put(pattern, null);
    versions.add(await store.optOuts.version());
  };
  await put("newest.test");
  time = "2026-05-04T11:00:00.000Z";
  await put("first.test");
  await store.optOuts.remove("first.test");
  await put("second.test");
  expect(versions.size).toBe(4);
  await store.close();
});
