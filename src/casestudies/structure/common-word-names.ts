import { wordSet } from "./word-lists.ts";

/**
 * Tool names of one word that are also English words or names of other things, lower case. They count only where the
 * sentence shows that the tool is meant.
 */
export const COMMON_WORD_NAMES = wordSet(`
  abacus ably absorb access ace achievers acquire ada adagio adform adjust admiral adobe adopt affirm agora airbase
  airship akamai akkio alma amazon ambassador amelia amp amplitude analytics anchor android angular antagonist apache
  apex apostrophe apple apsis articulate ascend assistant astro astronomer atlas ats attentive aurelia autopilot
  avalara babel backstretch backtrace bamboo bandwidth banner barometric barracuda base basin basis batch beachfront
  beam beamer bedrock beeswax beget behold bevy bill bird bitcoin blackboard blink block blogger bluejeans blueshift
  bob bolt bombora boomerang bootstrap boulevard bowser box braintree branch braze breakdance breathe breeze bricks
  bridge broadbean bubble buffer bullhorn bun c cabin caddy cake campaign campaigner canny canto canvas captivate
  carambola carta catalyst cats celery cello centos centra centro ceph ceros certainly certify cesium chameleon
  charitable chartable chartist chat chef chicory chosen chrome circle citrix classy clay clerk clicky clinch close
  clover cobalt coda cogent cohere coil collective compass compete conative concert concord concur conductor
  confluence conga constructor consul contently converge conversant convert convex conveyor copper coral cordial core
  cornerstone cortex cosmic counter courier cowboy crisp criteria csc cucumber cursor cypress dart dataflow datto
  decagon decibel decide degreed delighted deno deputy dibs dice discord discourse divi docker docs dojo doodle doris
  dover drawbridge drift drip drive drone druid dub duda duo dust dynamics edge egress eightfold elastic element
  elixir elk elm ember emma emotion emotive encharge enfold entrust envoy epsilon excel exclaimer experience
  exponential express fabric facebook facelift factorial factual falco feather featherlight fellow fingerprint
  fireflies firefox firework five9 flagship flannel flask floodlight flourish flow flux fly flywheel foresee
  forethought forms fortify fortinet foundation fountain fourth foxy frame framer freewheel front gain galleria gamma
  gatekeeper gatling gem genesys genially ghost gist git gladly gleam glean glide go gong google gorgias granola
  grapeshot graphite grav gravity greenhouse grin grok groove guru gusto handlebars handshake harbor harness headliner
  headway heap heartland helm here hex hibernate highlight highspot hive homerun honeycomb hopscotch hover howl hub
  hugo human hummingbird hustle hybrid hype ias ibm iconify ideal impact imperva indeed inferno infinity inform
  insider insights instagram instantly instructure intent interact intercom intuit ion ionic ios ironclad island
  isotope iterate jade jane jasper java jet jetpack jetty jira jive jobber join juicer kargo keep keeper kestrel ketch
  kevel kirby kit knock knockout koa koala koha kong kount kula labrador lacework lagoon lattice launch lawson lead
  leaflet lenis lessonly lever liana lightbox limelight linear linkedin linux lit lithium localize locust longhorn
  loom loop loops lottie lovable lucid luma lumen lunchbox maestro magento magnolia mailer make manus maps marketo
  mars masonry materialize maze measured mediator medium medusa meet megaphone meltwater mercurial merge mermaid meshy
  meta metadata meteor metronome mews microsoft middleman milligram minutely miro missive moat mollie moment monday
  mono motion moxie mural mustache mutiny mux namely nativo neat neon nest neve newman newsletter newspaper next nice
  nielsen node nomad notified notion npm nuance odometer okta omikron opal opine optimise optimize oracle orb otter
  outbrain outgrow outlook outreach oxygen oyster ozone pace packer paddle pandas pantheon paradox parallels parcel
  pardot parsec parsons pave payload pegasus pelican percy perforce perplexity persona phenom phoenix photon phrase
  piano pigment pinpoint pinterest pipeline pitch placed plaid plasmic plausible playwright pluck pocket podium polar
  polymer popper port portal postman postscript preact prebid prescreen presto primer primis prism privy prototype
  pulsar puppet pusher qualified quasar quill r radar radix railway ramp rancher raptor ray react readme rebuy
  recharge redactor reddit redux refiner reflexion relay remarkable remix remote render renovate reply repro
  reputation resend resin resonate rewardful riddle rise rive riverside rollbar rook roost route ruby rule rumble
  runway rust safari sage sails sakai salesforce salient salsify sanity sap sapling sarbacane sardine satori scala
  scalar scale scorpion scrive scroll search searchlight section segment seismic selenium semaphore sender sentry
  serval shade shadowbox sheets shepherd shoelace shogun shorthand sierra sift sigma signal simplecast singular sites
  skeleton slab slack slate slice slick smart smartly smarty smooch smush snapchat snitcher snowflake snowplow sola
  solid sorry sortable spaceship spark spectra spectrum sphinx spiff spinnaker splash spline split splitting spot
  sprig spring square squiz stack stackable stage stamped starlight statically statistic steady stellate stencil
  stimulus stitcher stockist stoplight storefront stores storm stream strikingly stripe style sublime subscribers sulu
  sumo super superhuman superset support surge swagger swarm swell swift swiper switch swoop tabby table tabulator
  tachyons tailwind talk talkable tally tamara tame tapad target teachable teads teams telegraf telegram teleport
  tempo temporal tenable terminus termly testimonial tetragon thanos tiktok tilled tink tint tiny toast tock tolstoy
  tolt torii tornado totara tout track transcend transistor travis tray trello tribe tripolis trust tune turbo
  turnstile twitter undertone undertow undeveloped uniform unify unity universe unleash unruly unveil uphold uptrends
  utterances vade vant varnish vault vector vega vertex verve vibe vibes vine visa visible vision visto vitally vite
  vmware voice volcano vue waitress warmly wave waypoints weave whimsical widen windows windsurf wingman wix wiz
  woodpecker word wordfence workable workbox workday workspace workstream wot writer wunderkind yield youtube zapier
  zen zip zoho zoom zowie
`);

/** Names of that list that nearly always mean the tool when capitalised. */
export const UNAMBIGUOUS_NAMES = wordSet(`
  jira docker slack trello zapier okta jenkins java sentry marketo salesforce vmware selenium zoom wix helm npm
  outbrain rancher magento ceph scala cucumber thanos imperva telegraf perforce angular
`);
