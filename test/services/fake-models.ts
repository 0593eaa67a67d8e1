import { Failure } from "../../src/core/errors.ts";
import type { ModelEntry, ModelService } from "../../src/models/service.ts";

const entryOf = (name: string, state: ModelEntry["state"]): ModelEntry => ({
  name,
  state,
  id: `${name}-0a1b2c3d4e5f`,
  description: "Mean pooling, from model.onnx.",
  dimensions: 384,
  max_tokens: 256,
  size: 22_972_370,
  licence: "apache-2.0",
});

/** Models without files; a model is used at once. */
export function fakeModels(): ModelService {
  const models = new Map([["built-in", entryOf("built-in", "used")]]);
  const get = (name: string) => {
    const found = models.get(name);
    if (!found) throw new Failure("model.not_found", "No model has this name; list the models to see their names.");
    return found;
  };
  return {
    list: async () => [...models.values()],
    async add({ dir, name = dir }) {
      models.set(name, entryOf(name, "idle"));
      return get(name);
    },
    async remove(name) {
      if (get(name).state !== "idle")
        throw new Failure("model.conflict", "This model is in use; use another one first.");
      models.delete(name);
    },
    async use(name, { inBackground = false, onProgress } = {}) {
      const model = get(name);
      if (inBackground) return { model: { ...model, state: "next" }, embedded: null };
      onProgress?.(3);
      for (const other of models.values()) models.set(other.name, { ...other, state: "idle" });
      models.set(name, { ...model, state: "used" });
      return { model: get(name), embedded: 3 };
    },
    async evaluate(questions, { name, onProgress } = {}) {
      const { id } = get(name ?? "built-in");
      if (questions.trim() === "")
        throw new Failure("query.invalid", "Give 1 to 10000 questions, one JSON object per line.");
      onProgress?.(1, "evaluated");
      const figures = { ndcg_10: 0.5, mrr: 0.25, recall_5: 0.75, recall_10: 1 };
      return {
        model: name ?? "built-in",
        model_id: id ?? "",
        questions: questions.trim().split("\n").length,
        unknown: ["gone"],
        modes: { keyword: figures, semantic: figures, hybrid: figures },
      };
    },
    progress: async () => null,
    removeAbandoned: async () => {},
    alarms: () => [],
  };
}
