import { BUILT_IN_MANIFEST, openBuiltInEncoder } from "../../embed/built-in.ts";
import type { Encoder } from "../../embed/encoder.ts";
import type { Manifest } from "../../embed/manifest.ts";
import { checkModel, getModel, listModels, openShelved, type ShelvedModel } from "../../embed/own/shelf.ts";
import { Failure } from "../../vocabulary/failure.ts";

/** The name of the model that comes with the program, whichever that is in this release. */
export const BUILT_IN = "built-in";

/** A model that can be chosen. */
export interface KnownModel {
  readonly name: string;
  readonly builtIn: boolean;
  readonly manifest: Manifest;
  /** Reads every file and holds it against its hash. @throws Failure `model.invalid` */
  check(): Promise<void>;
  /** @throws Failure `model.invalid`, `model.unavailable` */
  open(): Promise<Encoder>;
}

export interface KnownModels {
  /** The built-in one first; one whose manifest is damaged is told by name alone. */
  list(): Promise<readonly (KnownModel | { readonly name: string })[]>;
  /** @throws Failure `model.not_found`, `model.invalid` */
  get(name: string): Promise<KnownModel>;
  /** The one whose vectors an index has. @throws Failure `model.invalid` when it is not here any more */
  getById(id: string): Promise<KnownModel>;
  readonly builtIn: KnownModel;
}

/** The built-in model and those on the user's shelf, a folder. */
export function knownModels(shelf: string, unpackDir: string): KnownModels {
  const builtIn: KnownModel = {
    name: BUILT_IN,
    builtIn: true,
    manifest: BUILT_IN_MANIFEST,
    check: async () => {},
    open: () => openBuiltInEncoder({ unpackDir }),
  };
  const ofShelf = (model: ShelvedModel): KnownModel => {
    const check = () => orChanged(checkModel(shelf, model), model.name);
    return {
      name: model.name,
      builtIn: false,
      manifest: model.manifest,
      check,
      open: () =>
        openShelved(shelf, model, unpackDir).catch(async (error) => {
          // Changed files come first: what else is wrong follows from them.
          await check();
          throw error;
        }),
    };
  };
  const list = async (): ReturnType<KnownModels["list"]> => [
    builtIn,
    ...(await listModels(shelf)).map((model) => ("manifest" in model ? ofShelf(model) : model)),
  ];
  return {
    builtIn,
    list,
    get: async (name) => (name === BUILT_IN ? builtIn : ofShelf(await orChanged(getModel(shelf, name), name))),
    async getById(id) {
      for (const model of await list()) if ("manifest" in model && model.manifest.id === id) return model;
      throw new Failure(
        "model.invalid",
        "The model of the search index is not here any more; start the service, or run: casefile reindex.",
      );
    },
  };
}

/** A model that is used is not removed, so who finds it changed uses another first. */
async function orChanged<T>(reading: Promise<T>, name: string): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "model.invalid") throw error;
    const remedy = `use another (casefile model use ${BUILT_IN}), then remove it and add it again`;
    const advice = `The files of the model ${name} are not the ones that were added; ${remedy}.`;
    throw new Failure(error.code, advice, error.details);
  }
}
