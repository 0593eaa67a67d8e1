import { expect, test } from "bun:test";
import { loadBuiltInCatalogue } from "../../../src/detection/fingerprints/packed.ts";
import { classRows } from "../../../src/detection/self-naming/class-marks.ts";
import { compactName, createNameIndex } from "../../../src/detection/self-naming/names.ts";
import { createToolNaming, selfNamedSlug } from "../../../src/detection/self-naming/tool-naming.ts";
import { ROWS } from "./tables.ts";

const { tools, match } = loadBuiltInCatalogue();
const names = createNameIndex([...tools.values()]);
const toolNamed = createToolNaming(() => names);

/** Every match of a page's text or address, as ids of tools. */
const idsOf = (kind: "html.path" | "html.inline" | "html.markup" | "html.custom" | "html.names", value: string) =>
  match({ kind, value, location: "https://harbourline.example/" }).map(({ tool }) => tool.id);

test("a library is no product of a vendor with its name", () => {
  const [ofLibraries, vendors] = [new Set(["javascript-library", "web-framework", "fonts", "maps"]), new Set<string>()];
  for (const { category, name } of ROWS) {
    if (category !== "javascript-library") continue;
    const tool = toolNamed(name, category);
    if (tools.has(tool.id) && !ofLibraries.has(tool.category)) vendors.add(tool.id);
  }
  // Products that are libraries themselves or whose script is one.
  expect([...vendors].sort()).toEqual(
    (
      "ably algolia beyondwords dflip elastic emailjs fingerprint flipboard flowplayer flying-pages " +
      "grafana-cloud growthbook hightouch insites-cookieconsent june jw-player klaro knight-lab launchdarkly " +
      "layerslider lazy-load-for-videos leanplum mux n8n opentelemetry orejime podlove polopoly prebid pusher " +
      "reading-position-indicator responsivevoice scalar sentry shariff slider-revolution smart-slider-3 stoplight tarteaucitron " +
      "vanilla-cookieconsent vast-client vimeo vite"
    ).split(" "),
  );
});

test("a name of a table is the catalogue's tool, unless that is another product", () => {
  const others = ROWS.filter(({ category, name }) => {
    const known = names.exact(compactName(name));
    return known !== undefined && known !== toolNamed(name, category);
  }).map(({ category, name }) => `${category}: ${name}`);
  // Modules for any banner, a package of Plupload, a page accelerator, an activity log and two themes are not orestbida's,
  // Moxie's, Sourcegraph's, GetStream's, Celonis' and Swell's.
  expect([...new Set(others)].sort()).toEqual([
    "drupal-module: Cookie Consent",
    "javascript-library: mOxie",
    "typo3-extension: Cookie Consent",
    "wordpress-plugin: AMP",
    "wordpress-plugin: Stream",
    "wordpress-theme: Make",
    "wordpress-theme: SWELL",
  ]);
});

test.each([
  ["html.path", "/js/jquery.uniform.min.js", ["javascript-library.jquery-uniform"]],
  ["html.path", "/js/uniform.min.js", ["javascript-library.jquery-uniform"]],
  ["html.path", "/js/jquery.captify.min.js", ["javascript-library.jquery-captify"]],
  ["html.path", "/js/jquery.aniview.min.js", ["javascript-library.jquery-aniview"]],
  ["html.path", "/js/jquery.instagramfeed.min.js", ["javascript-library.jquery-instagram-feed"]],
  ["html.path", "/js/cookielaw.min.js", ["javascript-library.cookielaw-js"]],
  ["html.inline", "var wpv_ajaxurl = '/wp-admin/admin-ajax.php';", ["wordpress-plugin.toolset-views"]],
  ["html.markup", "<!-- Stream WordPress user activity plugin v3.9.2 -->", ["wordpress-plugin.stream"]],
] as const)("%s %s is no product of that name", (kind, value, ids) => {
  expect(idsOf(kind, value)).toEqual([...ids]);
});

test.each([
  ["html.names", "cart snize-ac-results", ["searchanise"]],
  ["html.names", "#can-form-area data-grsf-campaign", ["growsurf"]],
  ["html.custom", '<div><stripe-buy-button buy-button-id="b"></stripe-buy-button></div>', ["stripe"]],
  ["html.inline", "window.boostPFSThemeConfig = {};", ["boost-commerce"]],
  ["html.markup", "<!-- mp_trans_remove_start -->", ["motionpoint"]],
  [
    "html.markup",
    "<!-- BEGIN app block: shopify://apps/klaviyo-email-marketing-sms/blocks/klaviyo-onsite-embed/2632fe16 -->",
    ["shopify", "klaviyo"],
  ],
  ["html.markup", "<!-- BEGIN app block: shopify://apps/helpdesk/blocks/embed/2632fe16 -->", ["shopify", "gorgias"]],
  [
    "html.markup",
    "<!-- BEGIN app block: shopify://apps/cedar-size-chart/blocks/embed/2632fe16 -->",
    ["shopify", "e-commerce.cedar-size-chart"],
  ],
  ["html.markup", "<!-- BEGIN app block: shopify://apps/tiktok/blocks/embed/2632fe16 -->", ["shopify", "tiktok-pixel"]],
  ["html.markup", "<!-- BEGIN app block: shopify://apps/loox/blocks/embed/2632fe16 -->", ["shopify", "loox"]],
  ["html.markup", "<!-- END app block -->", []],
  ["html.names", "zn_pb_section back-in-stock slide-cart dd-container", []],
  ["html.inline", "document.addEventListener('seated', addEvent);", []],
] as const)("%s %s is the mark of what shops and donors use", (kind, value, ids) => {
  expect(idsOf(kind, value)).toEqual([...ids]);
});

test.each([
  "live-chat",
  "live-chat-ai-agent",
  "whatsapp-chat-button",
  "hotjar-heatmaps-connector",
  "trustpilot-reviews-importer",
  "pinterest",
])("an app named %s is not the tool whose name its words spell", (handle) => {
  const ids = idsOf("html.markup", `<!-- BEGIN app block: shopify://apps/${handle}/blocks/embed/2632fe16 -->`);
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe("shopify");
  expect(ids[1]).toStartWith("e-commerce.");
});

test.each([
  ["html.inline", 'var e=K["__core-js_shared__"]||(K["__core-js_shared__"]={});', ["core-js"]],
  ["html.inline", "var s=`__core-js_shared__`;", ["core-js"]],
  ["html.inline", "var coreJsData = root['__core-js_shared__'];", ["lodash"]],
  ["html.names", "scheduling bokunWidget", ["bokun"]],
] as const)("%s %s is of one tool", (kind, value, ids) => {
  expect([...new Set(idsOf(kind, value))]).toEqual([...ids]);
});

test.each([
  ["html.image", "https://images.other.example/dims4/default/1/a.jpg", "brightspot"],
  ["html.image", "https://other.example/incoming/a1.ece/alternates/w640/a.jpg", "escenic"],
  ["html.image", "https://assettype.com/a/1.png", "quintype"],
  ["html.image", "https://assets.rbl.ms/1/980x.jpg", "rebelmouse"],
  ["html.link", "https://brightpine.azureedge.net/x.css", "azure-front-door"],
  ["html.link", "https://cdn.sstatic.net/Shared/stacks.css", "stack-exchange"],
] as const)("%s %s proves no %s: others show or load it too", (kind, value, id) => {
  const hits = match({ kind, value, location: "https://harbourline.example/" }).filter(({ tool }) => tool.id === id);
  expect(hits.length).toBeGreaterThan(0);
  expect(hits.every(({ rule }) => rule.strength === "weak")).toBe(true);
});

test.each([
  "https://www.threads.com/@brightpine",
  "https://www.coingecko.com/en/coins/bitcoin",
  "https://coinmarketcap.com/currencies/bitcoin/",
  "https://www.cryptocompare.com/coins/btc/overview",
  "https://create.kahoot.it/profiles/1",
  "https://www.bandsintown.com/a/1",
  "https://www.helloasso.com/associations/brightpine",
])("%s in a script is a link, and embeds nothing", (value) => {
  const hits = match({ kind: "html.inline-url", value, location: "https://harbourline.example/" });
  expect(hits.filter(({ rule }) => rule.strength !== "weak").map(({ tool }) => tool.id)).toEqual([]);
});

test("the tables of a platform give a directory, a handle and a REST namespace of one name one tool", () => {
  const places = new Set([
    "WORDPRESS_PLUGINS",
    "WORDPRESS_HANDLES",
    "REST_NAMESPACES",
    "DRUPAL_MODULES",
    "DRUPAL_DIRECTORIES",
  ]);
  const byKey = Map.groupBy(
    ROWS.filter(({ table }) => places.has(table)),
    ({ category, key }) => `${category} ${key}`,
  );
  const idsOf = (key: string) => [
    ...new Set(byKey.get(key)?.map(({ name, category }) => toolNamed(name, category).id)),
  ];
  expect([...byKey.keys()].filter((key) => idsOf(key).length > 1).map((key) => `${key}: ${idsOf(key)}`)).toEqual([]);
});

test("no two names of libraries differ by jquery, js, separators or case alone", () => {
  const ofCode = new Set(["javascript-library", "web-framework", "fonts", "maps"]);
  const nameOf = (name: string) => compactName(name.replace(/^jquery[ ._-]*|[ ._-]*(?:jquery|js)$/gi, ""));
  const byName = Map.groupBy(
    ROWS.filter(({ category }) => ofCode.has(category)).map(({ category, name }) => toolNamed(name, category)),
    ({ name }) => nameOf(name),
  );
  const shared = [...byName].filter(([name, of]) => name !== "" && new Set(of.map(({ id }) => id)).size > 1);
  // A plug-in of jQuery and another library, or two of different authors.
  expect(shared.map(([name]) => name).sort()).toEqual(
    (
      "angular autocomplete cookieconsent daterangepicker elastic highlight hotkeys i18n inview kinetic lightbox " +
      "placeholder qrcode reactdatepicker readmore retina reveal smoothscroll sortable sticky swfobject typeahead zoom"
    ).split(" "),
  );
});

test("a class is a mark of one tool, and a tool has one line", () => {
  const rows = classRows().map((row) => ({ ...row, id: toolNamed(row.name, row.category).id }));
  const repeated = (all: readonly string[]) => all.filter((each, index) => all.indexOf(each) !== index);
  expect(repeated(rows.flatMap(({ tokens }) => tokens.map((token) => token.replace("?", ""))))).toEqual([]);
  expect(repeated(rows.map(({ id }) => id))).toEqual([]);
});

test("an id of a tool outside the catalogue is a slug", () => {
  expect(selfNamedSlug("markItUp!")).toBe("markitup");
  expect(selfNamedSlug("Raphaël")).toBe("raphael");
  expect(selfNamedSlug("-prefix-free")).toBe("prefix-free");
  const ids = ROWS.map(({ category, name }) => toolNamed(name, category).id);
  expect(ids.filter((id) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(id))).toEqual([]);
});
