import { describe, expect, test } from "bun:test";
import { readPage } from "./fields-page.ts";

const title = "How Brackwater cut waiting time";
const found = async (changes: Parameters<typeof readPage>[0]) =>
  (await readPage({ title, ...changes })).country?.code ?? null;

describe("a country is found", () => {
  test.each([
    ["Brackwater is headquartered in Munich, Germany.", "DE"],
    ["Brackwater, based in Berlin, plans cranes.", "DE"],
    ["Based in São Paulo, Brazil, Brackwater plans cranes.", "BR"],
    ["Brackwater is Germany's largest port operator.", "DE"],
    ["Brackwater is a Dutch port operator.", "NL"],
    ["The Danish company Brackwater plans cranes.", "DK"],
    ["Brackwater is a Zurich-based provider of cranes.", "CH"],
    ["Brackwater is one of the largest banks in the United States.", "US"],
    ["Brackwater is based in Brackvik.", "SE"],
    ["I work at Brackwater, a port operator in Kuala Lumpur.", "MY"],
    ["As a top U.S. retail bank, Brackwater serves many.", "US"],
    ["Brackwater has loaded ships in Melbourne since 1986.", "AU"],
    ["Brackwater runs 27 cranes outside Denver, Colorado.", "US"],
    ["Brackwater plans cranes.\n\nMore about it.\n\nTampere, Finland", "FI"],
    ["Port operator, 31 cranes, New Zealand\n\nBrackwater is calm.", "NZ"],
  ])("by %p", async (markdown, code) => {
    expect(await found({ markdown })).toBe(code);
  });

  test.each([
    ["Berlin, Germany", "DE"],
    ["Toronto", "CA"],
    ["USA", "US"],
  ])("by the label %p", async (value, code) => {
    expect(await found({ labels: [{ name: "Location", value }], markdown: "Brackwater is calm." })).toBe(code);
  });

  test.each([
    ["China Brackwater", "CN"],
    ["City of Montreal", "CA"],
    ["Hangzhou Brackwater Technology", "CN"],
  ])("by the client's name: %s", async (name, code) => {
    const markdown = `${name} is a port operator. ${name} has a calm team.`;
    expect(await found({ title: `How ${name} cut waiting time`, markdown })).toBe(code);
  });

  test("by the title", async () => {
    const told = { title: "Calm harbours at the Ministry of Ports in Norway", markdown: "The ministry waits less." };
    expect(await found(told)).toBe("NO");
  });

  test("with its sentence", async () => {
    const { country } = await readPage({ title, markdown: "It was slow. Brackwater is a Dutch port operator." });
    expect(country?.sentence).toBe("Brackwater is a Dutch port operator.");
  });
});

describe("a country is not found", () => {
  test.each([
    ["by customers' countries", "Brackwater launched in Germany and has customers in France."],
    ["by a conference", "Brackwater spoke at a summit in Barcelona."],
    ["by two places of equal weight", "Brackwater works from Dublin to Lisbon."],
    ["by names of others", "Brackwater flies with American Airlines and writes in English."],
    ["with two different countries", "Brackwater is based in Paris. Brackwater is headquartered in Munich, Germany."],
    ["by a region", "Brackwater is Europe's largest port operator."],
    ["by nothing", "Brackwater is calm."],
  ])("%s", async (_, markdown) => {
    expect(await found({ markdown })).toBeNull();
  });
});
