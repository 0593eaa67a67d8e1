import { describe, expect, test } from "bun:test";
import { loadBuiltInCatalogue } from "../../../src/detection/fingerprints/packed.ts";
import { privateFamilies } from "../../../src/detection/self-naming/private-families.ts";

const catalogue = loadBuiltInCatalogue();
const familiesOf = (...slugs: string[]) =>
  [
    ...privateFamilies(
      slugs.map((slug) => `wordpress-plugin.${slug}`),
      catalogue,
    ),
  ].map((id) => id.split(".")[1]);

describe("extensions that a company wrote for its own sites", () => {
  test("are three that begin with the same unknown word", () => {
    expect(familiesOf("qzv-ads", "qzv-footer", "qzv_login", "nice-gallery")).toEqual([
      "qzv-ads",
      "qzv-footer",
      "qzv_login",
    ]);
  });
  test("are not two", () => {
    expect(familiesOf("qzv-ads", "qzv-footer")).toEqual([]);
  });
  test("are not those that begin with a word of a known tool, of a known extension or of the platform", () => {
    expect(familiesOf("hubspot-a", "hubspot-b", "hubspot-c")).toEqual([]);
    expect(familiesOf("advanced-a", "advanced-b", "advanced-c")).toEqual([]);
    expect(familiesOf("wpqzv-a", "wpqzv-b", "wpqzv-c")).toEqual([]);
  });
  test("are not those of different platforms together", () => {
    const ids = ["wordpress-plugin.qzv-a", "wordpress-plugin.qzv-b", "qzv-c", "javascript-library.qzv-d"];
    expect([...privateFamilies(ids, catalogue)]).toEqual([]);
  });
});
