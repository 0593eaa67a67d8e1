import { expect, test } from "bun:test";
import type { Fingerprint } from "../../src/detection/fingerprints/types.ts";
import type { Snapshot } from "../../src/net/snapshot.ts";
import { drawPairs, hasVendor, labelsOf, type Pair, sheetOf } from "../evaluation/claims-sheet.ts";

const pair = (domain: string, id: string): Pair => ({
  domain,
  tool: {
    id,
    tool: "Tidewell",
    category: "Analytics",
    vendor: "Tidewell",
    website: "https://tidewell.example",
    evidence: [
      {
        source: "home-page",
        signal: "html.script",
        value: "https://cdn.tidewell.example/t.js?key=1234…",
        location: `https://${domain}/`,
        rule: "secret-rule",
        strength: "certain",
      },
    ],
  },
});

test("a draw has each tool once and a company four times at most, and depends on the seed alone", () => {
  const pairs = Array.from({ length: 60 }, (_, at) => pair(`c${at % 5}.example`, `t${at % 30}`));
  const drawn = drawPairs(pairs, 100, 1);
  expect(drawPairs(pairs.toReversed(), 100, 1)).toEqual(drawn);
  expect(drawPairs(pairs, 100, 2)).not.toEqual(drawn);
  expect(new Set(drawn.map(({ tool }) => tool.id)).size).toBe(drawn.length);
  const companies = Map.groupBy(drawn, ({ domain }) => domain).values();
  expect([...companies].map(({ length }) => length)).toEqual([4, 4, 4, 4, 4]);
  expect(drawPairs(pairs, 7, 1)).toEqual(drawn.slice(0, 7));
});

test("libraries, projects and plug-ins of a content management system have no vendor of case studies", () => {
  const tool: Pick<Fingerprint, "id" | "category" | "website"> = {
    id: "tidewell",
    category: "analytics",
    website: "https://tidewell.example",
  };
  const isSold = (changes: Partial<Fingerprint>) => hasVendor({ ...tool, ...changes } as Fingerprint);
  expect(isSold({})).toBe(true);
  expect(isSold({ category: "fonts" })).toBe(false);
  expect(isSold({ website: "https://tidewell.github.io/" })).toBe(false);
  expect(isSold({ implies: ["wordpress"] })).toBe(false);
  expect(isSold({ id: "drupal" })).toBe(false);
});

test("a sheet shows what was recorded around the evidence, without rule, confidence or strength", () => {
  const body = `${" ".repeat(400)}before <script src="//cdn.tidewell.example/t.js?key=1234567"></script> after`;
  const exchange = { method: "GET", url: "https://a.example/", status: "ok", code: 200, headers: [], body } as const;
  const snapshot: Snapshot = {
    format: "casefile-snapshot",
    version: 1,
    domain: "a.example",
    captured_at: "2026-11-01T00:00:00Z",
    origin: "page",
    dns: [],
    http: [exchange],
    certificates: [],
    requests: [],
    zone: false,
  };
  const sheet = sheetOf([pair("a.example", "tidewell")], new Map([["a.example", [snapshot]]]));
  expect(sheet).toContain('before <script src="//cdn.tidewell.example/t.js?key=1234567"></script> after');
  expect(sheet).toContain("page 2026-11-01");
  expect(sheet).not.toMatch(/secret-rule|certain|0\.\d/);
  expect(() => labelsOf(sheet)).toThrow("not marked");
  const marked = (mark: string) => labelsOf(sheet.replace("[ ] a.example tidewell", `${mark} a.example tidewell why`));
  const label = { domain: "a.example", tool: "tidewell", reason: "why" };
  expect(marked("[yes]")).toEqual([{ ...label, correct: true }]);
  expect(marked("[no]")).toEqual([{ ...label, correct: false }]);
  expect(marked("[unclear]")).toEqual([{ ...label, correct: false, unclear: true }]);
});
