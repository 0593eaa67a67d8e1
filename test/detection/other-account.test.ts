import { expect, test } from "bun:test";
import { createEvidenceStore } from "../../src/detection/evidence.ts";
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
