import { expect, test } from "bun:test";
import { exampleFaults } from "../../../src/detection/fingerprints/examples.ts";
import type { Rule } from "../../../src/detection/fingerprints/types.ts";
import { ruleOf, toolOf } from "./record-of.ts";

const faultsOf = (rule: Rule) => exampleFaults(toolOf([rule])).map(({ pointer, detail }) => `${pointer}: ${detail}`);

test("a rule that matches its hit and not its miss passes", () => {
  const hosts = { hit: "https://js.widget.test/a.js", miss: "https://widget.test.example/a.js" };
  expect(faultsOf(ruleOf({ host: "widget.test" }, hosts))).toEqual([]);
});

test("a rule that cannot match its own hit is reported", () => {
  const rule = ruleOf({ host: "widget.test" }, { hit: "https://widgets.test/", miss: "https://gadget.test/" });
  expect(faultsOf(rule)).toEqual([
    'widget/rules/rule: hit "https://widgets.test/" does not match as html.script, html.inline-url',
  ]);
});

test("a rule that matches its miss is reported", () => {
  const rule = ruleOf({ host: "widget.test" }, { hit: "https://widget.test/", miss: "https://a.widget.test/" });
  expect(faultsOf(rule)).toEqual([
    'widget/rules/rule: miss "https://a.widget.test/" matches as html.script, html.inline-url',
  ]);
});

test("a rule is checked on every kind that it can match", () => {
  const rule = ruleOf(
    { prefix: "https://widget.test" },
    { see: ["html.script", "dns.mx"], hit: "https://widget.test/a", miss: "https://gadget.test/a" },
  );
  expect(faultsOf(rule)).toEqual(['widget/rules/rule: hit "https://widget.test/a" does not match as dns.mx']);
});

test("an address is tested as its host, and a host as an address at it", () => {
  const see = ["html.script", "dns.mx"] as const;
  const asUrl = { see, hit: "https://js.widget.test/a.js", miss: "https://gadget.test/a.js" };
  const asHost = { see, hit: "js.widget.test", miss: "gadget.test" };
  expect(faultsOf(ruleOf({ host: "widget.test" }, asUrl))).toEqual([]);
  expect(faultsOf(ruleOf({ host: "widget.test" }, asHost))).toEqual([]);
});

test("another rule of the tool does not cover for one that cannot match", () => {
  const sound = ruleOf({ host: "widget.test" }, { id: "sound", hit: "https://widget.test/", miss: "https://x.test/" });
  const deaf = ruleOf({ host: "wigdet.test" }, { id: "deaf", hit: "https://widget.test/", miss: "https://x.test/" });
  expect(exampleFaults(toolOf([sound, deaf])).map(({ pointer }) => pointer)).toEqual(["widget/rules/deaf"]);
});
