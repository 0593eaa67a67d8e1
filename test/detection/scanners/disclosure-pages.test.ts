import { expect, test } from "bun:test";
import { disclosurePages } from "../../../src/detection/scanners/disclosure-pages.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit } from "./fake-visit.ts";

const at = (path: string) => `https://acme.example${path}`;

test("pages that the home page links to are emitted as visible text", async () => {
  const http = {
    [at("/")]:
      `<footer><a href="/en/p-17">Privacy <b>policy</b></a> <a href="/legal/sub-processors">Partners</a> <a href="/pricing">Pricing</a></footer>`,
    [at("/en/p-17")]: "<title>Privacy</title><script>no()</script><p>We   use <b>Tool</b>.<p>And&nbsp;more",
    [at("/legal/sub-processors")]: "<ul><li>Tool</li><li>Other &amp; Co</li></ul>",
    [at("/pricing")]: "<p>Tool",
  };
  expect((await seenBy(disclosurePages, { http })).toSorted()).toEqual([
    `page.disclosure Tool\nOther & Co @ ${at("/legal/sub-processors")}`,
    `page.disclosure We use Tool.\nAnd more @ ${at("/en/p-17")}`,
  ]);
});

test("the list of sub-processors is followed from the privacy page", async () => {
  const http = {
    [at("/")]: `<a href="/privacy">Privacy</a>`,
    [at("/privacy")]: `<a href="/dpa/list">our Subprocessors</a>`,
    [at("/dpa/list")]: "<p>Tool",
  };
  expect(await seenBy(disclosurePages, { http })).toContain(`page.disclosure Tool @ ${at("/dpa/list")}`);
});

test("a page on a vendor's host is not a statement of the company", async () => {
  const http = {
    [at("/")]: `<a href="https://acme.trust.test/security">Security</a><a href="/trust">Trust</a>`,
    [at("/trust")]: { code: 302, headers: { location: "https://acme.trust.test/" } },
    "https://acme.trust.test/": "<p>Tool",
    "https://acme.trust.test/security": "<p>Tool",
  };
  expect(await seenBy(disclosurePages, { http })).toEqual([]);
});

test("without links the usual paths are tried", async () => {
  const http = { [at("/")]: "<p>Acme", [at("/subprocessors")]: "<p>Tool" };
  expect(await seenBy(disclosurePages, { http })).toEqual([`page.disclosure Tool @ ${at("/subprocessors")}`]);
});

test("a server that answers every path with one page has none of the usual paths", async () => {
  const shell = "<title>Acme</title><p>All that we do with Tool";
  const paths = ["/no-such-page-is-here", "/privacy", "/security"];
  const http = { [at("/")]: "<p>Acme", ...Object.fromEntries(paths.map((path) => [at(path), shell])) };
  const real = { [at("/trust")]: "<title>Trust</title><p>Tool" };
  expect(await seenBy(disclosurePages, { http: { ...http, ...real } })).toEqual([
    `page.disclosure Tool @ ${at("/trust")}`,
  ]);
});

test("at most six pages are read", async () => {
  const links = Array.from(
    { length: 5 },
    (_, n) => `<a href="/privacy/${n}"><a href="/security/${n}"><a href="/subprocessors/${n}"><a href="/dpa/${n}">`,
  );
  const visit = fakeVisit({ http: { [at("/")]: links.join("") } });
  await disclosurePages.scan(visit, () => {});
  expect(visit.asked.filter((question) => /\d$/.test(question)).length).toBeLessThanOrEqual(6);
});
