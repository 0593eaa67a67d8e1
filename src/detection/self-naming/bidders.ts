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
Meta Audience Network|audiencenetwork facebook
Epsilon|conversant
EMX Digital|emx_digital emxdigital cadent_aperture_mx cadentaperturemx
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
PubWise|pubwise pwbid
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
FreeWheel|freewheel freewheel-ssp freewheelssp fwssp
GMO SSP|gmossp
GrowAds|growadvertising growads
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
PGAM Media|pgamssp pgamdirect
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
OptOut Advertising|optoutadvertising optout
Qwarry|qwarry
Relaido|relaido
SSMAS|ssmas
Sonar Ads|sonar_ads
Unicorn|unicorn
AppStock|appstockssp
Gamoshi|gamoshi cleanmedianet
Project Agora|projectagora projectagoraprebid
360PlayVid|360playvid
AdBook PSP|adbookpsp
AdHash|adhash
Admaru|admaru
AdPrime|adprime
AdRelevantis|adrelevantis
Ads Interactive|adsinteractive ads_interactive
AdTarget.me|adtrgtme
AdTrue|adtrue
Advangelists|advangelists
adxcg|adxcg
AdxPremium|adxpremium
Akcelo|akcelo
AppPush|appush
Adserver.Online|aso
Axis Marketplace|axis
AndBeyond.Media|beyondmedia
BizzClick|bizzclick
C1X|c1x
Clickonometrics|ccx
Colombia|colombia
Consumable|consumable
Copper6|copper6ssp
Dailymotion|dailymotion
Datawrkz|datawrkz
DecenterAds|decenterads
Digital Matter|digitalmatter
display.io|displayio
Doceree|doceree docereeadmanager
eHealthcare Solutions|ehealthcaresolutions
Epom|epom_dsp
Finative|finative
GammaSSP|gammassp
GothamAds|gothamads
H12 Media|h12media
Huddled Masses|huddledmasses
HypeLab|hypelab
Inmar OwnerIQ|inmar
Interactive Offers|interactiveoffers
KiviAds|kiviads lm_kiviads
Kubient|kubient
Project Limelight|limelightdigital
LuponMedia|luponmedia
MediaForce|mediaforce
Mediafuse|mediafuse
Mediakeys|mediakeys
Mediasniper|mediasniper
MobileFuse|mobilefuse
Mobkoi|mobkoi
my6sense|my6sense
NewsPassID|newspassid
OPEN8|open8
Opera Ads|opera operaads
Orbitsoft|orbitsoft
OTM|otm
Pangle|pangle
PilotX|pilotx
Playdigo|playdigo
Primis|sekindoum
ProgrammaticX|programmaticx
Publir|publir
Pubrise|pubrise
RediAds|rediads
ResponsiveAds|responsiveads
RetailSpot|retailspot
Ring Publishing|ringieraxelspringer
Rumble|rumble
Selectmedia|selectmedia
Sevio|sevio
SilverMob|silvermob
Silverpush|silverpush
Startio|startio
STN Video|stn
Storygize|storygize
TPMN|tpmn
Underdog Media|underdogmedia
VideoByte|videobyte
Vrtcal|vrtcal
YuMe|yume
zMaticoo|zmaticoo
Carambola|carambola
Fidelity Media|fidelity
Adomik|adomik
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
Utiq|utiq utiqid utiqmtpid trustpid utiqmtmid
AMX RTB|amxid
Adtelligent|adtelligent adtelligentid
CPEx|czechadid
Permutive|permutiveidentitymanagerid
Anonymised|idwardid anonymised
Kinesso|kpuid
TNCID|tncid
AdRiver|adriverid
DigiTrust|digitrust
MGID|mgidid
AdRoll|nextrollid
JustId|justid
MyGaru|mygaruid
Rewarded Interest|rewardedinterestid
OneKey|onekeydata
AdPlus|adplusid
Nativo|nativo
lockr|lockraimid
Symitri|symitriid
Gemius|gemiusid
Optable|optableid
Mobkoi|mobkoiid
Startio|startioid
Tercept|terceptid
Opera Ads|operaid
AJA|ajaid
`;

/** Codes of the modules that add data to a request. */
const DATA = `
Permutive|permutive
Browsi|browsi
JW Player|jwplayer
Hadron ID|hadron
Sirdata|sirdatartdmodule sirdatartdprovider
Confiant|confiant
GeoEdge|geoedge
Weborama|weborama
AirGrid|airgrid
1plusX|1plusx
Greenbids|greenbids greenbidsrtdprovider
BlueConic|blueconic
Media.net|medianet
Anonymised|anonymised
Qortex|qortex
Adloox|adloox
AAX|aaxblockmeter
Integral Ad Science|ias iasrtd
Akamai|akamaidap
Captify|captify
Neuwo|neuwo neuwortdmodule
Oxxion|oxxion oxxionrtd
Relevad|relevadrtdmodule
Adagio|adagio adagiortdprovider
ArcSpan|arcspan
Azerion|azerionedge
Brand Metrics|brandmetrics
HUMAN Malvertising Defense|cleanio humansecurity
The Media Trust|mediafilter
Contxtful|contxtful
DoubleVerify|doubleverify
GrowthCode|growthcodertd
Optable|optable
PubX.ai|pubxai
Rayn|raynrtd
Scope3|scope3
Zeotap|zeotap
Mobian|mobian mobianrtd
Adnuntius|adnuntius
Symitri|symitridap
Nodals|nodalsai
MGID|mgid
ID5|id5analytics
`;

/** Codes of the modules that measure auctions. */
const MEASUREMENT = `
Magnite|rubicon magnite
PubMatic|pubmatic
Adagio|adagio
PubX.ai|pubxai
agma|agma
Finteza|finteza fintezaanalytics
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
AdWMG|adwmg
AsterioBid|asteriobid
Automatad|automatadanalytics
ByData|bydata
Concert|concert
Audigent|hadronanalytics
Invisibly|invisiblyanalytics
Intent IQ|iiqanalytics
Konduit|konduit
Nobid|nobid nobidanalytics
Novatiq|novatiq
oolo|ooloanalytics
Oxxion|oxxion
The Ozone Project|ozone
PubPerf|pubperf
PubWise|pubwise
RealVu|realvu realvuanalytics
Relevant Digital|relevant relevantdigital
Tercept|tercept terceptanalytics
ucfunnel|ucfunnelanalytics
Prebid Manager|prebidmanager
Adomik|adomik
Assertive Yield|assertiveyield
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
