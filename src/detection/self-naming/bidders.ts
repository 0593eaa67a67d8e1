/** A company that a page asks for bids, identities or data, by the code that header bidding has for it. */
export interface Bidder {
  /** The name of the tool, in the catalogue or in the list of third parties. */
  readonly name: string;
  readonly at: number;
  readonly length: number;
}

/**
 * Codes of bidders that are neither the company's name in the catalogue nor one of its other names, in lower case. Source:
 * the documentation of the adapters of Prebid.js.
 */
const BIDDERS = `
Xandr|appnexusast xhb
Yahoo SSP|aol onemobile onevideo onedisplay yahooads yahoossp yahooadvertising verizonmedia brightroll
Adagio|adagio
TrustX|trustx
Roundel|roundel
Meta Audience Network|audiencenetwork
Epsilon|conversant
EMX Digital|emx_digital emxdigital
E-Planning|eplanning
Index Exchange|ix indexexchange
Improve Digital|improvedigital
Sovrn|sovrn lijit
Media.net|medianet
OpenX|openx openxrtb
PulsePoint|pulsepoint pulsepointlite
Rich Audience|richaudience
RTB House|rtbhouse
Magnite|rubicon rubiconlite spotx telaria tremor magnite
Equativ|smartadserver
Stroeer Digital|stroeercore
The Trade Desk|ttd
33Across|33across 33acrosslite
Adform|adf adform adformopenrtb
Unruly|unruly
Undertone|undertone
District M|districtm districtmdmx dmx
Nobid|nobid
AMX RTB|amx
AdUp Technology|aduptech
C-WIRE|cwire
TheMediaGrid|grid gridnm themediagrid
Kueez|kueez kueezrtb
OFT Media|oftmedia
Orbidder|orbidder
OpenWeb|openweb openwebbid
The Ozone Project|ozone
Proxistore|proxistore
Rise|rise risexchange
smartclip|smartx smartclip
Wirtualna Polska|sspbc
Geniee|ssp_geniee
The ADX|theadx
ucfunnel|ucfunnel
Between Digital|between
Colossus SSP|colossusssp
Concert|concert
CPMStar|cpmstar
DSPx|dspx stv
Synacor|synacormedia imds
Jixie|jixie
LockerDome|lockerdome decide
LOGLY|loglylift
madvertise|madvertise
Marsmedia|marsmedia
MobFox|mobfox mobfoxpb
Next Millennium Media|nextmillennium
Nexx360|nexx360
PixFuture|pixfuture
PubWise|pubwise
Apacdex|apacdex quantumdex
ValueImpression|valueimpression
ReklamStore|reklamstore
ShowHeroes|showheroes-bs showheroesbs
Sublime|sublime
Temedya|temedya
VideoReach|videoreach
Hybrid|hybrid vox
Zeta DSP|zeta_global zeta_global_ssp zetaglobalssp
Adman|adman
Adtarget.com.tr|adtarget
Ampliffy|ampliffy
AAX|aax
AJA|aja
Blue Billywig|bluebillywig
ClickForce|clickforce
CodeFuel|codefuel
CraftAd|craft
Dailyhunt|dailyhunt
Datablocks|datablocks
FeedAd|feedad
FreeWheel|freewheel freewheel-ssp freewheelssp
GMO SSP|gmossp
GrowAds|growadvertising
IncrementX|incrx incrementx
Invamia|invamia
IQzone|iqzone
Sparteo|sparteo
Adot|adot
Ablida|ablida
Adhese|adhese
Adquery|adquery
Axonix|axonix
AstraOne|astraone
AudienceRun|audiencerun
Bidglass|bidglass
BidsCube|bidscube
Boldwin|boldwin
Bridgewell|bridgewell
Cointraffic|cointraffic
ConceptX|conceptx
Content Exchange|contentexchange
Digital Caramel|digitalcaramel
Engerio|engerio
Gjirafa|gjirafa malltv
Greenbids|greenbids
Inskin Media|inskin
Kimberlite|kimberlite
Kobler|kobler
Krushmedia|krushmedia
Lemma|lemmadigital
Mathilde Ads|mathildeads
MediaBrama|mediabrama
Nativo|nativo ntv
Onomagic|onomagic
Optimera|optimera
Performax|performax
PGAM Media|pgamssp
PubX.ai|pubx
Reach Digital|reachplc
Reset Digital|resetdigital
Sape|rtbsape sape
nativendo|seedingalliance seeding_alliance
Shinez|shinez shinezrtb
SmartHub|smarthub
SmartyTech|smartytech
Spoutable|spoutable
Tagoras|tagoras
TapNative|tapnative
Verben|verben
VideoHeroes|videoheroes
Videonow|videonow
Visible Measures|visiblemeasures
Yandex Direct|yandex
YieldLift|yieldlift yieldliftbid
YOC|yoc visx
YieldOne|yieldone
AdPartner|adpartner
Adrino|adrino
Alkimi|alkimi
Bright Mountain Media|bmtm brightmountainmedia
Bucksense|bucksense
Waytogrow|wtg
OptOut Advertising|optoutadvertising
Qwarry|qwarry
Relaido|relaido
SSMAS|ssmas
Sonar Ads|sonar_ads
Unicorn|unicorn
AppStock|appstockssp
Gamoshi|gamoshi cleanmedianet
Project Agora|projectagora projectagoraprebid
`;

/** Codes of the modules that find the identity of a visitor. */
const IDENTITIES = `
ID5|id5id
The Trade Desk|unifiedid
SharedID|sharedid pubcommonid pubcid
Criteo|criteo
LiveRamp|identitylink
LiveIntent|liveintentid
Parrable|parrableid
BritePool|britepoolid
Zeotap|zeotapidplus
Quantcast|quantcastid
Merkle|merkleid
netID|netid
Unified ID 2.0|uid2
European Unified ID|euid
Neustar|fabrickid
Hadron ID|hadronid haloid
Lotame|lotamepanoramaid
Yahoo ConnectID|connectid verizonmediaid
33Across|33acrossid
Flashtalking|ftrack ftrackid
Intent IQ|intentiqid
Novatiq|novatiq
Admixer|admixerid
DeepIntent|deepintentid
GrowthCode|growthcodeid
Gravito|gravitompid
Intimate Merger|imuid
MediaWallah|mwopenlinkid
Navegg|naveggid
Epsilon|publinkid
Adquery|qid
Tapad|tapadid
Teads|teadsid
Utiq|utiq utiqid utiqmtpid
AMX RTB|amxid
Adtelligent|adtelligent
CPEx|czechadid
Permutive|permutiveidentitymanagerid
Anonymised|idwardid anonymised
`;

/** Codes of the modules that add data to a request. */
const DATA = `
Permutive|permutive
Browsi|browsi
JW Player|jwplayer
Hadron ID|hadron
Sirdata|sirdatartdmodule
Confiant|confiant
GeoEdge|geoedge
Weborama|weborama
AirGrid|airgrid
1plusX|1plusx
Greenbids|greenbids
BlueConic|blueconic
Media.net|medianet
Anonymised|anonymised
Qortex|qortex
Adloox|adloox
AAX|aaxblockmeter
Integral Ad Science|ias iasrtd
`;

/** Codes of the modules that measure auctions. */
const MEASUREMENT = `
Magnite|rubicon magnite
PubMatic|pubmatic
Adagio|adagio
PubX.ai|pubxai
agma|agma
Finteza|finteza
Greenbids|greenbids
Livewrapped|livewrapped
ID5|id5analytics
LiveRamp|atsanalytics
YuktaMedia|yuktamedia
Media.net|medianetanalytics
Marsmedia|marsmedia
adxcg|adxcg
Pubstack|pubstack
Sovrn|sovrn
Sonobi|sonobi
Roxot|roxot
Browsi|browsi
`;

const namesByCode = (table: string): ReadonlyMap<string, string> =>
  new Map(
    table
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [name = "", codes = ""] = line.split("|");
        return codes.split(" ").map((code) => [code, name] as const);
      }),
  );

const QUOTED = String.raw`\\?["'\u0060]([A-Za-z0-9_.-]{2,40})\\?["'\u0060]`;
const ADAPTER = new RegExp(String.raw`\bbidder(?:_?code)?\\?["']?\s{0,4}[:=]\s{0,4}${QUOTED}`, "gi");
/** A list or an object that begins after the expression; codes are read in what follows, up to its end. */
const LISTS = [
  {
    names: namesByCode(BIDDERS),
    word: "bidders",
    start: /\bbidders\\?["']?\s{0,4}[:=]\s{0,4}\[/g,
    within: 600,
    end: "]",
    key: "",
  },
  {
    names: namesByCode(IDENTITIES),
    word: "userIds",
    start: /\buserIds\\?["']?\s{0,4}[:=]\s{0,4}\[/g,
    within: 6_000,
    end: "",
    key: "name",
  },
  {
    names: namesByCode(DATA),
    word: "dataProviders",
    start: /\bdataProviders\\?["']?\s{0,4}[:=]\s{0,4}\[/g,
    within: 3_000,
    end: "",
    key: "name",
  },
  {
    names: namesByCode(MEASUREMENT),
    word: "enableAnalytics",
    start: /\benableAnalytics\(/g,
    within: 600,
    end: ")",
    key: "provider",
  },
] as const;
const NAMES = LISTS[0].names;
const WORD = new RegExp(QUOTED, "g");
const KEYS = {
  name: new RegExp(String.raw`\bname\\?["']?\s{0,4}:\s{0,4}${QUOTED}`, "g"),
  provider: new RegExp(String.raw`\bprovider\\?["']?\s{0,4}:\s{0,4}${QUOTED}`, "g"),
} as const;
/** Pages repeat a few bidders for each of their positions. */
const MAX_READ = 1_000;
/** Lists of one kind on a page. */
const MAX_LISTS = 20;

export function biddersIn(text: string): Bidder[] {
  const found = new Map<string, Bidder>();
  const add = (name: string | undefined, at: number, length: number) => {
    if (name !== undefined && !found.has(name)) found.set(name, { name, at, length });
  };
  if (text.includes("bidder"))
    for (const { 0: written, 1: code = "", index } of text.matchAll(ADAPTER).take(MAX_READ))
      add(NAMES.get(code.toLowerCase()), index, written.length);
  for (const { names, word, start, within, end, key } of LISTS) {
    if (!text.includes(word)) continue;
    for (const { 0: written, index } of text.matchAll(start).take(MAX_LISTS)) {
      const from = index + written.length;
      const room = text.slice(from, from + within);
      const close = end === "" ? -1 : room.indexOf(end);
      const list = close < 0 ? room : room.slice(0, close);
      for (const { 0: one, 1: code = "", index: at } of list.matchAll(key === "" ? WORD : KEYS[key]))
        add(names.get(code.toLowerCase()), from + at, one.length);
    }
  }
  return [...found.values()];
}
