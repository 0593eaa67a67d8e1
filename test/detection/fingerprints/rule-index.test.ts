import { describe, expect, test } from "bun:test";
import { BOUNDED_REGEX } from "../../../src/detection/fingerprints/conditions.ts";
import { createRuleIndex } from "../../../src/detection/fingerprints/rule-index.ts";
import type { Match, Rule } from "../../../src/detection/fingerprints/types.ts";
import { redactExcerpt } from "../../../src/detection/redaction.ts";
import { SIGNALS, type SignalKind } from "../../../src/detection/signals.ts";
import { ruleOf, toolOf } from "./record-of.ts";

function hitsOf(match: Match, kind: SignalKind, value: string, rest: Partial<Rule> = {}) {
  return createRuleIndex([toolOf([ruleOf(match, { see: kind, ...rest })])])({ kind, value, location: "here" });
}
const meets = (match: Match, kind: SignalKind, value: string) => hitsOf(match, kind, value).length === 1;

type Case = readonly [SignalKind, Match, string, boolean];

describe("a host", () => {
  test.each<Case>([
    ["dns.mx", { host: "widget.test" }, "widget.test", true],
    ["dns.mx", { host: "widget.test" }, "mx1.eu.widget.test", true],
    ["dns.mx", { host: "widget.test" }, "evilwidget.test", false],
    ["dns.mx", { host: "widget.test" }, "widget.test.example", false],
    ["dns.mx", { host: "mx.widget.test" }, "widget.test", false],
    ["dns.mx", { host: ["other.test", "widget.test"] }, "mx.widget.test", true],
    ["dns.mx", { host: "widget.test" }, "MX.Widget.Test", true],
    ["html.script", { host: "widget.test" }, "https://js.widget.test/a.js", true],
    ["html.script", { host: "widget.test" }, "https://js.widget.test:8443/a.js", true],
    ["html.script", { host: "widget.test" }, "https://user@js.widget.test/a.js", true],
    ["html.script", { host: "widget.test" }, "https://user:word@js.widget.test/a.js", true],
    ["html.script", { host: "widget.test" }, "https://widget.test:word@acme.example/a.js", false],
    ["html.script", { host: "widget.test" }, "https://widget.test@acme.example/a.js", false],
    ["html.script", { host: "widget.test" }, "https://acme.example/widget.test/a.js", false],
    ["html.script", { host: "widget.test" }, "https://acme.example/?u=//widget.test", false],
    ["html.script", { host: "widget.test" }, "https://acme.example#@widget.test", false],
  ])("as %s with %j in %s: %p", (kind, match, value, expected) => {
    expect(meets(match, kind, value)).toBe(expected);
  });
});

describe("a path", () => {
  test.each<Case>([
    ["html.script", { host: "widget.test", path: "/sdk/" }, "https://widget.test/sdk/1.js", true],
    ["html.script", { host: "widget.test", path: "/sdk/" }, "https://widget.test/SDK/1.js", true],
    ["html.script", { host: "widget.test", path: "/sdk/" }, "https://widget.test/other/sdk/1.js", false],
    ["html.script", { host: "widget.test", path: "/sdk/" }, "https://acme.example/sdk/1.js", false],
    ["html.script", { host: "widget.test", path: "/tag?id=" }, "https://widget.test/tag?id=7", true],
    ["html.path", { path: "/widget-plugin/" }, "/wp/Widget-Plugin/main.js?v=1", true],
    ["html.path", { path: "/widget-plugin/" }, "/wp/widget-plugins/main.js", false],
    ["html.path", { path: "/widget/", contains: "main.js" }, "/widget/other.js", false],
    ["html.path", { path: "/widget/", contains: "main.js" }, "/other/main.js", false],
    ["html.path", { path: "/widget/", contains: "main.js" }, "/widget/main.js", true],
    ["html.path", { path: "/widget/", prefix: "/static" }, "/static/other/", false],
  ])("as %s with %j in %s: %p", (kind, match, value, expected) => {
    expect(meets(match, kind, value)).toBe(expected);
  });
});

describe("equals, prefix, contains and regex", () => {
  test.each<Case>([
    ["http.cookie", { equals: ["_wgt", "_wgt2"] }, "_WGT2", true],
    ["http.cookie", { equals: "_wgt" }, "_wgt3", false],
    ["http.cookie", { equals: "_wgt", regex: "^_[a-z]{3}$" }, "_wgt", true],
    ["dns.txt", { prefix: "widget-verification=" }, "Widget-Verification=1", true],
    ["dns.txt", { prefix: "widget-verification=" }, "my widget-verification=1", false],
    ["dns.txt", { prefix: ["a-very-long-prefix=", "wid"] }, "widow", true],
    ["dns.txt", { prefix: "wid", contains: "owed" }, "widow", false],
    ["dns.txt", { contains: "widget" }, "by WIDGET.", true],
    ["dns.ns", { regex: "^ns\\d{1,2}\\.widget-\\d\\.test$" }, "NS12.widget-3.test", true],
    ["dns.ns", { regex: "^ns\\d{1,2}\\.widget-\\d\\.test$" }, "ns123.widget-3.test", false],
    ["dns.ns", { host: "widget.test", prefix: "ns" }, "ns1.widget.test", true],
    ["dns.ns", { host: "widget.test", prefix: "ns" }, "pdns1.widget.test", false],
    ["html.script", { host: "widget.test", regex: "[?&]id=A-" }, "https://widget.test/?id=A-1", true],
    ["html.script", { host: "widget.test", regex: "[?&]id=A-" }, "https://widget.test/?id=B-1", false],
    ["html.script", { equals: "https://widget.test/" }, "https://widget.test/", true],
    ["html.script", { contains: "/widget-" }, "https://acme.example/a/widget-1.js", true],
    ["file.robots", { prefix: "# widget" }, "# Widget\nUser-agent: *", true],
    ["file.robots", { prefix: "# widget" }, "User-agent: *\n# widget", false],
  ])("as %s with %j in %s: %p", (kind, match, value, expected) => {
    expect(meets(match, kind, value)).toBe(expected);
  });
});

describe("a named value", () => {
  test.each<Case>([
    ["http.header", { name: "x-widget" }, "x-widget: anything", true],
    ["http.header", { name: "x-widget" }, "x-widget: ", true],
    ["http.header", { name: "x-widget" }, "x-widgets: a", false],
    ["http.header", { name: "server", equals: "widget" }, "server: Widget", true],
    ["http.header", { name: "server", equals: "widget" }, "server: widget/1", false],
    ["http.header", { name: "server", prefix: "widget" }, "server: Widget/1.2", true],
    ["http.header", { name: "server", contains: "widget" }, "server: a widget", true],
    ["http.header", { name: "server", contains: "widget" }, "via: a widget", false],
    ["http.header", { name: "server", regex: "^widget/\\d" }, "server: Widget/1", true],
    ["http.header", { name: "x-a", contains: "server:" }, "x-a: b server: c", true],
    ["dns.srv", { name: "_sip._tls", host: "widget.test" }, "_sip._tls: sip.widget.test", true],
    ["dns.srv", { name: "_sip._tls", host: "widget.test" }, "_sip._tls: sip.evilwidget.test", false],
    ["dns.srv", { name: "_sip._tls", host: "widget.test" }, "_sip._tcp: sip.widget.test", false],
  ])("as %s with %j in %s: %p", (kind, match, value, expected) => {
    expect(meets(match, kind, value)).toBe(expected);
  });

  test("is never matched by a rule without a name", () => {
    expect(meets({ contains: "widget" }, "http.header", "server: widget")).toBe(false);
  });
});

describe("a text", () => {
  const far = "lorem ipsum ".repeat(100);

  test.each<Case>([
    ["html.inline", { contains: "widget.init(" }, `${far}Widget.INIT(1)`, true],
    ["html.inline", { global: "Widget" }, `${far};window.Widget=1`, true],
    ["html.inline", { global: "Widget" }, "MyWidget=1", false],
    ["board.posting", { word: "Widget" }, "know Widget well", true],
    ["board.posting", { word: "Widget" }, "know Widgets well", false],
    ["html.inline", { contains: "widget(", regex: "'A-\\d" }, `widget('A-1')`, true],
    ["html.inline", { contains: "widget(", regex: "'A-\\d" }, `widget('B-1')${far}'A-1'`, false],
    ["html.inline", { contains: "widget(", regex: "'A-\\d" }, `widget('B-1')${far}widget('A-1')`, true],
    ["html.inline", { contains: "widget(", global: "Boot" }, "widget(1)", false],
    ["html.inline", { contains: "widget(", global: "Boot" }, "Boot;widget(1)", true],
    ["html.inline", { prefix: "/*", global: "Widget" }, "/* nothing */", false],
    ["html.inline", { prefix: "/*", global: "Widget" }, "/* */Widget()", true],
    ["html.inline", { prefix: "/*", contains: "widget(" }, `/* */${"x;".repeat(1_000)}Widget()`, true],
    ["html.inline", { prefix: "/*", contains: "widget(" }, `${"x;".repeat(1_000)}Widget()`, false],
  ])("as %s with %j: %#", (kind, match, value, expected) => {
    expect(meets(match, kind, value)).toBe(expected);
  });

  test("is shown as the text around the match, at most 300 characters", () => {
    const [hit] = hitsOf({ contains: "widget.init" }, "html.inline", `${far}\n\n widget.init('1') ${far}`);
    const shown = hit ? redactExcerpt("html.inline", hit.excerpt) : "";
    expect(shown).toStartWith("…");
    expect(shown).toEndWith("…");
    expect(shown).toContain("ipsum widget.init('1') lorem");
    expect(shown.length).toBeLessThanOrEqual(300);
  });
});

describe("a hit", () => {
  test("returns its tool and rule, once for any number of matching values", () => {
    const hits = hitsOf({ contains: ["widget", "gadget"] }, "html.inline", "widget gadget widget");
    expect(hits.map(({ tool, rule }) => `${tool.id}/${rule.id}`)).toEqual(["widget/rule"]);
  });

  test("truncates a long value", () => {
    const [hit] = hitsOf({ prefix: "widget" }, "dns.mx", `widget${"x".repeat(1_000)}`);
    expect(hit && redactExcerpt("dns.mx", hit.excerpt)).toHaveLength(300);
  });

  test.each<readonly [SignalKind, Match, string, string, string | null]>([
    ["html.script", { host: "widget.test" }, "/v(\\d{1,3}(?:\\.\\d{1,3})?)/", "https://widget.test/v4.2/a.js", "4.2"],
    ["html.meta", { name: "generator", prefix: "widget" }, "widget (\\d{1,3})", "generator: Widget 6", "6"],
    ["html.inline", { contains: "widget v" }, "widget v(\\d{1,3})", `${"x".repeat(5_000)} Widget v7`, "7"],
    ["html.script", { host: "widget.test" }, "/v(\\d{1,3})/", "https://widget.test/a.js", null],
  ])("on %s returns the version", (kind, match, version, value, expected) => {
    expect(hitsOf(match, kind, value, { version })[0]?.version ?? null).toBe(expected);
  });
});

describe("a rule", () => {
  test("for a group is tried on each of its kinds whose values suit the match", () => {
    const match = createRuleIndex([toolOf([ruleOf({ host: "widget.test", path: "/a/" }, { see: "web" })])]);
    expect(match({ kind: "html.image", value: "https://widget.test/a/", location: "" })).toHaveLength(1);
    expect(match({ kind: "gtm.host", value: "widget.test", location: "" })).toEqual([]);
  });

  test.each<readonly [SignalKind, SignalKind, Match, string]>([
    ["dns.mx", "dns.ns", { host: "widget.test" }, "widget.test"],
    ["dns.mx", "html.script", { host: "widget.test" }, "https://widget.test/a.js"],
    ["html.script", "html.image", { host: "widget.test", path: "/a" }, "https://widget.test/a.js"],
    ["dns.txt", "http.cookie", { equals: "widget-id" }, "widget-id"],
    ["dns.txt", "http.cookie", { prefix: "widget-" }, "widget-id"],
    ["html.script", "html.image", { contains: "widget" }, "https://cdn.test/widget.js"],
    ["html.script", "html.image", { path: "/widget" }, "https://cdn.test/widget.js"],
    ["html.script", "html.image", { regex: "widget-[0-9]" }, "https://cdn.test/widget-1.js"],
    ["html.script", "html.image", { regex: "[xy][0-9]" }, "https://cdn.test/x1.js"],
    ["http.header", "html.meta", { name: "generator" }, "generator: Widget"],
    ["html.inline", "js.bundle", { global: "Widget" }, "new Widget()"],
    ["board.posting", "page.disclosure", { word: "Widget" }, "We use Widget."],
  ])("for %s is not tried on %s, even next to one that is: %j", (kind, other, match, value) => {
    const alone = ruleOf(match, { see: kind });
    const both = ruleOf(match, { id: "both", see: [kind, other] });
    const find = createRuleIndex([toolOf([alone, both])]);
    const met = (signal: SignalKind) => find({ kind: signal, value, location: "" }).map(({ rule }) => rule.id);
    // The other kind comes first: what was made ready for it serves this one, too.
    expect(met(other)).toEqual(["both"]);
    if (SIGNALS[kind].shape === SIGNALS[other].shape) expect(met(kind)).toEqual(["rule", "both"]);
  });

  test("compiles its expression when it is first tried, and not before", () => {
    const compiled: string[] = [];
    const match = createRuleIndex([toolOf([ruleOf({ host: "widget.test", regex: "a1" }, { custom: true })])], {
      ...BOUNDED_REGEX,
      compile(source) {
        compiled.push(source);
        return BOUNDED_REGEX.compile(source);
      },
    });
    const seen = (value: string) => match({ kind: "html.script", value, location: "" }).length;
    expect([seen("https://gadget.test/a1"), compiled.length]).toEqual([0, 0]);
    expect([seen("https://widget.test/a1"), seen("https://widget.test/a2"), compiled]).toEqual([1, 0, ["a1"]]);
  });

  test("is indexed under the literal that its expression requires, or under none", () => {
    const own = toolOf([ruleOf({ regex: "widget-[0-9]" })]);
    const met = (value: string, required: readonly string[] | null) =>
      createRuleIndex([own], BOUNDED_REGEX, { literals: [["widget-[0-9]", required]] })({
        kind: "html.script",
        value,
        location: "",
      }).length;
    const url = "https://cdn.test/widget-1.js";
    expect([met(url, null), met(url, ["cdn.test"]), met(url, ["elsewhere"])]).toEqual([1, 1, 0]);
  });
});

test.each<[string, boolean]>([
  ["typeof widgetQueue", false],
  ['bait.className = "widgetQueue ad-banner textads";', false],
  ["bait.className='adsbox widgetQueue'", false],
  ['bait.classList.add("widgetQueue")', false],
  ["document.querySelector('ins.widgetQueue').clientHeight", false],
  ["if (!window.widgetQueue || blocked) {}", false],
  ["if (!window.widgetQueue) window.widgetQueue = [];", true],
  ['load("a.js"); window.widgetQueue.push(["event"])', true],
  ['"object" == typeof widgetQueue && widgetQueue.push(["event"])', false],
  ['if (typeof window.widgetQueue !== "undefined") {}', false],
  ["window.widgetQueue && widgetQueue.push(['event'])", false],
  ["window.widgetQueue && window.widgetQueue.init('a1b2')", true],
  ["typeof widgetQueue; widgetQueue = widgetQueue || []", true],
  ['if (typeof widgetQueue === "object") { widgetQueue.push(["event"]); }', false],
  ['if (typeof widgetQueue.push === "function") { widgetQueue.push(["event"]); }', false],
  ["if (window.widgetQueue) widgetQueue.push(1)", false],
  ["if (window.widgetQueue) { widgetQueue.init(1) }", true],
  ["if (!widgetQueue) { widgetQueue = [] }", true],
  ["if (/bot|widgetQueue|crawler/.test(name)) {}", false],
  ["eval(unpack('a|widgetQueue|push'.split('|')))", true],
  ['var bait = "ad_box adsblock widgetQueue adsense-block ads_top";', false],
  ['var bait = ["widgetQueue", "other"];', false],
  ['var bait = ["other", "widgetQueue"];', false],
  ['window["widgetQueue"] = [];', true],
  ["// calls the old widgetQueue when it is there", false],
  ["return new widgetQueue ( options )", true],
  ["if (window.widgetQueue && window.widgetQueue.track) widgetQueue.track(1)", false],
  ["if (window.widgetQueue && window.widgetQueue.colour) { log(1) }", false],
  ["document.querySelectorAll('.hs-form, .widgetQueue-form, .mkto')", false],
])("an object that code only checks for is no evidence: %s", (code, expected) => {
  expect(meets({ global: "widgetQueue" }, "html.inline", code)).toBe(expected);
});

test("an object that a rule names as a member of the window is checked for like any other", () => {
  const code = 'if (typeof window.widgetQueue !== "undefined") { window.widgetQueue("shutdown"); }';
  expect(meets({ global: "window.widgetQueue" }, "html.inline", code)).toBe(false);
  expect(meets({ global: "window.widgetQueue" }, "html.inline", 'window.widgetQueue("boot", { id: 1 });')).toBe(true);
});

describe("a file that only its path identifies", () => {
  const tag = toolOf([ruleOf({ path: "/smarttag.js" }, { see: "html.script" })], { id: "tag", category: "analytics" });
  const library = toolOf([ruleOf({ path: "/smarttag.js" }, { see: "html.script" })], {
    id: "library",
    category: "javascript-library",
  });
  const vendor = toolOf([ruleOf({ host: "vendor.test" })], { id: "vendor", category: "advertising" });
  const delivery = toolOf([ruleOf({ host: "delivery.test" })], { id: "delivery", category: "cdn" });
  const match = createRuleIndex([tag, library, vendor, delivery]);
  const foundAt = (value: string) =>
    match({ kind: "html.script", value, location: "" })
      .map(({ tool }) => tool.id)
      .sort();

  test("is the file of the vendor that serves it, unless it is a library's", () => {
    expect(foundAt("https://cdn.vendor.test/js/smarttag.js")).toEqual(["library", "vendor"]);
    expect(foundAt("https://a.delivery.test/js/smarttag.js")).toEqual(["delivery", "library", "tag"]);
    expect(foundAt("https://brightpine.test/js/smarttag.js")).toEqual(["library", "tag"]);
  });
});
