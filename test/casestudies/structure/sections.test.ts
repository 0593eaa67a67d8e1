import { describe, expect, test } from "bun:test";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import { findSide, findSummary } from "../../../src/casestudies/structure/summary.ts";

const names = new Set(["quayline", "brackwater"]);
const PAGE = `Brackwater runs the largest port on the northern coast of the country.

## The challenge

Planners booked every crane by hand, which was slow and led to many mistakes. Ships waited for hours.

## The solution

Brackwater adopted Quayline and moved its planning to one shared calendar for all cranes.

## Results

Waiting time fell from six hours to 40 minutes, and planners are now able to work from home.`;
const story = (markdown: string) => readStory({ title: null, description: null, markdown });
const side = (markdown: string, which: "challenge" | "solution" | "results") => findSide(story(markdown), which, names);

describe("with headings", () => {
  test("each side is taken from the sentences under its heading", () => {
    expect(side(PAGE, "challenge")?.text).toStartWith("Planners booked every crane by hand");
    expect(side(PAGE, "solution")?.text).toStartWith("Brackwater adopted Quayline");
    expect(side(PAGE, "results")?.text).toStartWith("Waiting time fell");
  });

  test("the text is verbatim, and its first sentence is the evidence", () => {
    const found = side(PAGE, "challenge");
    expect(found?.text.startsWith(found.sentence)).toBe(true);
    expect(PAGE).toContain(found?.sentence ?? "nothing");
  });
});

describe("without headings", () => {
  const plain = PAGE.replace(/^## .*\n/gm, "");

  test("cue words and position determine the sides, with lower confidence", () => {
    expect(side(plain, "challenge")?.text).toContain("by hand");
    expect(side(plain, "solution")?.text).toContain("adopted Quayline");
    expect(side(plain, "challenge")?.confidence ?? 1).toBeLessThan(side(PAGE, "challenge")?.confidence ?? 0);
  });

  test("nothing is returned without evidence", () => {
    expect(side("The sea is blue. The sky is wide.", "challenge")).toBeNull();
    expect(side("", "solution")).toBeNull();
  });
});

describe("a summary", () => {
  const summary = (description: string | null, markdown = PAGE) =>
    findSummary({ title: "A port grows", description }, readStory({ title: null, description: null, markdown }), {
      names,
      result: "Waiting time fell from six hours to 40 minutes, and planners are now able to work from home.",
    });

  test("is the page's description when that is usable", () => {
    const description = "Brackwater's planners book cranes in one shared calendar and cut waiting time to 40 minutes.";
    expect(summary(description)?.text).toBe(description);
  });

  test.each([
    "A port grows",
    "Read more about how our customers use cookies on this site, and subscribe to the newsletter today.",
    "port, crane, calendar, shipping, planning, software, coast, harbour, logistics, freight, container",
    "Brackwater runs the largest port on the northern coast of the country and it also runs the…",
    null,
  ])("and else who, what and which result: %p", (description) => {
    expect(summary(description)?.text).toBe(
      "Brackwater runs the largest port on the northern coast of the country. Brackwater adopted Quayline and moved its " +
        "planning to one shared calendar for all cranes. Waiting time fell from six hours to 40 minutes, and planners " +
        "are now able to work from home.",
    );
  });

  test("is null for a page without a sentence", () => {
    expect(findSummary({ title: null, description: null }, [], { names, result: null })).toBeNull();
  });
});
