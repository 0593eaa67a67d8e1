import { expect, test } from "bun:test";
import { tagManager } from "../../../src/detection/scanners/home-page.ts";
import { Skipped } from "../../../src/detection/scanners/scanner.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

const sources = { tagManager: "https://tags.test/gtm.js?id={id}" };
const CONTAINER = `
(function(){
var data = {
"resource": {"macros":[{"function":"__v"}],
"tags":[{"function":"__html","vtp_html":"\\u003Cscript src=\\"https:\\/\\/js.tool.test\\/a.js\\"\\u003E"},{"function":"__gclidw"},{"function":"__paused","vtp_originalTagType":"baut"}],
"predicates":[{"function":"_eq"}]},
"runtime":[ ["inject","https://js.other.test/b.js"] ]
};
var library="https://ads.library.test/";
})()`;

test("a container emits its tag types and hosts, and nothing about its own library", async () => {
  const page = `<script>(function(w,d,s,l,i){})(window,document,'script','dataLayer','GTM-ABC123');</script>`;
  const http = { "https://acme.example/": page, "https://tags.test/gtm.js?id=GTM-ABC123": CONTAINER };
  expect(await seenBy(tagManager, { sources, http })).toEqual([
    "gtm.host js.other.test @ https://tags.test/gtm.js?id=GTM-ABC123",
    "gtm.host js.tool.test @ https://tags.test/gtm.js?id=GTM-ABC123",
    "gtm.tag __gclidw @ https://tags.test/gtm.js?id=GTM-ABC123",
    "gtm.tag __html @ https://tags.test/gtm.js?id=GTM-ABC123",
  ]);
});

test("at most three containers are requested, each once", async () => {
  const ids = ["GTM-AAAA1", "GTM-AAAA1", "GTM-AAAA2", "GTM-AAAA3", "GTM-AAAA4"];
  const body = ids.map((id) => `<iframe src="https://www.tags.test/ns.html?id=${id}"></iframe>`).join("");
  const visit = fakeVisit({ sources, http: { "https://acme.example/": body } });
  await tagManager.scan(visit, () => {});
  expect(visit.asked.filter((question) => question.includes("gtm.js"))).toEqual(
    ["GTM-AAAA1", "GTM-AAAA2", "GTM-AAAA3"].map((id) => `GET https://tags.test/gtm.js?id=${id}`),
  );
});

test("without a configured service nothing is requested", async () => {
  const visit = fakeVisit({ http: { "https://acme.example/": "<p>GTM-ABC123" } });
  expect(tagManager.scan(visit, () => {})).rejects.toBeInstanceOf(Skipped);
  expect(visit.asked).toEqual([]);
});
