import { describe, expect, test } from "bun:test";
import { runScanners } from "../../src/detection/engine.ts";
import { type Scanner, Skipped } from "../../src/detection/scanners/scanner.ts";
import type { SourceOutcome } from "../../src/detection/types.ts";
import { hang, loads, scanner, visitOf } from "./fakes.ts";

interface Heard {
  readonly outcomes: SourceOutcome[];
  readonly signals: string[];
  readonly ended: string[];
  readonly bugs: [string, unknown][];
}

async function heardFrom(
  scanners: readonly Scanner[],
  deadline: AbortSignal = new AbortController().signal,
): Promise<Heard> {
  const heard = { signals: [] as string[], ended: [] as string[], bugs: [] as [string, unknown][] };
  const outcomes = await runScanners(visitOf(), scanners, deadline, {
    onSignal: (source, signal) => heard.signals.push(`${source} ${signal.value}`),
    onFinished: (outcome, phase) => heard.ended.push(`${phase} ${outcome.source}`),
    onBug: (source, error) => heard.bugs.push([source, error]),
  });
  return { ...heard, outcomes };
}
const heardFromOne = async (scan: Scanner["scan"], rest: Partial<Scanner> = {}) => {
  const heard = await heardFrom([scanner("one", scan, rest)]);
  return { ...heard, outcome: heard.outcomes[0] };
};
/** Asks a page for each status, and emits one signal when reported to. */
const asking =
  (statuses: readonly string[], emits: boolean): Scanner["scan"] =>
  async (visit, emit) => {
    for (const status of statuses) await visit.http(`https://${status}.test/`);
    if (emits) emit(loads("widget"));
  };

const ignored = { onSignal() {}, onFinished() {}, onBug() {} };
const NO_PAGE = "The site served no page";

describe("an outcome", () => {
  test("says why the browser did not load the page", async () => {
    const detail = "the browser does not answer at 127.0.0.1:9222: the connection failed (ConnectionRefused)";
    const failed = { requests: [], cookies: [], globals: [], html: "", status: "failed", detail } as const;
    const visit = { ...visitOf(), browse: async (url: string) => ({ ...failed, url }) };
    const browses = scanner("browser", async ({ browse }) => void (await browse?.("https://acme.test/")));
    const [outcome] = await runScanners(visit, [browses], new AbortController().signal, ignored);
    expect([outcome?.status, outcome?.detail]).toEqual([
      "failed",
      "1 of 1 lookups got no answer. The browser does not answer at 127.0.0.1:9222: the connection failed (ConnectionRefused).",
    ]);
  });

  test.each<[string, string[], boolean, SourceOutcome["status"], string | null]>([
    ["signals and every answer", ["ok"], true, "ok", null],
    ["signals without asking", [], true, "ok", null],
    ["nothing, though every look-up was answered", ["ok", "ok"], false, "empty", null],
    ["nothing asked and nothing seen", [], false, "empty", null],
    ["signals, though some look-ups failed", ["ok", "failed", "timeout"], true, "ok", "2 of 3 lookups got no answer."],
    ["nothing, and a look-up failed", ["ok", "failed"], false, "failed", "1 of 2 lookups got no answer."],
    ["nothing, and a look-up was refused", ["refused"], false, "failed", "1 of 1 lookups got no answer."],
    ["nothing, and a look-up timed out", ["failed", "timeout"], false, "timeout", "2 of 2 lookups got no answer."],
    [
      "nothing that the recording holds",
      ["unrecorded"],
      false,
      "skipped",
      "The recording has no data for this data source.",
    ],
    ["something that the recording holds", ["unrecorded", "ok"], false, "empty", null],
    ["signals that no look-up reported", ["unrecorded"], true, "ok", null],
    ["the head of a refusal", ["x403", "failed"], true, "failed", `${NO_PAGE}: 2 of 2 lookups failed.`],
    ["nothing but an error", ["x404"], false, "failed", `${NO_PAGE}: 1 of 1 lookups failed.`],
    ["one page beside a refusal", ["ok", "x403"], true, "ok", "1 of 2 lookups got no answer."],
  ])("of %s", async (_, statuses, emits, status, detail) => {
    const { outcome } = await heardFromOne(asking(statuses, emits));
    expect(outcome).toEqual({ source: "one", status, detail, duration_ms: expect.any(Number) });
  });

  test("of a disabled source is a separate status", async () => {
    const { outcome, bugs } = await heardFromOne(async () => {
      throw new Skipped("No job board is configured.");
    });
    expect(outcome).toMatchObject({ status: "skipped", detail: "No job board is configured." });
    expect(bugs).toEqual([]);
  });

  test.each<[string, Scanner["scan"]]>([
    ["later", async () => Promise.reject(new TypeError("undefined is no function"))],
    [
      "at once",
      () => {
        throw new TypeError("undefined is no function");
      },
    ],
  ])("of a scanner that throws %s is a failure, is logged as a bug, and exposes no internals", async (_, scan) => {
    const { outcome, bugs } = await heardFromOne(scan);
    expect(outcome).toMatchObject({ status: "failed", detail: "The data source failed on unexpected input." });
    expect(bugs).toEqual([["one", expect.any(TypeError)]]);
  });

  test("of a failed scanner does not affect the others", async () => {
    const broken = scanner("broken", async () => Promise.reject(new Error("broken")));
    const sound = scanner("sound", asking(["ok"], true));
    const { outcomes, ended } = await heardFrom([broken, sound]);
    expect(outcomes.map(({ source, status }) => `${source} ${status}`)).toEqual(["broken failed", "sound ok"]);
    expect(ended.toSorted()).toEqual(["identity broken", "identity sound"]);
  });

  test("is listed in the order of the scanners, whichever ends first", async () => {
    const first = Promise.withResolvers<void>();
    const slow = scanner("slow", () => first.promise);
    const fast = scanner("fast", async () => first.resolve());
    const { outcomes, ended } = await heardFrom([slow, fast]);
    expect(outcomes.map(({ source }) => source)).toEqual(["slow", "fast"]);
    expect(ended).toHaveLength(2);
  });
});

describe("a limit", () => {
  test("stops a scanner that waits, and its signals so far count", async () => {
    const { outcome, signals, bugs } = await heardFromOne(
      async (visit, emit) => {
        emit(loads("widget"));
        await hang(visit);
      },
      { timeoutMs: 20 },
    );
    expect(outcome).toMatchObject({
      status: "timeout",
      detail: "Stopped at its time limit after 1 signals.",
    });
    expect(signals).toEqual(["one https://widget.test/"]);
    expect(bugs).toEqual([]);
  });

  test("of a scanner is that of the whole scan where answers are recorded", async () => {
    const live = visitOf();
    const slow = scanner("slow", () => Bun.sleep(60), { timeoutMs: 20 });
    const statuses = async (isRecorded: boolean, deadline: AbortSignal) => {
      const visit = { ...live, known: { ...live.known, isRecorded } };
      const outcomes = await runScanners(visit, [slow], deadline, ignored);
      return outcomes.map(({ status }) => status);
    };
    expect(await statuses(true, new AbortController().signal)).toEqual(["empty"]);
    expect(await statuses(false, new AbortController().signal)).toEqual(["timeout"]);
    expect(await statuses(true, AbortSignal.timeout(20))).toEqual(["timeout"]);
  });

  test("stops a scanner that ignores the abort", async () => {
    const { outcome } = await heardFromOne(() => new Promise(() => {}), { timeoutMs: 20 });
    expect(outcome?.status).toBe("timeout");
  });

  test("aborts the signal of the scanner's visit", async () => {
    let reason: unknown;
    await heardFromOne(
      async (visit) => {
        await hang(visit).catch((error: unknown) => {
          reason = error;
        });
      },
      { timeoutMs: 20 },
    );
    expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  test("discards signals that are emitted later", async () => {
    const over = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const stubborn = scanner(
      "stubborn",
      async (_, emit) => {
        await over.promise;
        emit(loads("late"));
        late.resolve();
      },
      { timeoutMs: 20 },
    );
    const { signals } = await heardFrom([stubborn]);
    over.resolve();
    await late.promise;
    expect(signals).toEqual([]);
  });

  test("of the whole scan stops every scanner", async () => {
    const both = [scanner("a", hang), scanner("b", () => new Promise(() => {}))];
    const { outcomes } = await heardFrom(both, AbortSignal.timeout(20));
    expect(outcomes.map(({ status }) => status)).toEqual(["timeout", "timeout"]);
  });

  test("that has passed before the start applies too", async () => {
    const { outcomes } = await heardFrom([scanner("a", () => new Promise(() => {}))], AbortSignal.abort());
    expect(outcomes[0]?.status).toBe("timeout");
  });

  test("of signals stops a flood", async () => {
    const { signals, outcome } = await heardFromOne(async (_, emit) => {
      for (let count = 0; count < 50_000; count++) emit(loads("widget"));
    });
    expect(signals).toHaveLength(20_000);
    expect(outcome?.status).toBe("ok");
  });
});
