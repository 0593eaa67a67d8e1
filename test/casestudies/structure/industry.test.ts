import { describe, expect, test } from "bun:test";
import { createIndustrySimilarity } from "../../../src/casestudies/structure/industry.ts";
import { tools } from "../examples.ts";
import { readPage } from "./fields-page.ts";

const title = "How Brackwater cut waiting time";
const found = async (changes: Parameters<typeof readPage>[0]) =>
  (await readPage({ title, ...changes })).industry?.slug ?? null;

describe("an industry is found", () => {
  test.each([
    [
      "by a label of the page",
      { labels: [{ name: "Industry", value: "Insurance" }], markdown: "Brackwater is a bank." },
      "insurance",
    ],
    ["by a labelled line", { markdown: "Industry: Retail\n\nBrackwater is glad." }, "retail"],
    [
      "by what the client is said to be",
      { markdown: "Brackwater is an online retailer. It once asked a bank for help." },
      "retail",
    ],
    [
      "by what it serves",
      { markdown: "Brackwater serves four million patients. The team builds software." },
      "healthcare",
    ],
    [
      "by its name",
      { title: "How Northern Savings Bank cut waiting time", markdown: "It was slow, and now it is fast." },
      "financial-services",
    ],
    [
      "by the description of someone without a name",
      { title: "Calm releases", description: "A leading European insurer releases calmly.", markdown: "We wait less." },
      "insurance",
    ],
    [
      "by common knowledge of a name",
      { title: "How Halcyon Broadcasting cut waiting time", markdown: "Releases were slow, and now they are fast." },
      "media",
    ],
  ])("%s", async (_, changes, slug) => {
    expect(await found(changes)).toBe(slug);
  });

  test("with its sentence", async () => {
    const { industry } = await readPage({
      title,
      markdown: "It was slow. Brackwater is an online retailer. Now it is fast.",
    });
    expect(industry).toMatchObject({ slug: "retail", sentence: "Brackwater is an online retailer." });
  });

  test("with less confidence than by a label", async () => {
    const { industry } = await readPage({ title, labels: [{ name: "Sector", value: "Retail" }] });
    expect(industry?.confidence).toBe(0.95);
  });
});

test.each([
  ["nothing speaks for one", "Brackwater was slow, and now it is calm."],
  ["there is no text", ""],
])("no industry is found when %s", async (_, markdown) => {
  expect(await found({ markdown })).toBeNull();
});

test("similarity is relative to that of any story of a software vendor", async () => {
  const slugs = [...tools.industries.descriptions.keys()];
  const axis = (at: number) => Float32Array.from(slugs, (_, index) => (index === at ? 1 : 0));
  const embed = async (texts: readonly string[]) =>
    texts.map((text, at) =>
      text === "about cranes" ? axis(slugs.indexOf("construction")) : axis(Math.min(at, slugs.length - 1)),
    );
  const near = await createIndustrySimilarity(embed, tools.industries)(["about cranes"]);
  expect([...near].sort((a, b) => b[1] - a[1])[0]?.[0]).toBe("construction");
});

test("an encoder that failed is tried again", async () => {
  let calls = 0;
  const embed = async (texts: readonly string[]) => {
    calls += 1;
    if (calls === 1) throw new Error("busy");
    return texts.map(() => Float32Array.of(1, 0));
  };
  const similar = createIndustrySimilarity(embed, tools.industries);
  expect(similar(["cranes"])).rejects.toThrow("busy");
  expect(await similar(["cranes"])).toBeInstanceOf(Map);
});
