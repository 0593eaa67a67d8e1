import { describe, expect, test } from "bun:test";
import { createEvidenceStore } from "../../../src/detection/evidence.ts";
import { serviceOf, servicesIn } from "../../../src/detection/scanners/consent-services.ts";
import { catalogueOf, hosted } from "../catalogue-of.ts";

describe("the configuration of a consent platform", () => {
  test.each([
    [
      'klaroConfig = {services: [{name: "gauge-analytics", title: "Gauge"}, {name: \'meter\'}]}',
      ["gauge-analytics", "Gauge", "meter"],
    ],
    [
      'var borlabsCookieConfig = {"x":1,"cookies":{"statistics":["gauge"],"marketing":["meter","dial"]}}',
      ["gauge", "meter", "dial"],
    ],
    ["window.didomiConfig={website:{vendors:{iab:{all:!0},didomi:['gauge','meter']}}}", ["gauge", "meter"]],
    [
      "(tarteaucitron.job = tarteaucitron.job || []).push('gauge'); tarteaucitron.job.push(\"meter\")",
      ["gauge", "meter"],
    ],
    ["CookieConsent.run({categories:{analytics:{services:{ga:{label:'Gauge Analytics'}}}}})", ["Gauge Analytics"]],
    ["CookieControl.load({thirdPartyCookies:[{'name':'Gauge','optOutLink':'https://gauge.test'}]})", ["Gauge"]],
  ])("names its services: %s", (script, services) => expect([...servicesIn(script)]).toEqual(services));

  test.each([
    'config = {services: [{name: "gauge"}]}',
    'klaroConfig = {services: [{name: "https://gauge.test/"}, {name: "<b>"}, {name: "12345"}]}',
    "",
  ])("does not exist in %p", (script) => expect([...servicesIn(script)]).toEqual([]));

  test("is bounded, whatever it lists", () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `{name:"service ${index}"}`).join(",");
    expect(servicesIn(`klaroConfig = {services:[${names}]}`).size).toBe(200);
    expect(servicesIn(`klaroConfig ${" ".repeat(100_000)} name:"late"`).size).toBe(0);
    expect(servicesIn(`didomiConfig ${"didomi:[".repeat(20_000)}`).size).toBe(0);
  });
});

describe("an element of a consent platform", () => {
  const at = (element: string, attributes: Record<string, string>) =>
    serviceOf(element, new Map(Object.entries(attributes)));
  test.each([
    ["script", { type: "text/plain", "data-usercentrics": "Gauge Analytics" }, "Gauge Analytics"],
    ["div", { "data-borlabs-cookie-id": "gauge" }, "gauge"],
    ["script", { type: "text/plain", "data-name": "gauge" }, "gauge"],
    ["iframe", { "data-service": "gauge", "data-src": "https://gauge.test/" }, "gauge"],
    ["script", { type: "text/javascript", "data-name": "gauge" }, undefined],
    ["iframe", { "data-name": "gauge", src: "https://gauge.test/" }, undefined],
    ["span", { "data-service": "gauge" }, undefined],
    ["script", { type: "text/plain", "data-name": "a sentence, with a comma" }, undefined],
  ])("<%s %p> belongs to %p", (element, attributes, service) => expect(at(element, attributes)).toBe(service));
});

describe("a declared service", () => {
  const catalogue = catalogueOf(hosted("gaugeworks", { name: "Gaugeworks" }));
  const found = (
    ...signals: (readonly ["consent.service" | "html.hint" | "board.posting" | "html.script", string])[]
  ) => {
    const store = createEvidenceStore(catalogue);
    for (const [kind, value] of signals) store.add("home-page", { kind, value, location: "page" });
    return { detections: store.detections(), possible: store.possible() };
  };

  test("alone is possible, never reported by default", () => {
    const { detections, possible } = found(["consent.service", "gaugeworks"]);
    expect(detections).toEqual([]);
    expect(possible).toMatchObject([{ id: "gaugeworks", confidence: 0.4, means: "declares" }]);
    expect(possible[0]?.evidence).toMatchObject([{ rule: "gaugeworks/declared", strength: "weak" }]);
  });
  test("supports other evidence", () => {
    const [detection] = found(["consent.service", "gaugeworks"], ["html.hint", "https://gaugeworks.test/"]).detections;
    expect(detection).toMatchObject({ confidence: 0.64, means: "runs" });
  });
  test("of another name means nothing", () => {
    expect(found(["consent.service", "statistics"]).possible).toEqual([]);
  });
});
