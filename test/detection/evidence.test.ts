import { describe, expect, test } from "bun:test";
import { createEvidenceStore, withoutRules } from "../../src/detection/evidence.ts";
import type { Catalogue } from "../../src/detection/fingerprints/catalogue.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import type { Signal, SignalKind } from "../../src/detection/signals.ts";
import { CEILING, LOWEST_MIN_CONFIDENCE } from "../../src/detection/weights.ts";
import { catalogueOf, hosted } from "./catalogue-of.ts";
import { ruleOf, toolOf } from "./fingerprints/record-of.ts";

const signal = (kind: SignalKind, value: string, location = "https://acme.example/"): Signal => ({
  kind,
  value,
  location,
});

function judged(catalogue: Catalogue, signals: readonly Signal[], threshold?: number) {
  const ledger = createEvidenceStore(catalogue, threshold);
  for (const one of signals) ledger.add("scanner", one);
  return ledger.detections();
}
const confidences = (...judgement: Parameters<typeof judged>) =>
  Object.fromEntries(judged(...judgement).map(({ id, confidence }) => [id, confidence]));

/** `booking-part-a`, `…-b`, and so on: a number at the end would count as a version. */
const slugs = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `booking-part-${String(index).replace(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)))}`,
  );
const paths = (start: string) => (count: number) =>
  slugs(count).map((slug) => signal("html.path", `${start}${slug}/a.css`));
/** Signals with so many names that a page made up, by category. */
const MADE_UP: Readonly<Record<string, (count: number) => readonly Signal[]>> = {
  "wordpress-plugin": paths("/wp-content/plugins/"),
  "wordpress-theme": paths("/wp-content/themes/"),
  "drupal-module": paths("/modules/contrib/"),
  "typo3-extension": paths("/typo3conf/ext/"),
  "site-generator": (count) =>
    slugs(count).map((slug) => signal("html.meta", `generator: ${slug.replaceAll("-", " ")} 2.1`)),
  "javascript-library": (count) =>
    slugs(count).map((slug) => signal("html.script", `https://cdn.jsdelivr.net/npm/${slug}@1.2.3/a.js`)),
};

describe("evidence", () => {
  const widget = catalogueOf(hosted("widget"));
  const script = signal("html.script", "https://widget.test/a.js");

  test("of one strong rule gives its probability", () => {
    expect(confidences(widget, [script])).toEqual({ widget: 0.8 });
  });

  test("from ten tags counts once", () => {
    const tags = Array.from({ length: 10 }, (_, index) => signal("html.script", `https://widget.test/${index}.js`));
    expect(confidences(widget, tags)).toEqual({ widget: 0.8 });
    expect(judged(widget, tags)[0]?.evidence).toHaveLength(1);
  });

  test("of tools that only a page names is bounded, and tools of the catalogue are not", () => {
    const named = Array.from({ length: 2_000 }, (_, index) =>
      signal("html.path", `/wp-content/plugins/booking-part-${index}/style.css`),
    );
    const ids = judged(loadBuiltInCatalogue(), [...named, signal("html.script", "https://js.stripe.com/v3/")]).map(
      ({ id }) => id,
    );
    expect(ids.filter((id) => id.startsWith("wordpress-plugin."))).toHaveLength(150);
    expect(ids).toContain("stripe");
  });

  test("of an extension in a table of names is kept after any number of made-up ones", () => {
    const builtIn = loadBuiltInCatalogue();
    const files = [...Array.from({ length: 400 }, (_, index) => `booking-part-${index}`), "wp-cerber"];
    const found = judged(
      builtIn,
      files.map((slug) => signal("html.path", `/wp-content/plugins/${slug}/style.css`)),
    );
    expect(found.map(({ tool }) => tool)).toContain("WP Cerber Security");
    expect([...builtIn.tools.values()].map(({ name }) => name)).not.toContain("WP Cerber Security");
  });

  test.each([
    ["html.names", "sgds-masthead sgds-container", "Singapore Government Design System"],
    ["html.inline", "var TVE_Ult_Data = {};", "Thrive Ultimatum"],
    ["html.inline", "var CZRParams = {};", "Customizr"],
    ["html.inline", "jQuery('a').cloneya({});", "jQuery Cloneya"],
    ["html.inline", "Bacon.once(1)", "Bacon.js"],
    ["html.inline", "window.__NUXT_COLOR_MODE__ = {}", "Nuxt Color Mode"],
    ["html.markup", "<!-- mf-taxonomy-list -->", "Multi-column Taxonomy List"],
    ["html.style", "@font-face{font-family:PrimeIcons;src:url(a.woff)}", "PrimeIcons"],
  ] as const)(
    "of a tool in a table of names by %s %s is kept after any number of made-up ones",
    (kind, value, tool) => {
      const builtIn = loadBuiltInCatalogue();
      const all = [...Object.values(MADE_UP).flatMap((named) => named(400)), signal(kind, value)];
      expect(judged(builtIn, all).map((one) => one.tool)).toContain(tool);
      expect([...builtIn.tools.values()].map(({ name }) => name)).not.toContain(tool);
    },
  );

  test.each(Object.keys(MADE_UP))("of one %s is kept after any number of made-up ones of other kinds", (category) => {
    const found = judged(loadBuiltInCatalogue(), [
      ...Object.entries(MADE_UP).flatMap(([other, named]) => (other === category ? [] : named(400))),
      ...(MADE_UP[category]?.(1) ?? []),
    ]);
    expect(found.map(({ id }) => id)).toContain(`${category}.booking-part-a`);
  });

  test("of an extension that a page loads is kept after any number that its settings name", () => {
    const names = Array.from({ length: 200 }, (_, index) => `booking_part_${index}/a`);
    const settings = [names, names.map((name) => name.replace("part", "menu"))].map((libraries) =>
      signal("html.data", `{"ajaxPageState":{"libraries":"${libraries.join(",")}"}}`),
    );
    const loaded = signal("html.path", "/modules/contrib/harbour_menu/a.css");
    const ids = judged(loadBuiltInCatalogue(), [...settings, loaded]).map(({ id }) => id);
    expect(ids).toContain("drupal-module.harbour-menu");
  });

  test.each([
    ["html.path", "/files/live/sites/brightpine/files/a.css", ["jahia", "java"]],
    ["html.path", "/sites/brightpine/files/a.css", ["drupal", "php"]],
    ["html.path", "/wp-content/plugins/thrive-leads/a.js", ["php", "thrive-leads", "wordpress"]],
    ["html.path", "/wp-content/plugins/thrive-visual-editor/a.js", ["php", "thrive-architect", "wordpress"]],
    ["html.names", "tcb-plain-text tcb-post-title", ["php", "thrive-architect", "wordpress"]],
    ["html.names", "tve-leads-conversion-object", ["php", "thrive-leads", "wordpress"]],
    ["html.script", "https://via.batch.com/v4/bootstrap.min.js", ["batch"]],
    ["html.script", "https://start.harbourline.example/v12/bootstrap.js?id=1", []],
    ["html.script", "https://start.harbourline.example/v12/js/bootstrap.min.js", ["bootstrap"]],
    ["html.script", "https://start.harbourline.example/v5/bootstrap/js/bootstrap.js", ["bootstrap"]],
    ["html.link", "https://start.harbourline.example/v5/bootstrap.min.css", ["bootstrap"]],
    ["html.link", "https://cdnjs.cloudflare.com/ajax/libs/primer/1.2.3/primer.min.css", ["cdnjs", "primer-css"]],
  ] as const)("of one product by %s %s is none of another with its words", (kind, value, ids) => {
    const ledger = createEvidenceStore(loadBuiltInCatalogue());
    ledger.add("scanner", signal(kind, value));
    expect([...ledger.detections(), ...ledger.possible()].map(({ id }) => id).sort()).toEqual([...ids]);
  });

  test("of a tool that only a page names has the spelling of that page, whatever earlier pages had", () => {
    const builtIn = loadBuiltInCatalogue();
    const generated = (...names: readonly string[]) =>
      judged(
        builtIn,
        names.map((name) => signal("html.meta", `generator: ${name} 2.1`)),
      ).map(({ id, tool, evidence }) => [id, tool, evidence.length]);
    expect(generated("Quillbox")).toEqual([["site-generator.quillbox", "Quillbox", 1]]);
    expect(generated("QuillBox")).toEqual([["site-generator.quillbox", "QuillBox", 1]]);
    expect(generated("QUILLBOX", "Quillbox")).toEqual([["site-generator.quillbox", "QUILLBOX", 1]]);
  });

  test("of an extension's directory counts once, in whatever kinds of signal one tag shows it", () => {
    const address = "/wp-content/plugins/harbour-menu/a.css";
    const seen = [
      signal("html.link", `https://acme.example${address}`),
      signal("html.path", address),
      signal("html.markup", `<link rel="stylesheet" href="${address}">`),
    ];
    const [found] = judged(loadBuiltInCatalogue(), seen).filter(({ id }) => id.endsWith(".harbour-menu"));
    expect([found?.confidence, found?.evidence.length]).toEqual([0.8, 3]);
  });

  test("of one family does not add up, and the best counts", () => {
    const image = signal("html.image", "https://widget.test/a.gif");
    expect(confidences(widget, [image])).toEqual({ widget: 0.72 });
    expect(confidences(widget, [image, script])).toEqual({ widget: 0.8 });
    expect(confidences(widget, [script, image])).toEqual({ widget: 0.8 });
  });

  test("of classes in the page's own style sheet is a hint alone, and adds nothing to other evidence", () => {
    const deskform = toolOf(
      [ruleOf({ word: "deskform-field" }, { see: "html.names" }), ruleOf({ host: "widget.test" })],
      {
        id: "deskform",
        name: "Deskform",
      },
    );
    const catalogue = catalogueOf(deskform);
    const style = signal(
      "html.style",
      ".deskform-field { colour: red } .other, .more .deskform-row:hover { top: 1px }",
    );
    const ledger = createEvidenceStore(catalogue);
    ledger.add("scanner", style);
    expect(ledger.detections()).toEqual([]);
    expect(ledger.possible().map(({ id, confidence }) => `${id} ${confidence}`)).toEqual(["deskform 0.4"]);
    expect(confidences(catalogue, [style, script])).toEqual({ deskform: 0.8 });
    expect(ledger.possible()[0]?.evidence.map(({ rule }) => rule)).toEqual(["deskform/styled"]);
  });

  test("of code is a hint where the settings of the page switch the tool off, and tags count as ever", () => {
    // A rule may have any name, also that of a kind of setting.
    const load = ruleOf({ contains: "Widget.load" }, { see: "code", id: "object" });
    const tool = { ...toolOf([ruleOf({ host: "widget.test" }), load]), id: "widget", name: "Widgetloader" };
    const catalogue = catalogueOf(tool);
    const loader = [
      signal("html.inline", 'Widget.load({}); add("https://use.widget.test/" + id)'),
      signal("html.inline-host", "use.widget.test"),
    ];
    const off = signal("html.data", '{"widgetloader_ids":[],"more":1}');
    expect(confidences(catalogue, loader)).toEqual({ widget: 0.87 });
    expect(confidences(catalogue, [off, ...loader])).toEqual({});
    expect(confidences(catalogue, [...loader, off])).toEqual({});
    expect(confidences(catalogue, [off, ...loader, script])).toEqual({ widget: 0.88 });
    const account = signal("html.inline", 'widgetloader = {"siteId": "a1b2c3"}');
    expect(confidences(catalogue, [off, ...loader, account])).toEqual({ widget: 0.87 });
  });

  test("of an extension's classes is a hint, unless the page has something else of its system", () => {
    const system = (id: string) => toolOf([ruleOf({ host: `${id}.test` })], { id, category: "cms" });
    const extension = toolOf(
      [ruleOf({ word: "deskform-field" }, { see: "html.names" }), ruleOf({ path: "/deskform/" }, { id: "path" })],
      { id: "deskform", category: "wordpress-plugin", implies: ["wordpress"] },
    );
    const catalogue = catalogueOf(system("drupal"), system("wordpress"), extension);
    const made = (by: string) => signal("html.script", `https://${by}.test/a.js`);
    const classes = signal("html.names", "wide deskform-field");
    expect(confidences(catalogue, [classes])).toEqual({});
    expect(confidences(catalogue, [classes, made("drupal")])).toEqual({ drupal: 0.8 });
    expect(confidences(catalogue, [made("drupal"), classes, made("wordpress")])).toMatchObject({ deskform: 0.8 });
    const file = signal("html.script", "https://acme.example/deskform/a.js");
    expect(confidences(catalogue, [classes, file, made("drupal")])).toMatchObject({ deskform: 0.96 });
  });

  test("of a system's classes alone is a hint on a page that another system made", () => {
    const system = (id: string, word: string) =>
      toolOf([ruleOf({ host: `${id}.test` }), ruleOf({ word }, { id: "part", see: "html.names" })], {
        id,
        category: "cms",
      });
    const catalogue = catalogueOf(system("wordpress", "wp-content"), system("typo3", "tx-harbour"));
    const classes = signal("html.names", "wide tx-harbour");
    const made = (by: string) => signal("html.script", `https://${by}.test/a.js`);
    expect(confidences(catalogue, [classes])).toEqual({ typo3: 0.8 });
    expect(confidences(catalogue, [classes, made("wordpress")])).toEqual({ wordpress: 0.8 });
    expect(confidences(catalogue, [classes, made("wordpress"), made("typo3")])).toMatchObject({ wordpress: 0.8 });
    expect(Object.keys(confidences(catalogue, [classes, made("wordpress"), made("typo3")]))).toContain("typo3");
  });

  test("of extensions that a company wrote for its own sites is a hint", () => {
    const catalogue = loadBuiltInCatalogue();
    const files = (...slugs: string[]) =>
      slugs.map((slug) => signal("html.path", `/wp-content/plugins/${slug}/a.js`, "https://brightpine.example/"));
    const found = (...slugs: string[]) =>
      Object.keys(confidences(catalogue, files(...slugs))).filter((id) => id !== "php");
    expect(found("qzv-ads", "qzv-footer", "nice-map")).toEqual(
      expect.arrayContaining(["wordpress-plugin.qzv-ads", "wordpress-plugin.qzv-footer", "wordpress-plugin.nice-map"]),
    );
    const ids = found("qzv-ads", "qzv-footer", "qzv-login", "nice-map");
    expect(ids.filter((id) => id.includes("qzv"))).toEqual([]);
    expect(ids).toContain("wordpress-plugin.nice-map");
  });

  test("of a tool that the page switches off stays a hint when the surer rule is suppressed later", () => {
    const load = ruleOf({ contains: "Widget.load" }, { see: "code", id: "object" });
    const host = ruleOf({ host: "use.widget.test" }, { see: "html.inline-host", id: "host" });
    const mail = ruleOf({ host: "mail.widget.test" }, { see: "dns.mx", id: "mail" });
    const catalogue = catalogueOf({ ...toolOf([load, host, mail]), id: "widget", name: "Widgetloader" });
    const signals = [
      signal("html.inline", 'Widget.load({}); add("https://use.widget.test/" + id)'),
      signal("html.inline-host", "use.widget.test"),
      signal("dns.mx", "mail.widget.test"),
    ];
    const remaining = (...more: Signal[]) =>
      withoutRules(judged(catalogue, [...signals, ...more]), new Set(["widget/mail"]), catalogue).map(
        ({ confidence, evidence }) => [confidence, evidence.map(({ strength }) => strength)],
      );
    expect(remaining()).toEqual([[0.94, ["strong", "strong"]]]);
    expect(remaining(signal("html.data", '{"widgetloader_ids":[],"more":1}'))).toEqual([[0.4, ["weak", "weak"]]]);
  });

  test("of independent families reinforces each other", () => {
    expect(confidences(widget, [script, signal("dns.cname", "acme.widget.test")])).toEqual({ widget: 0.96 });
  });

  test("never reaches a confidence of 1, however much there is", () => {
    const all = [
      script,
      signal("dns.cname", "a.widget.test"),
      signal("dns.mx", "mx.widget.test"),
      signal("http.policy-host", "widget.test"),
    ];
    expect(confidences(widget, all)).toEqual({ widget: CEILING.runs });
  });

  test("is the same, and in the same order, whichever data source finished first", () => {
    const catalogue = catalogueOf(
      toolOf(["first", "second"].map((id) => ruleOf({ host: "widget.test" }, { id, see: ["web", "dns.cname"] }))),
      hosted("a", { implies: ["implied"] }),
      hosted("b", { implies: ["implied"] }),
      hosted("implied"),
    );
    const of = (source: string, kind: SignalKind, value: string, location?: string) =>
      [source, signal(kind, value, location)] as const;
    const signals = [
      of("pages", "html.script", "https://widget.test/z.js", "https://acme.example/about"),
      of("home-page", "html.script", "https://widget.test/y.js"),
      of("home-page", "html.anchor", "https://owners.widget.test/"),
      of("pages", "html.anchor", "https://acme.widget.test/", "https://acme.example/about"),
      of("aliases", "dns.cname", "x.widget.test", "www.acme.example"),
      of("aliases", "dns.cname", "b.widget.test", "www.acme.example"),
      of("zone", "dns.cname", "a.widget.test", "acme.example"),
      of("home-page", "html.script", "https://b.test/"),
      of("pages", "html.script", "https://a.test/"),
    ];
    const found = (all: typeof signals) => {
      const store = createEvidenceStore(catalogue);
      for (const [source, each] of all) store.add(source, each);
      return store.detections();
    };
    const expected = found(signals);
    expect(expected.find(({ id }) => id === "widget")?.evidence[0]).toMatchObject({
      source: "aliases",
      value: "b.widget.test",
    });
    for (let turn = 1; turn < signals.length; turn += 1) {
      const turned = [...signals.slice(turn), ...signals.slice(0, turn)];
      expect(found(turned)).toEqual(expected);
      expect(found(turned.toReversed())).toEqual(expected);
    }
  });

  test("that is weak needs another rule: the same one on more kinds of signal proves no more", () => {
    const weak = (id: string, see: SignalKind) => ruleOf({ host: "widget.test" }, { id, see, strength: "weak" });
    const alias = signal("dns.cname", "acme.widget.test");
    const one = ruleOf({ host: "widget.test" }, { see: ["html.script", "dns.cname"], strength: "weak" });
    expect(confidences(catalogueOf(toolOf([one])), [script, alias])).toEqual({});
    const two = catalogueOf(toolOf([weak("tag", "html.script"), weak("alias", "dns.cname")]));
    expect(confidences(two, [script])).toEqual({});
    expect(confidences(two, [script, alias])).toEqual({ widget: 0.64 });
  });

  test.each<[string, string, number | undefined]>([
    ['settings = {"fusion_widgetplayer":{"width":1}}', "close_fusion_widgetplayer", undefined],
    ['settings = {"fusion_widgetplayer":{"width":1}}', "widgetplayer-frame", 0.64],
    ['settings = {"widgetplayer_box":{"width":1}}', "widgetplayer_box", 0.64],
  ])("of one part of the site that is named after a tool is one, in code and in mark-up: %s %s", (code, names, sum) => {
    const catalogue = catalogueOf(toolOf([], { id: "widgetplayer", name: "Widgetplayer" }));
    const named = [signal("html.inline", code), signal("html.names", `wide ${names} x`)];
    expect(judged(catalogue, named)[0]?.confidence).toBe(sum);
  });

  test("in a shape without a rule changes nothing", () => {
    const ledger = createEvidenceStore(widget);
    expect(ledger.add("scanner", signal("html.script", "https://gadget.test/"))).toBe(false);
    expect(ledger.add("scanner", script)).toBe(true);
    expect(ledger.add("scanner", script)).toBe(false);
  });
});

describe("a mention", () => {
  const see = ["board.posting", "page.disclosure"] as const;
  const mentions = ruleOf({ word: "Widget" }, { id: "mention", see, means: "mentions", strength: "weak" });
  const reported = [signal("board.posting", "You know Widget."), signal("page.disclosure", "We use Widget.")];

  test.each([0, 0.1, 0.3, LOWEST_MIN_CONFIDENCE])(
    "alone is never reported, even with a threshold of %p",
    (threshold) => {
      expect(judged(catalogueOf(toolOf([mentions])), reported, threshold)).toEqual([]);
    },
  );

  test("alone is never reported, however strong its rule", () => {
    const loud = catalogueOf(toolOf([{ ...mentions, strength: "certain" }]));
    expect(judged(loud, reported, 0)).toEqual([]);
  });

  test("supports a tool that other evidence shows", () => {
    const catalogue = catalogueOf(toolOf([ruleOf({ host: "widget.test" }, { id: "loader" }), mentions]));
    const [detection] = judged(catalogue, [...reported, signal("html.script", "https://widget.test/")]);
    expect(detection).toMatchObject({ confidence: 0.86, means: "runs" });
    expect(detection?.evidence).toHaveLength(3);
  });
});

describe("a meaning limits the confidence of its evidence", () => {
  test("a verification token alone proves only a day in the past", () => {
    const token = ruleOf(
      { prefix: "widget-verification=" },
      { see: "dns.txt", means: "verified-once", strength: "certain" },
    );
    const [detection] = judged(catalogueOf(toolOf([token])), [signal("dns.txt", "widget-verification=0123456789ab")]);
    expect(detection).toMatchObject({ confidence: 0.6, means: "verified-once" });
  });

  test("an authorised sender may be obsolete", () => {
    const sender = ruleOf({ host: "widget.test" }, { see: "dns.spf", means: "sends-as", strength: "certain" });
    const [detection] = judged(catalogueOf(toolOf([sender])), [signal("dns.spf", "spf.widget.test")]);
    expect(detection).toMatchObject({ confidence: 0.9, means: "sends-as" });
  });

  test("the best meaning determines the tool's confidence", () => {
    const token = ruleOf({ prefix: "widget-" }, { id: "token", see: "dns.txt", means: "verified-once" });
    const catalogue = catalogueOf(toolOf([token, ruleOf({ host: "widget.test" }, { id: "loader" })]));
    const [detection] = judged(catalogue, [
      signal("dns.txt", "widget-verification=1"),
      signal("html.script", "https://widget.test/"),
    ]);
    expect(detection).toMatchObject({ confidence: 0.96, means: "runs" });
  });
});

describe("an implied tool", () => {
  const script = (id: string) => signal("html.script", `https://${id}.test/`);

  test("has slightly less confidence than the tool that implies it, along a chain", () => {
    const catalogue = catalogueOf(hosted("a", { implies: ["b"] }), hosted("b", { implies: ["c"] }), hosted("c"));
    expect(confidences(catalogue, [script("a")])).toEqual({ a: 0.8, b: 0.72, c: 0.65 });
  });

  test("is reported with the implying tool as its evidence", () => {
    const catalogue = catalogueOf(hosted("a", { implies: ["b"] }), hosted("b"));
    expect(judged(catalogue, [script("a")])[1]).toMatchObject({
      id: "b",
      means: "runs",
      version: null,
      evidence: [
        { source: "catalogue", signal: "implied", value: "a", location: "https://acme.example/", rule: "a/implies" },
      ],
    });
  });

  test("keeps its own evidence when that is better", () => {
    const catalogue = catalogueOf(hosted("a", { implies: ["b"] }), hosted("b"));
    const [, b] = judged(catalogue, [script("a"), script("b"), signal("dns.cname", "x.b.test")]);
    expect(b).toMatchObject({ id: "b", confidence: 0.96 });
    expect(b?.evidence.map(({ signal }) => signal)).not.toContain("implied");
  });

  test("gains from a better implication, and keeps both", () => {
    const catalogue = catalogueOf(hosted("a", { implies: ["b"] }), hosted("b"));
    const sure = [script("a"), signal("dns.cname", "x.a.test"), signal("html.image", "https://b.test/")];
    const [, b] = judged(catalogue, sure);
    expect(b).toMatchObject({ id: "b", confidence: 0.86 });
    expect(b?.evidence.map(({ signal }) => signal)).toEqual(["html.image", "implied"]);
  });

  test("below the threshold is not reported", () => {
    const catalogue = catalogueOf(hosted("a", { implies: ["b"] }), hosted("b"));
    expect(confidences(catalogue, [script("a")], 0.75)).toEqual({ a: 0.8 });
  });

  test("of a circle is reported once, and the resolution ends", () => {
    const circle = catalogueOf(
      hosted("a", { implies: ["b"] }),
      hosted("b", { implies: ["c"] }),
      hosted("c", { implies: ["a", "b"] }),
    );
    expect(confidences(circle, [script("a")])).toEqual({ a: 0.8, b: 0.72, c: 0.65 });
    expect(confidences(circle, [script("a"), script("b"), script("c")])).toEqual({ a: 0.8, b: 0.8, c: 0.8 });
  });
});

describe("detections", () => {
  test("are sorted by category label, then name, whatever the order of the signals", () => {
    const catalogue = catalogueOf(
      hosted("zeta"),
      hosted("Alpha".toLowerCase(), { name: "alpha", category: "email" }),
      hosted("beta", { name: "Beta", category: "cloud" }),
      hosted("eta", { name: "Eta" }),
    );
    const signals = ["zeta", "alpha", "beta", "eta"].map((id) => signal("html.script", `https://${id}.test/`));
    const order = ["Analytics/Eta", "Analytics/zeta", "Cloud/Beta", "Email/alpha"];
    for (const some of [signals, signals.toReversed()]) {
      expect(judged(catalogue, some).map(({ category, tool }) => `${category}/${tool}`)).toEqual(order);
    }
  });

  test("contain the metadata of the tool", () => {
    expect(judged(catalogueOf(hosted("widget")), [signal("html.script", "https://widget.test/")])[0]).toEqual({
      id: "widget",
      tool: "widget",
      category: "Analytics",
      vendor: "Widget Works",
      website: "https://widget.test/",
      version: null,
      confidence: 0.8,
      means: "runs",
      evidence: [
        {
          source: "scanner",
          signal: "html.script",
          value: "https://widget.test/",
          location: "https://acme.example/",
          rule: "widget/rule",
          strength: "strong",
        },
      ],
    });
  });

  test.each([[["/a.js", "/v4.2/a.js"]], [["/v4.2/a.js", "/a.js"]], [["/v4.2/a.js", "/v5/a.js"]]])(
    "keep the version from a value: %j",
    (paths) => {
      const catalogue = catalogueOf(toolOf([ruleOf({ host: "widget.test" }, { version: "/v(\\d{1,2}(?:\\.\\d)?)" })]));
      const signals = paths.map((path) => signal("html.script", `https://widget.test${path}`));
      expect(judged(catalogue, signals)[0]?.version).toBe("4.2");
    },
  );

  test("show the best 24 pieces of evidence, and count all", () => {
    const weak = Array.from({ length: 40 }, (_, index) =>
      ruleOf({ contains: `widget-${index}-` }, { id: `weak-${index}`, strength: "weak" }),
    );
    const mail = ruleOf({ host: "widget.test" }, { id: "mail", see: "dns.mx", strength: "certain" });
    const url = `https://acme.example/${weak.map((_, index) => `widget-${index}-`).join("")}`;
    const signals = [signal("html.script", url), signal("dns.mx", "mx.widget.test")];
    for (const some of [signals, signals.toReversed()]) {
      const [detection] = judged(catalogueOf(toolOf([...weak, mail])), some);
      expect(detection?.evidence).toHaveLength(24);
      expect(detection?.evidence[0]?.rule).toBe("widget/mail");
      expect(detection?.confidence).toBe(0.98);
    }
  });

  test("redact secrets in their evidence", () => {
    const [detection] = judged(catalogueOf(hosted("widget")), [
      signal("html.script", "https://0123456789abcdef@widget.test/", "https://acme.example/?mail=ada@acme.example"),
    ]);
    expect(detection?.evidence[0]).toMatchObject({
      value: "https://…@widget.test/",
      location: "https://acme.example/?mail=…@acme.example",
    });
  });
});
