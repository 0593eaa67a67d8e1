import { expect, test } from "bun:test";
import { chooseTitle, withoutSiteName } from "../../../src/casestudies/extract/title.ts";

test.each([
  ["How Alder grew | Routely", ["Routely"], "How Alder grew"],
  ["Routely - How Alder grew", ["Routely"], "How Alder grew"],
  ["How Alder grew - Customer Stories | Routely", ["Routely"], "How Alder grew"],
  ["How Alder grew · Routely Blog", ["Routely"], "How Alder grew"],
  ["Alder – a mid-sized retailer – grows", ["Routely"], "Alder – a mid-sized retailer – grows"],
  ["How Alder grew with Routely", ["Routely"], "How Alder grew with Routely"],
  ["Case study: Alder", ["Routely"], "Case study: Alder"],
  ["Alder | Routely and Alder", ["Routely"], "Alder | Routely and Alder"],
])("%p of %p is %p", (title, names, expected) => {
  expect(withoutSiteName(title, names)).toBe(expected);
});

test.each([
  ["the heading first", "How Alder grew", ["Alder | Routely"], "How Alder grew"],
  ["not the kind of page", "Customer Stories", ["How Alder grew | Routely"], "How Alder grew"],
  ["not the site", "Routely", ["How Alder grew"], "How Alder grew"],
  ["without the part after a bar", "", ["How Alder grew | Elsewhere"], "How Alder grew"],
  ["the kind of page if there is nothing else", "Case study", [null], "Case study"],
  ["nothing", "", [null, ""], null],
])("a title is %s", (_, heading, others, expected) => {
  expect(chooseTitle(heading, others, ["Routely"])).toBe(expected);
});
