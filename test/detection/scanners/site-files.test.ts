import { expect, test } from "bun:test";
import { siteFiles } from "../../../src/detection/scanners/site.ts";
import { seenBy } from "./emitted-by.ts";

const at = (path: string) => `https://acme.example${path}`;

test("robots.txt and the sitemap that it lists are signals", async () => {
  const robots = "# By Tool\nUser-agent: *\nSitemap: https://elsewhere.test/s.xml\nSitemap: https://acme.example/s.xml";
  const http = { [at("/robots.txt")]: robots, [at("/s.xml")]: "<?xml ?><sitemapindex><!-- Tool --></sitemapindex>" };
  expect(await seenBy(siteFiles, { http })).toEqual([
    `file.robots ${robots} @ ${at("/robots.txt")}`,
    `file.sitemap <?xml ?><sitemapindex><!-- Tool --></sitemapindex> @ ${at("/s.xml")}`,
  ]);
});

test("only the head of a list of pages is kept", async () => {
  const http = { [at("/sitemap.xml")]: `<urlset>${"<url><loc>https://acme.example/tool</loc></url>".repeat(500)}` };
  const [sitemap] = await seenBy(siteFiles, { http });
  expect(sitemap?.length).toBeLessThan(4_200);
});

test("sellers are signals, those with an account first, and lines that are not valid ads.txt are ignored", async () => {
  const ads = [
    "# comment",
    "Reseller.test, 1, RESELLER",
    "SELLER.test, pub-1, DIRECT, abc # note",
    "contact=ads@acme.example",
    "acme.example, 2, DIRECT",
    "half.test, 3",
    "placeholder.example.com, placeholder, DIRECT, placeholder",
    "not a host, 1, DIRECT",
  ].join("\r\n");
  const http = { [at("/ads.txt")]: ads, [at("/app-ads.txt")]: "app.test,1,direct" };
  expect(await seenBy(siteFiles, { http })).toEqual([
    `file.ads app.test @ ${at("/app-ads.txt")}`,
    `file.ads reseller.test @ ${at("/ads.txt")}`,
    `file.ads seller.test @ ${at("/ads.txt")}`,
  ]);
});

test("the manifest that the page links to is a signal", async () => {
  const http = {
    "https://acme.example/": `<link rel="manifest" href="/app/site.webmanifest">`,
    [at("/app/site.webmanifest")]: `{"name":"Acme"}`,
  };
  expect(await seenBy(siteFiles, { http })).toEqual([`file.manifest {"name":"Acme"} @ ${at("/app/site.webmanifest")}`]);
});

test("the icon is identified by its hash", async () => {
  expect(await seenBy(siteFiles, { http: { [at("/favicon.ico")]: "icon" } })).toEqual([
    `file.favicon ${new Bun.CryptoHasher("sha256").update("icon").digest("hex")} @ ${at("/favicon.ico")}`,
  ]);
});

test.each([
  ["reported by its type", { headers: { "content-type": "text/html" }, body: "User-agent: *\nseller.test, 1, DIRECT" }],
  ["reported by its start", { body: "<!doctype html><p>\nUser-agent: *\nseller.test, 1, DIRECT" }],
])("a server that answers everything with a page, %s, has no text files", async (_, page) => {
  const paths = ["/", "/robots.txt", "/sitemap.xml", "/ads.txt", "/app-ads.txt", "/manifest.json"];
  expect(await seenBy(siteFiles, { http: Object.fromEntries(paths.map((path) => [at(path), page])) })).toEqual([]);
});

test("a page in place of the icon is not an icon", async () => {
  const http = { [at("/favicon.ico")]: { headers: { "content-type": "text/html" }, body: "<p>Gone" } };
  expect(await seenBy(siteFiles, { http })).toEqual([]);
});

test("files are requested from the host of the home page", async () => {
  const http = {
    "https://acme.example/": { code: 301, headers: { location: "https://www.acme.example/" } },
    "https://www.acme.example/": "<p>Acme",
    "https://www.acme.example/robots.txt": "User-agent: *",
  };
  expect(await seenBy(siteFiles, { http })).toEqual([
    "file.robots User-agent: * @ https://www.acme.example/robots.txt",
  ]);
});
