import { wordSet } from "./word-lists.ts";

/**
 * Tool names of one word that are also English words or names of other things, lower case. They count only where the
 * sentence shows that the tool is meant.
 */
export const COMMON_WORD_NAMES = wordSet(`
  abacus ably absorb access ace achievers acquire ada adagio adform adjust admiral adobe adopt affirm agora airbase
  airship akamai akkio alchemy alma altair amazon ambassador amelia amp amplitude analytics anchor android angular ant
  antagonist anthos apache apex apostrophe apple apsis arduino articulate ascend assistant astro astronomer atlantis
  atlas ats attentive aurelia aurora autopilot avalara babel backstretch backtrace bamboo bandwidth banner barometric
  barracuda base bash basin basis batch beachfront beam beamer bedrock beeswax beget behold bevy bill bird bitcoin
  blackboard blender blink block blogger bluejeans blueshift bob bolt bombora boomerang bootstrap boulevard boundary
  bowser box braintree branch braze breakdance breathe breeze bricks bridge broadbean broadway bubble buck buffer
  bullhorn bun c cabin caddy cake campaign campaigner canny canto canvas captivate capybara carambola carta catalyst
  cats celery cello centos centra centro ceph ceramic ceros certainly certify cesium chai chameleon charitable
  chartable chartist chat chef chicory chosen chroma chrome circle citrix citus clair classy clay clerk clicky clinch
  close clover cobalt coda cogent cohere coil collective compass compete composer conative concert concord concourse
  concur conductor confluence conga constructor consul contently converge conversant convert convex conveyor copper
  coral corda cordial cordova core cornerstone cortex cosmic counter courier cowboy credo crisp criteria crucible csc
  cube cucumber cursor cypress dart dataflow datto decagon decibel decide degreed delighted deno deputy detox dibs
  dice discord discourse divi docker docs doctrine dojo doodle doris dover dragonfly drawbridge drift drip drive drone
  druid dub duda duo dust dynamics echo edge egress eightfold elastic element elixir elk elm ember emma emotion
  emotive encharge enfold entrust envoy epic epsilon excel exclaimer experience expo exponential express fabric
  facebook facelift factorial factual falco feast feather featherlight fellow fingerprint fireflies firefox firework
  five9 flagship flannel flask floodlight flourish flow flux fly flywheel foresee forethought forms fortify fortinet
  foundation fountain fourth foxy frame framer freewheel front gain galleria gamma gatekeeper gatling gem gemini
  genesys genially ghost gist git gladly gleam glean glide go gong google gorgias granola grapeshot graphite
  grasshopper grav gravity greenhouse gremlin grin grok groove guru gusto handlebars handshake hapi harbor harness
  haystack headliner headway heap heartland helm here hex hibernate highlight highspot hive homerun honeycomb
  hopscotch hotwire houdini hover howl hub hubble hugo human hummingbird hustle hybrid hype ias ibm iceberg iconify
  ideal ignition impact imperva indeed inferno infinity inform insider insights insomnia instagram instantly
  instructure intent interact intercom intuit ion ionic ios ironclad island isotope iterate jade jane jasmine jasper
  java jet jetpack jetty jira jive jobber join juicer kargo karma keep keeper kestrel ketch kevel kirby kit knex knock
  knockout koa koala koha kong kount kula labrador lacework lagoon lambda lattice launch lawson lead leaflet lenis
  leptos lessonly lever liana lightbox lightspeed limelight linear linkedin linux lit lithium livebook llama localize
  locust longhorn loom loop loops lottie lovable lucid luma lumen lunchbox maestro magento magnolia mailer make manus
  maps marketo mars masonry materialize maze measured mediator medium medusa meet megaphone meltwater meraki
  mercurial merge mermaid meshy meta metadata meteor metronome mews microsoft middleman milligram minutely miro
  missive mistral moat modal mollie moment monday mono motion moxie mural mustache mutiny mux namely nativo neat neon
  nest neve newman newsletter newspaper next nexus nice nielsen nim ninja nix node nomad notary notified notion npm
  nuance odometer okta omikron opal opine optimise optimize oracle orb otter outbrain outgrow outlook outreach oxygen
  oyster ozone pace packer pact paddle pandas pantheon pants paradox parallels parcel pardot parsec parsons patroni
  pave payload pegasus pelican percy perforce perplexity persona phenom phoenix photon phrase piano pigment pinpoint
  pinterest pipeline pitch placed plaid plasmic plausible playwright pluck plug pocket podium polar polygon polymer
  popper port portal postman postscript preact prebid prefect prescreen presto primer primis prism prisma privy
  prototype pulsar puppet puppeteer pusher qualified quasar quay quill r radar radix railway ramp rancher raptor ray
  react readme rebuy recharge redactor reddit redux refiner reflexion relay remarkable remix remote render renovate
  replicate reply repro reputation resend resin resonate resque rewardful riddle rise rive riverside rollbar rollup
  rook roost route ruby rule rumble runway rust safari sage sails sakai salesforce salient salsify samsara sanity sap
  sapling sarbacane sardine satori scala scalar scale scorpion scrive scroll seaborn search searchlight section
  segment seismic selenium semaphore sender sentry serde serval shade shadowbox sheets shepherd shiny shoelace shogun
  shortcut shorthand sierra sift sigma signal sigstore simplecast singular sites skeleton slab slack slate slice slick
  smart smartly smarty smooch smush snapchat snitcher snowflake snowplow sola solid sorry sortable spaceship spanner
  spark spectra spectral spectrum sphinx spiff spinnaker splash spline split splitting spot sprig spring square squiz
  stack stackable stage stamped starlight statically statistic steady stellate stencil stimulus stitcher stockist
  stoplight storefront stores storm stream strikingly stripe style sublime subscribers sulu sumo super superhuman
  superset support surge swagger swarm swell swift swiper switch swoop tabby table tabulator tachyons tailwind talk
  talkable tally tamara tame tapad target teachable teads teams tecton telegraf telegram teleport telepresence tempo
  temporal tenable terminus termly testimonial tetragon thanos tiktok tilled tilt tink tint tiny toast tock tolstoy
  tolt torii tornado totara tout track transcend transistor travis tray trello tribe tripolis trust tune turbo
  turnstile twitter undertone undertow undeveloped uniform unify unity universe unleash unruly unveil uphold uptrends
  utterances vade vant varnish vault vector vega vertex verve vespa vibe vibes vine visa visible vision visto vitally
  vite vmware voice volcano vue waitress warmly wasabi wave waypoint waypoints weave whimsical whisper widen windows
  windsurf wingman wix wiz woodpecker word wordfence workable workbox workday workspace workstream wot writer
  wunderkind yield youtube zapier zen zig zip zoho zoom zowie
`);

/** Names of that list that nearly always mean the tool when capitalised. */
export const UNAMBIGUOUS_NAMES = wordSet(`
  jira docker slack trello zapier okta jenkins java sentry marketo salesforce vmware selenium zoom wix helm npm
  outbrain rancher magento git linux celery flask ceph scala cucumber thanos imperva telegraf perforce angular
`);
