import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { plainText, readMarkdown, splitSentences } from "../../../src/casestudies/text/markdown.ts";
import { estimateTokens, MAX_PASSAGES, passageContext, splitPassages } from "../../../src/casestudies/text/passages.ts";
import { processorMs } from "../../processor-time.ts";
import { story } from "../examples.ts";

const blank = {
  title: "Brackwater",
  client: { name: null },
  summary: null,
  challenge: null,
  solution: null,
  outcomes: [],
};
const split = (body: string | null, more = {}) => splitPassages({ ...blank, body, ...more }, estimateTokens);

describe("Markdown as plain text", () => {
  test.each([
    ["[a port](https://x.example/a_(b))", "a port"],
    ["![crane](a.png) lifts", "lifts"],
    ["**bold** and _thin_ and `code`", "bold and thin and code"],
    ["snake_case_name and 2*3*4", "snake_case_name and 234"],
    ["a &amp; b&nbsp;c &#8364;", "a & b c €"],
    ["see[^1] \\*this\\*", "see *this*"],
  ])("%p becomes %p", (source, text) => {
    expect(plainText(source)).toBe(text);
  });

  test.each([
    [
      "a table",
      "| Port | Fee |\n|---|---|\n| North | 4 |\n| South | 5 |",
      ["Port: North; Fee: 4.", "Port: South; Fee: 5."],
    ],
    ["a list", "- one\n- two\n  more\n\n1. three", ["one", "two more", "three"]],
    ["code", "```js\na\nb\nc\nd\n```\nafter", ["a b c", "after"]],
    ["HTML", "<p class='x'>One <b>two</b></p><script>evil()</script><ul><li>three</li></ul>", ["One two", "three"]],
    ["comments", "one <!-- two --> three", ["one three"]],
    ["quotes", "> one\n> two", ["one two"]],
    ["rules and tags", "---\n\n{{< tag >}}\n\n:::note\n\none", ["one"]],
    ["code that never ends", "one\n```\ntwo", ["one", "two"]],
  ])("%s is read as blocks", (_, source, texts) => {
    expect(readMarkdown(source).map(({ text }) => text)).toEqual(texts);
  });

  test.each([
    ["# One #", 1],
    ["<h3>One</h3>", 3],
    ["One\n===", 1],
    ["**One:**", 7],
    ["## One {#one}", 2],
  ])("%p is a heading", (source, level) => {
    expect(readMarkdown(source)).toEqual([{ kind: "heading", level, text: "One" }]);
  });

  test.each(["<a ", "![", "[a](", "**a ", "<!-- ", "| - ", "```\n", "_a ", "&", "<a '"])(
    "a body of repeated %p is read quickly",
    (piece) => {
      const started = processorMs();
      split(piece.repeat(Math.floor(200_000 / piece.length)));
      expect(processorMs() - started).toBeLessThan(3_000);
    },
  );
});

describe("sentences", () => {
  test.each([
    ["One. Two! Three?", ["One.", "Two!", "Three?"]],
    [
      "Dr. Ada of Quay Inc. saved 3.5 hours. Then she left.",
      ["Dr. Ada of Quay Inc. saved 3.5 hours.", "Then she left."],
    ],
    ["Ports, e.g. Brackwater. More.", ["Ports, e.g. Brackwater.", "More."]],
    ["  ", []],
    ["“Great.” She left.\nFees fell", ["“Great.”", "She left.", "Fees fell"]],
    ["好。我们走了！「真的？」再见", ["好。", "我们走了！", "「真的？」", "再见"]],
  ])("%p", (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  test.each(["Litmus 2.X is used.", "C3.AI reads it.", "Web3.Storage and Yahoo!Mail joined.", "He said “No.”Then"])(
    "a stop inside a word ends none: %p",
    (text) => {
      expect(splitSentences(text)).toEqual([text]);
    },
  );

  test("joined by spaces are the text again, except for its white space", () => {
    const part = fc.oneof(fc.string(), fc.constantFrom("Mail", "2", ".", "!", "?", " ", "\n", "”", ")", "(", "Inc. "));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        const words = (whole: string) => whole.split(/\s+/).filter((word) => word !== "");
        expect(words(splitSentences(text).join(" "))).toEqual(words(text));
      }),
      { numRuns: 500 },
    );
  });
});

describe("passages", () => {
  test("have the path of their headings", () => {
    const body = `# Brackwater\n\n## Move\n\n${story(90)}\n\n### Data\n\n${story(90, 2)}\n\n## Result\n\n${story(90, 3)}`;
    expect(split(body).map(({ heading }) => heading)).toEqual(["Move", "Move › Data", "Result"]);
  });

  test("a short section is joined with the next one, whose heading is in the text", () => {
    const [first, ...rest] = split("## Challenge\n\nFees rose.\n\n## Result\n\nFees fell.");
    expect(rest).toEqual([]);
    expect(first).toEqual({ heading: "Challenge", text: "Fees rose. Result: Fees fell." });
  });

  test("repeat the last short sentence of the one before", () => {
    const [first, second] = split(story(400)).map(({ text }) => splitSentences(text));
    expect(second?.[0]).toBe(first?.at(-1) ?? "none");
  });

  test("boilerplate sections are dropped with their subsections", () => {
    const body =
      "## Result\n\nFees fell.\n\n## Related articles\n\nOther.\n\n### Share\n\nUs.\n\n## Outlook\n\nMore ports.";
    expect(split(body).map(({ text }) => text)).toEqual(["Fees fell. Outlook: More ports."]);
  });

  test("come from the fields of a record without a body", () => {
    const found = split(null, {
      summary: story(70),
      challenge: story(70, 2),
      solution: story(70, 3),
      outcomes: [{ text: "Fees fell by half" }, { text: "Ships wait less" }],
    });
    expect(found.map(({ heading }) => heading)).toEqual([null, "Challenge", "Solution", "Outcomes"]);
    expect(found.at(-1)?.text).toBe("Fees fell by half. Ships wait less.");
  });

  test("have the name of a field as heading and not in their text", () => {
    const fields = { summary: "A port saves.", challenge: "Fees rose.", solution: "Cranes came." };
    expect(split(null, { ...fields, outcomes: [{ text: "Fees fell by half" }] })).toEqual([
      { heading: "Challenge", text: "A port saves. Fees rose. Cranes came. Fees fell by half." },
    ]);
  });

  test("read Markdown in the fields of a record", () => {
    const solution = "- Cranes came\n- Tugs left\n\n## Staff\n\nAll were trained.\n\n## Results";
    expect(split(null, { solution })).toEqual([
      { heading: "Solution", text: "Cranes came. Tugs left. Staff: All were trained." },
    ]);
    expect(split(null, { summary: "**Fees fell**" })).toEqual([{ heading: null, text: "Fees fell." }]);
  });

  test("contain no sentence that is only a heading", () => {
    const headings = ["Outcomes", "What came of it?", "So what? All!", "At Quay Inc.", "The result:", "结果。"];
    const marked = headings.flatMap((heading) => [`## ${heading}`, `<h3>${heading}</h3>`, `${heading}\n---`]);
    const bare = ["**Outcomes**", "Outcomes", "The challenge:"];
    for (const heading of [...marked, ...bare]) {
      const body = ["## Start", "Fees rose.", heading, "Fees fell.", heading, "Fees fell.", heading].join("\n\n");
      const sentences = split(body).flatMap(({ text }) => splitSentences(text));
      expect(sentences).toHaveLength(3);
      for (const sentence of sentences) expect(sentence).toMatch(/Fees (rose|fell)\.$/);
    }
  });

  test("include a summary that the body does not repeat", () => {
    expect(split("Fees fell.", { summary: "A port saves." })[0]?.text).toBe("A port saves. Fees fell.");
    expect(split("A port saves. Fees fell.", { summary: "A port saves." })[0]?.text).toBe("A port saves. Fees fell.");
  });

  test("are embedded with title, client and heading, which are not in their text", () => {
    const study = { title: "Fees halved", client: { name: "Brackwater" } };
    expect(passageContext(study, { heading: "Result", text: "Fees fell." })).toBe(
      "Fees halved — Brackwater. Result. Fees fell.",
    );
    expect(passageContext({ ...study, client: { name: null } }, { heading: null, text: "Fees fell." })).toBe(
      "Fees halved. Fees fell.",
    );
  });

  test("number at most sixty", () => {
    expect(split(story(20_000)).length).toBe(MAX_PASSAGES);
  });

  test("contain all the text in order, each within its limit", () => {
    const sentence = fc.nat(9_999).chain((seed) => fc.integer({ min: 1, max: 400 }).map((words) => story(words, seed)));
    const section = fc.record({
      heading: fc.constantFrom(null, "Move", "Result"),
      texts: fc.array(sentence, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(section, { maxLength: 5 }), (sections) => {
        const body = sections
          .map(({ heading, texts }) => [heading ? `## ${heading}` : "", ...texts].join("\n\n"))
          .join("\n\n");
        const found = split(body);
        let [passage, from] = [0, 0];
        for (const wanted of sections.flatMap(({ texts }) => texts.flatMap(splitSentences))) {
          let at = found[passage]?.text.indexOf(wanted, from) ?? -1;
          if (at < 0) at = found[++passage]?.text.indexOf(wanted) ?? -1;
          expect(at).toBeGreaterThanOrEqual(0);
          from = at;
        }
        for (const { text } of found) expect(estimateTokens(text)).toBeLessThanOrEqual(200);
      }),
      { numRuns: 60 },
    );
  });

  test("are within their limit and not empty for any text", () => {
    const wild = fc.array(
      fc.oneof(fc.string(), fc.constantFrom("\n", "# ", "- ", "|", "```", "<p>", "x".repeat(3_000), "漢".repeat(500))),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(wild, (parts) => {
        for (const { text } of split(parts.join(""))) {
          expect(text.trim()).not.toBe("");
          expect(estimateTokens(text)).toBeLessThanOrEqual(200);
        }
      }),
    );
  });
});

test("a text of ASCII has as many tokens as with other spaces, which another expression counts", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."aZ09 -.\n\u0001~"), maxLength: 100 }), (text) => {
      expect(estimateTokens(text.replaceAll(" ", "\u00a0"))).toBe(estimateTokens(text));
    }),
  );
});
