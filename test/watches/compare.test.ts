import { describe, expect, test } from "bun:test";
import type { Detection, SourceOutcome, SourceStatus } from "../../src/detection/types.ts";
import { compare, type Known, type Seen } from "../../src/watches/compare.ts";

type Answers = Readonly<Record<string, SourceStatus | "partly">>;

const sourcesOf = (answers: Answers): SourceOutcome[] =>
  Object.entries(answers).map(([source, status]) => ({
    source,
    status: status === "partly" ? "ok" : status,
    duration_ms: 1,
    detail: status === "partly" ? "1 of 4 look-ups got no answer." : null,
  }));

/** A tool told by sources; `implied by X` is told by the catalogue. */
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

const scan = (answers: Answers, ...detections: Detection[]): Seen => ({ detections, sources: sourcesOf(answers) });

const options = { rules: "of today", forgotten: new Set<string>(), needs: () => [] };

/** Looks one after the other, and what each told. */
function looks(...scans: readonly Seen[]) {
  let known: Known | null = null;
  return scans.map((one) => {
    const result = compare(known, one, options);
    known = result.known;
    return result.changes.map(({ change, tool_id }) => `${change} ${tool_id}`);
  });
}

const ALL: Answers = { home: "ok", mail: "ok" };

test("the first scan is what later ones are compared with, and tells nothing", () => {
  const first = compare(null, scan(ALL, tool("gauge", "home")), options);
  expect([first.baseline, first.changes]).toEqual([true, []]);
  expect(looks(scan(ALL, tool("gauge", "home")), scan(ALL, tool("gauge", "home")))).toEqual([[], []]);
});

test("a tool that comes and one that goes are told once, with what was known of them", () => {
  const { known } = compare(null, scan(ALL, tool("gauge", "home")), options);
  const next = compare(known, scan(ALL, tool("postbox", "mail")), options);
  const last = compare(next.known, scan(ALL, tool("postbox", "mail")), options);
  expect([next.unsure, last.unsure]).toEqual([true, false]);
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
  expect(compare(last.known, scan(ALL, tool("postbox", "mail")), options).changes).toEqual([]);
});

/** A tool of a baseline that is missed by the first of some scans, and gone with the last. */
const gone = (id: string, scans: number) => [[], ...Array.from({ length: scans - 1 }, () => []), [`disappeared ${id}`]];

describe("a tool has not disappeared", () => {
  test("by one look alone: its page may be down for a while", () => {
    const seen = scan(ALL, tool("gauge", "home"));
    expect(looks(seen, scan(ALL), seen, scan(ALL), seen)).toEqual([[], [], [], [], []]);
    expect(looks(seen, scan(ALL), scan(ALL))).toEqual(gone("gauge", 2));
  });

  test.each(["failed", "timeout", "skipped"] as const)("while the source that told it is %s", (status) => {
    const seen = scan(ALL, tool("gauge", "home"));
    const blind = scan({ home: status, mail: "ok" });
    expect(looks(seen, blind, blind, blind, blind, blind)).toEqual([[], [], [], [], [], []]);
    expect(looks(seen, scan(ALL), blind, blind, blind)).toEqual([[], [], [], [], []]);
    expect(looks(seen, blind, seen)).toEqual([[], [], []]);
    expect(looks(seen, blind, scan(ALL), scan(ALL))).toEqual(gone("gauge", 3));
    expect(compare(compare(null, seen, options).known, blind, options).unsure).toBe(false);
  });

  test("while the source that told it is no longer among them", () => {
    const rest = scan({ mail: "ok" });
    expect(looks(scan(ALL, tool("gauge", "home")), rest, rest)).toEqual([[], [], []]);
  });

  test("while one of several sources did not answer", () => {
    const both = scan(ALL, tool("gauge", "home", "mail"));
    const half = scan({ home: "ok", mail: "timeout" });
    expect(looks(both, half, half, half)).toEqual([[], [], [], []]);
    expect(looks(both, half, scan(ALL), scan(ALL))).toEqual(gone("gauge", 3));
  });

  test("while a source that told it before is silent, though another told it since", () => {
    const both = scan(ALL, tool("gauge", "home", "mail"));
    const half = scan({ home: "ok", mail: "failed" });
    const seenByHalf = scan({ home: "ok", mail: "failed" }, tool("gauge", "home"));
    expect(looks(both, seenByHalf, half, half)).toEqual([[], [], [], []]);
    expect(looks(both, scan(ALL, tool("gauge", "home")), half, half)).toEqual(gone("gauge", 3));
  });

  test("by answers in part: the fourth tells it, and seeing it again begins anew", () => {
    const seen = scan(ALL, tool("gauge", "home"));
    const partly = scan({ home: "partly", mail: "ok" });
    expect(looks(seen, partly, partly, partly, partly)).toEqual(gone("gauge", 4));
    expect(looks(seen, partly, partly, partly, seen, partly, partly)).toEqual([[], [], [], [], [], [], []]);
  });

  test("by being implied by one that could not be seen", () => {
    const told = scan(ALL, tool("shop", "home"), tool("php", "implied by shop"), tool("linux", "implied by php"));
    const blind = scan({ home: "timeout", mail: "ok" });
    expect(looks(told, blind, blind)).toEqual([[], [], []]);
    expect(looks(told, scan(ALL), scan(ALL))[2]).toEqual(["disappeared shop", "disappeared php", "disappeared linux"]);
  });

  test("by needing another that could not be seen", () => {
    const needs = (id: string) => (id === "plugin" ? ["shop"] : []);
    const both = scan(ALL, tool("shop", "home"), tool("plugin", "mail"));
    const { known } = compare(null, both, { ...options, needs });
    const missedBy = (one: Seen) =>
      compare(known, one, { ...options, needs }).known.tools.map(({ tool_id, missed }) => [tool_id, missed]);
    expect(missedBy(scan({ home: "timeout", mail: "ok" }))).toEqual([
      ["shop", 0],
      ["plugin", 0],
    ]);
    expect(missedBy(scan(ALL))).toEqual([
      ["shop", 3],
      ["plugin", 3],
    ]);
  });

  test("when the operator said that it was told wrongly, nor has it appeared when that is taken back", () => {
    const seen = scan(ALL, tool("gauge", "home"));
    let { known } = compare(null, seen, options);
    for (let look = 0; look < 3; look++) {
      const next = compare(known, scan(ALL), { ...options, forgotten: new Set(["gauge"]) });
      expect([next.changes, next.unsure]).toEqual([[], false]);
      known = next.known;
    }
    expect(compare(known, seen, options).changes).toEqual([]);
    const missed = compare(known, scan(ALL), options);
    const gone = compare(missed.known, scan(ALL), options);
    expect([missed.changes, gone.changes]).toEqual([[], [expect.objectContaining({ change: "disappeared" })]]);
  });

  test("under other rules: the scan is a new baseline", () => {
    const { known } = compare(null, scan(ALL, tool("gauge", "home")), options);
    const next = compare(known, scan(ALL, tool("postbox", "mail")), { ...options, rules: "of tomorrow" });
    expect([next.baseline, next.changes, next.known.tools.map(({ tool_id }) => tool_id)]).toEqual([
      true,
      [],
      ["postbox"],
    ]);
  });
});

describe("a tool has not appeared", () => {
  test("when the source that tells it answers for the first time", () => {
    const blind = scan({ home: "timeout", mail: "ok" });
    expect(looks(blind, scan(ALL, tool("gauge", "home")))).toEqual([[], []]);
    expect(looks(blind, scan(ALL), scan(ALL, tool("gauge", "home")))).toEqual([[], [], ["appeared gauge"]]);
  });

  test("when the source answered in part before: the third answer counts as a look", () => {
    const partly = scan({ home: "partly", mail: "ok" });
    expect(looks(partly, scan(ALL, tool("gauge", "home")))).toEqual([[], []]);
    expect(looks(partly, partly, partly, scan(ALL, tool("gauge", "home")))).toEqual([[], [], [], ["appeared gauge"]]);
  });
});

test("while a source has looked in part alone the next look should come soon, and not while it is silent", () => {
  const unsure = (...answers: readonly Answers[]) => {
    let known: Known | null = null;
    return answers.map((each) => {
      const result = compare(known, scan(each), options);
      known = result.known;
      return result.unsure;
    });
  };
  const partly: Answers = { home: "partly", mail: "ok" };
  expect(unsure(partly, partly, partly, partly)).toEqual([true, true, false, false]);
  expect(unsure(partly, ALL)).toEqual([true, false]);
  const silent: Answers = { home: "timeout", mail: "ok" };
  expect(unsure(silent, silent, partly, silent)).toEqual([false, false, true, false]);
});

test("a source that is empty has looked", () => {
  const [none, some] = [scan({ home: "empty" }), scan({ home: "ok" }, tool("gauge", "home"))];
  expect(looks(none, some, none, none)).toEqual([[], ["appeared gauge"], [], ["disappeared gauge"]]);
});
