/**
 * Measures quality: `bun run eval detection --corpus DIR [--misses] [--save]`.
 * `--save` writes the figures to `test/evaluation/`, so that a change that lowers them shows in its diff.
 */
import { parseArgs } from "node:util";
import { evaluateDetection } from "./eval/detection.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { corpus: { type: "string" }, misses: { type: "boolean" }, save: { type: "boolean" } },
});
const [subject] = positionals;
if (subject !== "detection" || values.corpus === undefined) {
  console.error("usage: bun run eval detection --corpus DIR [--misses] [--save]");
  process.exit(2);
}
const figures = await evaluateDetection(values.corpus, { misses: values.misses ?? false });
if (values.save) {
  const path = `${import.meta.dir}/../test/evaluation/${subject}.json`;
  await Bun.write(path, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(`\nsaved in test/evaluation/${subject}.json`);
}
