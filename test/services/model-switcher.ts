import { writeSync } from "node:fs";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";

/**
 * Starts to use a model while another process runs: `bun model-switcher.ts DIR NAME half|whole`. Prints the model's state at
 * the end, or `half` when it is half done and waits to be killed.
 */

const [, , dataDir = "", name = "", until = ""] = process.argv;
const broke = (work: string, error: unknown) => {
  throw new Error(work, { cause: error });
};
const app = await openServices({
  config: loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined }),
  version: "1.2.3",
  log: { scannerFailed: broke, taskFailed: broke },
});
const halfWay = () => {
  writeSync(1, "half\n");
  for (;;);
};
const { model } = await app.models.use(name, until === "half" ? { onProgress: halfWay } : {});
writeSync(1, `${model.state}\n`);
await app.close();
