import { describe, expect, test } from "bun:test";
import { browser } from "../../../src/detection/scanners/browser.ts";
import { Skipped } from "../../../src/detection/scanners/scanner.ts";
import { liveVisit } from "../../../src/detection/visit/live-visit.ts";
import { replayVisit } from "../../../src/detection/visit/replay-visit.ts";
import { parseSnapshot, stringifySnapshot } from "../../../src/detection/visit/snapshot-file.ts";
import { unanswered } from "../../../src/net/exchange.ts";
import type { BrowserAnswer } from "../../../src/net/snapshot.ts";
import { emittedBy } from "./emitted-by.ts";
import { fakeVisit, NO_SOURCES } from "./fake-visit.ts";

const LOADED: BrowserAnswer = {
  url: "https://www.acme.example/",
  status: "ok",
  requests: [
    { url: "https://tag.vendor.test/late.js", cookies: [] },
    { url: "https://www.acme.example/assets/app.js", cookies: [] },
  ],
  cookies: ["_vendor_visit"],
  globals: ["vendorQueue", "Shop.theme.name: Debut"],
  html: '<div data-late></div><script src="https://cdn.vendor.test/added.js"></script>',
};

describe("the browser scanner", () => {
  test("emits requests, cookies, globals and the page after its scripts ran", async () => {
    const signals = await emittedBy(browser, fakeVisit({ browser: LOADED }));
    const values = (kind: string) => signals.filter((each) => each.kind === kind).map(({ value }) => value);
    expect(values("html.request")).toEqual(["https://tag.vendor.test/late.js"]);
    expect(values("html.path")).toEqual(["/assets/app.js"]);
    expect(values("http.cookie")).toEqual(["_vendor_visit"]);
    expect(values("js.global")).toEqual(['vendorQueue = {};\nShop.theme.name = "Debut";']);
    expect(values("html.script")).toEqual(["https://cdn.vendor.test/added.js"]);
  });

  test("loads the home page that the company's address leads to", async () => {
    const loaded: string[] = [];
    const visit = fakeVisit({
      http: {
        "https://acme.example/": { code: 301, headers: { location: "https://www.acme.example/en" } },
        "https://www.acme.example/en": { headers: { "content-type": "text/html" }, body: "<p>Acme</p>" },
      },
    });
    const browse = async (url: string) => {
      loaded.push(url);
      return LOADED;
    };
    await emittedBy(browser, { ...visit, browse });
    expect(loaded).toEqual(["https://www.acme.example/en"]);
  });

  test.each([
    [false, "No browser is configured (scan.browser_url)."],
    [true, "The recording has no browser visit; `casefile capture --browser` records one."],
  ])("is skipped without a browser and says why (recorded: %p)", async (isRecorded, reason) => {
    const outcome = emittedBy(browser, fakeVisit({ known: { isRecorded } }));
    await expect(outcome).rejects.toEqual(new Skipped(reason));
  });

  test("emits nothing of a page that is not the company's, or that did not load", async () => {
    for (const answer of [
      { ...LOADED, url: "https://social.test/acme-example" },
      { ...LOADED, status: "failed" } as const,
    ])
      expect(await emittedBy(browser, fakeVisit({ browser: answer }))).toEqual([]);
  });
});

test("a visit loads one page, its snapshot records it, and a replay needs no browser", async () => {
  let loads = 0;
  const network = {
    dns: () => expect.unreachable(),
    certificate: () => expect.unreachable(),
    http: async (url: string) => {
      const final = unanswered({ url: new URL(url), method: "GET" }, "failed", "no server");
      return { hops: [final] as const, final };
    },
    browse: async () => {
      loads += 1;
      return LOADED;
    },
  };
  const domain = { name: "acme.example", label: "acme" };
  const live = liveVisit(domain, network, NO_SOURCES, new AbortController().signal);
  const signals = await emittedBy(browser, live);
  await live.browse?.("https://acme.example/other");
  expect(loads).toBe(1);

  const written = stringifySnapshot(live.snapshot("casefile 0.0.0", "2026-11-20T10:00:00Z"));
  const replay = replayVisit(parseSnapshot(written), NO_SOURCES);
  expect(await emittedBy(browser, replay)).toEqual(signals);
  const { browser: _page, ...without } = parseSnapshot(written);
  expect(replayVisit(without, NO_SOURCES).browse).toBeNull();
});
