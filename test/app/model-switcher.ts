/** Takes a model into use until it is killed half-way: `bun model-switcher.ts DIR NAME`. Says `half` when it is there. */
import { writeSync } from "node:fs";
import { openApp } from "../../src/app/open.ts";
import { loadConfig } from "../../src/config.ts";

const [, , dataDir = "", name = ""] = process.argv;
const broke = (work: string, error: unknown) => {
  throw new Error(work, { cause: error });
};
const app = await openApp({
  config: loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined }),
  version: "1.2.3",
  onBug: broke,
  onError: broke,
});
await app.useModel(name, {
  onProgress() {
    writeSync(1, "half\n");
    for (;;);
  },
});
