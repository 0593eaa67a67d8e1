import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Encoder } from "../embed/encoder.ts";
import type { StudyTools } from "../studies/record.ts";
import type { StructureEngine } from "../studies/structure/engine.ts";
import { createLocalEngine } from "../studies/structure/local-engine.ts";

export interface EngineOptions {
  readonly tools: StudyTools;
  readonly encoder: () => Promise<Encoder>;
  readonly catalogue: Catalogue;
}

/** The engine that reads fields out of pages. */
export async function openEngine({ tools, encoder, catalogue }: EngineOptions): Promise<StructureEngine> {
  const { industries, metrics, countries } = tools;
  const opened = await encoder();
  return createLocalEngine({
    industries,
    metrics,
    countries,
    embed: (texts) => opened.encode(texts, "passage"),
    toolNames: [...catalogue.tools.values()].map(({ name, aliases = [] }) => ({ name, aliases })),
  });
}
