import { parseArgs } from "node:util";
import { evaluateDetection } from "./evaluation/detection.ts";
import { evaluateEmbedding } from "./evaluation/embedding.ts";
import { evaluatePages } from "./evaluation/pages.ts";
import { evaluateClaims, evaluateProof } from "./evaluation/proof.ts";
import { evaluateRelevance } from "./evaluation/relevance.ts";
import { compareReports } from "./evaluation/reports.ts";
import { evaluateSearch } from "./evaluation/search.ts";
import { evaluateHeldOut } from "./evaluation/search-held-out.ts";
import { evaluateStructure } from "./evaluation/structure.ts";
import { evaluateStructureModel } from "./evaluation/structure-model.ts";

/**
 * Measures quality: `npm run eval -- claims|detection|embedding|proof|relevance|search|structure --corpus DIR [--misses] [--save]`.
 * `search-held-out` reads a model that `npm run train -- --blind` made (`--blind FOLDER`).
 * `structure-model` measures what a language model adds, by recorded answers (`--answers FILE`) or a model
 * (`--language-model-url URL`); `--prompts FILE` writes what a model is asked.
 * `reports` compares reports with those of before a change, byte for byte (`--unlabelled DIR --against FILE`).
 * `--save` writes the figures to `test/evaluation/`, so that a change that lowers them shows in its diff. A search is also
 * measured with another model (`--model FOLDER`), and by questions of our own shape (`--questions FOLDER`).
 */

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: "string" },
    misses: { type: "boolean" },
    save: { type: "boolean" },
    model: { type: "string" },
    blind: { type: "string" },
    questions: { type: "string" },
    unlabelled: { type: "string" },
    earlier: { type: "string" },
    recipes: { type: "string" },
    without: { type: "string", multiple: true },
    answers: { type: "string" },
    prompts: { type: "string" },
    "language-model-url": { type: "string" },
    against: { type: "string" },
  },
});
const [subject] = positionals;
const { corpus, misses = false, model, questions, blind } = values;
const isTrial = model !== undefined || questions !== undefined;
/** Pages whose sources are public need no corpus; saved figures have all parts. */
const needsCorpus =
  subject !== "pages" || values.save === true || (values.unlabelled ?? values.earlier ?? values.recipes) === undefined;
const measure =
  subject === "detection"
    ? (folder: string) => evaluateDetection(folder, { misses })
    : subject === "embedding"
      ? evaluateEmbedding
      : subject === "pages"
        ? () =>
            evaluatePages(corpus, {
              unlabelled: values.unlabelled,
              earlier: values.earlier,
              recipes: values.recipes,
              misses,
              without: values.without ?? [],
            })
        : subject === "search"
          ? (folder: string) => evaluateSearch(folder, { model, questions })
          : subject === "search-held-out" && blind !== undefined
            ? (folder: string) => evaluateHeldOut(folder, blind)
            : subject === "reports" && values.unlabelled !== undefined && values.against !== undefined
              ? (folder: string) => compareReports(folder, values.unlabelled ?? "", values.against ?? "")
              : subject === "relevance"
                ? (folder: string) => evaluateRelevance(folder, { save: values.save === true })
                : subject === "proof"
                  ? (folder: string) => evaluateProof(folder, { misses })
                  : subject === "claims"
                    ? (folder: string) => evaluateClaims(folder, { misses })
                    : subject === "structure"
                      ? (folder: string) => evaluateStructure(folder, { misses })
                      : subject === "structure-model"
                        ? (folder: string) =>
                            evaluateStructureModel(folder, {
                              answers: values.answers,
                              prompts: values.prompts,
                              url: values["language-model-url"],
                            })
                        : undefined;
if (
  measure === undefined ||
  (corpus === undefined && needsCorpus) ||
  (isTrial && (subject !== "search" || values.save))
) {
  console.error(
    "usage: npm run eval -- claims|detection|embedding|proof|relevance|search|structure --corpus DIR [--misses] [--save]",
  );
  console.error(
    "       npm run eval -- pages [--corpus DIR] [--unlabelled DIR] [--earlier DIR] [--recipes DIR] [--without MECHANISM] [--misses] [--save]",
  );
  console.error("       npm run eval -- reports --corpus DIR --unlabelled DIR --against FILE");
  console.error("       npm run eval -- search-held-out --corpus DIR --blind FOLDER [--save]");
  console.error("       npm run eval -- search --corpus DIR [--model FOLDER] [--questions FOLDER]");
  console.error(
    "       npm run eval -- structure-model --corpus DIR [--prompts FILE | --answers FILE | --language-model-url URL] [--save]",
  );
  process.exit(2);
}
const figures = await measure(corpus ?? "").catch((error: unknown) => {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  console.error(`Cannot read ${"path" in error ? error.path : error.message}: no such file.`);
  process.exit(2);
});
if (values.save && figures !== undefined) {
  const path = `${import.meta.dir}/../test/evaluation/${subject}.json`;
  await Bun.write(path, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(`\nsaved in test/evaluation/${subject}.json`);
}
