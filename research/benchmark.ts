import { parseArgs } from "node:util";
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

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    companies: { type: "string", default: "1000000" },
    domains: { type: "string", default: "20000" },
    sources: { type: "string", default: "light" },
    seconds: { type: "string", default: "20" },
    questions: { type: "string", default: "10000" },
    studies: { type: "string", default: "100000" },
    corpus: { type: "string" },
    only: { type: "string" },
    folder: { type: "string", default: "." },
    before: { type: "string" },
    after: { type: "string" },
    pairs: { type: "string", default: "8" },
    keep: { type: "string" },
    save: { type: "boolean", default: false },
  },
});
const [subject] = positionals;
const only = values.only?.split(",");
const engines = ENGINES.filter((engine) => only === undefined || only.includes(engine));
const companies = Number(values.companies);
const questions = Number(values.questions);
const studies = Number(values.studies);
const areNamesKnown = only === undefined || engines.length === only.length;

if (subject === "detection") benchDetection();
else if (subject === "commits") await benchCommits(values.folder);
else if (subject === "ingest" && values.corpus !== undefined) await benchIngest(values.corpus);
else if (subject === "scans" && values.corpus !== undefined)
  console.log(
    await benchScans({
      corpus: values.corpus,
      domains: Number(values.domains),
      sources: values.sources === "all" ? "all" : "light",
    }),
  );
else if (subject === "stack" && [companies, questions].every((count) => Number.isSafeInteger(count) && count >= 100))
  console.log(await benchStack({ folder: values.folder, companies, questions }));
else if (subject === "nodes" && Number(values.seconds) > 0) console.log(await benchNodes(Number(values.seconds)));
else if (subject === "single-file" && values.before !== undefined && Number(values.pairs) > 0)
  console.log(
    await benchSingleFile(values.before, values.after, {
      seconds: Number(values.seconds),
      pairs: Number(values.pairs),
    }),
  );
else if (subject === "structure" && values.corpus !== undefined) await benchStructure(values.corpus);
else if (subject === "growth" && values.keep !== undefined) {
  const rows = await benchGrowth({ folder: values.keep, corpus: values.corpus, most: studies });
  if (values.save) {
    await Bun.write(`${import.meta.dir}/../test/evaluation/search-growth.json`, `${JSON.stringify(rows, null, 2)}\n`);
    await drawSearchCharts(`${import.meta.dir}/..`);
  }
  console.log(growthTableOf(rows));
} else if (subject === "search" && areNamesKnown && Number.isSafeInteger(studies) && studies >= 100) {
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
} else {
  console.error(`usage: npm run bench -- detection
       npm run bench -- commits [--folder DIR]
       npm run bench -- ingest --corpus DIR|FILE.warc.gz (of saved pages, each named after its host)
       npm run bench -- scans --corpus DIR [--domains N] [--sources light|all] (of saved pages)
       npm run bench -- nodes [--seconds N] (on a PostgreSQL that npm installs)
       npm run bench -- single-file --before DIR [--after DIR] [--seconds N] [--pairs N] (source trees with their packages)
       npm run bench -- stack [--companies N] [--questions N] [--folder DIR]
       npm run bench -- structure --corpus DIR
       npm run bench -- growth --keep DIR [--studies N] [--corpus DIR] [--save]
       npm run bench -- search [--studies N] [--corpus DIR] [--only ${ENGINES.join(",")}] [--keep DIR] [--save]`);
  process.exit(2);
}
