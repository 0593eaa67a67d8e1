import { expect, test } from "bun:test";
import { subdomainPages } from "../../../src/detection/scanners/site.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

const page = (host: string) => ({
  [`https://${host}/`]: `<html><script src="https://cdn.tool.test/t.js"></script></html>`,
});
const scripts = (seen: readonly string[]) => seen.filter((signal) => signal.startsWith("html.script"));

test("the page of a first-party host is read", async () => {
  const seen = await seenBy(subdomainPages, {
    dns: { "app.acme.example A": ["198.51.100.7"] },
    http: page("app.acme.example"),
  });
  expect(scripts(seen)).toEqual(["html.script https://cdn.tool.test/t.js @ https://app.acme.example/"]);
});

test.each([
  ["help", "acme.desk.test", false],
  ["app", "acme.desk.test", false],
  ["app", "d1234.cloudfront.net", true],
  ["docs", "d1234.cloudfront.net", false],
  ["docs", "docs.acmecdn.test", true],
])("the page of %s as an alias of %s is first-party: %p", async (label, target, own) => {
  const host = `${label}.acme.example`;
  const dns = { [`${host} CNAME`]: [target], [`${target} A`]: ["198.51.100.7"] };
  expect(scripts(await seenBy(subdomainPages, { dns, http: page(host) }))).toHaveLength(own ? 1 : 0);
});

test("a host that redirects to a vendor counts as a link there, and the vendor's page is not read", async () => {
  const http = {
    "https://help.acme.example/": { code: 302, headers: { location: "https://acme.desk.test/hc?token=1" } },
    "https://acme.desk.test/hc?token=1": `<script src="https://cdn.tool.test/t.js"></script>`,
  };
  expect(await seenBy(subdomainPages, { dns: { "help.acme.example A": ["198.51.100.7"] }, http })).toEqual([
    "html.anchor https://acme.desk.test/hc @ https://help.acme.example/",
  ]);
});

test("a host that redirects to the home page is left to the home page scanner", async () => {
  const http = {
    "https://app.acme.example/": { code: 301, headers: { location: "https://www.acme.example/" } },
    ...page("www.acme.example"),
  };
  expect(await seenBy(subdomainPages, { dns: { "app.acme.example A": ["198.51.100.7"] }, http })).toEqual([]);
});

test("a server that answers for every name is not requested, and at most six hosts are", async () => {
  const everywhere = fakeVisit({ dns: { "*.acme.example A": ["198.51.100.7"] } });
  await subdomainPages.scan(everywhere, () => {});
  expect(everywhere.asked.filter((question) => question.startsWith("GET"))).toEqual([]);
  const labels = ["app", "login", "my", "portal", "dashboard", "docs", "careers", "blog", "help", "status"];
  const dns = Object.fromEntries(labels.map((label) => [`${label}.acme.example A`, ["198.51.100.7"]]));
  const many = fakeVisit({ dns });
  await subdomainPages.scan(many, () => {});
  expect(many.asked.filter((question) => question.startsWith("GET"))).toHaveLength(6);
});
