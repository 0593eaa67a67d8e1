import { describe, expect, test } from "bun:test";
import {
  findBestQuote,
  findQuotes,
  isPersonName,
  parseAttribution,
} from "../../../src/casestudies/structure/quotes.ts";

const SAID = "We moved every crane in a night, and nobody on the quay noticed a thing.";
const ada = { text: SAID, person: "Ada Quill", role: "CTO" };
const best = (markdown: string, client: string | null = "Brackwater") =>
  findBestQuote({ markdown }, { vendor: "Quayline", client })?.quote ?? null;

describe("a quote is found with its speaker", () => {
  test.each([
    ["attributed inside its block", `> ${SAID}\n>\n> — Ada Quill, CTO, Brackwater`, ada],
    ["attributed on its last line", `> "${SAID}"\n> -- Ada Quill, CTO, Brackwater`, ada],
    ["attributed by the next paragraph", `> ${SAID}\n\n— Ada Quill, CTO, Brackwater`, ada],
    ["attributed by a bare next line", `“${SAID}”\n\nAda Quill, CTO, Brackwater`, ada],
    ["attributed behind its mark", `“${SAID}” — Ada Quill, CTO, Brackwater`, ada],
    ["inside emphasis", `_“${SAID}”_ - Ada Quill, CTO, Brackwater`, ada],
    ["nested", `> > ${SAID}\n> >\n> > — Ada Quill, CTO, Brackwater`, ada],
    [
      "in running text",
      `"${SAID.slice(0, -1)}," says Ada Quill, CTO of Brackwater. It rained.`,
      { ...ada, text: SAID.slice(0, -1) },
    ],
    ["with the role before the name", `"${SAID}" said CTO Ada Quill.`, ada],
    ["with the speaker ahead", `Ada Quill, CTO of Brackwater, says: "${SAID}"`, ada],
    ["behind a link", `“${SAID}” said [Ada Quill](https://people.example/ada), CTO of Brackwater.`, ada],
    ["in capitals", `> ${SAID}\n>\n> — ADA QUILL, CHIEF ENGINEER, BRACKWATER`, { ...ada, role: "Chief Engineer" }],
    [
      "by a role alone",
      `“${SAID}” - Staff Software Engineer`,
      { text: SAID, person: null, role: "Staff Software Engineer" },
    ],
  ])("%s", (_name, markdown, quote) => {
    expect(best(markdown)).toEqual(quote);
  });
});

test.each([
  ["no quote", "The port was quiet. It rained."],
  ["a note", "> Note: this page is about an older version of the product and may be wrong."],
  ["scare quotes", 'The team calls it "the crane", and likes it.'],
  ["code", '```\nconst said = "We moved every crane in a night, and nobody noticed a thing." // — Ada Quill, CTO\n```'],
])("%s is no quote", (_name, markdown) => {
  expect(best(markdown)).toBeNull();
});

test("a quote of the client is preferred to one of the vendor", () => {
  const markdown = `> ${SAID} And we would do it all over again, with pleasure.\n>\n> — Bo Vane, CEO, Quayline\n\nText.\n\n> ${SAID}\n>\n> — Ada Quill, CTO, Brackwater`;
  expect(best(markdown, null)?.person).toBe("Ada Quill");
});

test("a person who is quoted often is preferred", () => {
  const once = `"${SAID}" says Bo Vane, engineer at Brackwater.`;
  const often = `"${SAID}" says Ada Quill, engineer at Brackwater.`;
  expect(best([once, often, often, often].join("\n\n"))?.person).toBe("Ada Quill");
});

test("a long quote is cut at a sentence's end", () => {
  const text = findQuotes({ markdown: `> ${Array(20).fill(SAID).join(" ")}\n>\n> — Ada Quill, CTO` })[0]?.text ?? "";
  expect(text.length).toBeLessThanOrEqual(600);
  expect(text.endsWith(SAID)).toBe(true);
});

test.each([
  ["Ada Quill", true],
  ["Jérémie de la Vallée", true],
  ["Dylan O'Mahony", true],
  ["Chief Architect", false],
  ["Ada", false],
  ["The Team", false],
  ["we did it", false],
])("%p is a person's name: %p", (text, isName) => {
  expect(isPersonName(text)).toBe(isName);
});

test.each([
  ["— Ada Quill", { person: "Ada Quill", role: null }],
  ["Ada Quill (CTO)", { person: "Ada Quill", role: "CTO" }],
  ["Ada Quill - Lead Developer at Brackwater", { person: "Ada Quill", role: "Lead Developer at Brackwater" }],
  ["Then it rained. Nobody came.", null],
  ["", null],
])("the line %p names %p", (line, speaker) => {
  expect(parseAttribution(line)).toEqual(speaker);
});

test.each([
  ["CTO at Quarrystone", "CTO"],
  ["Head of Transport, Quarrystone", "Head of Transport"],
  ["Vice President of Quarrystone", "Vice President"],
  ["Head of Quarrystone Labs", "Head of Quarrystone Labs"],
])("the role does not repeat the client: %s", (attribution, role) => {
  const markdown = `# A story\n\n> We ship twice as fast as before and sleep at night.\n>\n> — Jane Doe, ${attribution}\n`;
  expect(findBestQuote({ markdown }, { vendor: "Harbourline", client: "Quarrystone" })?.quote.role).toBe(role);
});
