import { expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { filesCombinedIn } from "../../../src/detection/scanners/combined-files.ts";

const packed = (list: string) => deflateSync(Buffer.from(list)).toString("base64");

test.each<[string, string[]]>([
  ["/_static/??/wp-content/a.js,/wp-includes/b.js?m=1", ["/wp-content/a.js", "/wp-includes/b.js"]],
  [`/_static/??-${packed("/wp-content/plugins/a/a.css,/b.css")}`, ["/wp-content/plugins/a/a.css", "/b.css"]],
  ["/min/?f=js/a.js,js/b.js", ["/js/a.js", "/js/b.js"]],
  ["/min/?b=wp-content%2Fplugins&f=a/a.js,b/b.js", ["/wp-content/plugins/a/a.js", "/wp-content/plugins/b/b.js"]],
  [
    "/combine/npm/swiper@8.4.5/swiper.min.js,npm/aos@2/aos.js",
    ["/npm/swiper@8.4.5/swiper.min.js", "/npm/aos@2/aos.js"],
  ],
  ["/combo?yui/a.js&yui/b.js", ["/yui/a.js", "/yui/b.js"]],
  ["/combiner/c?js=jquery.1.4.2.js,plugins/json2.js&v=1", ["/jquery.1.4.2.js", "/plugins/json2.js"]],
  ["/merge/?file=/lib/a.min.js&file=/lib/b.js", ["/lib/a.min.js", "/lib/b.js"]],
  ["/merge/?file=/lib/jquery.sonar.min.js", ["/lib/jquery.sonar.min.js"]],
  ["/load.php?file=/lib/a.js", []],
  ["/a.js", []],
  ["/a.js?list=b,c", []],
  ["/_static/??-eJyAAAA", []],
  [`/_static/??-${packed("a.js,".repeat(20_000))}`, []],
  ["/min/?f=a.js,%E0%A4%A", ["/a.js"]],
])("%s", (address, files) => {
  expect(filesCombinedIn(`https://brightpine.example${address}`)).toEqual(files);
});

test("at most 100 files are listed", () => {
  const list = Array.from({ length: 300 }, (_, at) => `/a${at}.js`).join(",");
  expect(filesCombinedIn(`https://brightpine.example/_static/??${list}`)).toHaveLength(100);
  expect(filesCombinedIn(`https://brightpine.example/_static/??-${packed(list)}`)).toHaveLength(100);
});
