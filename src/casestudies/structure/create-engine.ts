import type { NetworkSettings } from "../../net/client.ts";
import type { ParseContext } from "../record.ts";
import { loadBuiltInCities, loadBuiltInOrganisations, loadBuiltInProductNames } from "../taxonomy/packed.ts";
import type { Embed } from "./industry.ts";
import { type LanguageModelEndpoint, openLanguageModel } from "./language-model/engine.ts";
import type { AskModel } from "./language-model/model-client.ts";
import { createLocalEngine } from "./local-engine.ts";
import type { ToolName } from "./tools.ts";
import type { StructureEngine } from "./types.ts";

interface StructureEngineOptions {
  readonly context: ParseContext;
  /** Tools of the catalogue; products that are not in it are added. */
  readonly toolNames: readonly ToolName[];
  readonly embed: Embed;
  /** Null to use the local engine alone. */
  readonly languageModel: LanguageModelEndpoint | null;
  readonly network: Pick<NetworkSettings, "userAgent" | "proxy" | "extraCa">;
  /** Receives one sentence for each part of a language model's answer that was rejected. */
  readonly onNote: (note: string) => void;
}

/**
 * The engine that reads the fields of a page: the local one, or a language model on top of the local one when one is configured.
 *
 * @throws Failure `config.invalid` when the model's address cannot be used
 */
export function createStructureEngine({
  context,
  toolNames,
  embed,
  languageModel,
  network,
  onNote,
}: StructureEngineOptions): {
  readonly engine: StructureEngine;
  /** Requests nothing. */
  readonly local: StructureEngine;
  /** Sends another prompt to the language model, within the same limits; null without one. */
  readonly ask: AskModel | null;
  readonly close: () => void;
} {
  const local = createLocalEngine({
    ...context,
    embed,
    toolNames: [...toolNames, ...loadBuiltInProductNames()],
    organisations: loadBuiltInOrganisations(),
    cities: loadBuiltInCities(),
  });
  if (languageModel === null) return { engine: local, local, ask: null, close() {} };
  return { ...openLanguageModel({ ...languageModel, ...network }, { local, context, onNote }), local };
}
