import { expect, test } from "bun:test";
import { join } from "node:path";
import { managed } from "../http/managed.ts";
import { inDirectory } from "../store/examples.ts";
import { openFakeApp } from "./fake-app.ts";
import { fill, RECORDS } from "./study-records.ts";

const ID = "tidewell-northgate";
const corrected = async () => {
  const { app } = await managed();
  await fill(app, RECORDS);
  return app;
};

test("concurrent corrections of one case study are all applied and shown", async () => {
  const app = await corrected();
  await app.caseStudies.correct(ID, { language: "no" });
  await Promise.all([
    app.caseStudies.correct(ID, { country: "SE" }),
    app.caseStudies.takeBackCorrection(ID, "language"),
    app.caseStudies.correct(ID, { title: "A bank moves" }),
    app.caseStudies.correct(ID, { summary: "It moved." }),
  ]);
  expect(await app.caseStudies.get(ID)).toMatchObject({
    ...{ country: "SE", language: "en", title: "A bank moves", summary: "It moved." },
  });
});

test("concurrent corrections by a service and a command do not undo each other", async () => {
  await inDirectory(async (dataDir) => {
    const app = await openFakeApp({ dataDir });
    await fill(app, RECORDS);
    const other = Bun.spawn([process.execPath, join(import.meta.dir, "corrects.ts"), dataDir, ID, "summary"], {
      stderr: "inherit",
    });
    for (let turn = 0; other.exitCode === null; turn++) {
      await app.caseStudies.correct(ID, { title: `Title ${turn}` });
      expect(await app.caseStudies.get(ID)).toMatchObject({ title: `Title ${turn}` });
      await Bun.sleep(0);
    }
    expect(await other.exited).toBe(0);
    expect((await app.caseStudies.get(ID)).summary).toBe("Value 99");
    await app.close();
  });
}, 30_000);

test("a case study that is removed during a correction stays removed at any interleaving", async () => {
  const app = await corrected();
  const studies = (await app.caseStudies.list({})).case_studies;
  for (const [number, { id }] of studies.entries()) {
    const removing = app.caseStudies.remove(id);
    for (let turn = 0; turn < 10 * number; turn++) await Promise.resolve();
    await app.caseStudies.correct(id, { country: "SE" }).catch(() => undefined);
    await removing;
  }
  expect([studies.length, (await app.caseStudies.list({})).total]).toEqual([7, 0]);
});
