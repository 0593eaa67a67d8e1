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

/** The name of the model that comes with the program, whichever that is in this release. */
export const BUILT_IN = "built-in";

/** A model that can be chosen. */
export interface AvailableModel {
  readonly name: string;
  readonly builtIn: boolean;
  readonly manifest: Manifest;
  /** Reads every file and holds it against its hash. @throws Failure `model.invalid` */
  check(): Promise<void>;
  /** @throws Failure `model.invalid`, `model.unavailable` */
  open(): Promise<Encoder>;
}

export interface AvailableModels {
  /** The built-in one first; one whose manifest is damaged is told by name alone. */
  list(): Promise<readonly (AvailableModel | { readonly name: string })[]>;
  /** @throws Failure `model.not_found`, `model.invalid` */
  get(name: string): Promise<AvailableModel>;
  /** The one whose vectors an index has. @throws Failure `model.invalid` when it is not here any more */
  getById(id: string): Promise<AvailableModel>;
  readonly builtIn: AvailableModel;
}

/** The built-in model and those on the user's shelf, a folder. */
export function createAvailableModels(shelf: string, unpackDir: string): AvailableModels {
  const builtIn: AvailableModel = {
    name: BUILT_IN,
    builtIn: true,
    manifest: BUILT_IN_MANIFEST,
    check: async () => {},
    open: () => openBuiltInEncoder({ unpackDir }),
  };
  const ofShelf = (model: CustomModel): AvailableModel => ({
    name: model.name,
    builtIn: false,
    manifest: model.manifest,
    check: () => checkModel(shelf, model),
    open: () => openCustomModel(shelf, model, unpackDir),
  });
  const list = async (): ReturnType<AvailableModels["list"]> => [
    builtIn,
    ...(await listModels(shelf)).map((model) => ("manifest" in model ? ofShelf(model) : model)),
  ];
  return {
    builtIn,
    list,
    get: async (name) => (name === BUILT_IN ? builtIn : ofShelf(await getModel(shelf, name))),
    async getById(id) {
      for (const model of await list()) if ("manifest" in model && model.manifest.id === id) return model;
      throw new Failure(
        "model.invalid",
        "The model of the search index is not here any more; start the service, or run: casefile reindex.",
      );
    },
  };
}
