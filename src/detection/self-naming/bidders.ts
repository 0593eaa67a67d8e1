/** A company that a page asks for bids, by the code that header bidding has for it. */
export interface Bidder {
  /** Compact name of the tool in the catalogue. */
  readonly tool: string;
  readonly at: number;
  readonly length: number;
}

/** Codes that are neither the company's name nor one of its other names. Source: the list of bidders of Prebid.js. */
const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    aol: "yahoossp",
    adagio: "adagio",
    audiencenetwork: "metaaudiencenetwork",
    conversant: "epsilon",
    emx_digital: "emxdigital",
    emxdigital: "emxdigital",
    eplanning: "eplanning",
    ix: "indexexchange",
    improvedigital: "improvedigital",
    indexexchange: "indexexchange",
    lijit: "sovrn",
    medianet: "medianet",
    onemobile: "yahoossp",
    onevideo: "yahoossp",
    onedisplay: "yahoossp",
    openx: "openx",
    pulsepoint: "pulsepoint",
    pulsepointlite: "pulsepoint",
    richaudience: "richaudience",
    rtbhouse: "rtbhouse",
    rubicon: "magnite",
    rubiconlite: "magnite",
    smartadserver: "equativ",
    sovrn: "sovrn",
    spotx: "magnite",
    stroeercore: "stroeerdigital",
    telaria: "magnite",
    tremor: "magnite",
    ttd: "thetradedesk",
    yahooads: "yahoossp",
    yahoossp: "yahoossp",
    "33across": "33across",
    "33acrosslite": "33across",
  }),
);
const CODE = /\bbidder(?:_?code)?\\?["']?\s{0,4}[:=]\s{0,4}\\?["'`]([a-z0-9_]{2,30})\\?["'`]/gi;
/** Pages repeat a few bidders for each of their positions. */
const MAX_READ = 1_000;

export function biddersIn(text: string): Bidder[] {
  const found = new Map<string, Bidder>();
  if (!text.includes("bidder")) return [];
  for (const { 0: written, 1: code = "", index } of text.matchAll(CODE).take(MAX_READ)) {
    const tool = CODES.get(code.toLowerCase());
    if (tool !== undefined && !found.has(tool)) found.set(tool, { tool, at: index, length: written.length });
  }
  return [...found.values()];
}
