import type { IndexWork } from "../casestudies/index/indexer.ts";
import type { CaseStudyRepository } from "../casestudies/repository.ts";
import type { SearchBackends } from "../casestudies/search/search-backend.ts";
import { errorCode, Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import { type AddOptions, addModel } from "../embedding/custom/add.ts";
import { removeModel } from "../embedding/custom/model-store.ts";
import { removeAbandoned } from "../embedding/custom/unfinished.ts";
import type { Encoder } from "../embedding/encoder.ts";
import { type AvailableModel, type AvailableModels, BUILT_IN } from "./available-models.ts";
import { type Evaluation, type EvaluationWork, evaluate, inMemoryIndex, parseQuestions } from "./evaluation.ts";
import type { ModelMigration } from "./migration.ts";
import type { SharedModels } from "./shared-models.ts";

export interface ModelEntry {
  /** `built-in` is the model included in Casefile. */
  readonly name: string;
  /**
   * `used`: searches use it. `next`: chosen; a new index is being built with it. `idle`: neither. `damaged`: its manifest
   * cannot be read, and the other fields are null.
   */
  readonly state: "used" | "next" | "idle" | "damaged";
  /** Changes whenever the vectors change. */
  readonly id: string | null;
  readonly description: string | null;
  readonly dimensions: number | null;
  /** Longer texts are cut. */
  readonly max_tokens: number | null;
  /** Total bytes of its files. */
  readonly size: number | null;
  readonly licence: string | null;
}

export interface NewModel extends Pick<AddOptions, "name" | "file" | "queryPrefix" | "passagePrefix"> {
  readonly dir: string;
}

export interface UsedModel {
  readonly model: ModelEntry;
  /** Case studies embedded by this call; null when nothing had to be done, or a service does it. */
  readonly embedded: number | null;
}

export interface ModelProgress {
  /** The model to switch to. */
  readonly model: string;
  /** Number of case studies embedded so far, and in total. */
  readonly embedded: number;
  readonly of: number;
}

export interface ModelService {
  /** The built-in model first, then custom models by name. */
  list(): Promise<readonly ModelEntry[]>;
  /** @throws Failure `model.invalid`, `model.conflict`, `store.unusable` */
  add(model: NewModel): Promise<ModelEntry>;
  /** @throws Failure `model.not_found`, `model.conflict` while it is in use or chosen */
  remove(name: string): Promise<void>;
  /**
   * Chooses a model. A running service then builds a new index in the background; if none is running, this call does
   * so, unless `inBackground` is set. Searches use the current model until then.
   *
   * @throws Failure `model.not_found`, `model.invalid`, `model.unavailable`
   */
  use(name: string, work?: IndexWork & { readonly inBackground?: boolean }): Promise<UsedModel>;
  /**
   * Evaluates search with judged queries, with any available model, without changing the current one.
   *
   * @param questions JSON lines of `{query, relevant}`
   * @throws Failure `query.invalid`, `model.not_found`, `model.invalid`
   */
  evaluate(questions: string, work?: EvaluationWork & { readonly name?: string | undefined }): Promise<Evaluation>;
  /** The migration running in this process; null if there is none. */
  progress(): Promise<ModelProgress | null>;
  /** Removes what killed processes left of models that they added, fetched or removed. Errors are reported. */
  removeAbandoned(): Promise<void>;
  /** Problems that need the operator. */
  alarms(): readonly string[];
}

export interface ModelServiceOptions {
  readonly caseStudies: CaseStudyRepository;
  readonly available: AvailableModels;
  readonly migration: ModelMigration;
  readonly backend: SearchBackends;
  readonly modelStore: string;
  readonly unpackDir: string;
  readonly inMemory: boolean;
  readonly builtIn: () => Promise<Encoder>;
  /** Other nodes get the models of this one; undefined where there are none. */
  readonly shared: Pick<SharedModels, "publish" | "has" | "remove" | "problem"> | undefined;
  readonly onError: (what: string, error: unknown) => void;
  /** Wakes the worker of a running service that maintains the index; returns whether there is one. */
  readonly wakeIndexWorker: () => boolean;
}

export function createModelService(parts: ModelServiceOptions): ModelService {
  const { caseStudies, available, migration, backend, modelStore, unpackDir } = parts;

  const stateOf = async () => {
    const [chosen, used] = await Promise.all([migration.chosenName(), backend.model()]);
    return ({ name, manifest }: Pick<AvailableModel, "name" | "manifest">): ModelEntry["state"] => {
      // Without an index, the chosen model is used for the first one.
      if (manifest.id === used || (used === undefined && name === chosen)) return "used";
      return name === chosen ? "next" : "idle";
    };
  };
  const entryOf = async (model: Pick<AvailableModel, "name" | "manifest">): Promise<ModelEntry> => ({
    name: model.name,
    state: (await stateOf())(model),
    id: model.manifest.id,
    description: model.manifest.description,
    dimensions: model.manifest.dimensions,
    max_tokens: model.manifest.max_tokens,
    size: model.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    licence: model.manifest.licence,
  });
  const assertOnDisk = () => {
    if (parts.inMemory) throw new Failure("store.unusable", "Custom models need a data directory.");
  };

  return {
    list: async () =>
      await Promise.all(
        (await available.list()).map((model) => ("manifest" in model ? entryOf(model) : damagedEntry(model.name))),
      ),

    async add({ dir, ...rest }) {
      assertOnDisk();
      if (rest.name === BUILT_IN)
        throw new Failure("model.conflict", "This is the name of the built-in model; choose another.");
      const manifest = await addModel(dir, { store: modelStore, unpackDir, ...rest });
      // A running service repeats it.
      await parts.shared
        ?.publish(manifest.name)
        .catch((error: unknown) => parts.onError(`sharing the model ${manifest.name} with the other nodes`, error));
      return await entryOf({ name: manifest.name, manifest });
    },

    async remove(name) {
      assertOnDisk();
      const found = (await available.list()).find((model) => model.name === name);
      if (!found && !(await parts.shared?.has(name)))
        throw new Failure(
          "model.not_found",
          `No model has the name ${quoted(name)}: list the models to see their names.`,
        );
      const isUsed = found && "manifest" in found && (await backend.model()) === found.manifest.id;
      if (name === BUILT_IN || isUsed || (await migration.chosenName()) === name)
        throw new Failure(
          "model.conflict",
          name === BUILT_IN
            ? "The built-in model cannot be removed."
            : "This model is in use. Use another model first, and wait until searches use it.",
        );
      await parts.shared?.remove(name);
      if (!found) return;
      await removeModel(modelStore, name).catch((error: unknown) => {
        // The service of this data directory may have removed it already.
        if (!parts.shared || errorCode(error) !== "ENOENT") throw error;
      });
    },

    async use(name, { inBackground = false, ...work } = {}) {
      assertOnDisk();
      const model = await available.get(name);
      await model.check();
      await migration.choose(name);
      const isDeferred = !(await migration.isComplete()) && (parts.wakeIndexWorker() || inBackground);
      const embedded = isDeferred ? null : ((await migration.migrate(work)) ?? null);
      return { model: await entryOf(model), embedded };
    },

    async evaluate(text, { name, ...work } = {}) {
      const questions = parseQuestions(text);
      const used = await backend.model();
      // Without an index, the chosen model is used for the first one.
      const wanted = name ?? (used === undefined ? await migration.chosenName() : undefined);
      const model = wanted === undefined ? await available.getById(used ?? "") : await available.get(wanted);
      const named = { model: model.name, model_id: model.manifest.id };
      if (name === undefined || model.manifest.id === used)
        return { ...named, ...(await evaluate(caseStudies, backend.use, questions, work)) };
      const encoder = model.builtIn ? await parts.builtIn() : await model.open();
      try {
        const measured = await backend.use(async ({ index }) => {
          const memoryIndex = await inMemoryIndex(caseStudies, encoder, index.keyword, work);
          return await evaluate(
            caseStudies,
            (ask) => ask({ index: memoryIndex, encoder: async () => encoder }),
            questions,
            work,
          );
        });
        return { ...named, ...measured };
      } finally {
        if (!model.builtIn) await encoder.close();
      }
    },

    async progress() {
      const progress = migration.progress();
      return progress && { ...progress, of: await caseStudies.count() };
    },
    async removeAbandoned() {
      if (parts.inMemory) return;
      await removeAbandoned(modelStore).catch((error: unknown) =>
        parts.onError("removing what was left of models", error),
      );
    },
    alarms() {
      const problem = parts.shared?.problem() ?? null;
      return [...migration.alarms(), ...(problem === null ? [] : [problem])];
    },
  };
}

const damagedEntry = (name: string): ModelEntry => ({
  name,
  state: "damaged",
  id: null,
  description: null,
  dimensions: null,
  max_tokens: null,
  size: null,
  licence: null,
});
