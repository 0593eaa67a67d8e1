import { describe, expect, test } from "bun:test";
import { dropCode, readStory, sectionKindOf } from "../../../src/casestudies/structure/story.ts";

test.each([
  ["The challenge", "challenge"],
  ["Results", "results"],
  ["Benefits of our solution", "results"],
  ["How we solved the problem", "solution"],
  ["Why Quayline", "solution"],
  ["About Brackwater", "background"],
  ["What's next", "outlook"],
  ["Impact", "results"],
  ["Cranes", null],
] as const)("the heading %p is for %p", (heading, kind) => {
  expect(sectionKindOf(heading)).toBe(kind);
});

describe("the section of a sentence", () => {
  const sections = (markdown: string) =>
    readStory({ title: "A port", description: null, markdown })
      .filter(({ place }) => place === "body")
      .map(({ text, section }) => `${section}: ${text}`);

  test("is that of the nearest heading that shows a purpose", () => {
    expect(sections("First.\n\n## Results\n\nSecond.\n\n### Cranes\n\nThird.\n\n## Ferries\n\nFourth.")).toEqual([
      "opening: First.",
      "results: Second.",
      "results: Third.",
      "other: Fourth.",
    ]);
  });

  test("is that of a heading in its line, until the next heading", () => {
    expect(sections("**Solution & Results:** We built it.\n\nIt held.\n\n## Cranes\n\nThey lift.")).toEqual([
      "solution: We built it.",
      "solution: It held.",
      "other: They lift.",
    ]);
  });

  test("is unknown after many sentences under one heading", () => {
    const many = sections(
      `## Impact\n\n${"It went well. ".repeat(10)}\n\n${"It rained again. ".repeat(10)}\n\nThe end.`,
    );
    expect(many[0]).toStartWith("results");
    expect(many.at(-1)).toBe("other: The end.");
  });
});

test.each([
  ["as a paragraph", "45%\n\nincrease in sales\n\nMore text.", ["45% increase in sales", "More text."]],
  ["as a heading", "### $2M\n\nsaved a year\n\nMore text.", ["$2M saved a year", "More text."]],
  ["next to another", "45%\n\n3x\n\nfaster", ["45%", "3x faster"]],
  ["without a caption", "45%", ["45%"]],
  ["but not with words in the same block", "45% more\n\nincrease in sales", ["45% more", "increase in sales"]],
])("a figure that stands alone is read with its caption: %s", (_name, markdown, texts) => {
  expect(readStory({ title: null, description: null, markdown }).map(({ text }) => text)).toEqual(texts);
});

test("the title and the description come first", () => {
  const places = readStory({ title: "A port", description: "It grew. Fast.", markdown: "Body." }).map(
    ({ place }) => place,
  );
  expect(places).toEqual(["title", "description", "description", "body"]);
});

test.each([
  ["a fence", "Text.\n```yaml\nreplicas: 3\n```\nMore."],
  ["a fence of tildes", "Text.\n~~~\nreplicas: 3\n~~~\nMore."],
  ["a preformatted element", "Text.\n<pre><code>replicas: 3\n</code></pre>\nMore."],
  ["a fence that is never closed", "Text.\nMore.\n```\nreplicas: 3"],
  ["settings in a run", "Text.\n\napiVersion: v1\nkind: Job\nreplicas: 3\nminAvailable: 1\n\nMore."],
])("%s is code and is removed", (_name, markdown) => {
  const kept = dropCode(markdown);
  expect(kept).not.toContain("replicas");
  expect(kept).toContain("More.");
});

test("a line with a label is not code", () => {
  expect(dropCode("Industry: Retail\n\nThe port grew.")).toContain("Industry: Retail");
});
