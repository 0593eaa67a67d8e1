import { expect, test } from "bun:test";
import { urlKey } from "../../src/casestudies/keys.ts";

const KEY = urlKey("https://vendor.example/customers/acme?page=2&lang=en");

test.each([
  "http://vendor.example/customers/acme?page=2&lang=en",
  "https://WWW.Vendor.example/customers/acme?page=2&lang=en",
  "https://vendor.example:443/customers/acme/?page=2&lang=en",
  "https://vendor.example/customers/acme?lang=en&page=2#results",
  "https://vendor.example/customers/acme?utm_source=mail&page=2&lang=en&gclid=1&_hsmi=7",
  " https://vendor.example./customers/./acme?page=2&lang=en ",
])("is the same page: %s", (address) => {
  expect(urlKey(address)).toBe(KEY);
});

test.each([
  "https://vendor.example/customers/acme?page=3&lang=en",
  "https://vendor.example/customers/Acme?page=2&lang=en",
  "https://blog.vendor.example/customers/acme?page=2&lang=en",
  "https://vendor.example:8443/customers/acme?page=2&lang=en",
  "https://vendor.example/customers/acme?page=2&lang=en#/customers/other",
])("is another page: %s", (address) => {
  expect(urlKey(address)).not.toBe(KEY);
});

test("a string that is not an address is its own key", () => {
  expect(urlKey(" internal document 7 ")).toBe("internal document 7");
  expect(urlKey("file:///stories/acme.pdf")).toBe("file:///stories/acme.pdf");
});
