import { Failure } from "../core/errors.ts";
import { BUILT_IN_MANIFEST, openBuiltInEncoder } from "../embedding/built-in.ts";
import {
  type CustomModel,
  checkModel,
  getModel,
  listModels,
  openCustomModel,
} from "../embedding/custom/model-store.ts";
import type { Encoder } from "../embedding/encoder.ts";
import type { Manifest } from "../embedding/manifest.ts";

/** Name of the built-in model in every release. */
export const BUILT_IN = "built-in";

/** A model that searches can use. */
export interface AvailableModel {
  readonly name: string;
  readonly builtIn: boolean;
  readonly manifest: Manifest;
  /** Verifies the hash of every file. @throws Failure `model.invalid` */
  check(): Promise<void>;
  /** @throws Failure `model.invalid`, `model.unavailable` */
  open(): Promise<Encoder>;
}

export interface AvailableModels {
  /** The built-in model first. A model with a damaged manifest is listed by its name alone. */
  list(): Promise<readonly (AvailableModel | { readonly name: string })[]>;
  /** @throws Failure `model.not_found`, `model.invalid` */
  get(name: string): Promise<AvailableModel>;
  /** The model with this manifest id. @throws Failure `model.invalid` when it was removed */
  getById(id: string): Promise<AvailableModel>;
  readonly builtIn: AvailableModel;
}

/** @param store folder of the custom models */
export function createAvailableModels(store: string, unpackDir: string): AvailableModels {
  const builtIn: AvailableModel = {
    name: BUILT_IN,
    builtIn: true,
    manifest: BUILT_IN_MANIFEST,
    check: async () => {},
    open: () => openBuiltInEncoder({ unpackDir }),
  };
  const custom = (model: CustomModel): AvailableModel => ({
    name: model.name,
    builtIn: false,
    manifest: model.manifest,
    check: () => checkModel(store, model),
    open: () => openCustomModel(store, model, unpackDir),
  });
  const list = async (): ReturnType<AvailableModels["list"]> => [
    builtIn,
    ...(await listModels(store)).map((model) => ("manifest" in model ? custom(model) : model)),
  ];
  return {
    builtIn,
    list,
    get: async (name) => (name === BUILT_IN ? builtIn : custom(await getModel(store, name))),
    async getById(id) {
      for (const model of await list()) if ("manifest" in model && model.manifest.id === id) return model;
      throw new Failure(
        "model.invalid",
        "The model of the search index was removed; start the service, or run: casefile reindex.",
      );
    },
  };
}
