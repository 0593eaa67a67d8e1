import { basename, join } from "node:path";
import { pairsOfFile, type TextPair } from "./pair-files.ts";

/** Fields of a record of the starter library that a question is paired with. */
const PASSAGES: readonly string[] = ["title", "summary", "challenge", "solution"];

/**
 * The pairs that were written for this project: all of `lexicon/`, and each question of `questions/` with each passage
 * of the case study that answers it.
 *
 * @param training the folder of both
 * @param records the starter library: `<vendor>/<name>.yaml`; without it no question is read
 */
export async function* ownPairs(training: string, records: string | undefined): AsyncGenerator<TextPair, void, void> {
  for (const file of filesIn(training, "lexicon/*.tsv")) yield* pairsOfFile(file);
  if (records === undefined) return;
  for (const file of filesIn(training, "questions/*.tsv"))
    for await (const [id, question, kind] of pairsOfFile(file)) {
      const [vendor = "", name = ""] = id.split("--").map((part) => basename(part));
      const record: unknown = Bun.YAML.parse(await Bun.file(join(records, vendor, `${name}.yaml`)).text());
      for (const [field, passage] of Object.entries(record ?? {}))
        if (PASSAGES.includes(field) && typeof passage === "string") yield [question, passage, `question:${kind}`];
    }
}

const filesIn = (folder: string, pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync(folder)].sort().map((name) => join(folder, name));
