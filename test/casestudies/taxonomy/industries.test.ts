import { describe, expect, test } from "bun:test";
import { industryFaults, metricFaults } from "../../../src/casestudies/taxonomy/pack.ts";
import { tools } from "../examples.ts";

const { industries } = tools;

describe("an industry", () => {
  test.each([
    ["FinTech", "financial-services"],
    ["banks", "financial-services"],
    ["Financial Services, Banking", "financial-services"],
    ["Insurance and Financial Services", "insurance"],
    ["eCommerce", "retail"],
    ["E-commerce & Retail", "retail"],
    ["Fashion and E-Commerce", "fashion"],
    ["Telecom", "telecommunications"],
    ["Local Governments", "government"],
    ["Municipality", "government"],
    ["Pharma and Life Science", "life-sciences"],
    ["SaaS", "software"],
    ["  life-sciences ", "life-sciences"],
    ["Énergie & Utilities", "energy"],
    ["Artificial Intelligence (AI)", "artificial-intelligence"],
  ])("%p is filed under %p", (raw, slug) => {
    expect(industries.resolve(raw)).toEqual({ raw, slug });
  });

  test.each([
    ["Software, Education", "education"],
    ["AI, Healthcare", "healthcare"],
    ["Media and Software", "media"],
    ["Cloud Engineering, Software Development, DevOps", "software"],
  ])("that many share counts only alone: %p is %p", (raw, slug) => {
    expect(industries.resolve(raw).slug).toBe(slug);
  });

  test("that is not in the taxonomy keeps the source's word", () => {
    expect(industries.resolve("Basket weaving")).toEqual({ raw: "Basket weaving", slug: null });
  });
});

describe("a filter", () => {
  test.each([
    ["financial services", ["financial-services"]],
    ["FINANCIAL-SERVICES", ["financial-services"]],
    ["fintech", ["financial-services"]],
    ["Insurance industry", ["insurance"]],
    ["technology", ["software", "information-technology"]],
    ["Retail & Fashion", ["retail", "fashion"]],
    ["Internet of Things (IoT)", ["internet-of-things"]],
  ])("%p means %p", (filter, slugs) => {
    expect(industries.slugsFor(filter)).toEqual(slugs);
  });

  test.each(["basket weaving", "", "retail basket weaving", "&"])(
    "%p is unknown, so the raw value is compared",
    (filter) => {
      expect(industries.slugsFor(filter)).toBeNull();
    },
  );

  test("finds every industry by its name and by its slug", () => {
    for (const [slug, name] of industries.nameBySlug) {
      expect(industries.slugsFor(name)).toContain(slug);
      expect(industries.slugsFor(slug)).toContain(slug);
      expect(industries.resolve(name).slug).toBe(slug);
    }
  });
});

describe("a faulty row", () => {
  test.each([
    ["no list", {}, "is not a list"],
    ["an unknown key", [{ slug: "a", name: "A", synonyms: [], parent: "b" }], 'row 0: unknown key "parent"'],
    ["a bad slug", [{ slug: "A b", name: "A", synonyms: [] }], "row 0: slug is not a slug"],
    ["a slug twice", [1, 2].map((n) => ({ slug: "a", name: `A${n}`, synonyms: [] })), '"a" occurs twice'],
    ["a synonym twice", [{ slug: "a", name: "A", synonyms: ["b", "B"] }], 'row 0: "b" occurs twice'],
    ["a number for a synonym", [{ slug: "a", name: "A", synonyms: [4] }], "row 0: synonyms is not a list of texts"],
  ])("%s", (_, rows, fault) => {
    expect(industryFaults(rows)).toEqual([fault]);
  });

  test("a metric in a unit that is not listed", () => {
    const metric = { slug: "cost", name: "Cost", cues: [], units: ["shells"] };
    expect(metricFaults({ metrics: [metric], units: {} })).toEqual(['unknown unit "shells"']);
  });
});

describe("in prose", () => {
  const mentioned = (text: string) => industries.mentions(text).flatMap(({ slugs }) => slugs);

  test("cues indicate an industry like its synonyms, the longest phrase first", () => {
    expect(mentioned("A hedge fund that also owns a hotel.")).toEqual(["financial-services", "hospitality"]);
    expect(mentioned("An online grocery.")).toEqual(["retail"]);
  });

  test("a pronoun is not an industry", () => {
    expect(mentioned("It is calm, and it is fast.")).toEqual([]);
    expect(industries.resolve("IT").slug).toBe("information-technology");
  });

  test("cues do not apply to filters and labels", () => {
    expect(industries.slugsFor("hedge fund")).toBeNull();
    expect(industries.resolve("hedge fund").slug).toBeNull();
  });

  test("a cue that is also a synonym is a fault", () => {
    const row = { slug: "a", name: "A", synonyms: ["bank"], cues: ["Banks"] };
    expect(industryFaults([row])).toEqual(['row 0: the cue "Banks" is a synonym']);
  });
});
