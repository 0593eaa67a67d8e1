import { afterAll, describe, expect, test } from "bun:test";
import { detect, type Progress } from "../../../src/detection/engine.ts";
import { loadBuiltInCatalogue } from "../../../src/detection/fingerprints/packed.ts";
import {
  createScanProcesses,
  SCAN_PROCESSES,
  type ScanProcesses,
  type ScanProcessesOptions,
} from "../../../src/detection/isolation/scan-processes.ts";
import { SCANNERS } from "../../../src/detection/scanners/registry.ts";
import type { Report } from "../../../src/detection/types.ts";
import { replayVisit } from "../../../src/detection/visit/replay-visit.ts";
import { parseSnapshot } from "../../../src/detection/visit/snapshot-file.ts";

const example = parseSnapshot(await Bun.file("data/examples/harbourline.example.json").text());
/** The process starts from source, which takes seconds on a busy machine. */
const limits = { deadlineMs: 120_000, now: 0, minConfidence: 0.5, suppressed: [] };

const opened: ScanProcesses[] = [];
afterAll(() => {
  for (const processes of opened) processes.close();
});

/** Processes whose reported bugs are collected. */
function open(changes: Partial<ScanProcessesOptions> = {}) {
  const bugs: string[] = [];
  const processes = createScanProcesses({
    ...SCAN_PROCESSES,
    folders: [],
    scanners: SCANNERS,
    processes: 1,
    onBug: (source, error) => bugs.push(`${source}: ${error instanceof Error ? error.message : error}`),
    ...changes,
  });
  opened.push(processes);
  return { processes, bugs };
}

/** Process ids of the children of this process. */
function childProcesses(): number[] {
  const { stdout } = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid=,command="]);
  return stdout
    .toString()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([pid, parent, ...command]) =>
      Number(parent) === process.pid && command.includes("child-process") ? [Number(pid)] : [],
    );
}

describe("scans in another process", () => {
  test("find what scans in this process find", async () => {
    const { processes, bugs } = open();
    const here = await detect(replayVisit(example), SCANNERS, loadBuiltInCatalogue(), {
      ...limits,
      now: () => 0,
      suppressed: new Set(),
    });
    const reported: Progress[] = [];
    const [one, other] = await Promise.all([
      processes.scan(replayVisit(example), { ...limits, onProgress: (progress) => reported.push(progress) }),
      processes.scan(replayVisit(example), limits),
    ]);
    // The order of evidence of one strength follows that of the answers.
    const summary = ({ detections }: Report) =>
      detections.map(({ id, confidence, evidence }) => `${id} ${confidence} ${evidence.length}`);
    expect(summary(one.report)).toEqual(summary(here));
    expect(summary(other.report)).toEqual(summary(here));
    expect(one.report.sources.map(({ source, status }) => [source, status])).toEqual(
      here.sources.map(({ source, status }) => [source, status]),
    );
    expect(reported.map(({ phase }) => phase)).toContain("website");
    // Lists that did not change are not sent again.
    expect(reported.at(-1)?.detections.map(({ id }) => id)).toEqual(here.detections.map(({ id }) => id));
    expect(bugs).toEqual([]);
  });

  test("report their progress from the moment at which somebody reads it", async () => {
    const { processes } = open();
    const watched = Promise.withResolvers<void>();
    const visit = replayVisit(example);
    const reported: Progress[] = [];
    await processes.scan(
      {
        ...visit,
        async http(url, options) {
          watched.resolve();
          return await visit.http(url, options);
        },
      },
      { ...limits, watched: watched.promise, onProgress: (progress) => reported.push(progress) },
    );
    expect(reported.map(({ phase }) => phase)).toContain("website");
  });

  test("get an exchange once that belongs to several answers", async () => {
    const { processes } = open();
    const script = '<script src="https://js.hs-scripts.com/1234567.js"></script>';
    const url = "https://www.harbourline.example/";
    for (const body of [script, `${script}${" ".repeat(300_000)}`]) {
      const page = { method: "GET", url, status: "ok", code: 200, headers: [], body } as const;
      const first = {
        ...page,
        url: "https://harbourline.example/",
        code: 301,
        headers: [["location", url]],
        body: "",
      } as const;
      const visit = replayVisit(example);
      const { report } = await processes.scan(
        {
          ...visit,
          http: async (asked) => (asked === url ? { hops: [page], final: page } : { hops: [first, page], final: page }),
        },
        { ...limits, only: ["home-page"] },
      );
      expect(report.detections.map(({ id }) => id)).toEqual(["hubspot"]);
    }
  });

  test("whose process ends twice report what they had found", async () => {
    const { processes, bugs } = open();
    const visit = replayVisit(example);
    // The scan runs when its first lookups arrive, which are sent together.
    let isKilled = false;
    const fatal: typeof visit = {
      ...visit,
      dns(name, type) {
        if (!isKilled) for (const pid of childProcesses()) process.kill(pid, "SIGKILL");
        isKilled = true;
        setImmediate(() => {
          isKilled = false;
        });
        return visit.dns(name, type);
      },
    };
    const { report } = await processes.scan(fatal, limits);
    expect(report.detections).toEqual([]);
    // A scanner without anything to do may have ended before.
    const stopped = report.sources.filter(({ status }) => status !== "skipped");
    expect(new Set(stopped.map(({ status, detail }) => `${status}: ${detail}`))).toEqual(
      new Set(["timeout: Stopped: what the site sent took too much time or memory to read."]),
    );
    expect(bugs.length).toBe(2);
  });

  test("are refused when no process can start, instead of finding nothing", async () => {
    // Too little memory to start.
    const { processes, bugs } = open({ memory: -200 * 1_048_576 });
    await expect(processes.scan(replayVisit(example), limits)).rejects.toThrow(
      expect.objectContaining({ code: "service.overloaded" }),
    );
    expect(bugs.length).toBe(2);
  });

  test("end with their visit", async () => {
    const { processes } = open();
    const over = new AbortController();
    const scan = processes.scan(replayVisit(example, undefined, over.signal), limits);
    over.abort(new Error("the caller left"));
    await expect(scan).rejects.toThrow("the caller left");
  });
});
