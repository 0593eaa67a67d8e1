import { describe, expect, test } from "bun:test";
import { type DetectOptions, detect, type Progress } from "../../src/detection/engine.ts";
import type { Scanner } from "../../src/detection/scanners/scanner.ts";
import { PHASES, type Phase } from "../../src/detection/types.ts";
import { catalogueOf, hosted } from "./catalogue-of.ts";
import { hang, loads, scanner, visitOf } from "./fakes.ts";

const catalogue = catalogueOf(hosted("alpha"), hosted("beta"), hosted("gamma"));
const OPTIONS: DetectOptions = { deadlineMs: 5_000, now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };

function scanned(scanners: readonly Scanner[], options: Partial<DetectOptions> = {}, signal?: AbortSignal) {
  const reported: Progress[] = [];
  const report = detect(visitOf(signal), scanners, catalogue, {
    ...OPTIONS,
    onProgress: (progress) => reported.push(progress),
    ...options,
  });
  return { report, reported };
}
const inPhase = (phase: Phase, scan: Scanner["scan"], rest: Partial<Scanner> = {}) =>
  scanner(`${phase}-scanner`, scan, { phase, ...rest });

test("a scan reports its tools, its sources and its time", async () => {
  const { report } = scanned([scanner("one", async (_, emit) => emit(loads("alpha")))]);
  expect(await report).toEqual({
    domain: "acme.example",
    detections: [expect.objectContaining({ id: "alpha", confidence: 0.8 })],
    sources: [{ source: "one", status: "ok", duration_ms: expect.any(Number), detail: null }],
    scanned_at: "2026-01-02T03:04:05.000Z",
    duration_ms: expect.any(Number),
  });
});

test("a threshold keeps out what is less sure", async () => {
  const scanners = [scanner("one", async (_, emit) => emit(loads("alpha")))];
  expect((await scanned(scanners, { minConfidence: 0.9 }).report).detections).toEqual([]);
});

describe("phases", () => {
  test("are reported in their order, even when they end the other way round", async () => {
    const log: string[] = [];
    const gates = new Map(PHASES.map((phase) => [phase, Promise.withResolvers<void>()]));
    const scanners = PHASES.map((phase) =>
      inPhase(phase, async () => {
        await gates.get(phase)?.promise;
        log.push(`${phase} ends`);
        const before = PHASES[PHASES.indexOf(phase) - 1];
        if (before) gates.get(before)?.resolve();
      }),
    );
    const { report } = scanned(scanners, { onProgress: ({ phase }) => log.push(`${phase} is reported`) });
    gates.get("disclosures")?.resolve();
    await report;
    expect(log).toEqual([
      ...PHASES.toReversed().map((phase) => `${phase} ends`),
      ...PHASES.map((phase) => `${phase} is reported`),
    ]);
  });

  test("end when the last of their scanners does", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = scanner("slow", async (_, emit) => {
      await gate.promise;
      emit(loads("beta"));
    });
    const fast = scanner("fast", async (_, emit) => emit(loads("alpha")));
    const later = inPhase("website", async () => gate.resolve());
    const { report, reported } = scanned([slow, fast, later]);
    await report;
    expect(reported.find(({ phase }) => phase === "identity")?.detections.map(({ id }) => id)).toEqual([
      "alpha",
      "beta",
    ]);
  });

  test("without a scanner are reported with the one before them", async () => {
    const { report, reported } = scanned([inPhase("identity", async () => {}), inPhase("hiring", async () => {})]);
    await report;
    expect(reported.map(({ phase }) => phase)).toEqual([...PHASES]);
  });

  test("tell what is found inside a long one before it ends", async () => {
    const seen = Promise.withResolvers<Progress>();
    const gate = Promise.withResolvers<void>();
    const long = inPhase("identity", async (_, emit) => {
      emit(loads("alpha"));
      await gate.promise;
    });
    const { report } = scanned([long], { deadlineMs: 60_000, onProgress: seen.resolve });
    const first = await seen.promise;
    gate.resolve();
    await report;
    expect([first.phase, first.detections.map(({ id }) => id)]).toEqual(["identity", ["alpha"]]);
  });

  test("tell that nothing is found yet, when that takes long", async () => {
    const seen = Promise.withResolvers<Progress>();
    const gate = Promise.withResolvers<void>();
    const { report } = scanned([inPhase("identity", () => gate.promise)], {
      deadlineMs: 60_000,
      onProgress: seen.resolve,
    });
    const first = await seen.promise;
    gate.resolve();
    await report;
    expect(first).toEqual({ phase: "identity", detections: [] });
  });

  test("never take a tool back", async () => {
    const scanners = [
      inPhase("identity", async (_, emit) => emit(loads("alpha"))),
      inPhase("website", async (_, emit) => emit(loads("beta"))),
      inPhase("hosting", async (_, emit) => emit(loads("gamma"))),
    ];
    const { report, reported } = scanned(scanners);
    const { detections } = await report;
    const counts = [...reported.map((progress) => progress.detections.length), detections.length];
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(3);
  });
});

describe("a deadline", () => {
  test("holds when everything hangs, and what was seen is reported", async () => {
    // Until the scanners' own limit this test would not wait.
    const patient = { timeoutMs: 3_600_000 };
    const deaf = inPhase(
      "identity",
      (_, emit) => {
        emit(loads("alpha"));
        return new Promise(() => {});
      },
      patient,
    );
    const { report } = scanned([deaf, inPhase("website", hang, patient)], { deadlineMs: 40 });
    const { detections, sources } = await report;
    expect(detections.map(({ id }) => id)).toEqual(["alpha"]);
    expect(sources.map(({ status }) => status)).toEqual(["timeout", "timeout"]);
  });
});

test("a scan whose visit is aborted rejects with the reason", async () => {
  const stop = new AbortController();
  const { report } = scanned([scanner("one", hang)], {}, stop.signal);
  stop.abort(new Error("all callers of the scan disconnected"));
  await expect(report).rejects.toThrow("all callers of the scan disconnected");
});

test("a scanner's bug is heard of, and the scan goes on", async () => {
  const bugs: string[] = [];
  const broken = scanner("broken", () => Promise.reject(new Error("broken")));
  const sound = scanner("sound", async (_, emit) => emit(loads("alpha")));
  const { report } = scanned([broken, sound], { onBug: (source, error) => bugs.push(`${source}: ${error}`) });
  expect((await report).detections).toHaveLength(1);
  expect(bugs).toEqual(["broken: Error: broken"]);
});
