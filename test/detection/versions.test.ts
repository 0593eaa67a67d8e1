import { describe, expect, test } from "bun:test";
import { createEvidenceStore } from "../../src/detection/evidence.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";

const catalogue = loadBuiltInCatalogue();
const PLUGINS = "https://brightpine.example/wp-content/plugins";
const WORDPRESS = ["html.meta", "generator: WordPress 5.8.3"] as const;

type Seen = readonly (readonly [kind: "html.meta" | "html.script" | "html.link", value: string])[];

/** The version of each tool by name; tools without one are left out. */
function versionsIn(seen: Seen): Record<string, string> {
  const store = createEvidenceStore(catalogue);
  for (const [kind, value] of seen) store.add("home-page", { kind, value, location: "https://brightpine.example/" });
  const detections = store.detections();
  return Object.fromEntries(detections.flatMap(({ tool, version }) => (version === null ? [] : [[tool, version]])));
}

describe("the version of a tool", () => {
  test.each<[string, Seen, Record<string, string>]>([
    [
      "is what the query of its file says",
      [["html.script", `${PLUGINS}/yop-poll/a.js?ver=6.3.3`]],
      { "YOP Poll": "6.3.3" },
    ],
    [
      "is not that of WordPress, which appends its own",
      [WORDPRESS, ["html.script", `${PLUGINS}/yop-poll/a.js?ver=5.8.3`]],
      { WordPress: "5.8.3" },
    ],
    [
      "is that of another file of the same tool",
      [
        WORDPRESS,
        ["html.script", `${PLUGINS}/yop-poll/a.js?ver=5.8.3`],
        ["html.link", `${PLUGINS}/yop-poll/a.css?ver=6.3.3`],
      ],
      { WordPress: "5.8.3", "YOP Poll": "6.3.3" },
    ],
    [
      "is in the name of its file, whatever the version of WordPress",
      [WORDPRESS, ["html.script", "https://cdn.jsdelivr.net/npm/swiper@5.8.3/swiper.min.js"]],
      { WordPress: "5.8.3", Swiper: "5.8.3" },
    ],
    ["is not a time", [["html.script", `${PLUGINS}/yop-poll/a.js?ver=1591705597`]], {}],
    ["is not a day", [["html.script", `${PLUGINS}/yop-poll/a.js?ver=20180522`]], {}],
    ["is not a hash", [["html.script", `${PLUGINS}/yop-poll/a.js?ver=1a2b3c4d5e6f`]], {}],
    ["ends with no full stop", [["html.script", `${PLUGINS}/yop-poll/a.js?ver=6.3.`]], { "YOP Poll": "6.3" }],
    [
      "is not that of a theme, which appends its own to libraries of three vendors",
      ["jquery.magnific-popup", "owl.carousel", "jquery.fitvids"].map(
        (file) =>
          ["html.script", `https://brightpine.example/wp-content/themes/harbourtheme/js/${file}.js?ver=1.1.1`] as const,
      ),
      { Harbourtheme: "1.1.1" },
    ],
    [
      "may be that of another tool",
      ["jquery.magnific-popup", "owl.carousel"].map(
        (file) => ["html.script", `https://brightpine.example/js/${file}.js?ver=1.1.1`] as const,
      ),
      { "Magnific Popup": "1.1.1", "Owl Carousel": "1.1.1" },
    ],
  ])("%s", (_, seen, versions) => {
    expect(versionsIn(seen)).toEqual(versions);
    // Signals come in any order.
    expect(versionsIn(seen.toReversed())).toEqual(versions);
  });
});
