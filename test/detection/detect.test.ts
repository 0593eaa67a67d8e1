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
    possible: [],
    third_parties: [],
    raw_signals: { scripts: ["alpha.test"], txt: [], cnames: [] },
    sources: [{ source: "one", status: "ok", duration_ms: expect.any(Number), detail: null }],
    scanned_at: "2026-01-02T03:04:05.000Z",
    duration_ms: expect.any(Number),
  });
});

test("tools below the confidence threshold are not reported", async () => {
  const scanners = [scanner("one", async (_, emit) => emit(loads("alpha")))];
  const { detections, possible } = await scanned(scanners, { minConfidence: 0.9 }).report;
  expect(detections).toEqual([]);
  expect(possible).toEqual([expect.objectContaining({ id: "alpha", confidence: 0.8 })]);
});

describe("phases", () => {
  test("are reported in order, even when they end in reverse order", async () => {
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

  test("without a scanner are reported with the previous one", async () => {
    const { report, reported } = scanned([inPhase("identity", async () => {}), inPhase("hiring", async () => {})]);
    await report;
    expect(reported.map(({ phase }) => phase)).toEqual([...PHASES]);
  });

  test("report detections inside a long phase before it ends", async () => {
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

  test("report that nothing has been found yet when a phase takes long", async () => {
    const seen = Promise.withResolvers<Progress>();
    const gate = Promise.withResolvers<void>();
    const { report } = scanned([inPhase("identity", () => gate.promise)], {
      deadlineMs: 60_000,
      onProgress: seen.resolve,
    });
    const first = await seen.promise;
    gate.resolve();
    await report;
    expect(first).toEqual({ phase: "identity", detections: [], possible: [] });
  });

  test("that nobody reads are not reported until somebody does, who gets those that have ended too", async () => {
    const watched = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const log: string[] = [];
    const { report } = scanned(
      [
        inPhase("identity", async (_, emit) => emit(loads("alpha"))),
        inPhase("website", async (_, emit) => emit(loads("beta"))),
        inPhase("hosting", () => gate.promise),
      ],
      {
        watched: watched.promise,
        onProgress: ({ phase, detections }) => log.push(`${phase}: ${detections.map(({ id }) => id)}`),
        onOutcome({ source }) {
          log.push(`${source} ends`);
          if (source === "website-scanner") setImmediate(watched.resolve);
        },
      },
    );
    await watched.promise;
    gate.resolve();
    await report;
    expect(log.slice(0, 4)).toEqual([
      "identity-scanner ends",
      "website-scanner ends",
      "identity: alpha,beta",
      "website: alpha,beta",
    ]);
    expect(log).toContain("hosting: alpha,beta");
    const unread: unknown[] = [];
    await scanned([inPhase("identity", async (_, emit) => emit(loads("alpha")))], {
      watched: new Promise(() => {}),
      onProgress: (progress) => unread.push(progress),
    }).report;
    expect(unread).toEqual([]);
  });

  test("are in order for one who begins to read after the first report", async () => {
    const watched = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const phases: Phase[] = [];
    await scanned(
      [inPhase("identity", async (_, emit) => emit(loads("alpha"))), inPhase("website", () => gate.promise)],
      {
        deadlineMs: 60_000,
        watched: watched.promise,
        onProgress({ phase }) {
          phases.push(phase);
          watched.resolve();
          watched.promise.then(() => setImmediate(gate.resolve));
        },
      },
    ).report;
    expect([...new Set(phases)]).toEqual([...PHASES]);
    expect(phases.toSorted((one, other) => PHASES.indexOf(one) - PHASES.indexOf(other))).toEqual(phases);
  });

  test("never retract a tool", async () => {
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
  test("ends a scan in which everything hangs, and the signals so far are reported", async () => {
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

test("a scanner's exception is logged, and the scan continues", async () => {
  const bugs: string[] = [];
  const broken = scanner("broken", () => Promise.reject(new Error("broken")));
  const sound = scanner("sound", async (_, emit) => emit(loads("alpha")));
  const { report } = scanned([broken, sound], { onBug: (source, error) => bugs.push(`${source}: ${error}`) });
  expect((await report).detections).toHaveLength(1);
  expect(bugs).toEqual(["broken: Error: broken"]);
});
