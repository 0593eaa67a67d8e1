import { expect, test } from "bun:test";
import { createToolNames } from "../../src/prospects/tool-names.ts";
import { toolOf } from "../detection/fingerprints/record-of.ts";

const TOOLS = [
  toolOf([], { id: "gauge-cloud", name: "Gauge Cloud", vendor: "Gauge Labs", aliases: ["Gauge", "Gauge Suite"] }),
  toolOf([], {
    id: "tracker",
    name: "Corran Cloud",
    vendor: "Corran",
    aliases: ["Corran", "Ticketer", "Ticketer Pro"],
  }),
  toolOf([], { id: "bucket", name: "Amberline Bucket", vendor: "Amberline", aliases: ["Bucket", "AB"] }),
  toolOf([], { id: "pulley", name: "Pulley", vendor: "Open source", website: "https://pulley.example" }),
];
const names = createToolNames(new Map(TOOLS.map((tool) => [tool.id, tool])), [
  { name: "Gauge", aliases: [] },
  { name: "Ticketer", aliases: [] },
  { name: "Amberline Bucket", aliases: ["Bucket"] },
  { name: "Pulley Native", aliases: [] },
]);

test("a vendor's name and a product of its own are not the tool, an alias is", () => {
  expect(names.of("gauge-cloud")).toEqual(["Gauge Cloud"]);
  expect(names.of("tracker")).toEqual(["Corran Cloud"]);
  expect(names.of("bucket")).toEqual(["Amberline Bucket", "Bucket", "AB"]);
  expect(["Gauge", "Ticketer Pro", "BUCKET"].map(names.idOf)).toEqual([undefined, undefined, "bucket"]);
});

test("a text names a tool only outside longer names", () => {
  const isIn = (text: string, client: string | null = null) => names.isIn(text, "Pulley", "pulley", [{ name: client }]);
  expect(isIn("The app is written in Pulley.")).toBe(true);
  expect(isIn("The app is written in Pulley Native.")).toBe(false);
  expect(isIn("First Pulley Native, then Pulley.")).toBe(true);
  expect(isIn("Old Pulley Farms grows apples.", "Old Pulley Farms")).toBe(false);
  expect(isIn("Pulleys lift it.")).toBe(false);
});

test("the client's own name, vendor or site is its own tool", () => {
  expect(names.isParty("pulley", { name: "PULLEY" })).toBe(true);
  expect(names.isParty("tracker", { name: "Corran" })).toBe(true);
  expect(names.isParty("pulley", { name: "Someone", domain: "www.pulley.example" })).toBe(true);
  expect(names.isParty("pulley", { name: null, domain: "other.example" })).toBe(false);
});
