import { describe, expect, test } from "bun:test";
import { whyInvented, whyUnverified } from "../../../../src/casestudies/structure/language-model/statements.ts";

describe("the check of a statement", () => {
  const sources = new Map([[1, { number: 1, text: "Costs at Hollin fell by 18% within 1,200 days." }]]);
  const check = (text: string, quote: string | null = null) => whyUnverified({ text, quote, sources: [1] }, sources);

  test.each([
    ["Costs fell by 18%.", null, null],
    ["Costs fell by 8%.", null, "its figure is in none of its sources"],
    ["Costs fell by 1.8%.", null, "its figure is in none of its sources"],
    ["Within 200 days.", null, "its figure is in none of its sources"],
    ["It says “costs at Hollin fell”.", null, null],
    ["It says “costs at Hollin rose”.", null, "its quoted words are in none of its sources"],
    ["Quote:", "Costs at Hollin fell by 18%", null],
    ["Quote:", "costs at Hollin fell by 18%", "its quote is in none of its sources"],
  ])("%p with the quote %p: %p", (text, quote, reason) => {
    expect(check(text, quote)).toBe(reason);
  });

  test("needs a source that exists", () => {
    expect(whyUnverified({ text: "Yes.", quote: null, sources: [] }, sources)).toBe("it names no source");
    expect(whyUnverified({ text: "Yes.", quote: null, sources: [1, 2] }, sources)).toContain("does not exist");
  });

  test("of a model's words covers names and the other words too", () => {
    const invented = (text: string) => whyInvented({ text, quote: null, sources: [1] }, sources);
    expect(invented("Costs at Hollin fell by 18%.")).toBeNull();
    expect(invented("Costs at Corran fell by 18%.")).toContain("name");
    expect(invented("Costs at Hollin fell by 18 percent.")).toBeNull();
    for (const other of ["18 hours", "$18", "18 million", "18x"])
      expect(invented(`Costs at Hollin fell by ${other}.`)).toBe("its figure has another unit in its sources");
    expect(invented("Costs at Hollin fell by 18% within 1,200 days. Lawyers celebrated.")).not.toBeNull();
    for (const added of [
      "globex-login.xyz",
      "evil.ai/login",
      "ftp://globex/x",
      "evil\u200b.ai",
      "ｅｖｉｌ．ａｉ",
      "a@b",
    ])
      expect(invented(`Costs at Hollin fell by 18%, see ${added} for costs.`)).toBe(
        "it contains an address that is not on the page",
      );
    const cited = [
      1,
      { number: 1, text: "Hollin.com and Node.js cut costs; the team does not need hollin.com/old." },
    ] as const;
    const of = (text: string) => whyInvented({ text, quote: null, sources: [1] }, new Map([cited]));
    expect(of("Hollin.com cut costs with Node.js.")).toBeNull();
    expect(of("Hollin.com cut costs with evil.ai.")).toBe("it contains an address that is not on the page");
    expect(of("The team does not need hollin.com/old.")).toBeNull();
    expect(of("The team does not need hollin.com/new.")).toBe("it contains an address that is not on the page");
    expect(of("The team never cut costs and does not need Node.js.")).toBe("it denies what the page does not deny");
    for (const denial of ["never fell", "did not fall", "no longer fell", "didn't fall"])
      expect(invented(`Costs at Hollin ${denial} by 18%.`)).toBe("it denies what the page does not deny");
    expect(invented("It did.")).toBe("it has no word of its sources");
    expect(invented("Bankruptcy threatens everybody, lawyers suspect.")).not.toBeNull();
  });
});
