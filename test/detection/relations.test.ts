import { describe, expect, test } from "bun:test";
import { createEvidenceStore, excludableTools, withoutRules } from "../../src/detection/evidence.ts";
import type { Signal, SignalKind } from "../../src/detection/signals.ts";
import { catalogueOf, hosted } from "./catalogue-of.ts";

const script = (id: string): Signal => ({ kind: "html.script", value: `https://${id}.test/`, location: "page" });
const alias = (id: string): Signal => ({ kind: "dns.cname", value: `x.${id}.test`, location: "zone" });
const weaker = (id: string): Signal => ({ kind: "html.image", value: `https://${id}.test/`, location: "page" });
type Judged = Parameters<typeof createEvidenceStore>[2] & { held?: ReadonlySet<string> };

function judged(catalogue: ReturnType<typeof catalogueOf>, signals: readonly Signal[], { held, ...rest }: Judged = {}) {
  const ledger = createEvidenceStore(catalogue, undefined, rest);
  for (const signal of signals) ledger.add("scanner", signal);
  return ledger.detections(held);
}
const idsOf = (...judgement: Parameters<typeof judged>) => judged(...judgement).map(({ id }) => id);

describe("an excluded tool", () => {
  const fork = catalogueOf(
    hosted("fork", { excludes: ["origin"] }),
    hosted("origin", { implies: ["language"] }),
    hosted("language"),
  );

  test("is not reported next to one with higher confidence, and implies nothing", () => {
    expect(idsOf(fork, [script("fork"), weaker("origin")])).toEqual(["fork"]);
  });
  test("is reported when its confidence is equal or higher", () => {
    expect(idsOf(fork, [script("fork"), script("origin")])).toEqual(["fork", "language", "origin"]);
    expect(idsOf(fork, [weaker("fork"), script("origin")])).toEqual(["fork", "language", "origin"]);
  });
  test("is reported when the other is not detected", () => {
    expect(idsOf(fork, [script("origin")])).toEqual(["language", "origin"]);
  });
  test("is not reported because another tool implies it", () => {
    const third = catalogueOf(
      hosted("fork", { excludes: ["origin"] }),
      hosted("origin"),
      hosted("plugin", { implies: ["origin"] }),
    );
    expect(idsOf(third, [script("fork"), alias("fork"), script("plugin")])).toEqual(["fork", "plugin"]);
  });
  test("excludes nothing once it is dropped", () => {
    const chain = catalogueOf(hosted("a", { excludes: ["b"] }), hosted("b", { excludes: ["c"] }), hosted("c"));
    expect(idsOf(chain, [script("a"), alias("a"), script("b"), weaker("c")])).toEqual(["a", "c"]);
  });
  test("is held back during the scan with the tools that it implies, since a reported tool is never retracted", () => {
    expect(excludableTools(fork)).toEqual(new Set(["origin"]));
    expect(idsOf(fork, [script("origin")], { held: excludableTools(fork) })).toEqual([]);
  });
});

describe("a tool that requires another", () => {
  const part = catalogueOf(
    hosted("part", { requires: ["whole"] }),
    hosted("whole"),
    hosted("edition", { implies: ["whole"] }),
    hosted("piece", { requires: ["part"] }),
  );
  test("is reported only next to it", () => {
    expect(idsOf(part, [script("part")])).toEqual([]);
    expect(idsOf(part, [script("part"), script("whole")])).toEqual(["part", "whole"]);
  });
  test("is reported when the other is implied", () => {
    expect(idsOf(part, [script("part"), script("edition")])).toEqual(["edition", "part", "whole"]);
  });
  test("removes the tools that require it too", () => {
    expect(idsOf(part, [script("piece"), script("part")])).toEqual([]);
  });
});

describe("a suppressed rule", () => {
  const catalogue = catalogueOf(hosted("widget", { implies: ["gadget"] }), hosted("gadget"));
  const rules = (...some: string[]) => ({ suppressed: new Set(some) });

  test("no longer reports its tool, nor the implied ones", () => {
    expect(idsOf(catalogue, [script("widget")], rules("widget/rule"))).toEqual([]);
    expect(idsOf(catalogue, [script("gadget")], rules("widget/rule"))).toEqual(["gadget"]);
  });
  test("may be an implication", () => {
    expect(idsOf(catalogue, [script("widget")], rules("widget/implies"))).toEqual(["widget"]);
  });
  test("still counts as a match: its signals are not unmatched", () => {
    const heard: [SignalKind, boolean][] = [];
    const onSignal = (signal: Signal, isKnown: boolean) => heard.push([signal.kind, isKnown]);
    judged(catalogue, [script("widget"), alias("stranger")], { ...rules("widget/rule"), onSignal });
    expect(heard).toEqual([
      ["html.script", true],
      ["dns.cname", false],
    ]);
  });
});

describe("a cached result without suppressed rules", () => {
  const catalogue = catalogueOf(
    hosted("widget", { implies: ["gadget"] }),
    hosted("gadget", { implies: ["gizmo"] }),
    hosted("gizmo"),
  );
  const without = (signals: readonly Signal[], ...some: string[]) =>
    withoutRules(judged(catalogue, signals), new Set(some), catalogue).map(({ id, confidence }) => [id, confidence]);

  test("is unchanged when no suppressed rule contributed", () => {
    const all = judged(catalogue, [script("widget")]);
    expect(withoutRules(all, new Set(["other/rule"]), catalogue)).toEqual(all);
  });
  test("loses the tool and everything that it implied", () => {
    expect(without([script("widget")], "widget/rule")).toEqual([]);
  });
  test("keeps tools with other evidence, with the confidence of that", () => {
    expect(without([script("widget"), alias("widget"), weaker("gadget")], "widget/rule")).toEqual([
      ["gadget", 0.72],
      // It was judged by the surer gadget before.
      ["gizmo", 0.77],
    ]);
  });
});
