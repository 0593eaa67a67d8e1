import type { Fingerprint } from "../fingerprints/types.ts";

/**
 * Tool names that are everyday words or ambiguous abbreviations. In text, identifiers and file names they usually mean
 * something else, so only a rule of the catalogue may detect these tools.
 */
const COMMON_WORDS = new Set(
  (
    "ace acquire active adjust adopt advance affirm airbrake amp analytics apache aps array aspect atlas audience authority " +
    "aware aws azure bandwidth banner base basis batch beacon bill blocks blogger bold bolt boost bootstrap bounce box branch " +
    "breeze bridge brightcove buffer bundle buttons cache calendar canvas captcha cargo carousel cascade chain channel chat " +
    "chosen clarity click close cloud coherent cohesion comet compete concert concrete connect consent contact content context " +
    "convert cookie core counter criteria cursor dash data decide delighted delta deploy digest direct discover display docker " +
    "docs domain dot drift drone drop dub duo dynamic echo edge editor egress elastic ember engage enterprise events express " +
    "extend feedback fellow filter fingerprint fire flag flagship flash flow focus follow forge form forms foundation frame " +
    "frames front fusion future gallery gateway gem ghost glide global grow guide harness heap helix here hex highlight home " +
    "hooks hover human hybrid hype icons image images impact inbox indeed index inform insert insight insights instant intent " +
    "interact intercom iron isotope item items java join json july june kernel kit label layer lead leads leaflet lens less " +
    "level light lightbox linear link links lit live local locate login loop loops magic mail make map maps mark master match " +
    "material measured media medium mega menu mercury merge message meta metadata meter method metrics middleman mint mirror " +
    "mobile modal moment monitor motion name namely native navigator network news next node note notice notified notion nova " +
    "number object offers office one open optimise option options orb order outlet owner pace packet paddle page pages panel " +
    "paper parse partner path payload payment people permit phrase pilot piano pixel place placed planet platform play player " +
    "plus point polaris poll polls pool popup portal post poster power press prism privacy process profile progress prompt " +
    "proof prototype proxy public pulse push pusher python query quick quo quote radar rails raise rally ramp rank react reach " +
    "ready recharge refer reflect relay remarkable remote render reply report reputation request rest result retain revive " +
    "rise rocket route router rule safe sail sale sanity scalar scale scene schedule scout script search section secure seed " +
    "segment select sense sentry server service session share shield ship shop side signal simple singular site skeleton slab " +
    "slack slate slice slick slide slider smart snap snowflake social solid sonic source spark speed spider spin split spot " +
    "spring sprout square stack stage star start static statically status steady store stores story stream stripe style " +
    "subscribers suite summit super support surge survey swift switch sync system table tag tags talk target task team " +
    "template tempo terminal test text theme thread ticket tier time tiny title toast token toggle tool top touch tower trace " +
    "track trail transform trigger true trust tune type uniform unify unique upland user validate vault vector verify version " +
    "vertex video view virtual vision visual voice wave weave web wheel widget window wing wire word words work workflow yield " +
    "zone zoom"
  ).split(" "),
);

/** Tools by their {@link compactName}. */
export interface ToolsByName {
  get(name: string): Fingerprint | undefined;
  has(name: string): boolean;
  /** Whether a name may begin with these letters: a cheap test before an identifier is taken apart. */
  mayBegin(start: string): boolean;
}

/** Letters by which {@link ToolsByName.mayBegin} decides; no name is shorter. */
export const START_LENGTH = 4;

/** `Contact-Form 7` → `contactform7`, `require.js` and `RequireJS` → `requirejs`. */
export const compactName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9+]+/g, "");

/**
 * Names and aliases of tools by which a page may name them: without everyday words and names under four letters, and
 * without names that two tools share.
 */
export function toolsByName(tools: Iterable<Fingerprint>): ToolsByName {
  const found = new Map<string, Fingerprint | undefined>();
  for (const tool of tools) {
    for (const name of new Set([tool.name, ...(tool.aliases ?? [])].map(compactName))) {
      if (name.length < START_LENGTH || COMMON_WORDS.has(name)) continue;
      found.set(name, found.has(name) && found.get(name) !== tool ? undefined : tool);
    }
  }
  const starts = new Set([...found.keys()].map((name) => name.slice(0, START_LENGTH)));
  return {
    get: (name) => found.get(name),
    has: (name) => found.get(name) !== undefined,
    mayBegin: (start) => starts.has(start),
  };
}
