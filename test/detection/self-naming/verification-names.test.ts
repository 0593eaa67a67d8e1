import { describe, expect, test } from "bun:test";
import { createNameIndex } from "../../../src/detection/self-naming/names.ts";
import { createVerificationNameMatcher } from "../../../src/detection/self-naming/verifications.ts";
import { toolOf } from "../fingerprints/record-of.ts";

const tools = [
  toolOf([], { id: "widget-desk", name: "Widget Desk", aliases: ["WidgetDesk Pro"] }),
  toolOf([], { id: "gadget", name: "Gadget.io" }),
  toolOf([], { id: "sprocket", name: "Sprocket", category: "javascript-library" }),
  toolOf([], { id: "cog-forms", name: "Cog", requires: ["wordpress"] }),
  toolOf([], { id: "lever", name: "Lever Button", aliases: ["Lever"] }),
  toolOf([], { id: "twin-one", name: "Twin One", aliases: ["Twin"] }),
  toolOf([], { id: "twin-two", name: "Twin Two", aliases: ["Twin"] }),
  toolOf([], { id: "heir", name: "Heir", aliases: ["Gadget"] }),
];
const detectedBy = (text: string) =>
  createVerificationNameMatcher(() => createNameIndex(tools))({ kind: "dns.txt", value: text, location: "here" }).map(
    ({ tool }) => tool.id,
  );

describe("a verification record", () => {
  test.each([
    "widget-desk-domain-verification=a1b2c3",
    "widgetdesk-verification=a1b2c3",
    "widget_desk_site_verification: a1b2c3",
    "WidgetDesk-Domain-Verification-x1y2z3=a1b2c3",
    "widget-desk-verify=a1b2c3",
    "widgetdesk-sso-verification-code=a1b2c3",
    "_widget-desk-domain-verification=a1b2c3",
    "widgetdesk-pro-domain-verification=a1b2c3",
    "widget-desk-ai-domain-verification=a1b2c3",
  ])("detects the tool whose name it contains: %s", (text) => {
    expect(detectedBy(text)).toEqual(["widget-desk"]);
  });

  test.each([
    ["another product whose name starts so", "widget-domain-verification=a1b2c3"],
    ["another product whose name ends so", "my-widget-desk-domain-verification=a1b2c3"],
    ["no proof of ownership", "widget-desk=a1b2c3"],
    ["for another part of the service", "lever-site-verification=a1b2c3"],
    ["no token", "widget-desk-domain-verification="],
    ["a sentence", "we use widget desk verification: see the handbook"],
    ["a library, which has no accounts", "sprocket-domain-verification=a1b2c3"],
    ["a plug-in, which has none either", "cog-domain-verification=a1b2c3"],
    ["a name that two tools share", "twin-domain-verification=a1b2c3"],
  ])("detects nothing where it is %s", (_, text) => {
    expect(detectedBy(text)).toEqual([]);
  });

  test("detects the tool of that name rather than a former one", () => {
    expect(detectedBy("gadget-domain-verification=a1b2c3")).toEqual(["gadget"]);
  });

  test("proves a past account, and counts once however many there are", () => {
    const match = createVerificationNameMatcher(() => createNameIndex(tools));
    const named = (value: string) => match({ kind: "html.meta", value, location: "here" });
    const [one] = named("gadget-domain-verification=a1b2c3");
    const [other] = named("gadget-site-verification=d4e5f6");
    expect(one?.rule).toMatchObject({ strength: "strong", means: "verified-once" });
    expect(other?.rule).toBe(one!.rule);
  });
});
