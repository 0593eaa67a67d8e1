import { expect, test } from "bun:test";
import { homePage } from "../../../src/detection/scanners/home-page.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

const PAGE = `<script src="https://js.tool.test/t.js"></script>`;
const to = (location: string, more: Record<string, string> = {}) => ({ code: 301, headers: { location, ...more } });

test("the domain and its www are both read", async () => {
  const http = { "https://acme.example/": PAGE, "https://www.acme.example/": `<iframe src="https://f.tool.test/">` };
  expect(await seenBy(homePage, { http })).toEqual([
    "html.frame https://f.tool.test/ @ https://www.acme.example/",
    `html.markup <iframe src="https://f.tool.test/"> @ https://www.acme.example/`,
    `html.markup <script src="https://js.tool.test/t.js"> @ https://acme.example/`,
    "html.script https://js.tool.test/t.js @ https://acme.example/",
  ]);
});

test("a page that both redirect to is read once, with the headers of the redirect", async () => {
  const http = {
    "https://acme.example/": to("https://www.acme.example/", { "x-edge": "1" }),
    "https://www.acme.example/": PAGE,
  };
  const seen = await seenBy(homePage, { http });
  expect(seen.filter((signal) => signal.startsWith("html.script"))).toHaveLength(1);
  expect(seen).toContain("http.header x-edge: 1 @ https://acme.example/");
});

test("plain http is requested only where https did not answer", async () => {
  const visit = fakeVisit({ http: { "https://acme.example/": PAGE, "http://www.acme.example/": PAGE } });
  await homePage.scan(visit, () => {});
  expect(visit.asked.toSorted()).toEqual([
    "GET http://www.acme.example/",
    "GET https://acme.example/",
    "GET https://www.acme.example/",
  ]);
});

test.each([
  ["https://www.newname.test/", true],
  ["https://newname.test/en-gb/", true],
  ["https://acme-group.test/welcome", true],
  ["https://social.test/company/acme", false],
  ["https://parking.test/?domain=acme.example", false],
])("a home page that moved to %s is first-party: %p", async (target, own) => {
  const seen = await seenBy(homePage, { http: { "https://acme.example/": to(target), [target]: PAGE } });
  expect(seen.some((signal) => signal.startsWith("html.script"))).toBe(own);
  expect(seen.includes(`html.anchor ${target} @ https://acme.example/`)).toBe(!own);
});

test("an error page emits only its headers and cookies", async () => {
  const page = { code: 403, headers: { server: "edge", "set-cookie": "__bot=1" }, body: PAGE };
  expect(await seenBy(homePage, { http: { "https://acme.example/": page } })).toEqual([
    "http.cookie __bot @ https://acme.example/",
    "http.header server: edge @ https://acme.example/",
  ]);
});

test("recorded pages and requests emit signals; third-party cookies are ignored", async () => {
  const known = {
    pages: ["https://acme.example/pricing"],
    requests: [
      { url: "https://px.tool.test/1?a=b", cookies: ["theirs"] },
      { url: "https://www.acme.example/cdn/x.js?v=1", cookies: ["ours"] },
      { url: "chrome-extension://x/", cookies: ["no"] },
    ],
  };
  const seen = await seenBy(homePage, { known, http: { "https://acme.example/pricing": PAGE } });
  expect(seen.filter((signal) => !signal.startsWith("html.markup"))).toEqual([
    "html.path /cdn/x.js?v=1 @ https://www.acme.example/cdn/x.js?v=1",
    "html.request https://px.tool.test/1?a=b @ https://px.tool.test/1?a=b",
    "html.script https://js.tool.test/t.js @ https://acme.example/pricing",
    "http.cookie ours @ https://www.acme.example/cdn/x.js?v=1",
  ]);
});

test("recorded responses of the company's hosts emit their headers, and those of other hosts do not", async () => {
  const known = {
    requests: [
      { url: "https://www.acme.example/api/list", cookies: [] },
      { url: "https://px.tool.test/1", cookies: [] },
      { url: "https://www.acme.example/not/kept", cookies: [] },
    ],
  };
  const http = {
    "https://www.acme.example/api/list": { headers: { "x-powered-by": "Widget/5" }, body: "{}" },
    "https://px.tool.test/1": { headers: { server: "theirs" }, body: "" },
  };
  const seen = await seenBy(homePage, { known, http });
  expect(seen.filter((signal) => signal.startsWith("http.header"))).toEqual([
    "http.header x-powered-by: Widget/5 @ https://www.acme.example/api/list",
  ]);
});
