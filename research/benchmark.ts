import { benchArguments, WrongArguments } from "./benchmarks/arguments.ts";
import { benchCommits } from "./benchmarks/commits.ts";
import { benchDetection } from "./benchmarks/detection.ts";
import { benchIngest } from "./benchmarks/ingest.ts";
import { benchNodes } from "./benchmarks/nodes.ts";
import { benchScans } from "./benchmarks/scans.ts";
import { benchSearch, ENGINES } from "./benchmarks/search.ts";
import { drawSearchCharts } from "./benchmarks/search-chart.ts";
import { benchGrowth } from "./benchmarks/search-growth.ts";
import { growthTableOf, markdownOf } from "./benchmarks/search-table.ts";
import { benchSingleFile } from "./benchmarks/single-file.ts";
import { benchStack } from "./benchmarks/stack.ts";
import { benchStructure } from "./benchmarks/structure.ts";

/**
 * Measures speed: `npm run bench -- detection`, `npm run bench -- commits [--folder DIR]` (on the disk of a folder),
 * `npm run bench -- ingest --corpus DIR` (saved pages), `npm run bench -- structure --corpus DIR`,
 * `npm run bench -- growth --keep DIR [--studies 1000000]` (one data directory as it grows), or `npm run bench -- search [--studies N] [--corpus DIR] [--only NAME,…] [--keep DIR] [--save]`.
 * `--save` writes the figures to `test/evaluation/`, so that a change that lowers them shows in its diff.
 */

const { name, values } = argumentsOrExit();
const only = values.only?.split(",");
const engines = ENGINES.filter((engine) => only === undefined || only.includes(engine));
const studies = Number(values.studies);
const seconds = Number(values.seconds);
const { corpus = "", before = "", keep = "" } = values;

if (name === "detection") benchDetection();
else if (name === "commits") await benchCommits(values.folder);
else if (name === "ingest") await benchIngest(corpus);
else if (name === "scans")
  console.log(
    await benchScans({
      corpus,
      domains: Number(values.domains),
      sources: values.sources === "all" ? "all" : "light",
    }),
  );
else if (name === "stack")
  console.log(
    await benchStack({
      folder: values.folder,
      companies: Number(values.companies),
      questions: Number(values.questions),
    }),
  );
else if (name === "nodes") console.log(await benchNodes(seconds));
else if (name === "single-file")
  console.log(await benchSingleFile(before, values.after, { seconds, pairs: Number(values.pairs) }));
else if (name === "structure") await benchStructure(corpus);
else if (name === "growth") {
  const rows = await benchGrowth({ folder: keep, corpus: values.corpus, most: studies });
  if (values.save) {
    await Bun.write(`${import.meta.dir}/../test/evaluation/search-growth.json`, `${JSON.stringify(rows, null, 2)}\n`);
    await drawSearchCharts(`${import.meta.dir}/..`);
  }
  console.log(growthTableOf(rows));
} else {
  let table = "";
  const path = `${import.meta.dir}/../test/evaluation/search-bench`;
  await benchSearch({
    studies,
    corpus: values.corpus,
    engines,
    keep: values.keep,
    async onFigures(figures) {
      table = markdownOf(figures);
      if (!values.save) return;
      await Bun.write(`${path}.json`, `${JSON.stringify(figures, null, 2)}\n`);
      await Bun.write(`${path}.md`, table);
      await drawSearchCharts(`${import.meta.dir}/..`);
    },
  });
  console.log(table);
}

function argumentsOrExit() {
  try {
    return benchArguments(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof WrongArguments)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
