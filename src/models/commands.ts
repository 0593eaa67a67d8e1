import type { Command } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { createCounter, createLine } from "../cli/progress.ts";
import { jsonText, plain, sizeOf, table } from "../cli/table.ts";
import type { Services } from "../compose.ts";
import type { Evaluation } from "./evaluation.ts";
import type { ModelEntry } from "./service.ts";

/** `casefile model`: the models that give searches their sense of meaning. */
export function addModelCommands(program: Command, host: CliHost<Services>): Command[] {
  const model = program.command("model").description("See, add, choose, measure and remove embedding models.");
  const say = (command: Command, value: unknown, text: string) =>
    host.out(`${command.opts().json ? jsonText(value) : text}\n`);

  const list = model.command("list", { isDefault: true }).description("List the models, and which one is used.");
  list.action(() =>
    withApp(host, list.opts(), async (app) => {
      const models = await app.models.list();
      say(list, { models, total: models.length, next_cursor: null }, table(COLUMNS, models.map(rowOf), host.columns));
    }),
  );

  const add = model
    .command("add")
    .description("Copy a sentence encoder from a folder: an .onnx file, tokenizer.json and what came with them.")
    .argument("<dir>")
    .option("--name <name>", "what to call it; by default after the folder")
    .option("--file <file>", "which .onnx file, where there are several")
    .option("--query-prefix <text>", 'what the model wants before a question, such as "query: "')
    .option("--passage-prefix <text>", 'what it wants before a text, such as "passage: "');
  add.action((dir: string, flags: { name?: string; file?: string; queryPrefix?: string; passagePrefix?: string }) =>
    withApp(host, add.opts(), async (app) => {
      const { name, file, queryPrefix, passagePrefix } = flags;
      const line = createLine(host);
      line.show("copying, reading and trying the model …");
      const added = await app.models
        .add({
          dir,
          ...(name === undefined ? {} : { name }),
          ...(file === undefined ? {} : { file }),
          ...(queryPrefix === undefined ? {} : { queryPrefix }),
          ...(passagePrefix === undefined ? {} : { passagePrefix }),
        })
        .finally(line.end);
      say(
        add,
        added,
        `${added.name} is added: ${added.dimensions} dimensions, ${sizeOf(added.size ?? 0)}. ${plain(added.description ?? "")}\nTo search with it: casefile model use ${added.name}`,
      );
    }),
  );

  const remove = model.command("remove").description("Remove a model that is not used.").argument("<name>");
  remove.action((name: string) =>
    withApp(host, remove.opts(), async (app) => {
      await app.models.remove(name);
      say(remove, { removed: name }, "Removed.");
    }),
  );

  const use = model
    .command("use")
    .description("Embed everything with a model and search with it; searches go on with the former one meanwhile.")
    .argument("<name>");
  use.action((name: string) =>
    withApp(host, use.opts(), async (app) => {
      const progress = createCounter(host, "embedded");
      const used = await app.models
        .use(name, { onProgress: (done) => progress.count(done), signal: host.signal })
        .finally(progress.end);
      say(use, used, usedText(used));
    }),
  );

  const evaluate = model
    .command("eval")
    .description("Measure searches by your own questions, with the model that is used or with any other.")
    .argument("[name]")
    .requiredOption("--questions <file>", 'JSON lines of {"query": "…", "relevant": ["case-study-id", …]}');
  evaluate.action((name: string | undefined, { questions }: { questions: string }) =>
    withApp(host, evaluate.opts(), async (app) => {
      const { text } = await host.readFile(questions);
      const line = createLine(host);
      const found = await app.models
        .evaluate(text, {
          ...(name === undefined ? {} : { name }),
          onProgress: (done, what) => line.show(`${done.toLocaleString("en")} ${what} …`),
          signal: host.signal,
        })
        .finally(line.end);
      say(evaluate, found, evaluationText(found, host.columns));
    }),
  );

  const commands = [list, add, remove, use, evaluate];
  for (const command of commands) command.option("--json", "print JSON");
  return commands;
}

const COLUMNS = [
  { title: "NAME" },
  { title: "STATE" },
  { title: "DIMENSIONS" },
  { title: "SIZE" },
  { title: "LICENCE" },
  { title: "ABOUT", yields: true },
];

const rowOf = ({ name, state, dimensions, size, licence, description }: ModelEntry): string[] => [
  name,
  state,
  dimensions === null ? "" : String(dimensions),
  size === null ? "" : sizeOf(size),
  licence ?? "",
  description ?? "Its manifest cannot be read; use another, then remove it and add it again.",
];

function usedText({ model, embedded }: { readonly model: ModelEntry; readonly embedded: number | null }): string {
  if (model.state === "next")
    return `The running service embeds everything with ${model.name}; searches go on as before until it is done. casefile model list tells when it is used.`;
  return embedded === null
    ? `Searches use ${model.name}.`
    : `${embedded} case studies are embedded; searches use ${model.name}.`;
}

const MODES = ["keyword", "semantic", "hybrid"] as const;
const FIGURES = [
  { title: "SEARCH" },
  { title: "NDCG@10" },
  { title: "MRR" },
  { title: "RECALL@5" },
  { title: "RECALL@10" },
];

function evaluationText({ model, model_id, questions, unknown, modes }: Evaluation, columns: number): string {
  const rows = MODES.map((mode) => {
    const { ndcg_10, mrr, recall_5, recall_10 } = modes[mode];
    return [mode, ...[ndcg_10, mrr, recall_5, recall_10].map((figure) => figure.toFixed(3))];
  });
  const [first] = unknown;
  const are = unknown.length === 1 ? "is not here:" : "are not here, such as";
  const missing = first === undefined ? [] : [`${unknown.length} of the named case studies ${are} ${plain(first)}.`];
  const asked = `${model} (${plain(model_id)}): ${questions} ${questions === 1 ? "question" : "questions"}`;
  return [asked, ...missing, table(FIGURES, rows, columns)].join("\n");
}
