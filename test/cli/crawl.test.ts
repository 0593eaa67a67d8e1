import { describe, expect, test } from "bun:test";
import type { CrawlStep } from "../../src/casestudies/intake/crawl-now.ts";
import { Failure } from "../../src/core/errors.ts";
import { run } from "./fake-host.ts";

const PAGE = "https://harbourline.example/customers";

function studyStep(path: string, outcome: "added" | "unchanged" | "dry", rest: object = {}): CrawlStep {
  const url = `${PAGE}/${path}`;
  const nothing = { country: null, summary: null, challenge: null, solution: null, quote: null, language: "en" };
  const told = { client: { name: "Kestrel Bank", domain: null }, industry: "Banking", published_at: "2024-06-30" };
  const lists = { outcomes: [], products: [], tools: [] };
  const study = {
    id: `harbourline-${path}`,
    title: `Story of ${path}`,
    url,
    licence: null,
    origin: "submitted" as const,
  };
  return {
    type: "study",
    url,
    outcome,
    study: { ...study, ...nothing, ...told, ...lists, ...rest },
    provenance: [{ pointer: "/title", engine: "local", sentence: null, confidence: 0.9 }],
  };
}

const outcome = { metric: "cost", value: 42, unit: "%", direction: "decrease" as const, text: "42% lower cost" };
const SUMMARY: CrawlStep = {
  type: "summary",
  listing_url: PAGE,
  listing_title: "Customers",
  ...{ pages: 9, bytes: 90_000, found: 2, case_studies: 2, skipped: 5, ended: "complete", unreadable: null },
};
const STEPS: readonly CrawlStep[] = [
  { type: "listing", url: PAGE, title: "Customers", found: 4 },
  studyStep("kestrel", "added", { outcomes: [outcome, outcome] }),
  ...["a", "b"].map((name) => ({ type: "skipped" as const, url: `${PAGE}/${name}`, reason: "A blog post." })),
  { type: "skipped", url: `${PAGE}/login`, reason: "It asks for a login." },
  { type: "skipped", url: `${PAGE}/large`, reason: "It is too large." },
  { type: "skipped", url: `${PAGE}/other`, reason: "It is on another site." },
  { type: "unchanged", url: `${PAGE}/ostra` },
  { type: "gone", url: `${PAGE}/larkfield`, code: 404 },
  { type: "note", text: "A part of the site is \u001b[2J closed." },
  studyStep("empty", "unchanged", { client: { name: null, domain: null }, industry: null, published_at: null }),
  SUMMARY,
];

describe("crawl", () => {
  test("shows each case study with its outcome, and one line of counts", async () => {
    const { code, out, err, opened, left } = await run(["crawl", PAGE], { steps: STEPS });
    expect(out).toBe(
      [
        "TITLE             CLIENT        INDUSTRY  OUTCOMES  DATE        RESULT",
        "Story of kestrel  Kestrel Bank  Banking   2         2024-06-30  added",
        "Story of empty                            0                     unchanged",
        "",
        "9 pages read; 2 case studies (1 added, 1 unchanged); 1 unchanged since the last crawl; 1 gone; " +
          "5 skipped: 2 A blog post, 1 It asks for a login, 1 It is too large, 1 for other reasons.",
        "",
      ].join("\n"),
    );
    expect(err).toBe("note: A part of the site is  [2J closed.\n");
    expect([code, left, opened[0]?.inMemory]).toEqual([0, 0, false]);
  });

  test("--json prints each event as a line when it happens", async () => {
    const { code, out, err } = await run(["crawl", PAGE, "--json"], { steps: STEPS });
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(STEPS)));
    expect(lines[1]).toBe(JSON.stringify(STEPS[1]));
    expect(out).not.toContain("\u001b");
    expect([code, err]).toEqual([0, ""]);
  });

  test("--dry-run saves nothing, says so, and knows the stored opt-outs", async () => {
    const { out, opened } = await run(["crawl", PAGE, "--dry-run"], { steps: [studyStep("kestrel", "dry"), SUMMARY] });
    expect(opened[0]?.inMemory).toBe("without-data");
    expect(out).toContain("not saved\n");
    expect(out).toContain("1 case study (1 not saved)");
  });

  test("draws progress only on a terminal, and clears it", async () => {
    const { err } = await run(["crawl", PAGE], { steps: STEPS, host: { interactive: true, columns: 200 } });
    const drawn = err.split("\r\u001b[2K");
    expect(drawn.slice(1, 4)).toEqual([
      `${PAGE}: crawling …`,
      `0 case studies, 0 pages skipped: 4 links on ${PAGE} …`,
      `1 case study, 0 pages skipped: ${PAGE}/kestrel …`,
    ]);
    expect(drawn.at(-1)).toBe("note: A part of the site is  [2J closed.\n");
    expect(err.replaceAll("\r\u001b[2K", "")).not.toContain("\u001b");
  });

  test.each([
    ["pages", "The limit of pages was reached (--crawl-max-pages)."],
    ["bytes", "The limit of bytes was reached (--crawl-max-bytes)."],
    ["time", "The limit of time was reached (--crawl-deadline-ms)."],
  ] as const)("reports when %s ended it early", async (ended, words) => {
    const { out } = await run(["crawl", PAGE], { steps: [{ ...SUMMARY, found: 40, ended } as CrawlStep] });
    expect(out).toBe(`9 pages read; 0 case studies. ${words} 38 more possible case studies were not crawled.\n`);
  });

  test("the flags for its limits are parsed", async () => {
    const { opened } = await run(["crawl", PAGE, "--crawl-max-pages", "5"], { steps: [SUMMARY] });
    expect(opened[0]?.flags).toMatchObject({ crawlMaxPages: "5" });
  });

  test("an interrupt exits with 1 and prints the results so far", async () => {
    const stop = new AbortController();
    const out: string[] = [];
    const err: string[] = [];
    const host = {
      signal: stop.signal,
      interactive: true,
      out: (text: string) => void out.push(text),
      err(text: string) {
        err.push(text);
        if (text.includes("kestrel")) stop.abort(new Error("interrupted"));
      },
    };
    const { code, left } = await run(["crawl", PAGE], { steps: [...STEPS.slice(0, 2), new Error("aborted")], host });
    expect([code, left]).toEqual([1, 0]);
    expect(out.join("")).toContain("Story of kestrel");
    expect(out.join("")).toEndWith("1 case study (1 added). Interrupted.\n");
    expect(err.at(-1)).toBe("\r\u001b[2K");
  });

  test.each([
    ["crawl.failed", 1],
    ["submission.invalid", 2],
  ] as const)("%s exits with %d and a message", async (code, expected) => {
    const steps = [new Failure(code, "The page does not answer.")];
    const ran = await run(["crawl", PAGE], { steps });
    expect(ran).toMatchObject({ code: expected, out: "", err: "casefile: The page does not answer.\n", left: 0 });
  });

  test("a bug is not reported as a refusal", async () => {
    expect(run(["crawl", PAGE], { steps: [new Error("a bug")] })).rejects.toThrow("a bug");
  });

  test.each([[[]], [[PAGE, "more"]], [[PAGE, "--compny", "A"]]])("%p exits with 2", async (argv) => {
    expect(await run(["crawl", ...argv])).toMatchObject({ code: 2, out: "", left: 0 });
  });
});
