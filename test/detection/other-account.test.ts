import { expect, test } from "bun:test";
import { createEvidenceStore, withoutRules } from "../../src/detection/evidence.ts";
import type { SignalKind } from "../../src/detection/signals.ts";
import { catalogueOf } from "./catalogue-of.ts";
import { ruleOf, toolOf } from "./fingerprints/record-of.ts";

const catalogue = catalogueOf(
  toolOf([ruleOf({ host: "board.test" }, { see: ["html.anchor", "html.frame"] })], { id: "board", name: "Board" }),
);

test.each<[SignalKind, string, string, boolean]>([
  ["html.anchor", "https://harbourline.board.test/", "https://www.harbourline.example/", true],
  ["html.anchor", "https://harbour-jobs.board.test/", "https://www.harbourline.example/", true],
  ["html.anchor", "https://owners.board.test/", "https://www.harbourline.example/", false],
  ["html.anchor", "https://owners.eu1.board.test/", "https://www.harbourline.example/", false],
  ["html.frame", "https://owners.board.test/", "https://www.harbourline.example/", true],
  // The public suffix is no part of the site's name.
  ["html.anchor", "https://competitor.board.test/", "https://acme.com/", false],
  ["html.anchor", "https://delivery.board.test/", "https://www.acme.de/", false],
  ["html.anchor", "https://ionic.board.test/", "https://acme.io/", false],
  ["html.anchor", "https://company.board.test/", "https://acme.com.au/", false],
  ["html.anchor", "https://acmegroup.board.test/", "https://shop.acme.co.uk/", true],
  ["html.anchor", "https://harbourline.board.test/", "https://harbourline.acme.com/", true],
  // Not the name of an account.
  ["html.anchor", "https://careers.board.test/owners", "https://www.harbourline.example/", true],
  ["html.anchor", "https://board.test/owners", "https://www.harbourline.example/", true],
  ["html.anchor", "https://us12.board.test/", "https://www.harbourline.example/", true],
  // Names too short to compare.
  ["html.anchor", "https://hlgroup.board.test/", "https://hl.example/", true],
  ["html.anchor", "https://hl.board.test/", "https://www.harbourline.example/", true],
])("a link to the account of somebody else is a hint: %s %s on %s", (kind, value, location, isReported) => {
  const store = createEvidenceStore(catalogue);
  store.add("home-page", { kind, value, location });
  expect(store.detections().map(({ id }) => id)).toEqual(isReported ? ["board"] : []);
  expect(store.possible().map(({ id }) => id)).toEqual(isReported ? [] : ["board"]);
});

test("such a link stays a hint when the surer rule is suppressed later", () => {
  const both = catalogueOf(
    toolOf([
      ruleOf({ host: "board.test" }, { id: "link", see: "html.anchor" }),
      ruleOf({ host: "cdn.test" }, { id: "script", see: "html.script" }),
    ]),
  );
  const remaining = (account: string) => {
    const store = createEvidenceStore(both);
    const location = "https://www.harbourline.example/";
    store.add("home-page", { kind: "html.script", value: "https://cdn.test/a.js", location });
    store.add("home-page", { kind: "html.anchor", value: `https://${account}.board.test/jobs`, location });
    return withoutRules(store.detections(), new Set(["widget/script"]), both).map(({ confidence }) => confidence);
  };
  expect(remaining("owners")).toEqual([0.4]);
  expect(remaining("harbourline")).toEqual([0.64]);
});
