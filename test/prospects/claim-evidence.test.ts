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
  ["a request to the company's own host", [["html.request", "https://stats.brightpine.example/t.js"]]],
  ["a description with an id", [["html.meta", "tidewell-site: 40172"]]],
  ["the generator", [["html.meta", "generator: Tidewell Pages"]]],
  [
    "a description beside a second sign",
    [
      ["html.meta", "tidewell-topic: parcels"],
      ["html.names", "tidewell-box"],
    ],
  ],
  ["code that makes what it asks for", [["html.inline", "window.tide = window.tide && window.tide.q || []"]]],
  ["code that asks for another tool", [["html.inline", "gauge?.q; tidewell.push({ site: 7 })"]]],
  ["the site's own files on a delivery network", [["html.link", "https://a1.hwcdn.net/wp-content/tidewell.css"]]],
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
  ["storage whose name was cut", [["html.script", "https://server….r.appspot.com/widget.js"]]],
  ["somebody's place at a delivery network", [["html.script", "https://c5x8i7.ssl.hwcdn.net/widget.js"]]],
  ["a description of the page", [["html.meta", "tidewell-topic: parcels"]]],
  ["a call of what may be there", [["html.inline", "e&&window.tide&&window.tide.push?window.tide.push({id:1}):0"]]],
  ["a question whether it is there", [["html.inline", "if (typeof tide === 'object') tide.send(7)"]]],
  ["a chained call of what may be there", [["html.inline", "tidewell?.send(7)"]]],
  ["a listener", [["html.inline", 'addEventListener("TidewellReady", start)']]],
  ["a name in a list", [["html.inline", "set('dimension7', 'gauge|tidewell|postbox')"]]],
  ["an advertisement with a place holder", [["html.script", "https://cdn.tidewell.example/a.js?to={{CLICK_URL}}"]]],
  ["a script that measures an advertisement", [["html.script", "https://a.tidewell.example/brightpine/moatad.js"]]],
  ["a numbered exchange", [["html.script", "https://pixel.tidewell.example/ups/254/occ"]]],
  ["a frame of a button", [["html.frame", "https://tidewell.example/o/oauth2/postmessageRelay?parent=x"]]],
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

test("a storage is the company's where its own name has the company in it, not a folder", () => {
  const inCloud = (value: string) => shown([["html.script", value]], "Cloud") !== undefined;
  expect(inCloud("https://brightpine.s3.amazonaws.com/a.js")).toBe(true);
  expect(inCloud("https://s3.amazonaws.com/brightpine/a.js")).toBe(true);
  expect(inCloud("https://s3.amazonaws.com/gauge/brightpine/a.js")).toBe(false);
  expect(shown([["html.script", "https://s3.amazonaws.com/gauge/brightpine/a.js"]])).toBeDefined();
});

test("a file on somebody's storage counts where the page's code speaks to it", () => {
  const file: Seen = ["html.script", "https://d1a2b3c4.cloudfront.net/tidewell.js"];
  expect(shown([file, ["html.inline", "tidewell.site = 7", "weak"]])).toBe(file[1]);
  expect(shown([file, ["html.inline", '"tidewell":false', "weak"]])).toBeUndefined();
  expect(shown([file, ["html.inline", "tidewell.site = 7", "weak"]], "Hosting")).toBeUndefined();
});

test("another advertising company's copy of a product is that company's", () => {
  const gauge = { ...detected("Gauge", [], "Advertising"), website: "https://gauge.example" };
  const copy: Seen = ["html.script", "https://cdn.gauge.example/js/tidewell.js"];
  expect(shown([copy], "Advertising", [gauge])).toBeUndefined();
  expect(shown([copy], "Advertising", [{ ...gauge, vendor: "Tidewell" }])).toBeDefined();
  expect(shown([copy], "Advertising", [{ ...gauge, category: "Analytics" }])).toBeDefined();
});

test("a platform's delivery network is not its customer's", () => {
  const platform = { ...detected("Shopify", [["html.script", "https://gauge.example/a.js"]]), id: "shopify" };
  const seen: Seen[] = [["http.header", "server: tidewell"]];
  expect(shown(seen, "CDN", [platform])).toBeUndefined();
  expect(shown(seen, "CDN", [{ ...platform, confidence: 0.7 }])).toBeDefined();
  const elsewhere = platform.evidence.map((each) => ({ ...each, location: "https://shop.brightpine.example/" }));
  expect(shown(seen, "CDN", [{ ...platform, evidence: elsewhere }])).toBeDefined();
  expect(shown(seen, "Error Tracking", [platform])).toBeDefined();
  expect(shown([["dns.ns", "a.tidewell.example"]], "CDN", [platform])).toBeDefined();
  expect(shown([["html.script", "https://brightpine.example/cdn-cgi/a.js"]], "CDN", [platform])).toBeUndefined();
});

test("an element with settings counts next to the network's code", () => {
  const place: Seen = ["html.names", "tidewell-page data-href data-width"];
  const sdk = { ...detected("Tidewell SDK", [["html.script", "https://g.tidewell.example/sdk.js"]], "Social Media") };
  const own = { ...sdk, vendor: "Tidewell" };
  expect(shown([place], "Social Media", [own])).toBe(place[1]);
  expect(shown([place], "Social Media", [sdk])).toBeUndefined();
  expect(shown([place], "Advertising", [{ ...own, category: "Advertising" }])).toBeUndefined();
  expect(shown([["html.names", "tidewell-page"]], "Social Media", [own])).toBeUndefined();
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
