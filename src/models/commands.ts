import type { Command } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { createCounter, createLine } from "../cli/progress.ts";
import { jsonText, plain, sizeOf, table } from "../cli/table.ts";
import type { Evaluation } from "./evaluation.ts";
import type { ModelEntry, ModelService } from "./service.ts";

/** `casefile model`: embedding models for semantic search. */
export function addModelCommands(program: Command, host: CliHost<{ readonly models: ModelService }>): Command[] {
  const model = program.command("model").description("List, add, use, evaluate and remove embedding models.");
  const print = (command: Command, value: unknown, text: string) =>
    host.out(`${command.opts().json ? jsonText(value) : text}\n`);

  const list = model.command("list", { isDefault: true }).description("List the models and their states.");
  list.action(() =>
    withApp(host, list.opts(), async (app) => {
      const models = await app.models.list();
      print(list, { models, total: models.length, next_cursor: null }, table(COLUMNS, models.map(rowOf), host.columns));
    }),
  );

  const add = model
    .command("add")
    .description("Add a sentence encoder from a folder with an .onnx file and tokenizer.json.")
    .argument("<dir>")
    .option("--name <name>", "name of the model (default: name of the folder)")
    .option("--file <file>", "the .onnx file to use, if there are several")
    .option("--query-prefix <text>", 'text to put before each query, such as "query: "')
    .option("--passage-prefix <text>", 'text to put before each passage, such as "passage: "');
  add.action((dir: string, flags: { name?: string; file?: string; queryPrefix?: string; passagePrefix?: string }) =>
    withApp(host, add.opts(), async (app) => {
      const { name, file, queryPrefix, passagePrefix } = flags;
      const line = createLine(host);
      line.show("copying and testing the model …");
      const added = await app.models.add({ dir, name, file, queryPrefix, passagePrefix }).finally(line.end);
      print(
        add,
        added,
        `Added ${added.name}: ${added.dimensions} dimensions, ${sizeOf(added.size ?? 0)}. ${plain(added.description ?? "")}\nTo use it for searches: casefile model use ${added.name}`,
      );
    }),
  );

  const remove = model.command("remove").description("Remove a custom model that is not in use.").argument("<name>");
  remove.action((name: string) =>
    withApp(host, remove.opts(), async (app) => {
      await app.models.remove(name);
      print(remove, { removed: name }, "Removed.");
    }),
  );

  const use = model
    .command("use")
    .description("Build a new index with a model and use it; searches use the current model until then.")
    .argument("<name>");
  use.action((name: string) =>
    withApp(host, use.opts(), async (app) => {
      const progress = createCounter(host, "embedded");
      const used = await app.models
        .use(name, { onProgress: (done) => progress.count(done), signal: host.signal })
        .finally(progress.end);
      print(use, used, usedText(used));
    }),
  );

  const evaluate = model
    .command("eval")
    .description("Evaluate search with your own judged queries, with the current or another model.")
    .argument("[name]")
    .requiredOption("--questions <file>", 'JSON lines of {"query": "…", "relevant": ["case-study-id", …]}');
  evaluate.action((name: string | undefined, { questions }: { questions: string }) =>
    withApp(host, evaluate.opts(), async (app) => {
      const { text } = await host.readFile(questions);
      const line = createLine(host);
      const found = await app.models
        .evaluate(text, {
          name,
          onProgress: (done, what) => line.show(`${done.toLocaleString("en")} ${what} …`),
          signal: host.signal,
        })
        .finally(line.end);
      print(evaluate, found, evaluationText(found, host.columns));
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
  { title: "DESCRIPTION", yields: true },
];

const rowOf = ({ name, state, dimensions, size, licence, description }: ModelEntry): string[] => [
  name,
  state,
  dimensions === null ? "" : String(dimensions),
  size === null ? "" : sizeOf(size),
  licence ?? "",
  description ?? "Its manifest is damaged; use another model, then remove this one and add it again.",
];

function usedText({ model, embedded }: { readonly model: ModelEntry; readonly embedded: number | null }): string {
  if (model.state === "next")
    return `The running service is building a new index with ${model.name}; searches use the current model until then. See its state with: casefile model list`;
  return embedded === null
    ? `Searches now use ${model.name}.`
    : `Embedded ${embedded} case studies; searches now use ${model.name}.`;
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
  const missing =
    first === undefined ? [] : [`Case studies that do not exist: ${unknown.length}, such as ${plain(first)}.`];
  const title = `${model} (${plain(model_id)}): ${questions} ${questions === 1 ? "question" : "questions"}`;
  return [title, ...missing, table(FIGURES, rows, columns)].join("\n");
}
