import { describe, expect, test } from "bun:test";
import {
  describe as inWords,
  isEmpty,
  parseQuestion,
  questionUrl,
  searchOf,
  toolsOf,
} from "../../src/console/ui/query/question.ts";

const parsed = (address: string) => parseQuestion(new URL(address, "http://casefile.test").searchParams);

describe("a question in the address of the query page", () => {
  test.each([
    "/query",
    "/query?all=hubspot&all=category:CRM&none=marketo",
    "/query?any=script:js.acme.example&level=possible&top=co.uk&seen_since=2026-01-01",
  ])("is the same after it was read: %s", (address) => {
    expect(questionUrl(parsed(address))).toBe(address);
  });

  test("becomes the body of a search; dates are about the tools that are used", () => {
    expect(
      searchOf(
        parsed("/query?all=hubspot&any=category:CRM&none=txt:acme-&top=de&level=confirmed&appeared_since=2026-01-31"),
      ),
    ).toEqual({
      all: [{ tool: "hubspot", appeared_since: "2026-01-31" }],
      any: [{ category: "CRM", appeared_since: "2026-01-31" }],
      none: [{ txt: "acme-" }],
      top_level: ["de"],
      min_confidence: 0.8,
    });
  });

  test.each([
    ["/query?all=hubspot&none=marketo&top=de", "hubspot, not marketo, in .de"],
    ["/query?any=a&any=category:CRM", "a or any CRM"],
    ["/query", "all companies"],
  ])("%s reads: %s", (address, words) => {
    expect(inWords(parsed(address))).toBe(words);
  });

  test("reads with the names of its tools", () => {
    const names = new Map([["hubspot", "HubSpot"]]);
    const question = parsed("/query?all=hubspot&any=a&any=category:CRM&none=txt:hubspot");
    expect(inWords(question, (id) => names.get(id) ?? id)).toBe("HubSpot, and a or any CRM, not TXT record hubspot");
    expect(toolsOf(question)).toEqual(["hubspot", "a"]);
  });

  test("that was made up is bounded", () => {
    const terms = Array.from({ length: 50 }, (_, at) => `all=tool-${at}`).join("&");
    const question = parsed(`/query?${terms}&all=${"x".repeat(900)}&seen_since=yesterday&level=sure`);
    expect([question.all.length, question.seen_since, question.level]).toEqual([20, "", "likely"]);
    expect(isEmpty(parsed("/query?seen_since=2026-01-01"))).toBe(true);
  });
});
