import type { IndexWork } from "../casestudies/index/indexer.ts";
import { Failure } from "../core/errors.ts";
import { type AddOptions, addModel } from "../embedding/custom/add.ts";
import { removeModel } from "../embedding/custom/model-store.ts";
import type { Encoder } from "../embedding/encoder.ts";
import type { Store } from "../store.ts";
import { type AvailableModel, type AvailableModels, BUILT_IN } from "./available-models.ts";
import { type Evaluation, type EvaluationWork, evaluate, inMemoryIndex, parseQuestions } from "./evaluation.ts";
import type { ModelMigration } from "./migration.ts";
import type { SearchBackends } from "./search-backend.ts";

export interface ModelEntry {
  /** What it is called; `built-in` comes with the program. */
  readonly name: string;
  /**
   * `used`: searches go by its vectors. `next`: chosen, and everything is embedded with it. `idle`: neither. `damaged`:
   * it cannot be read; the rest is null then.
   */
  readonly state: "used" | "next" | "idle" | "damaged";
  /** Changes whenever its vectors would. */
  readonly id: string | null;
  readonly description: string | null;
  readonly dimensions: number | null;
  /** Longer texts are cut. */
  readonly max_tokens: number | null;
  /** Bytes of all its files. */
  readonly size: number | null;
  readonly licence: string | null;
}

export interface NewModel extends Pick<AddOptions, "name" | "file" | "queryPrefix" | "passagePrefix"> {
  readonly dir: string;
}

export interface UsedModel {
  readonly model: ModelEntry;
  /** Case studies that were embedded here and now; null when that was not to be done, or is left to a service. */
  readonly embedded: number | null;
}

export interface ModelProgress {
  /** The one that takes over when it is done. */
  readonly model: string;
  /** Case studies so far, and all of them. */
  readonly embedded: number;
  readonly of: number;
}

export interface ModelService {
  /** The built-in one first, then the user's by name. */
  list(): Promise<readonly ModelEntry[]>;
  /** @throws Failure `model.invalid`, `model.conflict`, `store.unusable` */
  add(model: NewModel): Promise<ModelEntry>;
  /** @throws Failure `model.not_found`, `model.conflict` while it is used or chosen */
  remove(name: string): Promise<void>;
  /**
   * Chooses a model. A running service embeds everything with it by itself; where none runs it is done before this
   * returns, unless `leave` says that nobody is to wait. Searches go on with the former one until then.
   *
   * @throws Failure `model.not_found`, `model.invalid`, `model.unavailable`
   */
  use(name: string, work?: IndexWork & { readonly leave?: boolean }): Promise<UsedModel>;
  /**
   * Measures searches by questions whose answers are known, with any model that is here; what is used is not changed.
   *
   * @param questions JSON lines of `{query, relevant}`
   * @throws Failure `query.invalid`, `model.not_found`, `model.invalid`
   */
  evaluate(questions: string, work?: EvaluationWork & { readonly name?: string }): Promise<Evaluation>;
  /** How far everything is embedded anew by this process; null when nothing is, or when another process does it. */
  progress(): Promise<ModelProgress | null>;
  /** What the operator should look at. */
  alarms(): readonly string[];
}

export interface ModelParts {
  readonly store: Store;
  readonly known: AvailableModels;
  readonly switching: ModelMigration;
  readonly answering: SearchBackends;
  readonly shelf: string;
  readonly unpackDir: string;
  readonly inMemory: boolean;
  readonly builtIn: () => Promise<Encoder>;
  /** Leaves the work to a service and answers whether there is one. */
  readonly leave: () => boolean;
}

export function createModelService(parts: ModelParts): ModelService {
  const { store, known, switching, answering, shelf, unpackDir } = parts;

  const stateOf = async () => {
    const [chosen, used] = await Promise.all([switching.chosenName(), answering.model()]);
    return ({ name, manifest }: Pick<AvailableModel, "name" | "manifest">): ModelEntry["state"] => {
      // Without an index the chosen one is what the first one is made with.
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
  const onDisk = () => {
    if (parts.inMemory) throw new Failure("store.unusable", "Models are kept in a data directory only.");
  };

  return {
    list: async () =>
      await Promise.all(
        (await known.list()).map((model) => ("manifest" in model ? entryOf(model) : damagedEntry(model.name))),
      ),

    async add({ dir, ...rest }) {
      onDisk();
      if (rest.name === BUILT_IN)
        throw new Failure("model.conflict", "The model of the program has this name; give another.");
      const manifest = await addModel(dir, { store: shelf, unpackDir, ...rest });
      return await entryOf({ name: manifest.name, manifest });
    },

    async remove(name) {
      onDisk();
      const found = (await known.list()).find((model) => model.name === name);
      if (!found) throw new Failure("model.not_found", "There is no model of this name; list the models to find it.");
      const isUsed = "manifest" in found && (await answering.model()) === found.manifest.id;
      if (name === BUILT_IN || isUsed || (await switching.chosenName()) === name)
        throw new Failure(
          "model.conflict",
          name === BUILT_IN
            ? "This model is part of the program and stays."
            : "This model is used; use another first, and wait until that one has taken over.",
        );
      await removeModel(shelf, name);
    },

    async use(name, { leave = false, ...work } = {}) {
      onDisk();
      const model = await known.get(name);
      await model.check();
      await switching.choose(name);
      const isLeft = !(await switching.isThere()) && (parts.leave() || leave);
      const embedded = isLeft ? null : ((await switching.follow(work)) ?? null);
      return { model: await entryOf(model), embedded };
    },

    async evaluate(text, { name, ...work } = {}) {
      const questions = parseQuestions(text);
      const used = await answering.model();
      // Without an index the chosen one is what the first one is made with.
      const wanted = name ?? (used === undefined ? await switching.chosenName() : undefined);
      const model = wanted === undefined ? await known.getById(used ?? "") : await known.get(wanted);
      const named = { model: model.name, model_id: model.manifest.id };
      if (name === undefined || model.manifest.id === used)
        return { ...named, ...(await evaluate(store, answering.lend, questions, work)) };
      const encoder = model.builtIn ? await parts.builtIn() : await model.open();
      try {
        const measured = await answering.lend(async ({ index }) => {
          const nearby = await inMemoryIndex(store, encoder, index.keyword, work);
          return await evaluate(store, (ask) => ask({ index: nearby, encoder: async () => encoder }), questions, work);
        });
        return { ...named, ...measured };
      } finally {
        if (!model.builtIn) await encoder.close();
      }
    },

    async progress() {
      const progress = switching.progress();
      return progress && { ...progress, of: await store.caseStudies.count() };
    },
    alarms: switching.alarms,
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
