import { afterEach, describe, expect, test } from "bun:test";
import { builtInRecords } from "../../src/detection/fingerprints/packed.ts";
import type { Signal, SignalKind } from "../../src/detection/signals.ts";
import { createThirdPartyCollector } from "../../src/detection/third-parties/collector.ts";
import { createThirdPartyMatcher } from "../../src/detection/third-parties/entities.ts";
import { type PackedEntity, unknownEntities } from "../../src/detection/third-parties/pack.ts";
import { fernhill } from "../services/fernhill.ts";
import { type Boxed, openBoxed } from "./boxed.ts";
import { hosted } from "./catalogue-of.ts";

const signal = (kind: SignalKind, value: string, location = "https://acme.example/"): Signal => ({
  kind,
  value,
  location,
});

describe("the list of known third parties", () => {
  const entity = (name: string, category: string, ...domains: string[]) => ({ name, category, domains });

  test("leaves out what a rule knows: the host of a rule, hosts under it and above it", () => {
    const listed = [
      entity("Same", "ad", "known.test"),
      entity("Under", "ad", "*.cdn.known.test"),
      entity("Above", "ad", "*.test.example"),
      entity("New", "ad", "*.new.test", "known.test"),
    ];
    const tools = [
      hosted("known"),
      hosted("x", { rules: [{ ...hosted("x").rules[0]!, match: { host: "a.test.example" } }] }),
    ];
    expect(unknownEntities(listed, tools)).toEqual([["New", "advertising", "New", "", "", "new.test"]]);
  });

  test("leaves out hosting, content and collections, unless the catalogue has the tool", () => {
    const listed = [
      entity("Some Host", "hosting", "*.host.test"),
      entity("A Publisher", "content", "*.publisher.test"),
      entity("Other APIs", "utility", "*.apis.test"),
      entity("Distinctive", "hosting", "*.dist.test"),
      entity("Short", "ad", "*.unrelated.test", "*.short.test"),
    ];
    const tools = [hosted("distinctive", { name: "Distinctive" }), hosted("brief", { name: "Short" })];
    const known = [
      ["Distinctive", "", "Distinctive", "", "distinctive", "dist.test"],
      ["Short", "advertising", "Short", "", "brief", "short.test"],
    ];
    const rules = tools.map((tool) => ({ ...tool, rules: [] }));
    expect(unknownEntities(listed, rules)).toEqual(known as unknown as PackedEntity[]);
  });

  test("of the package has only categories of the catalogue", () => {
    const { categories } = builtInRecords();
    const matched = createThirdPartyMatcher(new Map())(signal("html.script", "https://clickio.mgr.consensu.org/x.js"));
    for (const { tool } of matched) expect(categories.map(({ id }) => id)).toContain(tool.category);
  });
});

describe("a host of a known third party", () => {
  const ENTITIES: readonly PackedEntity[] = [
    ["Adhouse", "advertising", "Adhouse Group", "https://adhouse.test/", "", "adhouse.test"],
    ["Widget", "advertising", "Widget", "", "widget", "widgetcdn.test"],
  ];
  const match = createThirdPartyMatcher(new Map([["widget", hosted("widget", { name: "Widget" })]]), () => ENTITIES);

  test("in what a page loads names the party, its category and its vendor, and is marked by its rule", () => {
    const [hit, ...rest] = match(signal("html.script", "https://cdn.adhouse.test/tag.js"));
    expect(rest).toEqual([]);
    expect(hit?.tool).toMatchObject({ id: "third-party.adhouse", name: "Adhouse", vendor: "Adhouse Group" });
    expect(hit?.rule).toMatchObject({ id: "third-party-web", strength: "strong", means: "runs" });
  });
  test.each(["html.image", "html.link", "html.inline-host", "html.hint", "http.policy-host"] as const)(
    "in %s is only a hint",
    (kind) => {
      const value = ["html.inline-host", "http.policy-host"].includes(kind)
        ? "x.adhouse.test"
        : "https://x.adhouse.test/a";
      expect(match(signal(kind, value))[0]?.rule.strength).toBe("weak");
    },
  );
  test.each(["html.anchor", "dns.cname", "tls.san"] as const)("in %s means nothing", (kind) => {
    expect(match(signal(kind, kind === "html.anchor" ? "https://adhouse.test/" : "x.adhouse.test"))).toEqual([]);
  });
  test("belongs to the tool of the catalogue with its name", () => {
    expect(match(signal("html.frame", "https://a.widgetcdn.test/"))[0]?.tool.id).toBe("widget");
  });
  test.each(["https://adhouse.test/", "https://www.adhouse.co.test/"])("is not a third party of %s", (location) => {
    expect(match(signal("html.script", "https://cdn.adhouse.test/tag.js", location))).toEqual([]);
  });
  test("is matched on label boundaries", () => {
    expect(match(signal("html.script", "https://notadhouse.test/tag.js"))).toEqual([]);
  });
});

describe("other third parties", () => {
  const collected = (...signals: (readonly [SignalKind, string, boolean?])[]) => {
    const collector = createThirdPartyCollector({ name: "acme.com" });
    for (const [kind, value, isMatched = false] of signals) collector.add(signal(kind, value), isMatched);
    return collector.list();
  };

  test("are listed by domain with their hosts and where they were seen", () => {
    const location = "https://acme.example/";
    expect(
      collected(
        ["html.script", "https://b.zebra.com/1.js"],
        ["html.script", "https://a.zebra.com/2.js"],
        ["http.policy-host", "a.zebra.com"],
        ["dns.cname", "x.antelope.net"],
      ),
    ).toEqual([
      { domain: "antelope.net", hosts: ["x.antelope.net"], seen: [{ signal: "dns.cname", location }] },
      {
        domain: "zebra.com",
        hosts: ["a.zebra.com", "b.zebra.com"],
        seen: [
          { signal: "html.script", location },
          { signal: "http.policy-host", location },
        ],
      },
    ]);
  });
  test("are not the company's own hosts, links, or domains of a matched host, in any order", () => {
    expect(
      collected(
        ["html.script", "https://static.acme.com/1.js"],
        ["html.anchor", "https://elsewhere.com/"],
        ["http.policy-host", "first.com"],
        ["html.script", "https://x.first.com/", true],
        ["html.anchor", "https://second.com/acme", true],
        ["html.image", "https://second.com/a.gif"],
        ["html.script", "https://192.0.2.1/x.js"],
      ),
    ).toEqual([]);
  });
  test("are bounded, whatever a page names", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ["html.image", `https://x${index}.com/`] as const);
    const hosts = Array.from({ length: 5_000 }, (_, index) => ["html.image", `https://h${index}.x1.com/`] as const);
    const list = collected(...many, ...hosts);
    expect(list).toHaveLength(300);
    expect(list.find(({ domain }) => domain === "x1.com")?.hosts).toHaveLength(5);
  });

  let boxed: Boxed | undefined;
  afterEach(() => boxed?.close());
  test("are in the stored report, without the hosts of detected tools", async () => {
    const home =
      '<!doctype html><title>Fernhill</title><script src="https://js.stripe.com/v3"></script><script src="https://x.nobody-knows-this.com/a.js"></script>';
    boxed = await openBoxed(fernhill(home));
    await boxed.enrich("fernhill.test");
    const { third_parties } = await boxed.enrich("fernhill.test");
    expect(third_parties?.filter(({ domain }) => !domain.endsWith(".test"))).toEqual([
      {
        domain: "nobody-knows-this.com",
        hosts: ["x.nobody-knows-this.com"],
        seen: [{ signal: "html.script", location: expect.stringContaining("fernhill.test") }],
      },
    ]);
  });
});
