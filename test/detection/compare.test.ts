import { describe, expect, test } from "bun:test";
import { type Baseline, compare, type ScanResult } from "../../src/detection/compare.ts";
import type { Detection, SourceOutcome, SourceStatus } from "../../src/detection/types.ts";

type Statuses = Readonly<Record<string, SourceStatus | "partial">>;

const sourcesOf = (statuses: Statuses): SourceOutcome[] =>
  Object.entries(statuses).map(([source, status]) => ({
    source,
    status: status === "partial" ? "ok" : status,
    duration_ms: 1,
    detail: status === "partial" ? "1 of 4 requests failed." : null,
  }));

/** A tool detected by data sources; `implied by X` by the catalogue. */
const tool = (id: string, ...by: string[]): Detection => ({
  ...{ id, tool: id.toUpperCase(), category: "Analytics", vendor: id, website: "", version: null },
  ...{ confidence: 0.9, means: "runs" },
  evidence: by.map((source) =>
    source.startsWith("implied by ")
      ? {
          ...{ source: "catalogue", signal: "implied", value: "x", location: "", strength: "strong" },
          rule: `${source.slice("implied by ".length)}/implies`,
        }
      : {
          source,
          signal: "html.script",
          value: `cdn.${id}.test`,
          location: "",
          rule: `${id}/loader`,
          strength: "strong",
        },
  ),
});

const scan = (statuses: Statuses, ...detections: Detection[]): ScanResult => ({
  detections,
  sources: sourcesOf(statuses),
});

const options = { rules: "today", falsePositives: new Set<string>(), requires: () => [] };

/** Compares scans one after the other, and returns the changes of each. */
function changesOf(...scans: readonly ScanResult[]) {
  let baseline: Baseline | null = null;
  return scans.map((one) => {
    const result = compare(baseline, one, options);
    baseline = result.baseline;
    return result.changes.map(({ change, tool_id }) => `${change} ${tool_id}`);
  });
}

const ALL: Statuses = { home: "ok", mail: "ok" };

test("the first scan is a baseline without changes", () => {
  const first = compare(null, scan(ALL, tool("gauge", "home")), options);
  expect([first.isFirst, first.changes]).toEqual([true, []]);
  expect(changesOf(scan(ALL, tool("gauge", "home")), scan(ALL, tool("gauge", "home")))).toEqual([[], []]);
});

test("a tool that appears and one that disappears are reported once, with the last evidence", () => {
  const { baseline } = compare(null, scan(ALL, tool("gauge", "home")), options);
  const next = compare(baseline, scan(ALL, tool("postbox", "mail")), options);
  const last = compare(next.baseline, scan(ALL, tool("postbox", "mail")), options);
  expect([next.needsVerification, last.needsVerification]).toEqual([true, false]);
  expect([...next.changes, ...last.changes]).toEqual([
    {
      ...{ change: "appeared", tool_id: "postbox", tool: "POSTBOX", category: "Analytics" },
      ...{ confidence: 0.9, evidence: "html.script cdn.postbox.test" },
    },
    {
      ...{ change: "disappeared", tool_id: "gauge", tool: "GAUGE", category: "Analytics" },
      ...{ confidence: 0.9, evidence: "html.script cdn.gauge.test" },
    },
  ]);
  expect(compare(last.baseline, scan(ALL, tool("postbox", "mail")), options).changes).toEqual([]);
});

/** The changes of `scans` scans after a baseline, of which the last finds that a tool disappeared. */
const gone = (id: string, scans: number) => [[], ...Array.from({ length: scans - 1 }, () => []), [`disappeared ${id}`]];

describe("a tool has not disappeared", () => {
  test("after one scan alone: its page may be down for a while", () => {
    const seen = scan(ALL, tool("gauge", "home"));
    expect(changesOf(seen, scan(ALL), seen, scan(ALL), seen)).toEqual([[], [], [], [], []]);
    expect(changesOf(seen, scan(ALL), scan(ALL))).toEqual(gone("gauge", 2));
  });

  test.each(["failed", "timeout", "skipped"] as const)("while the data source that detected it is %s", (status) => {
    const seen = scan(ALL, tool("gauge", "home"));
    const unchecked = scan({ home: status, mail: "ok" });
    expect(changesOf(seen, unchecked, unchecked, unchecked, unchecked, unchecked)).toEqual([[], [], [], [], [], []]);
    expect(changesOf(seen, scan(ALL), unchecked, unchecked, unchecked)).toEqual([[], [], [], [], []]);
    expect(changesOf(seen, unchecked, seen)).toEqual([[], [], []]);
    expect(changesOf(seen, unchecked, scan(ALL), scan(ALL))).toEqual(gone("gauge", 3));
    expect(compare(compare(null, seen, options).baseline, unchecked, options).needsVerification).toBe(false);
  });

  test("while the data source that detected it is no longer used", () => {
    const rest = scan({ mail: "ok" });
    expect(changesOf(scan(ALL, tool("gauge", "home")), rest, rest)).toEqual([[], [], []]);
  });

  test("while one of several data sources was not checked", () => {
    const both = scan(ALL, tool("gauge", "home", "mail"));
    const half = scan({ home: "ok", mail: "timeout" });
    expect(changesOf(both, half, half, half)).toEqual([[], [], [], []]);
    expect(changesOf(both, half, scan(ALL), scan(ALL))).toEqual(gone("gauge", 3));
  });

  test("while an earlier data source is unchecked, though another detected it since", () => {
    const both = scan(ALL, tool("gauge", "home", "mail"));
    const half = scan({ home: "ok", mail: "failed" });
    const seenByHalf = scan({ home: "ok", mail: "failed" }, tool("gauge", "home"));
    expect(changesOf(both, seenByHalf, half, half)).toEqual([[], [], [], []]);
    expect(changesOf(both, scan(ALL, tool("gauge", "home")), half, half)).toEqual(gone("gauge", 3));
  });

  test("after partial checks: the fourth reports it, and detecting it again resets the count", () => {
    const seen = scan(ALL, tool("gauge", "home"));
    const partial = scan({ home: "partial", mail: "ok" });
    expect(changesOf(seen, partial, partial, partial, partial)).toEqual(gone("gauge", 4));
    expect(changesOf(seen, partial, partial, partial, seen, partial, partial)).toEqual([[], [], [], [], [], [], []]);
  });

  test("when the tool that implies it could not be checked", () => {
    const first = scan(ALL, tool("shop", "home"), tool("php", "implied by shop"), tool("linux", "implied by php"));
    const unchecked = scan({ home: "timeout", mail: "ok" });
    expect(changesOf(first, unchecked, unchecked)).toEqual([[], [], []]);
    expect(changesOf(first, scan(ALL), scan(ALL))[2]).toEqual([
      "disappeared shop",
      "disappeared php",
      "disappeared linux",
    ]);
  });

  test("when a tool that it requires could not be checked", () => {
    const requires = (id: string) => (id === "plugin" ? ["shop"] : []);
    const both = scan(ALL, tool("shop", "home"), tool("plugin", "mail"));
    const { baseline } = compare(null, both, { ...options, requires });
    const missedBy = (one: ScanResult) =>
      compare(baseline, one, { ...options, requires }).baseline.tools.map(({ tool_id, missed }) => [tool_id, missed]);
    expect(missedBy(scan({ home: "timeout", mail: "ok" }))).toEqual([
      ["shop", 0],
      ["plugin", 0],
    ]);
    expect(missedBy(scan(ALL))).toEqual([
      ["shop", 3],
      ["plugin", 3],
    ]);
  });

  test("when it is a reported false positive, nor has it appeared when the report is removed", () => {
    const seen = scan(ALL, tool("gauge", "home"));
    let { baseline } = compare(null, seen, options);
    for (let look = 0; look < 3; look++) {
      const next = compare(baseline, scan(ALL), { ...options, falsePositives: new Set(["gauge"]) });
      expect([next.changes, next.needsVerification]).toEqual([[], false]);
      baseline = next.baseline;
    }
    expect(compare(baseline, seen, options).changes).toEqual([]);
    const missed = compare(baseline, scan(ALL), options);
    const gone = compare(missed.baseline, scan(ALL), options);
    expect([missed.changes, gone.changes]).toEqual([[], [expect.objectContaining({ change: "disappeared" })]]);
  });

  test("under other rules: the scan is a new baseline", () => {
    const { baseline } = compare(null, scan(ALL, tool("gauge", "home")), options);
    const next = compare(baseline, scan(ALL, tool("postbox", "mail")), { ...options, rules: "tomorrow" });
    expect([next.isFirst, next.changes, next.baseline.tools.map(({ tool_id }) => tool_id)]).toEqual([
      true,
      [],
      ["postbox"],
    ]);
  });
});

describe("a tool has not appeared", () => {
  test("when its data source is checked for the first time", () => {
    const unchecked = scan({ home: "timeout", mail: "ok" });
    expect(changesOf(unchecked, scan(ALL, tool("gauge", "home")))).toEqual([[], []]);
    expect(changesOf(unchecked, scan(ALL), scan(ALL, tool("gauge", "home")))).toEqual([[], [], ["appeared gauge"]]);
  });

  test("when its data source was checked only in part before: three partial checks count as full", () => {
    const partial = scan({ home: "partial", mail: "ok" });
    expect(changesOf(partial, scan(ALL, tool("gauge", "home")))).toEqual([[], []]);
    expect(changesOf(partial, partial, partial, scan(ALL, tool("gauge", "home")))).toEqual([
      [],
      [],
      [],
      ["appeared gauge"],
    ]);
  });
});

test("a data source checked only in part needs verification, and an unchecked one does not", () => {
  const needsVerification = (...statuses: readonly Statuses[]) => {
    let baseline: Baseline | null = null;
    return statuses.map((each) => {
      const result = compare(baseline, scan(each), options);
      baseline = result.baseline;
      return result.needsVerification;
    });
  };
  const partial: Statuses = { home: "partial", mail: "ok" };
  expect(needsVerification(partial, partial, partial, partial)).toEqual([true, true, false, false]);
  expect(needsVerification(partial, ALL)).toEqual([true, false]);
  const silent: Statuses = { home: "timeout", mail: "ok" };
  expect(needsVerification(silent, silent, partial, silent)).toEqual([false, false, true, false]);
});

test("an empty data source counts as checked", () => {
  const [none, some] = [scan({ home: "empty" }), scan({ home: "ok" }, tool("gauge", "home"))];
  expect(changesOf(none, some, none, none)).toEqual([[], ["appeared gauge"], [], ["disappeared gauge"]]);
});
