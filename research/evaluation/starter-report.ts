import { join } from "node:path";
import { loadBuiltInStarter } from "../../src/casestudies/starter/packed.ts";
import { starterId } from "../../src/casestudies/starter/records.ts";
import { loadBuiltInIndustries } from "../../src/casestudies/taxonomy/packed.ts";
import { type Answered, askStarter, type Question } from "./starter/questions.ts";

/**
 * Writes `test/evaluation/starter.md`: the number of starter records by kind, and what a new user finds in them.
 * The section from the heading "Accuracy" on is written by hand and kept. `npx bun research/evaluation/starter-report.ts`
 */

const folder = join(import.meta.dir, "../../test/evaluation");
const file = Bun.file(join(folder, "starter.md"));
const { set } = loadBuiltInStarter();
const records = Object.entries(set.records);
const industries = loadBuiltInIndustries().nameBySlug;
const ids = new Set(records.map(([name]) => starterId(name)));

const questions = Bun.YAML.parse(await Bun.file(join(folder, "starter-questions.yaml")).text()) as Question[];
const strangers = questions.flatMap(({ fitting }) => fitting.filter((id) => !ids.has(id)));
if (strangers.length > 0) throw new Error(`No starter record has the id ${strangers.join(", ")}.`);
const answered = await askStarter(questions);

const before = (await file.exists()) ? await file.text() : "";
const byHand = before.indexOf("## Accuracy");
const vendorName = new Map(set.vendors.map(({ slug, name }) => [slug, name]));
const outcomes = records.flatMap(([, record]) => record.outcomes);
await Bun.write(
  file,
  `# The starter records

Written by \`npx bun research/evaluation/starter-report.ts\`; what follows the heading "Accuracy" is written by hand.

${records.length} records of ${set.vendors.length} vendors, ${records.filter(([, { client }]) => client.name).length} with a named client, ${
    outcomes.length
  } outcomes (${outcomes.filter(({ value }) => value !== null).length} with a figure).

${table("Vendor", (name) => vendorName.get(name.split("/")[0] ?? "") ?? "")}

${table("Industry of the client", (_, { industry }) => (industry === null ? "not told" : (industries.get(industry) ?? industry)))}

${table("Year", (_, { published_at }) => published_at?.slice(0, 4) ?? "not told", "by name")}

## Twenty questions

Asked of a new installation, in the default mode; \`+\` marks what the reader of all titles found to answer the question
(\`starter-questions.yaml\`). ${score(answered)}

${answered.map(questionText).join("\n\n")}
${byHand < 0 ? "" : `\n${before.slice(byHand)}`}`,
);

function table(
  title: string,
  groupOf: (name: string, record: (typeof set.records)[string]) => string,
  order: "by count" | "by name" = "by count",
): string {
  const counts = [...Map.groupBy(records, ([name, record]) => groupOf(name, record))].map(
    ([group, those]) => [group, those.length] as const,
  );
  counts.sort(([a, x], [b, y]) => (order === "by count" ? y - x : 0) || a.localeCompare(b));
  const rows = counts.map(([group, count]) => `| ${group} | ${count} |`);
  return [`| ${title} | Records |`, "| --- | ---: |", ...rows].join("\n");
}

function score(all: readonly Answered[]): string {
  const fits = all.map(({ fitting, found }) => found.map(({ id }) => fitting.includes(id)));
  const first = fits.filter(([best]) => best).length;
  const some = fits.filter((three) => three.includes(true)).length;
  const right = fits.flat().filter(Boolean).length;
  return `The first result fits ${first} of ${all.length} questions, one of the first three ${some}; of all results shown ${right} of ${fits.flat().length} fit.`;
}

function questionText({ question, fitting, found, verdict }: Answered): string {
  const lines = found.map(({ id, title }, at) => `${at + 1}. ${fitting.includes(id) ? "+" : "−"} ${title}`);
  return [`**${question}**`, "", ...lines, "", verdict].join("\n");
}
