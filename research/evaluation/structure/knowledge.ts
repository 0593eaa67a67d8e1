import { createCountryParser } from "../../../src/casestudies/fields.ts";
import type { NameKnowledge } from "../../../src/casestudies/structure/client/candidates.ts";
import { createPlaces } from "../../../src/casestudies/structure/country.ts";
import { createKnownOrganisations } from "../../../src/casestudies/structure/industry.ts";
import { createToolIndex, type ToolName } from "../../../src/casestudies/structure/tools.ts";
import { loadBuiltInOrganisations, loadBuiltInProductNames } from "../../../src/casestudies/taxonomy/packed.ts";
import { loadBuiltInCatalogue } from "../../../src/detection/fingerprints/packed.ts";

/** The tools that the product looks for. */
export const loadToolNames = (): readonly ToolName[] => [
  ...[...loadBuiltInCatalogue().tools.values()].map(({ name, aliases = [] }) => ({ name, aliases })),
  ...loadBuiltInProductNames(),
];

/** What the product knows about names without reading the page. */
export function loadNameKnowledge(): NameKnowledge {
  const organisations = createKnownOrganisations(loadBuiltInOrganisations());
  return {
    isTool: createToolIndex(loadToolNames()).isTool,
    isPlace: createPlaces(createCountryParser()).isPlace,
    isOrganisation: (name) => organisations(name) !== undefined,
  };
}
