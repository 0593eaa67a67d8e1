import { expect, test } from "bun:test";
import { bundles } from "../../../src/detection/scanners/home-page.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

const tags = (...paths: string[]) => paths.map((path) => `<script src="${path}"></script>`).join("");

test("first-party script files are read, and the third-party hosts in them are signals", async () => {
  const http = {
    "https://acme.example/": tags("/assets/main.js", "https://js.tool.test/main.js"),
    "https://acme.example/assets/main.js": `i("https://api.tool.test/v1","https://acme.example/x","http://www.w3.org/2000/svg")`,
    "https://js.tool.test/main.js": "no()",
  };
  expect(await seenBy(bundles, { http })).toEqual([
    `js.bundle ${http["https://acme.example/assets/main.js"]} @ https://acme.example/assets/main.js`,
    "js.bundle-host api.tool.test @ https://acme.example/assets/main.js",
  ]);
});

test("a sister domain's files are first-party", async () => {
  const http = {
    "https://acme.example/": tags("https://s.acmecdn.test/app.js"),
    "https://s.acmecdn.test/app.js": "a()",
  };
  expect(await seenBy(bundles, { http })).toEqual(["js.bundle a() @ https://s.acmecdn.test/app.js"]);
});

test("at most six files are requested, the most informative first and published libraries never", async () => {
  const plain = Array.from({ length: 9 }, (_, at) => `/js/x${at}.js`);
  const body = tags("/js/jquery.min.js", ...plain, "/_next/static/chunks/pages/_app-1a2b.js");
  const visit = fakeVisit({ http: { "https://acme.example/": body } });
  await bundles.scan(visit, () => {});
  const asked = visit.asked.filter((question) => question.endsWith(".js"));
  expect(asked).toHaveLength(6);
  expect(asked[0]).toBe("GET https://acme.example/_next/static/chunks/pages/_app-1a2b.js");
  expect(asked.join()).not.toContain("jquery");
});

test("a page in place of a script is not read as one", async () => {
  const http = { "https://acme.example/": tags("/app.js"), "https://acme.example/app.js": "<!doctype html><p>Gone" };
  expect(await seenBy(bundles, { http })).toEqual([]);
});
