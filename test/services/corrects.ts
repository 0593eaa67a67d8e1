import { openFakeApp } from "./fake-app.ts";

/** Corrects a field 100 times next to an open application; fails when another correction undid one. */

const [dataDir = "", id = "", field = ""] = process.argv.slice(2);
const app = await openFakeApp({ dataDir });
for (let turn = 0; turn < 100; turn++) {
  await app.caseStudies.correct(id, { [field]: `Value ${turn}` });
  const told = Object.entries(await app.caseStudies.get(id)).find(([name]) => name === field)?.[1];
  if (told !== `Value ${turn}`) throw new Error(`Value ${turn} was undone: ${told}`);
}
await app.close();
