import { describe, expect, test } from "bun:test";
import { readMarkdown } from "../../../src/casestudies/text/markdown.ts";

describe("a long text is read in part", () => {
  test("of a table the first 200 rows, and what follows it", () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `| crane ${at} |`).join("\n");
    const blocks = readMarkdown(`| Name |\n| --- |\n${rows}\n\nAfter the table.`);
    expect(blocks).toHaveLength(201);
    expect(blocks.at(-1)).toEqual({ kind: "text", text: "After the table." });
  });

  test("4,000 paragraphs", () => {
    expect(readMarkdown("A crane.\n\n".repeat(9_000))).toHaveLength(4_000);
  });
});
