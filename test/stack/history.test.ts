import { describe, expect, test } from "bun:test";
import type { Observation } from "../../src/detection/observation.ts";
import type { Detection, SourceOutcome } from "../../src/detection/types.ts";
import { foldObservations } from "../../src/stack/fold.ts";

/** A tool that one data source detected: `Gauge@home`. */
function detection(text: string): Detection {
  const [tool = "", source = ""] = text.split("@");
  return {
    ...{ id: tool.toLowerCase(), tool, category: "Analytics", vendor: tool, website: "https://gauge.test" },
    ...{ version: null, confidence: 0.9, means: "runs" },
    evidence: [{ source, signal: "html.script", value: "x", location: "", rule: "x/y", strength: "strong" }],
  };
}

type Statuses = Readonly<Record<string, SourceOutcome["status"]>>;
const LIVE: Statuses = { home: "ok", mail: "ok" };
const HAR: Statuses = { home: "ok", mail: "skipped" };
const ZONE: Statuses = { home: "skipped", mail: "ok" };
const dayAt = (day: number) => `2026-05-${String(day).padStart(2, "0")}T00:00:00.000Z`;

const on = (day: number, statuses: Statuses, ...tools: string[]): Observation => ({
  domain: "brightpine.test",
  observed_at: dayAt(day),
  rules: "one",
  detections: tools.map(detection),
  possible: [],
  sources: Object.entries(statuses).map(([source, status]) => ({ source, status, duration_ms: 1, detail: null })),
  signals: { scripts: [], txt: [], cnames: [] },
});
const ACCEPT_ALL = { requires: () => [], accepted: (detections: readonly Detection[]) => detections };
const fold = (...observations: Observation[]) => foldObservations(observations, ACCEPT_ALL);

/** Of one tool: its state, and its intervals in days. */
function ofTool(folded: ReturnType<typeof fold>, tool: string) {
  const day = (instant: string | null) => (instant === null ? null : Number(instant.slice(8, 10)));
  const found = folded.tools.find((each) => each.tool === tool);
  return {
    state: found?.state,
    intervals: found?.intervals.map(({ first_seen, last_seen, absent_before, missing_since, gone_at }) =>
      [absent_before, first_seen, last_seen, missing_since, gone_at].map(day),
    ),
  };
}

describe("the history of a company's tools", () => {
  test("has an interval from the first detection to the last, between the scans that did not see the tool", () => {
    const folded = fold(
      on(1, LIVE, "Meter@mail"),
      on(2, LIVE, "Gauge@home", "Meter@mail"),
      on(3, LIVE, "Gauge@home", "Meter@mail"),
      on(5, LIVE, "Meter@mail"),
      on(7, LIVE, "Meter@mail"),
      on(9, LIVE, "Gauge@home", "Meter@mail"),
    );
    expect(ofTool(folded, "Meter")).toEqual({ state: "in_use", intervals: [[null, 1, 9, null, null]] });
    expect(ofTool(folded, "Gauge")).toEqual({
      state: "in_use",
      intervals: [
        [1, 2, 3, 5, 7],
        [7, 9, 9, null, null],
      ],
    });
    expect(folded.changes.map(({ change, tool, previous_at, at }) => [change, tool, previous_at, at])).toEqual([
      ["appeared", "Gauge", dayAt(1), dayAt(2)],
      ["disappeared", "Gauge", dayAt(3), dayAt(5)],
      ["appeared", "Gauge", dayAt(7), dayAt(9)],
    ]);
  });

  test("a tool that one scan misses is unconfirmed, and one that it misses by chance stays in use", () => {
    const once = [on(1, LIVE, "Gauge@home"), on(2, LIVE)];
    expect(ofTool(fold(...once), "Gauge")).toEqual({ state: "unconfirmed", intervals: [[null, 1, 1, 2, null]] });
    expect(fold(...once).current.has("gauge")).toBe(true);
    const back = fold(...once, on(3, LIVE, "Gauge@home"));
    expect(ofTool(back, "Gauge")).toEqual({ state: "in_use", intervals: [[null, 1, 3, null, null]] });
    expect(back.changes).toEqual([]);
  });

  test("only recordings that are able to see a tool say that it is gone or that it appeared", () => {
    const folded = fold(
      on(1, ZONE, "Meter@mail"),
      on(2, HAR, "Gauge@home"),
      on(3, ZONE, "Meter@mail"),
      on(4, ZONE, "Meter@mail"),
      on(5, HAR),
      on(6, ZONE, "Postbox@mail"),
      on(7, HAR),
      on(8, { home: "failed", mail: "timeout" }),
      on(9, { home: "failed", mail: "timeout" }),
    );
    expect(ofTool(folded, "Gauge")).toEqual({ state: "gone", intervals: [[null, 2, 2, 5, 7]] });
    expect(ofTool(folded, "Meter")).toEqual({ state: "unconfirmed", intervals: [[null, 1, 4, 6, null]] });
    expect(ofTool(folded, "Postbox")).toEqual({ state: "in_use", intervals: [[4, 6, 6, null, null]] });
  });

  test("new rules invent no change: what they do not detect is unconfirmed, what they cannot see is kept", () => {
    const folded = fold(
      on(1, LIVE, "Gauge@home", "Meter@mail"),
      { ...on(2, HAR, "Postbox@home"), rules: "two" },
      { ...on(3, HAR, "Postbox@home"), rules: "two" },
      { ...on(4, HAR, "Postbox@home"), rules: "two" },
    );
    expect(folded.changes).toEqual([]);
    expect(ofTool(folded, "Gauge").state).toBe("unconfirmed");
    expect([...folded.current].sort()).toEqual(["meter", "postbox"]);
    const later = fold(
      on(1, LIVE, "Meter@mail"),
      { ...on(2, HAR), rules: "two" },
      { ...on(3, ZONE), rules: "two" },
      { ...on(4, ZONE), rules: "two" },
    );
    expect(later.changes).toEqual([]);
    expect(ofTool(later, "Meter").state).toBe("unconfirmed");
    expect(later.current.size).toBe(0);
  });

  test("evidence that the operator reported as false has no history", () => {
    const observations = [on(1, LIVE, "Meter@mail"), on(2, LIVE, "Gauge@home", "Meter@mail")];
    const folded = foldObservations(observations, {
      ...ACCEPT_ALL,
      accepted: (detections) => detections.filter(({ id }) => id !== "gauge"),
    });
    expect(folded.tools.map(({ tool }) => tool)).toEqual(["Meter"]);
    expect(folded.changes).toEqual([]);
  });
});

/** Mulberry32. */
function randomOf(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test("of planted uses seen by scans, archives and zones with failures, 95% of intervals are right and no end is invented", () => {
  const random = randomOf(17);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const dateOf = (day: number) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString();
  let planted = 0;
  let right = 0;
  let invented = 0;
  for (let company = 0; company < 60; company++) {
    const uses = Array.from({ length: 8 }, (_, index) => {
      const from = random() < 0.5 ? -1 : whole(40, 160);
      const to = random() < 0.5 ? 400 : whole(Math.max(from, 0) + 60, 300);
      return { tool: `Tool${index}`, source: index % 2 === 0 ? "home" : "mail", from, to };
    });
    const observations = Array.from({ length: 45 }, (_, index) => index * 8 + whole(0, 5)).map((day): Observation => {
      const kind = random();
      const of = (source: string): SourceOutcome["status"] => {
        if (kind < 0.25 && source === "mail") return "skipped";
        if (kind > 0.75 && source === "home") return "skipped";
        return random() < 0.08 ? "failed" : "ok";
      };
      const statuses = { home: of("home"), mail: of("mail") };
      const seen = uses.filter(
        ({ from, to, source }) => day >= from && day <= to && statuses[source === "home" ? "home" : "mail"] === "ok",
      );
      return { ...on(1, statuses, ...seen.map(({ tool, source }) => `${tool}@${source}`)), observed_at: dateOf(day) };
    });
    const folded = foldObservations(observations, ACCEPT_ALL);
    for (const { tool, source, from, to } of uses) {
      const able = observations.filter(({ sources }) =>
        sources.some((each) => each.source === source && each.status === "ok"),
      );
      const inside = able.filter(({ observed_at }) => observed_at >= dateOf(from) && observed_at <= dateOf(to));
      const after = able.filter(({ observed_at }) => observed_at > dateOf(to));
      const found = folded.tools.find((each) => each.tool === tool)?.intervals ?? [];
      if (inside.length === 0) continue;
      planted += 1;
      const [first, ...more] = found;
      const isEnded = after.length >= 2;
      if (
        more.length === 0 &&
        first?.first_seen === inside[0]?.observed_at &&
        first?.last_seen === inside.at(-1)?.observed_at &&
        (first?.gone_at !== null) === isEnded
      )
        right += 1;
      invented += found.filter(({ gone_at }) => gone_at !== null && gone_at <= dateOf(to)).length;
    }
  }
  expect(planted).toBeGreaterThan(400);
  expect(right / planted).toBeGreaterThanOrEqual(0.95);
  expect(invented).toBe(0);
});
