import type { Fingerprint } from "../fingerprints/types.ts";

/**
 * Tool names that are everyday words or ambiguous abbreviations. In text, identifiers and file names they usually mean
 * something else, so only a rule of the catalogue may detect these tools.
 */
const COMMON_WORDS = new Set(
  (
    "actionnetwork addevent backinstock catch doppler doubly fastbundle giftup globale " +
    "infiniteoptions memberspace oney seated slidecart tars upcart vitals " +
    "abacus ably absorb access ace achievers acquire actinic active acton adagio adam addon adjust admax admin " +
    "admiral adopt advance affirm agile agora airbase airbrake airship ajaxload ajaxsearch alexa allora alma " +
    "ambassador amelia amp amplitude analytics anchor angular antagonist antora apache apostrophe apple aps array " +
    "articles articulate ascend aspect astro astronomer atlas atos attentive audience authority automne autopilot " +
    "award aware aws axon azure badge bagy bandwidth banner bar barometric barracuda base basin basis batch beacon " +
    "beamer bedrock beeswax beget begun behold bevy bill bind bindup bird blackboard blacklight blink blocks blogger " +
    "bloom bluejeans blueshift bold bolt boomerang boomtown boost bootstrap boulevard bounce boutir bowser box boxes " +
    "branch braze bread breakdance breathe breeze bricks bridge bridgetown broadbean browser bsale bubble buffer " +
    "builtin bullhorn bundle button buttons buxus cabin cache caddy cake calendar campaigner canny canto canvas " +
    "captcha captivate capture carambola carbon cargo carousel carro carta cascade cats cello centra centro ceros " +
    "certainly certifica certify chain chameleon channel charitable charles chartist chat checkout cherokee chicory " +
    "chorus chosen circle clarity classy claude clay clean clerk click clinch clip close cloud clover clutch cobalt " +
    "coda codigo coffeecup cogent cohere coherent cohesion coil collective colombia combo comet comment comments " +
    "compass compete concert concord concrete concur conductor confirm confluent connect consent constructor contact " +
    "contenido content contentad contentbox contentful contently contentviews context converge convert convex " +
    "conveyor cookie cookieconsent cookieinfo cookielaw cookienotice cookiepolicy cookiescript copper coral cordial " +
    "core corejs cornerstone cosmic counter courier coveralls cowboy createnet credit crisp criteria crystallize " +
    "cursor customer customers cypress dancer dash data decagon decibel decide degreed delighted delta deploy deputy " +
    "dialog dibs dice digest direct discord discover display displayposts ditty divi docker docs domain domo donate " +
    "doodle dot dover download draw drawbridge drift drip drone drop dub duda duo durable dust dynamic e107 " +
    "easystore ebit echo edge editor egress eightfold elastic element elevar ember emma emotion emotive encharge " +
    "enfold engage enterprise entrust envoy epsilon events exclaimer exponential express extend extra fabric " +
    "facelift factorial factual fancy fandom favorite feather feedback fellow filament filter fingerprint fire " +
    "fireflies fireside firework fixedwidget flag flagship flash flask flip flourish flow flutter flywheel focus " +
    "follow footer foresee forethought forge form forms foundation fountain fourth foxy frame framer frames " +
    "framework frankly freewheel freight fresh front frontpage fusion future galleria gallery gamma gateway gem " +
    "geoip gerrit getsimple ghost gist gladly gleam glean glide global golive gollum gong googlefonts googlemap " +
    "googleplus goope goto granola grapeshot grav gravity greenhouse gridpane grin grok groove grow guide guru gusto " +
    "arena googlesurveys keen mixi odnoklassniki okru protectedmedia taboolanewsroom " +
    "halo hamburgers handshake harness header headliner headway heap heartland helix hello helper herald here " +
    "heureka hex highlight highwire home homerun homestead honeycomb hooks hopscotch horde hotel hover howl hugo " +
    "human hummingbird hustle hybrid hype hypepico hypotheses hyva icon iconify icons ideal ikas image images " +
    "imageslider impact imperia import inbox indeed index inferno infinity info inform informatica insert insider " +
    "insight insights instant instantly instantsearch intent interact intercom interred invision invite ion ionic " +
    "iron ironclad iset island isotope item items iterable iterate iweb jadu jane janet jasper java jcms jetty jive " +
    "jobber join json juicer july june karte katapult keeper kernel kestrel ketch kibo kick kirby kit knock knockout " +
    "koala koken kula kyte label labrador lacework lago lagoon language lasso lattice launch layer lazyload lead " +
    "leads leaflet lektor lenis lens less letter level lever liana light lightbox limelight linear link links " +
    "listing listserv lit lithium live livestream loader local locale localize locate locator login longitude looker " +
    "loom loop loops lovable lucid luma lumen lumis lunchbox lytics maestro magic magnolia mail mailcheck make " +
    "manager manus map maps mark master match material materialicons maze measured media mediaad mediator medium " +
    "medusa mega megagroup megaphone menu mercury merge mermaid meshy message meta metadata meteor meter method " +
    "metinfo metrics metronome mews mezzanine microblog middleman migrate milliard milligram mini mint minutely " +
    "mirror missive mixin mobile mobilemenu modal mollie moment monarch monitor mono monstra motion moxie mozu mura " +
    "mural mutiny mystore name namely native naviga navigator neat neon nest netcat neto nette network neve news " +
    "newsletter newsmag newspaper newt next nextpage node note notice notified notify notion nova nuance number " +
    "object odometer offers office olat omikron one onscroll opal open opine optimera optimise option options orb " +
    "orchard order otter outgrow outlet outlook outreach overlay owner oxygen oyster ozone pace package packet " +
    "paddle page pagelist pager pages panel panels pantheon paper paradox paragraphs parallax parallels parcel parse " +
    "parsec parsley partner path pause pave payload payment pegasus pelican people percussion perforce permit " +
    "persona perspective phenom phoenix photo photonic phrase piano pico picture pigment pilot pin pinpoint pirsch " +
    "pitch pixel place placed plaid planet plasmic platform play player pluck plus pocket podcast podia podium point " +
    "pointer polar polaris poll polls polyfill polymer pool popin popper popup portal porto post poster postman " +
    "postscript power practice prescreen press preview primary primer primis print prism privacy privy process " +
    "product profile progress prompt promua proof prototype proxy public publisher pulse push pusher python " +
    "qualified quarto quasar qubit query quick quickcart quill quo quote radar radix rails railway raise rally ramp " +
    "rank raptor rcms reach react reader readme readmore ready rebuy recharge recipe redactor reddot redirect " +
    "redshift redwood refer refiner reflect reflexion related relay relish reload remarkable remix remote render " +
    "renovate reply report repro reputation request resend resin resize resonate responsive responsiveads " +
    "responsivemenu rest result retain retool reveal review reviews revive revue rewardful riddle rippling rise rive " +
    "riverside rocket roost route router ruby rule rumble runway safari safe sage sail sails sakai sale salient " +
    "salsify sample sana sanity sapling sapo sarbacane sardine satori scalar scale scene schedule schema scorpion " +
    "scout script scrive scroll scroller scully search searchlight section secure seed segment seismic select " +
    "semaphore sender sense sentry separator serval server service session settings shade shadowbox share shepherd " +
    "shield ship shoelace shogun shop shorthand showit side sidebar sierra sifo sift sigma signal signature simple " +
    "simplebar simplesite singular site sitemap sitepro skeleton sketch slab slack slate slice slick slide slider " +
    "slides smart smartly smartsite smartweb smarty smooch smooth smush snap snapshots snitcher snowflake sociable " +
    "social socialicons socialshare sogo sola solid sonic sorry sort sortable sote source spaceship spark sparkle " +
    "spectra spectrum speed sphinx spider spiff spin spinnaker spinner splash spline split splitting sports spot " +
    "spree sprig spring sprocket sprout square squiz stack stackable stage stamped star starbox starlight start " +
    "static statically status steady stellate stencil sticky stimulus stitcher stockist stoplight store storefront " +
    "stores story stream stripe studio style sublime submit subscribe subscribers suite sulu summit sumo super " +
    "support supr surge survey swagger swell swift switch swoop sync system tabby table tableau tabs tabulator " +
    "tachyons tag tags tail talk talkable tally tamara tame tapestry target task teachable team teamwork teaser " +
    "teleport template tempo tenable terminal terminus termly test testimonial text thegrid thelia theme thread " +
    "thunder ticket tier tilled time tink tint tiny title toast tock toggle token tolt tomcat tool tooltip top topic " +
    "torii tornado totara touch tout tower trac trace track trackjs trail transcend transfer transform transistor " +
    "tray tribe trigger tripolis true trust tsoft tune turbo type typing typography ubuntu uid uid2 umso undertone " +
    "undertow unifiedid uniform unify unique unity universe unleash unruly unveil uol upland upload uptrends user " +
    "utils vade validate validation validator vant variti varnish vault vector vega verify vero version vertex verve " +
    "vibe vibes video view views vigbo vignette vine virtual vision vismo visto visual vitally vite vlog voice voog " +
    "waitress warmly wave waypoints wbuy weather weave web webdev webfont webfonts webme webs websale websites " +
    "webvitals wheel whereby whimsical whisk widen widget window windsurf wing wingman wire word words work workable " +
    "workbox workday workflow wrapper writeas writer xcart yield youcan youtubeplayer zesty zone zoom zowie"
  ).split(" "),
);

/** Names on icons and share buttons, which mean a link to a profile, and not the tool. */
export const LINKED: ReadonlySet<string> = new Set(
  (
    "amazon android apple bandcamp behance bitbucket bluesky bootstrap codepen dailymotion deviantart digg discord dribbble " +
    "drupal etsy facebook fandom feedly figma flickr flipboard foursquare github gitlab google goodreads instagram joomla line linkedin " +
    "mastodon medium messenger microsoft mixcloud opentable patreon paypal pinterest pocket reddit skype slack snapchat " +
    "soundcloud spotify steam stripe stumbleupon telegram threads tiktok tripadvisor tumblr twitch twitter viber vimeo vine vk " +
    "wechat weibo whatsapp wikia wordpress xing yahoo yelp youtube yummly"
  ).split(" "),
);
/** Words of consent banners, which name every service that they could block. */
export const OF_CONSENT = /cookie|consent|brlbs|cmplz|gdpr|dsgvo|privacy/i;
/** Tools that are about consent, whose settings have those words themselves. */
export const isOfConsent = ({ category, name }: Fingerprint): boolean =>
  category === "consent-management" || OF_CONSENT.test(name);
/** Tools of these categories have no accounts, so an account or a verification with their name is another vendor's. */
export const WITHOUT_ACCOUNTS: ReadonlySet<string> = new Set([
  "fonts",
  "javascript-library",
  "programming-language",
  "web-framework",
  "web-server",
]);

/** Tools by their {@link compactName}; the one index for every mechanism that reads names. */
export interface NameIndex {
  /** The tool of a name, everyday words included: for places where only a tool's name can be. */
  exact(name: string): Fingerprint | undefined;
  /** The same without everyday words and names under four letters: for code, mark-up and text. */
  distinct(name: string): Fingerprint | undefined;
  /**
   * Whether a text may be a writing of a name by where its words end: `google_analytics` is one of Google Analytics,
   * `lazy-sizes` is none of lazysizes.
   *
   * @param separators bit for each position in the compact name before which the text has a hyphen or underscore
   * @param capitals the same for a capital letter after a small one
   */
  isWrittenSo(name: string, separators: number, capitals: number): boolean;
  /** Whether there may be a name with this {@link nameHash}: a test that needs no text of its own. */
  mayBe(hash: number): boolean;
  /** Whether a name may begin with these four letters, see {@link startHash}: a cheap test before a text is taken apart. */
  mayBegin(hash: number): boolean;
  /** Whether a name may begin with, or be, five to eight letters of this {@link nameHash}. */
  mayContinue(hash: number): boolean;
}

/** Letters by which {@link NameIndex.mayBegin} decides; no distinct name is shorter. */
export const START_LENGTH = 4;
/** Letters of a beginning by which {@link NameIndex.mayContinue} decides, at most. */
export const CONTINUED_LENGTH = 8;
const START_BITS = 16;
const NAME_BITS = 20;

/** Only letters and digits, in lower case: `Contact-Form 7` → `contactform7`, `require.js` and `RequireJS` → `requirejs`. */
export const compactName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "");

/** The id of a third party that the catalogue does not have: one tool, whichever mechanism names it. */
export const thirdPartyId = (name: string): string => `third-party.${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;

/** A number of {@link START_BITS} bits of four characters, one byte each. */
export const startHash = (window: number): number => Math.imul(window, 0x9e3779b1) >>> (32 - START_BITS);

/** The hash of a compact name from that of the name without its last letter, first 0, and the code of that letter. */
export const nameHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

const nameBit = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> (32 - NAME_BITS);

/** Names and ids first: an alias may be the name of another tool. A name that two tools of a round share means neither. */
export function createNameIndex(tools: readonly Fingerprint[]): NameIndex {
  const names = new Map<string, Fingerprint | undefined>();
  const gaps = new Map<string, number>();
  const capitals = new Map<string, number>();
  const add = (namesIn: (tool: Fingerprint) => readonly string[]) => {
    const round = new Map<string, Fingerprint | undefined>();
    for (const tool of tools)
      for (const written of namesIn(tool)) {
        const name = compactName(written);
        const [spaced, capital] = wordEnds(written);
        if (spaced !== 0) gaps.set(name, (gaps.get(name) ?? 0) | spaced);
        if (capital !== 0) capitals.set(name, (capitals.get(name) ?? 0) | capital);
        if (name.length > 0 && !names.has(name))
          round.set(name, round.has(name) && round.get(name) !== tool ? undefined : tool);
      }
    for (const [name, tool] of round) names.set(name, tool);
  };
  add(({ id, name }) => [id, name]);
  add(({ aliases = [] }) => aliases);
  const isDistinct = (name: string) => name.length >= START_LENGTH && !COMMON_WORDS.has(name);
  const starts = new Uint8Array(1 << START_BITS);
  // One bit each.
  const hashes = new Uint8Array(1 << (NAME_BITS - 3));
  const beginnings = new Uint8Array(1 << (NAME_BITS - 3));
  for (const [name, tool] of names) {
    if (!tool || name.length < START_LENGTH) continue;
    let hash = 0;
    for (let at = 0; at < name.length; at++) {
      hash = nameHash(hash, name.charCodeAt(at));
      if (at < START_LENGTH || at >= CONTINUED_LENGTH) continue;
      const beginning = nameBit(hash);
      beginnings[beginning >>> 3]! |= 1 << (beginning & 7);
    }
    const bit = nameBit(hash);
    hashes[bit >>> 3]! |= 1 << (bit & 7);
    let window = 0;
    for (let at = 0; at < START_LENGTH; at++) window = (window << 8) | name.charCodeAt(at);
    starts[startHash(window)] = 1;
  }
  return {
    exact: (name) => names.get(name),
    distinct: (name) => (isDistinct(name) ? names.get(name) : undefined),
    isWrittenSo(name, separators, changes) {
      const spaced = gaps.get(name) ?? 0;
      return (separators & ~spaced) === 0 && (changes & ~(spaced | (capitals.get(name) ?? 0))) === 0;
    },
    mayBe(hash) {
      const bit = nameBit(hash);
      return (hashes[bit >>> 3]! & (1 << (bit & 7))) !== 0;
    },
    mayBegin: (hash) => starts[hash] === 1,
    mayContinue(hash) {
      const bit = nameBit(hash);
      return (beginnings[bit >>> 3]! & (1 << (bit & 7))) !== 0;
    },
  };
}

/** Positions in the compact name before which the written one has a gap, and before which a word begins with a capital. */
export function wordEnds(written: string): readonly [gaps: number, capitals: number] {
  let [gaps, capitals, length] = [0, 0, 0];
  for (let at = 0; at < written.length; at++) {
    const isLetter = /[A-Za-z0-9]/.test(written[at]!);
    if (!isLetter) gaps |= length < 31 ? 1 << length : 0;
    else {
      if (length > 0 && length < 31 && /[A-Z]/.test(written[at]!) && /[a-z]/.test(written[at - 1] ?? ""))
        capitals |= 1 << length;
      length += 1;
    }
  }
  return [gaps, capitals];
}
