import { describe, expect, test } from "bun:test";
import { createVendorDomainMatcher } from "../../../src/detection/self-naming/vendor-domains.ts";
import type { SignalKind } from "../../../src/detection/signals.ts";
import { ruleOf, toolOf } from "../fingerprints/record-of.ts";

const tools = [
  toolOf([], { id: "widget", name: "Widget", website: "https://www.widget.test/product" }),
  toolOf([], { id: "gadget-ads", name: "Gadget Ads", website: "https://gadget.test" }),
  toolOf([], { id: "cog-io", name: "Cog.test", website: "https://cog.test" }),
  toolOf([], { id: "former", name: "Later", aliases: ["Sooner"], website: "https://sooner.test" }),
  toolOf([], { id: "press", name: "Press", category: "cms", website: "https://press.test" }),
  toolOf([], { id: "twin", name: "Twin", website: "https://twin.test" }),
  toolOf([], { id: "twin-two", name: "Two", aliases: ["Twin"], website: "https://twin.test/two" }),
  toolOf(
    [
      ruleOf({ host: ["jobs.test", "shared.test"] }, { see: "dns.cname" }),
      ruleOf({ host: "files.test" }, { strength: "weak" }),
      ruleOf({ host: "house.test", path: "/jobs/" }),
      ruleOf({ host: "mx.house.test" }, { see: "dns.mx" }),
    ],
    { id: "jobs", website: "https://vendor.test" },
  ),
  toolOf([ruleOf({ host: "shared.test" }, { see: "dns.spf" })], { id: "other", website: "https://vendor.test" }),
];
const detectedBy = (kind: SignalKind, value: string, location = "https://brightpine.test/") =>
  createVendorDomainMatcher(tools)({ kind, value, location }).map(({ tool, rule }) => `${tool.id} ${rule.means}`);

describe("a host of a tool's vendor domain", () => {
  test.each<[SignalKind, string, string]>([
    ["html.script", "https://cdn.widget.test/embed.js", "widget runs"],
    ["html.frame", "https://widget.test/player/7", "widget runs"],
    ["html.form", "https://forms.eu.widget.test/subscribe", "widget runs"],
    ["dns.cname", "acme.widget.test", "widget runs"],
    ["dns.mx", "mx1.widget.test", "widget runs"],
    ["dns.ns", "ns1.widget.test", "widget runs"],
    ["dns.dmarc", "rua.widget.test", "widget runs"],
    ["dns.spf", "_spf.widget.test", "widget sends-as"],
    ["dns.dkim", "s1.dkim.widget.test", "widget sends-as"],
    ["html.script", "https://cdn.cog.test/embed.js", "cog-io runs"],
    ["html.script", "https://cdn.sooner.test/embed.js", "former runs"],
    ["dns.cname", "acme.press.test", "press runs"],
    ["dns.spf", "_spf.jobs.test", "jobs sends-as"],
    ["html.inline-url", "https://api.widget.test/v1/accounts", "widget runs"],
  ])("detects it as %s %s", (kind, value, reported) => {
    expect(detectedBy(kind, value)).toEqual([reported]);
  });

  test.each<[string, SignalKind, string]>([
    ["links to it", "html.anchor", "https://www.widget.test/"],
    ["is allowed to load it", "http.policy-host", "cdn.widget.test"],
    ["has its website in a list of partners", "html.inline-host", "www.widget.test"],
    ["has its website in a list of customers", "html.inline-host", "widget.test"],
    ["links to it in the texts of its code", "html.inline-url", "https://www.widget.test/about"],
    ["loads from a look-alike", "html.script", "https://widget.test.example/embed.js"],
    ["loads from one that ends so", "html.script", "https://evilwidget.test/embed.js"],
    ["loads from a house of many products", "html.script", "https://cdn.gadget.test/embed.js"],
    ["loads from who serves other pages", "html.script", "https://www.press.test/embed.js"],
    ["loads from a domain of two such tools", "html.script", "https://cdn.twin.test/embed.js"],
    ["loads from a host that rules of two tools name", "html.script", "https://cdn.shared.test/embed.js"],
    ["loads from a host that hints at a tool elsewhere", "html.frame", "https://cdn.files.test/embed"],
    ["may be sent mail for by a machine that takes it in", "dns.spf", "acme.mx.house.test"],
    ["loads from a host of which a tool has one path", "html.script", "https://house.test/maps/embed.js"],
  ])("detects nothing where a page %s", (_, kind, value) => {
    expect(detectedBy(kind, value)).toEqual([]);
  });

  test("detects nothing on the vendor's own pages", () => {
    expect(detectedBy("html.script", "https://cdn.widget.test/embed.js", "https://www.widget.test/")).toEqual([]);
  });

  test.each<[SignalKind, string, string]>([
    ["html.inline-url", "https://cdn.widget.test/embed.js", "strong"],
    ["html.link", "https://cdn.widget.test/embed.css", "strong"],
    ["html.image", "https://www.widget.test/logo.png", "weak"],
    ["html.inline-host", "app.widget.test", "weak"],
  ])("counts by where it is: %s %s", (kind, value, strength) => {
    const [hit] = createVendorDomainMatcher(tools)({ kind, value, location: "https://brightpine.test/" });
    expect(hit?.rule.strength).toBe(strength as never);
  });

  test("counts once, however many hosts there are", () => {
    const own = createVendorDomainMatcher(tools);
    const hit = (value: string) => own({ kind: "html.script", value, location: "here" })[0]?.rule;
    expect(hit("https://b.widget.test/2.js")).toBe(hit("https://a.widget.test/1.js")!);
  });
});

test("a host of files and requests in code is enough, and another host of the vendor is a hint", () => {
  const strengthOf = (value: string) =>
    createVendorDomainMatcher(tools)({ kind: "html.inline-host", value, location: "https://brightpine.test/" })[0]?.rule
      .strength;
  expect(["api.widget.test", "eu-cdn.widget.test", "assets2.widget.test"].map(strengthOf)).toEqual([
    "strong",
    "strong",
    "strong",
  ]);
  expect(["app.widget.test", "capital.widget.test"].map(strengthOf)).toEqual(["weak", "weak"]);
});
