import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createKnownOrganisations } from "../../src/casestudies/structure/industry.ts";
import type { OutcomeModel } from "../../src/casestudies/structure/outcomes/find-outcomes.ts";
import { loadBuiltInIndustries, loadBuiltInOrganisations } from "../../src/casestudies/taxonomy/packed.ts";
import { openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import { loadCases } from "./structure/cases.ts";
import { loadStructureCorpus } from "./structure/corpus.ts";
import { clientChoices, fitClient } from "./structure/fit-client.ts";
import { fitIndustry, industryChoices } from "./structure/fit-industry.ts";
import { fitOutcomes, outcomeChoices, pageOutcomeChoices } from "./structure/fit-outcomes.ts";
import { fitTools, toolChoices } from "./structure/fit-tools.ts";
import { loadNameKnowledge, loadToolNames } from "./structure/knowledge.ts";
import type { SoftmaxModel } from "./structure/softmax.ts";
import { loadTrainingPages } from "./structure/vendor-pages.ts";

/**
 * Fits the weights that find the client, its industry, the tools in use and the outcomes on what people read in the case studies of a corpus and on pages of invented vendors:
 * `npx bun research/evaluation/fit-entity-weights.ts --corpus DIR`. The same corpus gives the same files.
 */
const { values } = parseArgs({ options: { corpus: { type: "string" } } });
if (values.corpus === undefined) {
  console.error("usage: npx bun research/evaluation/fit-entity-weights.ts --corpus DIR");
  process.exit(2);
}
const encoder = await openBuiltInEncoder({ unpackDir: tmpdir() });
const cases = await loadCases((await loadStructureCorpus(values.corpus)).records);
const pages = await loadTrainingPages();
const training = [...cases, ...pages];
await save("client/weights.json", fitClient(clientChoices(training, loadNameKnowledge())));
await save("tools-weights.json", fitTools(toolChoices(training, loadToolNames())));
await save("outcomes/weights.json", fitOutcomes([...(await outcomeChoices(cases)), ...pageOutcomeChoices(pages)]));
await save(
  "industry-weights.json",
  fitIndustry(
    await industryChoices(training, {
      industries: loadBuiltInIndustries(),
      organisations: createKnownOrganisations(loadBuiltInOrganisations()),
      embed: (texts) => encoder.encode(texts, "passage"),
    }),
  ),
);
await encoder.close();

async function save(file: string, model: SoftmaxModel | OutcomeModel): Promise<void> {
  const path = `src/casestudies/structure/${file}`;
  await Bun.write(join(import.meta.dir, "../..", path), `${JSON.stringify(model, null, 2)}\n`);
  const parts = "weights" in model ? [model] : Object.values(model);
  console.log(`${path}: ${parts.map(({ weights }) => Object.keys(weights).length).join(" and ")} weights`);
}
