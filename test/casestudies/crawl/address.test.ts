import { describe, expect, test } from "bun:test";
import {
  addressOf,
  isUnder,
  keyOf,
  languageOf,
  sameSite,
  segmentsOf,
  storyKey,
} from "../../../src/casestudies/crawl/address.ts";
import { withoutPage } from "../../../src/casestudies/crawl/listing.ts";

const BASE = "https://www.palletwise.example/customers";

test.each([
  ["/a#b", "https://www.palletwise.example/a"],
  ["a?utm_source=x&b=1&gclid=2", "https://www.palletwise.example/a?b=1"],
  ["HTTPS://WWW.Palletwise.example:443/A/", "https://www.palletwise.example/A/"],
  ["//stories.palletwise.example/x", "https://stories.palletwise.example/x"],
  ["  /a  ", "https://www.palletwise.example/a"],
  ["javascript:void(0)", null],
  ["mailto:a@b.example", null],
  ["https://user:secret@www.palletwise.example/", null],
  [`/${"a".repeat(1_000)}`, null],
  ["https://", null],
])("%p is requested as %p", (href, address) => {
  expect(addressOf(href, BASE)).toBe(address);
});

test.each([
  "https://palletwise.example/customers/a",
  "http://www.palletwise.example/customers/a/",
  "https://www.palletwise.example:443/customers/a/index.html",
  "https://www.palletwise.example/customers/a?utm_campaign=x",
])("%s has the same key as the others", (address) => {
  expect(keyOf(address)).toBe("palletwise.example/customers/a");
});

describe("languages in an address", () => {
  test.each([
    ["https://a.example/de/customers/x", "de", ["customers", "x"]],
    ["https://a.example/zh-CN/customers/x", "zh-cn", ["customers", "x"]],
    ["https://a.example/us/customers/x", "en-us", ["customers", "x"]],
    ["https://fr.a.example/customers/x", "fr", ["customers", "x"]],
    ["https://a.example/customers/de", null, ["customers", "de"]],
    ["https://a.example/ab/x", null, ["ab", "x"]],
  ])("%s", (address, language, segments) => {
    expect([languageOf(address), segmentsOf(address)]).toEqual([language, segments]);
  });

  test("do not change the key of a story", () => {
    const keys = [
      "https://a.example/customers/x",
      "https://a.example/de/customers/x/",
      "https://fr.a.example/customers/x",
    ];
    expect(new Set(keys.map(storyKey)).size).toBe(1);
    expect(storyKey("https://a.example/customers/y")).not.toBe(storyKey("https://a.example/customers/x"));
  });
});

test.each([
  ["/customers/a", BASE, true],
  ["/de/customers/a", BASE, true],
  ["/customers", BASE, false],
  ["/customers-of-ours/a", BASE, false],
  ["/customers/a", `${BASE}/page/2/`, true],
  ["/customers/a", `${BASE}/index.html`, true],
  ["/a", "https://www.palletwise.example/", false],
  ["https://elsewhere.example/customers/a", BASE, false],
])("%s is in the folder of %s: %p", (href, listing, expected) => {
  expect(isUnder(addressOf(href, BASE) ?? "", listing)).toBe(expected);
});

test.each([
  ["https://www.a.example/", "https://docs.a.example/", true],
  ["https://a.github.io/", "https://b.github.io/", false],
  ["http://127.0.0.1/", "http://127.0.0.1:8080/", true],
  ["http://127.0.0.1/", "http://10.0.0.1/", false],
])("%s and %s are the same site: %p", (one, other, expected) => {
  expect(sameSite(one, other)).toBe(expected);
});

test.each([
  ["https://a.example/c/page/3/", "https://a.example/c/"],
  ["https://a.example/c?page=3", "https://a.example/c"],
  ["https://a.example/c?industry=food&page=3", "https://a.example/c?industry=food"],
  ["https://a.example/c?page=about", "https://a.example/c?page=about"],
])("%s is a page of %s", (address, list) => {
  expect(withoutPage(address)).toBe(list);
});
