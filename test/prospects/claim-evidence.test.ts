import { expect, test } from "bun:test";
import type { Detection, Evidence } from "../../src/detection/types.ts";
import { setUpEvidence } from "../../src/prospects/claim-evidence.ts";

type Seen = readonly [signal: Evidence["signal"], value: string, strength?: Evidence["strength"]];

const PAGE = "https://brightpine.example/";

function detected(tool: string, seen: readonly Seen[], category = "Analytics"): Detection {
  const id = tool.toLowerCase().replaceAll(" ", "-");
  return {
    ...{ id, tool, category, vendor: tool, website: "https://tidewell.example/", version: null, confidence: 0.8 },
    means: "runs",
    evidence: seen.map(([signal, value, strength = "strong"]) => ({
      ...{ source: "home-page", signal, value, location: PAGE, rule: `${id}/rule`, strength },
    })),
  };
}

const shown = (seen: readonly Seen[], category?: string, others: readonly Detection[] = []) => {
  const detection = detected("Tidewell", seen, category);
  return setUpEvidence(detection, { domain: "brightpine.example", detections: [detection, ...others] })?.value;
};

test.each<[string, readonly Seen[]]>([
  ["a record of the company", [["dns.cname", "brightpine.tidewell.example"]]],
  ["a header of the company", [["http.header", "x-served-by: tidewell"]]],
  ["a script of the page", [["html.script", "https://cdn.tidewell.example/loader.js"]]],
  ["a file that is only called sync", [["html.script", "https://cdn.tidewell.example/guard-sync.js"]]],
  ["a call in the page", [["html.inline", "tidewell('init', 'a1b2')"]]],
  ["a setting that is on", [["html.inline", '"comments":false,"tidewell":true']]],
  ["an address in code with an account", [["html.inline-url", "https://tag.tidewell.example/35921/i.js"]]],
  ["an address in code with the company's name", [["html.inline-host", "brightpine.tidewell.example"]]],
  ["a host that the company owns at a provider", [["html.script", "https://brightpine.github.io/a.js"]]],
  ["mark-up with an account", [["html.markup", '<div data-widget-id="GS_4">']]],
  ["data with an account", [["html.data", '"tidewell":{"appId":"a1b2c3"}']]],
  ["a request for the company's own files", [["html.request", "https://g.tidewell.example/brightpine/g.js"]]],
])("%s shows that the company set the tool up", (_, seen) => {
  expect(shown(seen)).toBe(seen[0]?.[1]);
});

test.each<[string, readonly Seen[]]>([
  ["a weak rule", [["html.script", "https://cdn.tidewell.example/loader.js", "weak"]]],
  ["what a provider chose", [["tls.issuer", "Tidewell Trust"]]],
  ["a class name", [["html.names", "tidewell-unlinked"]]],
  ["a comment", [["html.markup", "<!-- Cards for Tidewell -->"]]],
  ["a list of integrations", [["html.data", '["gauge","tidewell"]']]],
  ["another tool's account", [["html.data", '"gauge":{"appId":"a1b2c3"},"tidewell":{}']]],
  ["a library's code", [["js.bundle", "tidewell.init("]]],
  ["a setting that is off", [["html.inline", '"delay":true,"tidewell_enabled":false']]],
  ["a setting that disables it", [["html.inline", '"disable_tidewell":true,"cards":false']]],
  ["an address in code that may never run", [["html.inline-url", "https://cdn.tidewell.example/v2/analytics.min.js"]]],
  ["an address by year and version", [["html.inline-url", "https://cdn.tidewell.example/2021/3.14.159/a.js"]]],
  ["a call that exchanges ids", [["html.frame", "https://cdn.tidewell.example/js/usersync.html?gdpr=1"]]],
  ["a host that exchanges ids", [["html.image", "https://match.tidewell.example/?id=12345"]]],
  ["an exchange in code", [["html.inline-url", "https://tidewell.example/map/?key=1234a…&amp;url="]]],
  ["an answer to another's callback", [["html.script", "https://tidewell.example/5/c=1859/callback=gauge.c0"]]],
  ["a button", [["html.frame", "https://tidewell.example/plugins/like.php?href=https://brightpine.example/"]]],
  ["somebody's storage", [["html.script", "https://d1a2b3c4.cloudfront.net/widget.js"]]],
  ["somebody's storage in code", [["html.inline-url", "https://shared12345.s3.amazonaws.com/widget.js"]]],
])("%s does not", (_, seen) => {
  expect(shown(seen)).toBeUndefined();
});

test("frames and requests of advertising companies need an account, or the company's name", () => {
  const ofAdvertising = (signal: Seen[0], value: string) => shown([[signal, value]], "Advertising") !== undefined;
  expect(ofAdvertising("html.frame", "https://tidewell.example/ad.html")).toBe(false);
  expect(ofAdvertising("html.frame", "https://tidewell.example/ad.html?p=162345")).toBe(true);
  expect(ofAdvertising("html.request", "https://tidewell.example/t.js?id=12345")).toBe(false);
  expect(ofAdvertising("html.request", "https://tidewell.example/t.js?id=brightpine")).toBe(true);
});

test("an address in code and the place for it show it together", () => {
  const address: Seen = ["html.inline-url", "https://cdn.tidewell.example/sdk.js"];
  const place: Seen = ["html.names", "tidewell-box"];
  expect(shown([place])).toBeUndefined();
  expect(shown([address])).toBeUndefined();
  expect(shown([place, address])).toBe("tidewell-box");
  expect(shown([place, ["html.inline-url", "https://sync.tidewell.example/sdk.js"]])).toBeUndefined();
});

test("an implied tool rests on the one that implies it", () => {
  const implied: Seen = ["implied", "Gauge"];
  const gauge = (...seen: Seen[]) => [detected("Gauge", seen)];
  expect(shown([implied], undefined, gauge(["http.header", "server: gauge"]))).toBe("Gauge");
  expect(shown([implied], undefined, gauge(["html.names", "gauge-box"]))).toBeUndefined();
  expect(shown([implied])).toBeUndefined();
  // Two that imply each other prove nothing.
  expect(shown([implied], undefined, gauge(["implied", "Tidewell"]))).toBeUndefined();
});
