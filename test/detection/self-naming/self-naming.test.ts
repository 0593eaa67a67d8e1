import { describe, expect, test } from "bun:test";
import type { Fingerprint } from "../../../src/detection/fingerprints/types.ts";
import { createSelfNaming } from "../../../src/detection/self-naming/self-naming.ts";
import type { SignalKind } from "../../../src/detection/signals.ts";

const tool = (id: string, name: string, category: string, aliases: readonly string[] = []): Fingerprint => ({
  ...{ id, name, vendor: name, website: "https://vendor.example", category, aliases },
  rules: [],
});
const { byName: match } = createSelfNaming([
  tool("hubspot", "HubSpot", "crm"),
  tool("xandr", "Xandr", "advertising", ["AppNexus"]),
  tool("yoast-seo", "Yoast SEO", "seo"),
  tool("requirejs", "RequireJS", "javascript-library"),
  tool("parsely", "Parse.ly", "analytics"),
  tool("segment", "Segment", "customer-data"),
  tool("rollupper", "Rollupper", "developer-tools"),
  tool("twitter", "Twitter", "social"),
  tool("harbourtalk", "Harbourtalk", "social"),
  tool("publisher", "Publisher", "analytics"),
  tool("broadside", "Broadside", "wordpress-theme"),
  tool("harbour-menu", "Harbour Menu", "wordpress-plugin"),
]);
const ofWordPress = (comment: string) => `<link href="/wp-content/a.css"><!-- ${comment} -->`;
const namesIn = (kind: SignalKind, value: string) =>
  match({ kind, value, location: "https://brightpine.example/" }).map(({ tool: { name }, version }) =>
    `${name} ${version ?? ""}`.trim(),
  );

describe("extensions", () => {
  test.each<[SignalKind, string, string[]]>([
    ["html.path", "/wp-content/plugins/wordpress-seo/css/a.css?ver=21.3", ["Yoast SEO 21.3"]],
    ["html.path", "/wp-content/plugins/my-calendar/js/a.js", ["My Calendar"]],
    ["html.path", "/wp-content/plugins/my-calendar%203/js/a.js", ["My Calendar"]],
    ["html.path", "/wp-content/plugins/harbour-h5p-timetable/js/a.js", ["Harbour H5P Timetable"]],
    ["html.path", "/wp-content/plugins/harbour-radio-premium/js/a.js", ["Harbour Radio"]],
    ["html.path", "/wp-content/themes/harbourspace-v1-09/style.css", ["Harbourspace"]],
    ["html.link", "https://brightpine.test/wp-content/plugins/popup-maker/a.css", ["Popup Maker"]],
    ["html.path", "/wp-content/plugins/hubspot-forms-styler/a.js", ["Hubspot Forms Styler"]],
    // The folder of the modules that Composer installed.
    ["html.path", "/sites/all/modules/composer/our_pages/a.js", []],
    [
      "html.path",
      "/_static/??/wp-content/plugins/a3-lazy-load/a.js,/wp-content/plugins/wp-polls/b.js",
      ["a3 Lazy Load", "WP-Polls"],
    ],
    ["html.path", "/wp-content/themes/generatepress/style.css", ["GeneratePress"]],
    ["html.path", "/sites/all/modules/contrib/views_slideshow/js/a.js", ["Views Slideshow"]],
    ["html.path", "/sites/default/files/honeypot/a.js", ["Honeypot"]],
    // Sites of Jahia.
    ["html.path", "/files/live/sites/brightpine/files/honeypot/a.js", []],
    ["html.inline", String.raw`"\/files\/default\/sites\/brightpine\/modules\/views_slideshow\/a.js"`, []],
    ["html.path", "/typo3conf/ext/cookie_hint/a.js", ["Cookie Hint"]],
    [
      "html.inline",
      String.raw`{"url":"https:\/\/brightpine.example\/wp-content\/plugins\/wp-rocket\/"}`,
      ["WP Rocket"],
    ],
    ["html.script", "https://d111.cloudfront.net/wp-content/plugins/popup-maker/a.js", ["Popup Maker"]],
    // Styles that an optimiser wrote into the page.
    ["html.style", ".a{background:url(/wp-content/plugins/popup-maker/a.png)}", ["Popup Maker"]],
    ["html.style", ".a{background:url(https://elsewhere.example/wp-content/plugins/popup-maker/a.png)}", []],
    ["html.path", "/wp-content/mu-plugins/hubspot/a.js", ["HubSpot"]],
    ["html.path", "/wp-content/themes/broadside/style.css", ["Broadside"]],
    ["html.path", "/wp-content/themes/broadside2015/style.css", []],
    ["html.path", "/wp-content/plugins/my-calendar-9.2.79-improved/a.js", ["My Calendar"]],
    // A plug-in of one file, and a theme with its version.
    ["html.script", "https://brightpine.example/wp-content/plugins/harbour_tags.php", ["Harbour Tags"]],
    ["html.path", "/wp-content/themes/harbourline-10/a.css", ["Harbourline"]],
    ["html.path", "/wp-content/themes/harbourline-v440/a.css", ["Harbourline"]],
    ["html.path", "/wp-content/themes/harbourline_186/a.css", ["Harbourline"]],
    ["html.path", "/wp-content/themes/generatepress-child/style.css", ["GeneratePress"]],
    // Names that every object of JavaScript has.
    ["html.path", "/wp-content/plugins/__proto__/a.js", []],
    ["html.path", "/wp-content/plugins/constructor/a.js", ["Constructor"]],
    ["html.path", "/wp-content/plugins/tostring/a.js", ["Tostring"]],
  ])("are identified by their directory: %s %s", (kind, value, names) => {
    expect(namesIn(kind, value)).toEqual(names);
  });

  test.each<[SignalKind, string]>([
    ["html.script", "https://widgets.vendor.example/wp-content/plugins/vendor-widget/a.js"],
    ["html.script", "https://notbrightpine.example/wp-content/plugins/vendor-widget/a.js"],
    ["html.script", "https://widgets.vendor.example/brightpine/wp-content/plugins/vendor-widget/a.js"],
    ["html.markup", '<img src="https://elsewhere.example/wp-content/themes/elsewhere/a.png">'],
    ["html.path", "/wp-content/themes/brightpine/style.css"],
    ["html.path", "/wp-content/themes/brightpine-child/style.css"],
    ["html.path", "/wp-content/themes/custom-child/style.css"],
    ["html.path", "/wp-content/plugins/index.php"],
    ["html.path", "/sites/all/modules/custom/a.js"],
    ["html.path", "/wp-content/mu-plugins/our-tools/a.js"],
    ["html.path", "/wp-content/plugins/search/a.js"],
    ["html.path", "/wp-content/plugins/site-functionality/a.js"],
    ["html.path", "/wp-content/themes/theme/a.css"],
  ])("of others, of the site itself, and folders are ignored: %s %s", (kind, value) => {
    expect(namesIn(kind, value)).toEqual([]);
  });
});

test("a theme that begins with an abbreviation of the site is a hint, a copy of a known theme is that theme", () => {
  const found = (value: string, location: string) =>
    match({ kind: "html.path", value, location }).map(
      ({ tool: { name }, rule: { strength } }) => `${name} ${strength}`,
    );
  expect(found("/wp-content/themes/hn-revamped/a.css", "https://harbournews.example/")).toEqual(["Hn Revamped weak"]);
  expect(found("/wp-content/themes/hn24/a.css", "https://harbournews.example/")).toEqual(["Hn24 weak"]);
  expect(found("/wp-content/themes/nh-revamped/a.css", "https://harbournews.example/")).toEqual(["Nh Revamped strong"]);
  expect(found("/wp-content/themes/hnx/a.css", "https://harbournews.example/")).toEqual(["Hnx strong"]);
  expect(found("/wp-content/themes/mh-magazine/a.css", "https://mariaharbour.example/")).toEqual([
    "Mh Magazine strong",
  ]);
  expect(found("/wp-content/themes/hbn/a.css", "https://hbn.example/")).toEqual([]);
  expect(found("/wp-content/themes/twentyten-hn/a.css", "https://harbournews.example/")).toEqual(["Twenty Ten strong"]);
  expect(found("/wp-content/themes/twentyten-pro/a.css", "https://harbournews.example/")).toEqual([
    "Twentyten Pro strong",
  ]);
});

test("a theme with the name of a framework is no sign of the framework", () => {
  const found = (folder: string) =>
    match({
      kind: "html.path",
      value: `/wp-content/themes/${folder}/a.css`,
      location: "https://brightpine.example/",
    }).map(({ tool: { id } }) => id);
  expect(found("foundation")).toEqual(["wordpress-theme.foundation"]);
});

test("many files of one extension are one rule, so that evidence of them is merged", () => {
  const [first, second] = ["a", "b"].map((name) =>
    match({
      kind: "html.path",
      value: `/wp-content/plugins/my-calendar/${name}.js`,
      location: "https://brightpine.example/",
    }),
  );
  expect(first?.[0]?.rule).toBe(second?.[0]?.rule as never);
  expect(first?.[0]?.tool.id).toBe(second?.[0]?.tool.id as never);
});

describe("packages", () => {
  test.each<[string, string[]]>([
    ["https://cdn.jsdelivr.net/npm/swiper@8.4.5/swiper-bundle.min.js", ["Swiper 8.4.5"]],
    ["https://unpkg.com/@vendor/left-pad@1.3.0/index.js", ["@vendor/left-pad 1.3.0"]],
    ["https://unpkg.com/harbour-jquery@1.3.0/index.js", ["jQuery Harbour 1.3.0"]],
    ["https://unpkg.com/jquery.harbour-map@1.3.0/index.js", ["jQuery Harbour Map 1.3.0"]],
    ["https://cdnjs.cloudflare.com/ajax/libs/require.js/2.1.14/require.min.js", ["RequireJS 2.1.14"]],
    ["https://cdn.jsdelivr.net/swiper/3.4.1/js/all.min.js", ["Swiper 3.4.1"]],
    ["https://brightpine.example/js/jquery.magnific-popup.min.js?ver=1.1.0", ["Magnific Popup 1.1.0"]],
    ["https://brightpine.example/js/owl.carousel-2.3.4.min.js", ["Owl Carousel 2.3.4"]],
    ["https://static.brightpine.example/unpkg/left-pad@1.3.0/index.js", ["left-pad 1.3.0"]],
    ["https://brightpine.example/vendor/left-pad@1.3.0/index.js", ["left-pad 1.3.0"]],
    ["https://brightpine.example/photos/harbour@2/index.js", []],
    ["https://brightpine.example/vendor/swiper@8/dist/a.js", ["Swiper"]],
    ["https://brightpine.example/js/slimbox1_8.js", ["Slimbox"]],
    ["https://unpkg.com/@popperjs/core@2.11.8/dist/umd/popper.min.js", ["Popper 2.11.8"]],
    ["https://unpkg.com/@splidejs/splide@4.1.4/dist/js/splide.min.js", ["Splide 4.1.4"]],
    ["https://brightpine.example/js/main.js", []],
    ["https://brightpine.example/vendor/bootstrap.js", ["Bootstrap"]],
    ["https://brightpine.example/v4/bootstrap.min.js", ["Bootstrap"]],
    ["https://harbourline.example/js/bootstrap.min.js", ["Bootstrap"]],
    // The first script of a service.
    ["https://harbourline.example/v4/bootstrap.min.js", []],
    ["https://brightpine.example/js/fb79b34b9717ca5f75bd-owl.carousel.js", ["Owl Carousel"]],
    ["https://brightpine.example/_app/react.BpKPsBQp.mjs", ["React"]],
    ["https://brightpine.example/assets/swiper-B3x_9QaZ.js", ["Swiper"]],
    ["https://brightpine.example/assets/swiper-Carousel.js", []],
    ["https://brightpine.example/js/jquery.scrollTo.js?ver=2.1.2", ["jQuery.scrollTo 2.1.2"]],
    ["https://brightpine.example/js/jquery-37d25c1810.magnific-popup.js", ["Magnific Popup"]],
    ["https://brightpine.example/js/jquery.magnific-popup-59656fb116.js", ["Magnific Popup"]],
    [`https://brightpine.example/assets/jquery.magnific-popup-${"0a1b2c3d".repeat(8)}.js`, ["Magnific Popup"]],
  ])("are identified by their network or their file: %s", (value, names) => {
    expect(namesIn("html.script", value)).toEqual(names);
  });
});

test("in code, a library is named by a package network or as a plug-in of jQuery, and not by the name of a file", () => {
  const network = "https://cdnjs.cloudflare.com/ajax/libs/swiper/8.4.5/swiper.min.js";
  expect(namesIn("html.inline-url", network)).toEqual(["Swiper 8.4.5"]);
  expect(namesIn("html.inline-url", "https://vendor.example/js/swiper.min.js")).toEqual([]);
  expect(namesIn("html.inline-url", "https://vendor.example/js/jquery.nanoscroller.js")).toEqual(["nanoScroller"]);
  expect(namesIn("html.inline-url", "https://vendor.example/js/jquery.harbour.js")).toEqual([]);
});

describe("names of files", () => {
  test.each<[string, string[]]>([
    ["https://brightpine.example/js/jquery.jsonp-2.4.0.min.js", ["jQuery JSONP strong"]],
    ["https://brightpine.example/js/lazysizes.min-4.0.0.js", ["lazysizes strong"]],
    ["https://brightpine.example/js/jquery-3.3.1.min-min-version-1605102615.js", ["jQuery strong"]],
    [
      "https://brightpine.example/temp/foundation-icons-503bb232767440cd9c21242589cfdb6a.css.gzip",
      ["Foundation Icons strong"],
    ],
    ["https://brightpine.example/js/um-jquery-form.min.js", ["jQuery Form weak"]],
    ["https://brightpine.example/js/bootstrap.js", ["Bootstrap weak"]],
    ["https://brightpine.example/js/brightpine-0a1b2c3d.js", []],
  ])("without versions, hashes and what was done to them: %s", (value, names) => {
    const hits = match({ kind: "html.script", value, location: "https://brightpine.example/" });
    expect(hits.map(({ tool: { name }, rule }) => `${name} ${rule.strength}`)).toEqual(names);
  });
});

test.each<[string, string[]]>([
  ["https://static.brightpine.example/fonts/merriweather-v19-latin-italic.woff2", ["Merriweather"]],
  ["https://brightpine.example/fonts/open-sans-v34-latin-ext_latin-700italic.woff2?a=1", ["Open Sans"]],
  ["https://brightpine.example/fonts/harbour-display-v2-latin-regular.woff", ["Harbour Display"]],
  ["https://brightpine.example/fonts/harbour-v2.woff2", []],
  ["https://brightpine.example/fonts/harbour-v2-latin-regular.css", []],
])("a file of a font that a site made for itself names the font: %s", (value, names) => {
  expect(namesIn("html.link", value)).toEqual(names);
});

describe("copies of libraries", () => {
  test.each<[SignalKind, string, string[]]>([
    ["html.style", "/*! normalize.css v8.0.1 | MIT License */ html{}", ["normalize.css 8.0.1"]],
    // Without a version.
    ["html.inline", "/*! loadCSS rel=preload polyfill. [c]2017 MIT License */ (function(){})", ["loadCSS"]],
    ["html.inline", "/*! harbourline: our own code */ (function(){})", []],
    ["html.inline", "/* frac.js (C) 2012-present */ (function(){})", ["frac.js"]],
    ["html.inline", "/* harbourline.js (C) 2012 */ (function(){})", []],
    ["html.inline", "/*! lazysizes - v5.3.2 */ (function(){})", ["lazysizes 5.3.2"]],
    ["html.inline", "/*! lozad.js - v1.16.0 - 2020 */ (function(){})", ["lozad.js 1.16.0"]],
    ["html.inline", "/*!\n * JavaScript Cookie v2.1.4\n */ (function(){})", ["JavaScript Cookie 2.1.4"]],
    ["html.style", "/* Header 1.2 */ .header{}", []],
    ["html.style", "/* from normalize.css v8.0.1 */ html{}", []],
  ])("are named by the comment at their head: %s %s", (kind, value, names) => {
    expect(namesIn(kind, value)).toEqual(names);
  });
});

test("many banners of one form leave those of the other to be read", () => {
  const kept = "/*! harbour.js: own code */ a();\n".repeat(120);
  expect(namesIn("html.inline", `${kept}/*! normalize.css v8.0.1 */`)).toEqual(["normalize.css 8.0.1"]);
  const versions = "/*! harbour.js v1.2 */ a();\n".repeat(120);
  expect(namesIn("html.inline", `${versions}/*! loadCSS: load a file */`)).toEqual(["loadCSS"]);
});

describe("the settings that Drupal writes", () => {
  const settings = (rest: string) =>
    `{"ajaxPageState":{"libraries":"core/drupal,webform/form,brightpine/swiper"},${rest}}`;
  const namesOf = (value: string) =>
    match({ kind: "html.data", value, location: "https://acme.example/" }).map(
      ({ tool: { name }, rule }) => `${name} ${rule.strength}`,
    );
  test("list known modules and others, blocks of modules, and libraries", () => {
    expect(namesOf(settings('"better_exposed_filters":{"a":1}')).sort()).toEqual([
      "Better Exposed Filters strong",
      "Brightpine weak",
      "Swiper weak",
      "Webform strong",
    ]);
  });
  test("are no settings without their own keys", () => {
    expect(namesOf('{"better_exposed_filters":{"a":1}}')).toEqual([]);
  });
});

describe("pages that declare their software", () => {
  test.each<[SignalKind, string, string[]]>([
    [
      "html.meta",
      "generator: Powered by Slider Revolution 6.5.11 - responsive, Mobile-Friendly",
      ["Slider Revolution 6.5.11"],
    ],
    ["html.meta", "generator: Site Kit by Google 1.99.0", ["Site Kit by Google 1.99.0"]],
    ["html.meta", "generator: Site Kit by Google 1.99.0/S", ["Site Kit by Google 1.99.0"]],
    ["html.meta", "parsely-title: A title", ["Parse.ly"]],
    ["html.meta", "twitter:card: summary", []],
    ["html.meta", "publisher: Brightpine", []],
    ["html.meta", "broadside-version: 2", []],
    ["html.markup", "<!-- This site is optimized with the Yoast SEO plugin v21.3 -->", ["Yoast SEO"]],
    ["html.markup", "<!-- ask HubSpot for a quote -->", []],
    ["html.markup", "<!-- Harbour Maps plugin v1.2 - https://harbour.example -->", []],
    [
      "html.markup",
      ofWordPress("This site uses the Harbour Maps plugin v1.2 - https://harbour.example"),
      ["Harbour Maps"],
    ],
    ["html.markup", ofWordPress("BEGIN Harbour Maps v1.2.3"), ["Harbour Maps"]],
    ["html.markup", ofWordPress("Visits by Harbour Count v3.0 - https://harbour.example"), ["Harbour Count"]],
    ["html.markup", ofWordPress("Performance optimized by Harbour Cache. Learn more"), ["Harbour Cache"]],
    ["html.markup", ofWordPress("Begin Yoast SEO v21.3"), ["Yoast SEO"]],
    ["html.markup", ofWordPress("Start of script generated by Harbour Limiter Plugin 1.6.5"), ["Harbour Limiter"]],
    ["html.markup", ofWordPress("Harbour Guard 2.2.24 run time: 0.554 ms"), ["Harbour Guard"]],
    ["html.markup", "<!-- Begin Hub Spot code -->", []],
    ["html.markup", ofWordPress("Harbour Trail 6.3.0"), ["Harbour Trail"]],
    ["html.markup", ofWordPress("/ Harbour Notice plugin"), ["Harbour Notice"]],
    [
      "html.markup",
      ofWordPress("This site uses the Harbour Plus plugin. https://harbour.example/plus"),
      ["Harbour Plus"],
    ],
    [
      "html.markup",
      ofWordPress("Harbour Share for WordPress: https://harbour.example/wordpress-plugins/share"),
      ["Harbour Share"],
    ],
    [
      "html.markup",
      ofWordPress("Generated by https://wordpress.org/plugins/harbour-random-posts/"),
      ["Harbour Random Posts"],
    ],
    ["html.markup", "<!-- Cache-Datei-URL: https://brightpine.example/ -->", ["Comet Cache"]],
    ["html.markup", "<!-- Start WP Socializer Plugin -->", ["WP Socializer"]],
    ["html.markup", "<!-- HFCM by 99 Robots - Snippet # 3 -->", ["Header Footer Code Manager"]],
    ["html.markup", "<!-- the cache-datei-url: is empty -->", []],
    ["html.markup", ofWordPress("ask for our plugin"), []],
    ["html.markup", ofWordPress("Opening hours: https://brightpine.example/hours"), []],
    ["html.markup", ofWordPress("Header 1.2 START"), []],
    ["html.markup", ofWordPress("Harbour Maps are on page 2"), []],
    ["html.markup", "<!-- @author HubSpot https://hubspot.example -->", []],
    ["html.meta", "generator: RequireJS 2.1", ["RequireJS 2.1"]],
  ])("%s %s", (kind, value, names) => {
    expect(namesIn(kind, value)).toEqual(names);
  });
});

test.each<[string, string]>([
  ["Harbour Themes 1.2", "strong"],
  ["Harbour Themes", "weak"],
  ["Brightpine Blog 1.2", "weak"],
  ["Harbour Child 1.2", "weak"],
])("a generator is a product where it has a version and is not the site's own: %s", (name, strength) => {
  const signal = {
    kind: "html.meta",
    value: `generator: ${name}`,
    location: "https://brightpineondemand.example/",
  } as const;
  expect(match(signal).map(({ rule }) => rule.strength)).toEqual([strength as "strong" | "weak"]);
});

test.each<[SignalKind, string]>([
  ["html.meta", `generator: A${" ".repeat(470)}7\u00e9`],
  ["html.markup", `${ofWordPress("x")}<!--${" ".repeat(230)}\u00e9-->`],
])(
  "runs of white space in %s take no time to speak of",
  (kind, value) => {
    const texts = kind === "html.meta" ? Array.from({ length: 2_000 }, () => value) : [value.repeat(2_000)];
    for (const text of texts) match({ kind, value: text, location: "https://brightpine.example/" });
    // More than 20 seconds with an expression in which several parts may take the same space.
  },
  5_000,
);

test("the framework of a theme names itself as a generator does", () => {
  expect(namesIn("html.meta", "framework: Harbour Panel 4.1.24")).toEqual(["Harbour Panel 4.1.24"]);
  expect(namesIn("html.meta", "framework: Require 4.1.24")).toEqual(["Require 4.1.24"]);
  const { byName } = createSelfNaming([
    tool("harbour", "Harbour", "javascript-library"),
    tool("hf", "Harbour Framework", "wordpress-plugin"),
  ]);
  const value = "framework: Harbour 4.3.9";
  const hits = byName({ kind: "html.meta", value, location: "https://brightpine.example/" });
  expect(hits.map(({ tool: { id } }) => id)).toEqual(["hf"]);
});

test.each<[SignalKind, string]>([
  ["html.meta", "hubspot-review: x"],
  ["html.markup", "<!-- How to install the Yoast SEO plugin v19.0 -->"],
  ["html.markup", ofWordPress("Please update the Harbour Maps plugin v1.2")],
  ["html.markup", `<input placeholder='/wp-content/plugins/contact-form-7/'>`],
  ["html.markup", `<img alt="as in wp-content/plugins/contact-form-7/">`],
])("what a page says of a tool does not name it: %s %s", (kind, value) => {
  expect(namesIn(kind, value)).toEqual([]);
});

test("an extension is found after a note on it", () => {
  const value = `<input placeholder="/wp-content/plugins/contact-form-7/"><b data-a="/wp-content/plugins/contact-form-7/a.js">`;
  expect(namesIn("html.markup", value)).toEqual(["Contact Form 7"]);
});

test("a name has no line break and no comma", () => {
  expect(namesIn("html.markup", ofWordPress("Harbour\nForged Maps plugin"))).toEqual(["Harbour Forged Maps"]);
  expect(namesIn("html.markup", ofWordPress("Harbour, Forged plugin"))).toEqual([]);
});

test("a plug-in that a comment names is in use", () => {
  const value = ofWordPress("Harbour Share for WordPress: https://harbour.example/wordpress-plugins/share");
  const hits = match({ kind: "html.markup", value, location: "https://brightpine.example/" });
  expect(hits.map(({ rule }) => rule.strength)).toEqual(["strong"]);
});

describe("settings", () => {
  const strengthsIn = (value: string) =>
    match({ kind: "html.inline", value, location: "https://brightpine.example/" })
      .filter(({ isOff }) => !isOff)
      .map(({ tool: { name }, rule }) => `${name} ${rule.strength}`);

  test.each<[string, string[]]>([
    ['var hubspotPortalId = "1234567";', ["HubSpot strong"]],
    ["{hubspot_portal_id: 1234567}", ["HubSpot strong"]],
    ['{"bidder":"appnexus","params":{}}', ["Xandr strong"]],
    ['{"hubspot":{"enabled":true}}', ["HubSpot weak"]],
    ['var hubspotPortalId = "";', []],
    ['{"hubspotPortalId":"{{ portal }}"}', ["HubSpot weak"]],
    ["{hubspot: {enabled: false, portalId: 1234567}}", []],
    ['{"hubspot":{"portalId":"1234567","enabled":"0"}}', []],
    ['{"hubspotPortalId":"1234567","hubspotEnabled":false}', []],
    ['{"hubspotPortalId":"1234567","hubspotEnabled":true}', ["HubSpot strong"]],
    [String.raw`{\"hubspot_portal_id\":\"1234567\"}`, ["HubSpot strong"]],
    ["enableHubspotForms(form);", ["HubSpot weak"]],
    ['{"hubspotVersion":"2.0"}', ["HubSpot weak"]],
    ['var segmentWriteKey = "a1b2c3d4e5";', ["Segment strong"]],
    ['{"segment": {"apiKey": "a1b2c3d4e5"}}', ["Segment strong"]],
    ['{"segment": {"name": "buyers-2024"}}', []],
    ['load("https://www.hubspot.com/about");', []],
    ['alert("We ask HubSpot for a quote");', []],
    ['{"hubspot":{"cookieNameList":["hubspotutk"]}}', []],
    ['{"hubspotCookieConsent":{"portalId":"1234567"}}', []],
    ['{"provider": "Twitter"}', []],
    ['{"broadsideId": "a1b2c3d4e5"}', []],
    ['{"requirejsKey": "a1b2c3d4e5"}', ["RequireJS weak"]],
    ['var segmentId = "abcdef";', []],
    ['{"twitterUsername":"brightpine"}', []],
    ['{"twitterAppId":"a1b2c3d4e5"}', []],
    ['{"harbourtalkSiteKey":"hk_a1b2c3"}', ["Harbourtalk strong"]],
    ['{"hubspotting":"abcdef"}', []],
    ['{"hubspot":{"portalId":""}}', []],
    ['{"disable_hubspot":true}', []],
    ['{"title":"HubSpot raises its prices"}', []],
    ['{"slug":"why-a-small-firm-left-hubspot"}', []],
    ["/bot|hubspot|crawler/", []],
    ['["one","two","three","hubspot"]', []],
    ['{"topics":{"rollupper":{"id":7,"label":1}}}', []],
    ['{"hubspot":null,"related":[]}', []],
    ['{"hubspot_ids":[],"related":[]}', []],
    ['{"hubspot":"0","related":[]}', []],
    ['{"invalid_hubspot":"Please try again"}', []],
    ['{"hubspotPartnerId":"P0000"}', ["HubSpot weak"]],
    ['{"hubspotVersion":"","related":[]}', []],
    ['{"useHubspot":!1}', []],
    ["window.hubspotTag = window.hubspotTag || [];", ["HubSpot strong"]],
    ["var _hubspot_queue = e._hubspot_queue || {};", ["HubSpot strong"]],
    ["window.myHubspotTag = window.myHubspotTag || [];", ["HubSpot weak"]],
    ["w.hubspotTag = w.hubspotTag || [];", ["HubSpot strong"]],
    // What an ad server prepares for each of its partners.
    ["__ATA.hubspotTag = __ATA.hubspotTag || {};", ["HubSpot weak"]],
    ["window.hubspotColours = window.hubspotColours || [];", ["HubSpot weak"]],
    ['{"tags":["prices","hubspot"]}', []],
    ['{"customers":["hubspot"]}', []],
    ["if (window.Hubspot) { reload(); }", []],
    ["if (window.Hubspot && window.Hubspot.theme) { reload(); }", []],
    // The browser's own interfaces, and an everyday word.
    ['t = xhr.getResponseHeader("content-type")', []],
    ['{"weather_doppler": 7185}', []],
  ])("are named after their tool: %s", (value, names) => {
    expect(strengthsIn(value)).toEqual(names);
  });

  test.each<[string, boolean]>([
    ['{"hubspot":{"enabled":false}}', true],
    ['{"hubspot":{"portalId":""}}', true],
    ['{"hubspot_ids":[],"related":[]}', true],
    ['{"hubspotPortalId":null}', true],
    ['{"hubspotVersion":"","related":[]}', false],
    ['{"hubspot":{"enabled":"0"},"blog":{"hubspot":{"enabled":"1"}}}', false],
    ['{"hubspotEnabled":true,"hubspot_enabled":"0"}', false],
    ['{"hubspotPortalId":"","blog":{"hubspotPortalId":"1234567"}}', false],
    ["load(hubspot);", false],
  ])("say that the page does not use a tool: %s", (value, expected) => {
    const hits = match({ kind: "html.data", value, location: "https://brightpine.example/" });
    expect(hits.some(({ isOff }) => isOff === true)).toBe(expected);
  });
});

describe("classes, ids and attributes", () => {
  const strengthsIn = (value: string) =>
    match({ kind: "html.names", value, location: "https://brightpine.example/" }).map(
      ({ tool: { name }, rule }) => `${name} ${rule.strength}`,
    );

  test.each<[string, string[]]>([
    ["wide data-hubspot-form", ["HubSpot strong"]],
    ["hubspot-form wide", ["HubSpot weak"]],
    ["#parsely-root", ["Parse.ly weak"]],
    ["#tablepress-default-css", ["TablePress strong"]],
    ["#divi-style-css", ["Divi strong"]],
    ["#divi-fitvids-js", []],
    // Underscores in place of dots.
    ["#__jquery_cookie__-js", ["jQuery Cookie strong"]],
    ["#require-js", []],
    ["#xandr-api-js", ["Xandr strong", "Xandr weak"]],
    ["#xandr-api-css", ["Xandr weak"]],
    ["tag-hubspot category-hubspot", []],
    ["icon-twitter", []],
    ["require-js-note", []],
    ["hubspotting", []],
    ["borlabs-cookie-hubspot", []],
    ["broadside-wide data-broadside-menu", []],
  ])("name a tool: %s", (value, names) => {
    expect(strengthsIn(value)).toEqual(names);
  });
});

describe("marks that do not contain the tool's name", () => {
  const hitsIn = (value: string) =>
    match({ kind: "html.names", value, location: "https://brightpine.example/" }).map(
      ({ tool: { id, name }, rule }) => `${id.includes(".") ? id.split(".")[0] : ""} ${name} ${rule.strength}`,
    );
  test.each<[string, string[]]>([
    ["wide mepr-form x", ["wordpress-plugin MemberPress strong"]],
    ["#k2Container", ["joomla-extension K2 strong"]],
    ["advads-123456", ["wordpress-plugin Advanced Ads strong"]],
    ["col-md-6 navbar-nav", ["javascript-library Bootstrap weak"]],
    ["col-md-6 data-bs-toggle", ["javascript-library Bootstrap strong"]],
    ["col-md-6 #col-md-6 navbar-nav col-md-4", ["javascript-library Bootstrap weak"]],
    ["col-md-6 navbar-nav dropdown-toggle carousel-indicators", ["javascript-library Bootstrap strong"]],
    ["wp-theme-harbour", ["wordpress-theme Harbour strong"]],
    ["wp-theme-brightpine", []],
    ["theme-broadside", [" Broadside strong"]],
    ["theme-dark", []],
    ["tx-news", ["typo3-extension TYPO3 News strong"]],
    ["tx-harbour-pi1", ["typo3-extension Harbour weak"]],
    ["widget_mailpoet_form", ["wordpress-plugin MailPoet strong"]],
    ["widget_wp_polls_widget", ["wordpress-plugin WP-Polls strong"]],
    ["widget_text", []],
    ["data-pin-do", ["social Pinterest Widgets weak"]],
    ["data-pin-hover", ["social Pinterest Widgets strong"]],
    ["advads_", []],
    ["my-lwa-form lwa-forms", []],
  ])("%s", (value, tools) => {
    expect(hitsIn(value)).toEqual(tools);
  });
});

describe("calls of libraries", () => {
  test.each<[string, string[]]>([
    ['$(".gallery").magnificPopup({delegate: "a"});', ["Magnific Popup"]],
    ["var menu = new WOW({mobile: false});", ["WOW.js"]],
    ["if ($.fn.fitVids) { $(post).fitVids(); }", []],
    ["shop.cart().magnificPopups();", []],
    ["new Wow();", []],
    ['var themeMyLogin = {"ajax":"1"};', ["Theme My Login"]],
    ["themeMyLogin.start();", []],
    ["ga('require', 'GTM-T3VB3H6');", []],
    ['Hyphenator.run(); Hyphenator.config({"a": 1});', ["Hyphenator"]],
    ["new window.FontFaceObserver('Open Sans').load();", ["Font Face Observer"]],
    ["window.paceOptions = {};", ["Pace"]],
    ['jQuery.jStorage.set("a", 1);', ["jStorage"]],
    ["if (paceOptions == 1) start();", []],
    ["shop.Hyphenator.run();", []],
    ["Hyphenators.run();", []],
    ["if (typeof Hyphenator !== 'undefined') { Hyphenator.run(); }", []],
    ["if (typeof jQuery.fn.magnificPopup === 'function') { busy = true; $(post).magnificPopup(); }", []],
    ["if (typeof WOW !== 'undefined') { new WOW().init(); }", []],
    ["window.Hyphenator && Hyphenator.run();", []],
    ["function objectFitImages(all) {}", []],
  ])("%s", (value, names) => {
    expect(namesIn("html.inline", value)).toEqual(names);
  });
});

describe("files of a site", () => {
  test.each<[string, string[]]>([
    ["https://brightpine.example/js/hubspot-loader-2.0.1.min.js", ["HubSpot 2.0.1"]],
    ["https://brightpine.example/js/parsely.js", ["Parse.ly"]],
    ["https://brightpine.example/css/hubspot.css", []],
    ["https://brightpine.example/js/segment.js", []],
    ["https://brightpine.example/js/hubspotting.js", []],
  ])("that are named after a tool: %s", (value, names) => {
    expect(namesIn("html.script", value)).toEqual(names);
  });
});

test.each<[string, string[]]>([
  ["/js/lazyload.min.js", ["Vanilla LazyLoad weak"]],
  ["/wp-content/plugins/wp-rocket/assets/js/lazyload/17.5/lazyload.min.js", ["Vanilla LazyLoad strong"]],
  ["/js/wow.min.js", ["WOW.js strong"]],
  ["/js/jquery.touchSwipe.min.js", ["jQuery TouchSwipe strong"]],
])("a file whose name several libraries have is a hint, and a library has one name: %s", (value, names) => {
  const hits = match({ kind: "html.path", value, location: "https://brightpine.example/" });
  const libraries = hits.filter(({ tool: { category } }) => category === "javascript-library");
  expect(libraries.map(({ tool: { name }, rule }) => `${name} ${rule.strength}`)).toEqual(names);
});

describe("files of others that are named after a tool", () => {
  test.each<[string, string[]]>([
    ["https://brightpine.example/wp-includes/js/jquery/ui/parsely.min.js", []],
    ["https://tags.vendor.example/hubspot.js", []],
    ["https://tags.vendor.example/parsely.js", ["Parse.ly strong"]],
    ["https://brightpine.example/wp-content/plugins/forms/js/hubspot.js", ["Forms strong", "HubSpot weak"]],
    [
      "https://brightpine.example/wp-content/plugins/hubspot-forms/js/hubspot.js",
      ["Hubspot Forms strong", "HubSpot strong"],
    ],
  ])("%s", (value, names) => {
    const hits = match({ kind: "html.script", value, location: "https://brightpine.example/" });
    expect(hits.map(({ tool: { name }, rule }) => `${name} ${rule.strength}`)).toEqual(names);
  });
});

test("an extension is not another product of the same name", () => {
  const hits = match({
    kind: "html.path",
    value: "/wp-content/themes/segment/a.css",
    location: "https://brightpine.example/",
  });
  expect(hits.map(({ tool: { id } }) => id)).toEqual(["wordpress-theme.segment"]);
});

test("an extension of one platform is no extension of another platform with its name", () => {
  const value = "/sites/all/modules/contrib/harbour_menu/a.js";
  const hits = match({ kind: "html.path", value, location: "https://brightpine.example/" });
  expect(hits.map(({ tool: { id } }) => id)).toEqual(["drupal-module.harbour-menu"]);
});

describe("verifications and directories in other places", () => {
  test.each<[SignalKind, string, string[]]>([
    ["html.path", "/app/plugins/my-calendar/a.js", ["My Calendar"]],
    [
      "html.inline",
      String.raw`{"css":{"sites\/all\/modules\/contrib\/quicktabs\/css\/quicktabs.css":1}}`,
      ["Quick Tabs"],
    ],
    ["html.script", "https://s1.wp.com/wp-content/mu-plugins/likes/queue.js", []],
    ["html.script", "https://s1.wp.com/wp-content/themes/vip/generatepress/a.js", ["GeneratePress"]],
  ])("%s %s", (kind, value, names) => {
    expect(namesIn(kind, value)).toEqual(names);
  });
});

describe("hints of other tools", () => {
  const { byName } = createSelfNaming([
    tool("deskform", "Deskform", "forms"),
    tool("playerkit", "Playerkit", "video"),
    tool("instagram", "Instagram", "social"),
  ]);
  const hintsIn = (value: string) =>
    byName({ kind: "html.path", value, location: "https://brightpine.example/" })
      .filter(({ rule }) => rule.id === "add-on" || rule.id === "directory")
      .map(({ tool: { name }, rule }) => `${name} ${rule.id} ${rule.strength}`);

  test.each<[string, string[]]>([
    ["/wp-content/plugins/deskform-date-fields/a.js", ["Deskform add-on weak"]],
    ["/wp-content/plugins/date-fields-for-deskform/a.js", ["Deskform add-on weak"]],
    ["/wp-content/plugins/playerkit-date-fields/a.js", []],
    ["/assets/playerkit/skins/dark.css?v=2", ["Playerkit directory weak"]],
    ["/assets/playerkit/poster.png", []],
    ["/assets/instagram/feed.js", []],
  ])("%s", (value, names) => {
    expect(hintsIn(value)).toEqual(names);
  });
});

describe("bidders", () => {
  const { byName } = createSelfNaming([
    tool("magnite", "Magnite", "advertising"),
    tool("index-exchange", "Index Exchange", "advertising"),
  ]);
  test.each<[string, string[]]>([
    [`bids: [{bidder: 'rubicon', params: {siteId: "1"}}]`, ["Magnite adapter strong"]],
    [String.raw`{\"bidder\":\"ix\",\"params\":{}}`, ["Index Exchange adapter strong"]],
    [`{"bidderCode":"rubicon"},{"bidderCode":"rubicon"}`, ["Magnite adapter strong"]],
    [`{"river": "rubicon", "bidder": "nobody"}`, []],
    ["if (bidder === 'rubicon') next()", []],
    [`"bidders": ["rubicon", "ix"], "other": ["openx"]`, ["Magnite adapter strong", "Index Exchange adapter strong"]],
    // One that only the list of third parties has.
    [`{bidder: "kueezrtb"}`, ["Kueez adapter strong"]],
    [`userIds: [{name: "hadronId", params: {}}]`, ["Hadron ID adapter strong"]],
    [`dataProviders: [{name: "airgrid"}]`, ["AirGrid adapter strong"]],
    [`{bidder: "mobilefuse"}, {bidder: "trustx"}`, ["MobileFuse adapter strong", "TrustX adapter strong"]],
    [`dataProviders: [{name: "contxtful"}, {name: "raynRtd"}]`, ["Contxtful adapter strong", "Rayn adapter strong"]],
    [`pbjs.enableAnalytics([{provider: "realvuAnalytics"}])`, ["RealVu adapter strong"]],
    [`pbjs.enableAnalytics({provider: "rubicon"})`, ["Magnite adapter strong"]],
    [`users: [{name: "criteo"}]`, []],
  ])("are named by their code: %s", (value, names) => {
    const hits = byName({ kind: "html.inline", value, location: "https://brightpine.example/" });
    expect(hits.map(({ tool: { name }, rule }) => `${name} ${rule.id} ${rule.strength}`)).toEqual(names);
  });
});

describe("files that have a library's name and are not it", () => {
  test.each<[string, string[]]>([
    // Parts of jQuery UI, which WordPress has in its own folder.
    ["/wp-includes/js/jquery/ui/sortable.min.js?ver=1.13.2", []],
    ["/assets/jquery-ui/ui/widgets/sortable.js", []],
    ["/assets/jquery-ui-1.12.1/ui/minified/sortable.min.js", []],
    ["/js/sortable.min.js", ["SortableJS strong"]],
    // A component of the site's own, in the chunk of a bundler; packages are chunks, too.
    ["/_nuxt/AudioPlayer.b26e2fa6.js", []],
    ["/_nuxt/axios.707ed124.js", ["Axios strong"]],
    // Directories that are named after a section of the site or after the extension.
    ["/common/video/css/video.css", ["Video.js weak"]],
    ["/modules/contrib/slick/slick.js", ["Slick weak"]],
    ["/assets/slick/slick.js", ["Slick strong"]],
    // An extension's own plug-in of jQuery.
    ["/wp-content/plugins/harbour-timetable/js/jquery.timetable.js", ["jQuery Timetable weak"]],
    ["/wp-content/plugins/harbour/js/jquery.timetable.js", ["jQuery Timetable strong"]],
    ["/wp-content/plugins/highlight/js/jquery.highlight.js", ["jQuery Highlight weak"]],
    ["/wp-content/themes/harbour/css/ie8.css", ["IE7.js weak"]],
    ["/js/functions/intersectionObserver.js", ["IntersectionObserver polyfill weak"]],
    ["/js/babel-polyfill.min.js", ["Babel Polyfill strong"]],
    // Texts of a library in a language.
    ["/js/globalize.culture.de-at.js", ["Globalize strong"]],
    ["/js/jquery.magnific-popup.locale.fr.js", ["Magnific Popup strong"]],
    ["/js/harbour.de.js", []],
    // Copies that somebody changed.
    ["/js/jquery.magnific-popup2.js", ["Magnific Popup strong"]],
    ["/js/owl.carousel-custom.js", ["Owl Carousel strong"]],
    ["/js/harbour2.js", []],
    // Several libraries have the name of the original.
    ["/js/smooth-scroll.js", ["Smooth Scroll weak"]],
    ["/js/smooth-scroll-custom.js", ["Smooth Scroll weak"]],
    ["/js/smooth-scroll2.js", ["Smooth Scroll weak"]],
  ])("%s", (value, names) => {
    const hits = match({ kind: "html.path", value, location: "https://brightpine.example/" });
    const libraries = hits.filter(({ tool: { category } }) => category === "javascript-library");
    expect(libraries.map(({ tool: { name }, rule }) => `${name} ${rule.strength}`)).toEqual(names);
  });
});

test.each<[string, string[]]>([
  ["#redux-google-fonts-css", ["Redux Framework strong"]],
  ["#wpp-js #wpp-css", ["WordPress Popular Posts strong"]],
  ["#wpp-proposal-styling-css", ["WordPress Popular Posts weak"]],
  // The best of the marks counts, whatever their order, and once.
  ["#wpp-proposal-styling-css #wpp-js", ["WordPress Popular Posts strong"]],
  ["#wpp-proposal-styling-css wpp-list", ["WordPress Popular Posts strong"]],
  ["#wpp-js wpp-list", ["WordPress Popular Posts strong"]],
  // Its own script of that name.
  ["#wp-shortcode-js", []],
])("a handle that begins with an abbreviation is a hint, and those of WordPress name nothing: %s", (value, names) => {
  const hits = match({ kind: "html.names", value, location: "https://brightpine.example/" });
  expect(hits.map(({ tool: { name }, rule }) => `${name} ${rule.strength}`)).toEqual(names);
});

test.each<[string, string]>([
  ["Quantcast tag moved to the footer", "weak"],
  ["This page was optimized by HubSpot v2.1, removed in May", "weak"],
  ["Begin HubSpot Tag", "weak"],
  ["End of HubSpot Code for Default Guide", "weak"],
  ["end comscore tag", "weak"],
  ["This page is optimized by HubSpot v2.1", "strong"],
  ["This site is optimized with the Yoast SEO plugin v21.3", "strong"],
])("a comment that frames a tag is a hint, because it stays when the tag is removed: %s", (comment, strength) => {
  const hits = match({ kind: "html.markup", value: `<!-- ${comment} -->`, location: "https://brightpine.example/" });
  expect(hits.map(({ rule }) => rule.strength)).toEqual([strength as never]);
});

test.each<[string, string[]]>([
  ["<!-- Begin HubSpot Tag --><script>", ["HubSpot strong"]],
  ["<!-- Inicio de HubSpot -->\n<iframe src='/a'>", ["HubSpot strong"]],
  ["<!-- Début HubSpot -->", ["HubSpot weak"]],
  ["<!-- Beginn HubSpot -->", ["HubSpot weak"]],
  ["<!-- Начало HubSpot -->", ["HubSpot weak"]],
  ["<!-- Koniec HubSpot --><script>", ["HubSpot weak"]],
  ["<!-- Fin HubSpot tag --><script>", ["HubSpot weak"]],
  ["<!-- End HubSpot Tag --><script>", ["HubSpot weak"]],
  ["<!-- load the HubSpot script --><script>", ["HubSpot weak"]],
  ["<!-- Begin HubSpot Tag, removed in May --><script>", []],
  ["<!-- Fine print of HubSpot and of everything that is near the harbour -->", []],
])("a comment directly before a script announces a tag that is there, in several languages: %s", (value, expected) => {
  const hits = match({ kind: "html.markup", value, location: "https://brightpine.example/" });
  expect(hits.map(({ tool: { name }, rule }) => `${name} ${rule.strength}`)).toEqual(expected);
});

test.each<[string, string[]]>([
  ["harbourtalk-box", []],
  ["hubspot-box hubspot-title hubspot-field", ["HubSpot strong"]],
  ["#hubspot-box-1 #hubspot-box-2 #hubspot-box-3 hubspot-box", ["HubSpot weak"]],
  ["hubspot-box hubspot-title", ["HubSpot weak"]],
  ["my-hubspot-box my-hubspot-title my-hubspot-field", ["HubSpot weak"]],
  // One block of the site's own, whose name begins so.
  ["hubspotBox__a hubspotBox__b hubspotBox__c", ["HubSpot weak"]],
  // An alias may be a word of others.
  ["appnexus-box appnexus-title appnexus-field", ["Xandr weak"]],
])("several different classes that begin with a tool's name are its own mark-up: %s", (value, expected) => {
  const hits = match({ kind: "html.names", value, location: "https://brightpine.example/" });
  expect(hits.map(({ tool: { name }, rule }) => `${name} ${rule.strength}`)).toEqual(expected);
});

test.each([
  ["<!-- Page was optimized by HubSpot v2.1, removed in May --><!-- Page was optimized by HubSpot v2.1 -->"],
  ["<!-- Page was optimized by HubSpot v2.1 --><!-- Page was optimized by HubSpot v2.1, removed in May -->"],
  ["<!-- Start Shortcoder, disabled --><!-- Start Shortcoder -->"],
  ["<!-- Start Shortcoder --><!-- Start Shortcoder, disabled -->"],
])("of several comments of one tool the surest counts: %s", (value) => {
  const hits = match({ kind: "html.markup", value, location: "https://brightpine.example/" });
  expect(hits.map(({ rule }) => rule.strength)).toEqual(["strong"]);
});
