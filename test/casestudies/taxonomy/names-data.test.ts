import { describe, expect, test } from "bun:test";
import { organisationFaults, productFaults } from "../../../src/casestudies/taxonomy/pack.ts";
import { loadBuiltInOrganisations, loadBuiltInProductNames } from "../../../src/casestudies/taxonomy/packed.ts";
import { tools } from "../examples.ts";

test("every list of known organisations belongs to an industry", () => {
  expect(Object.keys(loadBuiltInOrganisations()).filter((slug) => !tools.industries.nameBySlug.has(slug))).toEqual([]);
});

test("a product has a name, and aliases or none", () => {
  expect(loadBuiltInProductNames()).toContainEqual({ name: "Apache Flink", aliases: ["Flink"] });
  expect(loadBuiltInProductNames()).toContainEqual({ name: "Git", aliases: [] });
});

describe("faulty known organisations", () => {
  const industries = [{ slug: "retail" }, { slug: "media" }];
  test.each([
    ["no mapping", ["Acme"], ["is not a mapping"]],
    ["an unknown industry", { harbours: ["Acme"] }, ['unknown industry "harbours"']],
    ["no list", { retail: "Acme" }, ["retail: not a list of texts"]],
    ["one in two lists", { retail: ["Acme"], media: ["ACME"] }, ['"acme" occurs twice']],
  ])("%s", (_, rows, faults) => {
    expect(organisationFaults(rows, industries)).toEqual(faults);
  });
});

describe("faulty product names", () => {
  test.each([
    ["no list", { name: "Acme" }, ["is not a list"]],
    ["an unknown key", [{ name: "Acme", alias: "A" }], ['row 0: unknown key "alias"']],
    ["no name", [{ aliases: ["Acme"] }], ['"undefined" is not a name']],
    ["a name that is an alias too", ["Acme", { name: "Acme Build", aliases: ["Acme"] }], ['"Acme" occurs twice']],
    ["too many", Array.from({ length: 1_501 }, (_, at) => `Acme ${at}`), ["has more than 1500 products"]],
  ])("%s", (_, rows, faults) => {
    expect(productFaults(rows)).toEqual(faults);
  });
});
