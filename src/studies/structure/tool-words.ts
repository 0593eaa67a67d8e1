/**
 * Names of tools that are words of every day, or of something else: they count only with a sign beside them that the
 * tool is meant. Lower case; hand-made from the names of the catalogue.
 */
export const EVERYDAY: ReadonlySet<string> = new Set(
  (
    "ada adjust affirm agora alma amp angular apache astro attentive avalara basis batch beamer bird block blogger bolt boomerang bootstrap box braintree branch bridge buffer bullhorn canny carta chameleon chef circle clerk " +
    "clicky close coda conductor constructor conveyor copper cordial core cortex cosmic cowboy crisp cursor decibel delighted discord discourse dojo dover drift drip drone duda dust elastic elixir emma emotion epsilon " +
    "express factorial falco fingerprint firework flagship flannel flask flux fly flywheel foundation fountain foxy framer front gamma gatekeeper gem ghost git gladly glean gong graphite gravity greenhouse guru gusto " +
    "handlebars handshake harbor harness headway heap helm highspot hive homerun honeycomb hugo imperva indeed insider intercom island jetpack juicer keep keeper kestrel ketch kit knockout koala kong lattice " +
    "lever lightbox linear loom lottie lovable lucid luma magento make materialize maze medium meet megaphone merge meta meteor metronome mural mustache nativo neon nomad notion npm okta oracle orb outbrain outgrow outreach oyster " +
    "paddle pandas pantheon paradox parallels parcel parsec pave perforce perplexity persona phoenix piano pinpoint pipeline podium polymer portal postscript preact presto primer primis privy prototype puppet qualified railway ramp ray react " +
    "recharge redux refiner remix remote render renovate resend rook ruby sanity scalar scale section segment seismic semaphore sentry serval shade sift simplecast singular slate slick snowflake snowplow sorry spark sphinx splash " +
    "split spring sprig square stamped statistic stimulus storm stream stripe subscribers sumo support swarm swell swiper swift switch tally tapad teams telegram temporal terminus thanos tink tolstoy transcend transistor unify unity " +
    "unleash varnish vault vector vertex vibe volcano wave whimsical windsurf wiz workable zapier zip zoom zoho yield zen flow port atlas next nest bamboo jade pulsar druid superset cucumber locust newman selenium ceph apex " +
    "consul celery hibernate packer rancher scala go r c dart rust java mercurial elm travis node vue ember bun deno word excel access outlook dynamics forms sheets docs drive analytics optimize search maps alma target campaign " +
    "experience marketo lead assistant insights relay hub compass prism jira docker slack ideal visa square mars visible workspace mailer chat bitcoin nice sage genesys five9 wix wordfence trello chrome edge safari firefox android ios windows linux " +
    "absorb launch canvas classy turnstile searchlight convert cornerstone duo limelight conversant impact bob turbo lithium moment monday neat unruly autopilot clinch undertone plausible pardot concur backtrace lessonly " +
    "hover heartland floodlight instructure percy lawson centro readme akkio bill here human join mural ats cats csc ias jet hive catalyst beam core gain stack smart signal spot stage style sites table tempo track trust vision voice " +
    "nielsen adform apple amazon google microsoft facebook twitter linkedin youtube instagram pinterest tiktok snapchat reddit akamai ibm salesforce adobe sap vmware citrix fortinet parsons kargo kount entrust telegraf fortify"
  ).split(" "),
);

/** Of those, the ones whose name with a capital nearly always means the tool. */
export const TELLING: ReadonlySet<string> = new Set(
  "jira docker slack trello zapier okta jenkins java sentry marketo salesforce vmware selenium zoom wix helm npm outbrain rancher magento ceph scala cucumber thanos imperva telegraf perforce angular".split(
    " ",
  ),
);
