import { describe, expect, test } from "bun:test";
import { Failure } from "../../../src/core/errors.ts";
import {
  type CatalogueSource,
  loadCatalogue,
  loadCheckedCatalogue,
} from "../../../src/detection/fingerprints/catalogue.ts";
import { ruleOf, toolOf } from "./record-of.ts";

const CATEGORIES = { analytics: { label: "Analytics", area: "analytics and tracking" } };
const { id: _, ...WIDGET } = toolOf([ruleOf({ host: "widget.test" })]);

function faultsOf(source: CatalogueSource): string[] {
  try {
    loadCatalogue(source);
  } catch (error) {
    if (error instanceof Failure && error.code === "catalogue.invalid") {
      return (error.details.problems ?? []).map(({ pointer, detail }) => `${pointer}: ${detail}`);
    }
    throw error;
  }
  return [];
}
const records = (some: Record<string, unknown>) => ({ categories: CATEGORIES, records: some });

test("a valid catalogue has its tools and categories, and matches signals to rules", () => {
  const catalogue = loadCatalogue(records({ widget: WIDGET }));
  expect([...catalogue.tools.keys()]).toEqual(["widget"]);
  expect(catalogue.categories.get("analytics")?.label).toBe("Analytics");
  const [hit] = catalogue.match({ kind: "html.script", value: "https://widget.test/", location: "" });
  expect(hit?.tool.id).toBe("widget");
});

test("a meta tag whose content ends with a colon counts", () => {
  const named = ruleOf({ name: "widget-prefix" }, { see: "html.meta" });
  const { match } = loadCheckedCatalogue({ categories: [], tools: [toolOf([named])] });
  expect(match({ kind: "html.meta", value: "widget-prefix: fb:", location: "" })).toHaveLength(1);
});

test("a catalogue that was checked before is not checked again", () => {
  const tool = toolOf([ruleOf({ host: "widget.test" })], { category: "none" });
  const catalogue = loadCheckedCatalogue({ categories: [], tools: [tool] });
  expect(catalogue.match({ kind: "html.script", value: "https://widget.test/", location: "" })).toHaveLength(1);
});

describe("a tool name in a signal detects the tool", () => {
  const weak = ruleOf({ prefix: "widget-verification=" }, { see: "dns.txt", strength: "weak", means: "verified-once" });
  const { match } = loadCheckedCatalogue({ categories: [], tools: [toolOf([weak])] });
  const rulesMet = (kind: "dns.txt" | "dns.cname", value: string) =>
    match({ kind, value, location: "here" }).map(({ rule }) => rule.id);

  test("where no rule matches the signal", () => {
    expect(rulesMet("dns.txt", "widget-domain-verification=a1b2c3")).toEqual(["named-verification"]);
    expect(rulesMet("dns.cname", "acme.widget.test")).toEqual(["own-domain"]);
  });

  test("but not where a rule matches it", () => {
    expect(rulesMet("dns.txt", "widget-verification=a1b2c3")).toEqual([weak.id]);
  });
});

describe("a catalogue is refused for", () => {
  test.each<[string, Record<string, unknown>, string]>([
    ["an unknown category", { widget: { ...WIDGET, category: "none" } }, 'widget/category: unknown category "none"'],
    [
      "an unknown implied tool",
      { widget: { ...WIDGET, implies: ["gone"] } },
      'widget/implies: "gone" is not another tool',
    ],
    [
      "a tool that implies itself",
      { widget: { ...WIDGET, implies: ["widget"] } },
      'widget/implies: "widget" is not another tool',
    ],
    [
      "two rules that see and match the same",
      { widget: { ...WIDGET, rules: [ruleOf({ global: "a.b" }), { ...ruleOf({ global: ["a.b"] }), id: "again" }] } },
      "widget/rules/again: sees and matches the same as rule",
    ],
    ["a rule id used twice", { widget: { ...WIDGET, rules: [...WIDGET.rules, ...WIDGET.rules] } }, "duplicate rule id"],
    [
      "a faulty rule",
      { widget: { ...WIDGET, rules: [ruleOf({ regex: "a*" })] } },
      "widget/rules/rule: regex: contains an unbounded",
    ],
    [
      "a name in use",
      { widget: WIDGET, other: { ...WIDGET, name: "WIDGET" } },
      'other/name: "WIDGET" is also the name of widget',
    ],
    [
      "an alias that is another tool's name",
      { widget: WIDGET, other: { ...WIDGET, name: "Other", aliases: ["Wid-get"] } },
      'other/aliases: "Wid-get" is also a name of widget',
    ],
    [
      "an alias that two tools have",
      { a: { ...WIDGET, name: "A", aliases: ["Gadget"] }, b: { ...WIDGET, name: "B", aliases: ["gadget"] } },
      'b/aliases: "gadget" is also a name of a',
    ],
    [
      "an id that is another tool's name",
      { widget: { ...WIDGET, name: "Widget Ads" }, "widget-ads": { ...WIDGET, name: "Other" } },
      'widget-ads: "widget-ads" is also a name of widget',
    ],
    ["a broken record", { widget: { ...WIDGET, name: 1 } }, "widget/name"],
  ])("%s", (_, some, fault) => {
    expect(faultsOf(records(some)).join("\n")).toContain(fault);
  });

  test("all of its errors at once", () => {
    const faults = faultsOf(records({ a: { ...WIDGET, category: "none" }, b: { ...WIDGET, name: "" }, c: 1 }));
    expect(new Set(faults.map((fault) => fault.split(/[/:]/)[0]))).toEqual(new Set(["a", "b", "c"]));
  });

  test("invalid categories", () => {
    expect(faultsOf({ categories: { analytics: {} }, records: {} }).join()).toContain("categories/analytics/label");
  });
});
