import { expect, test } from "bun:test";
import { matchedPart } from "../../../src/detection/fingerprints/matched-part.ts";
import type { Match } from "../../../src/detection/fingerprints/types.ts";

const marked = (match: Match, value: string, custom?: true): string | undefined => {
  const range = matchedPart({ match, ...(custom ? { custom } : {}) }, value);
  return range && value.slice(...range);
};

test.each<[Match, string, string | undefined]>([
  [{ host: ["other.example", "hs-scripts.com"] }, "https://JS.hs-scripts.com/1.js", "hs-scripts.com"],
  [{ equals: "hubspotutk" }, "hubspotutk", "hubspotutk"],
  [{ prefix: "slack-domain-verification=" }, "slack-domain-verification=c4K9", "slack-domain-verification="],
  [{ host: "cdn.example", path: "/widget/" }, "https://cdn.example/widget/2", "cdn.example"],
  [{ regex: "pk_live_\\w+" }, 'Stripe("pk_live_1a")', "pk_live_1a"],
  [{ contains: "longer-than-what-was-kept" }, "longer-than…", undefined],
])("of %j in %s is %s", (match, value, part) => {
  expect(marked(match, value)).toBe(part);
});

test("a custom regex does not run", () => {
  expect(marked({ regex: "(a+)+$" }, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", true)).toBeUndefined();
});
