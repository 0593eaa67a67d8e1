import type { Config } from "../../config/keys.ts";
import type { Catalogue } from "../../detection/fingerprints/catalogue.ts";
import type { Encoder } from "../../embedding/encoder.ts";
import type { NetworkSettings } from "../../net/client.ts";
import type { ParseContext } from "../record.ts";
import { loadBuiltInOrganisations, loadBuiltInProductNames } from "../taxonomy/packed.ts";
import { openLanguageModel } from "./language-model/engine.ts";
import { createLocalEngine } from "./local-engine.ts";
import type { StructureEngine } from "./types.ts";

export interface EngineOptions {
  readonly config: Config;
  readonly settings: Pick<NetworkSettings, "userAgent" | "proxy" | "extraCa">;
  readonly tools: ParseContext;
  readonly encoder: () => Promise<Encoder>;
  readonly catalogue: Catalogue;
  /** Told what was left out of a language model's answer, in one sentence. */
  readonly onNote: (note: string) => void;
}

/**
 * The engine that reads fields out of pages: our own, or a language model over it when one is configured.
 *
 * @throws Failure `config.invalid` when the model's address cannot be used
 */
export function openEngine(options: EngineOptions): { readonly engine: StructureEngine; readonly close: () => void } {
  const { config, settings, tools, encoder, catalogue, onNote } = options;
  const { industries, metrics, countries } = tools;
  const local = createLocalEngine({
    industries,
    metrics,
    countries,
    embed: async (texts) => (await encoder()).encode(texts, "passage"),
    toolNames: [
      ...[...catalogue.tools.values()].map(({ name, aliases = [] }) => ({ name, aliases })),
      ...loadBuiltInProductNames(),
    ],
    organisations: loadBuiltInOrganisations(),
  });
  const { url, model, apiKey, timeoutMs, maxPerHour } = config.languageModel;
  if (url === null) return { engine: local, close() {} };
  return openLanguageModel({ url, model, apiKey, timeoutMs, maxPerHour, ...settings }, { local, tools, onNote });
}
