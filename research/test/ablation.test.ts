import { expect, test } from "bun:test";
import { NAMING_RULES } from "../../src/detection/self-naming/naming-rules.ts";
import { OF_NAMING } from "../evaluation/ablation.ts";

test("each rule of self-naming belongs to one mechanism, so that switching all off leaves none", () => {
  expect(Object.values(OF_NAMING).flat().sort()).toEqual([...NAMING_RULES].sort());
});
