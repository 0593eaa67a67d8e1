import { describe, expect, test } from "bun:test";
import { organisationFaults, productFaults } from "../../../src/casestudies/taxonomy/pack.ts";
import { loadBuiltInOrganisations, loadBuiltInProductNames } from "../../../src/casestudies/taxonomy/packed.ts";
import { tools } from "../examples.ts";

test("every list of known organisations is of an industry", () => {
  expect(Object.keys(loadBuiltInOrganisations()).filter((slug) => !tools.industries.nameBySlug.has(slug))).toEqual([]);
});

test("a product has a name, and aliases or none", () => {
  expect(loadBuiltInProductNames()).toContainEqual({ name: "Apache Flink", aliases: ["Flink"] });
  expect(loadBuiltInProductNames()).toContainEqual({ name: "Git", aliases: [] });
});

describe("known organisations that would break the build", () => {
  const industries = [{ slug: "retail" }, { slug: "media" }];
  test.each([
    ["no mapping", ["Acme"], ["is no mapping"]],
    ["an industry that is none", { harbours: ["Acme"] }, ['no industry "harbours"']],
    ["no list", { retail: "Acme" }, ["retail: no list of words"]],
    ["one in two lists", { retail: ["Acme"], media: ["ACME"] }, ['"acme" stands twice']],
  ])("%s", (_, rows, faults) => {
    expect(organisationFaults(rows, industries)).toEqual(faults);
  });
});

describe("product names that would break the build", () => {
  test.each([
    ["no list", { name: "Acme" }, ["is no list"]],
    ["an unknown key", [{ name: "Acme", alias: "A" }], ['row 0: unknown key "alias"']],
    ["no name", [{ aliases: ["Acme"] }], ['"undefined" is no name']],
    ["a name that is an alias too", ["Acme", { name: "Acme Build", aliases: ["Acme"] }], ['"Acme" stands twice']],
    ["too many", Array.from({ length: 301 }, (_, at) => `Acme ${at}`), ["has more than 300 products"]],
  ])("%s", (_, rows, faults) => {
    expect(productFaults(rows)).toEqual(faults);
  });
});
