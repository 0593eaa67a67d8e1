import { expect, test } from "bun:test";
import fc from "fast-check";
import { tableOf } from "../../src/batches/table.ts";
import { createEvidenceStore } from "../../src/detection/evidence.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import { observationOf } from "../../src/detection/observation.ts";
import { createRawSignalCollector } from "../../src/detection/raw-signals.ts";
import { createDetectionRedaction, redactReport } from "../../src/detection/redaction.ts";
import type { Signal, SignalKind } from "../../src/detection/signals.ts";
import { createThirdPartyCollector } from "../../src/detection/third-parties/collector.ts";
import type { Detection, Report } from "../../src/detection/types.ts";
import { createUnmatchedCollector } from "../../src/detection/unmatched-signals.ts";
import { enrichmentView } from "../../src/detection/view.ts";
import { catalogueOf } from "./catalogue-of.ts";
import { ruleOf, toolOf } from "./fingerprints/record-of.ts";

interface Planted {
  /** Text of the page that contains the secret. */
  readonly text: string;
  /** The part that must not be shown. */
  readonly secret: string;
}

const SECRETS: Readonly<Record<string, Planted>> = {
  hexadecimal: plain("9f86d081884c7d659a2feaa0c55ad015"),
  mixed: plain("aBcDeFgHiJkLmNoPqRsTuVwXyZaBcD"),
  "live key": { text: "sk_live_51HabcdefghijKLMNOPqrst", secret: "51HabcdefghijKLMNOPqrst" },
  uuid: plain("123e4567-e89b-42d3-a456-426614174000"),
  "email address": { text: "ada.lovelace.byron@acme.example", secret: "ada.lovelace.byron" },
  "encoded address": { text: "to=ada.lovelace.byron%40acme.example", secret: "ada.lovelace.byron" },
  "user of an address": {
    text: "https://lovelace:difference-gears@acme.example/a",
    secret: "lovelace:difference-gears",
  },
  "named visitor": { text: '"visitor_id": "lovelace-of-the-engine"', secret: "lovelace-of-the-engine" },
  "long named visitor": {
    text: `"visitor_id": "${"lovelace-of-the-engine-".repeat(30)}"`,
    secret: "lovelace-of-the-engine-".repeat(30),
  },
  "named secret": { text: "api_key=lovelace-of-the-engine", secret: "lovelace-of-the-engine" },
};
function plain(secret: string): Planted {
  return { text: secret, secret };
}

/** Characters of a secret that show its kind, and one more where a name begins it. */
const KEPT = 6;
const isShown = (output: string, secret: string): boolean =>
  Array.from({ length: secret.length - KEPT }, (_, at) => secret.slice(at, at + KEPT + 1)).some((part) =>
    output.includes(part),
  );

const FOUND = "widget.boot()";
/** Found within a value. */
const INSIDE = "/widget-boot/";
const catalogue = catalogueOf(
  toolOf([
    ruleOf({ contains: FOUND }, { id: "inline", see: "html.inline" }),
    ruleOf({ contains: INSIDE }, { id: "inside", see: "html.inline" }),
    ruleOf({ contains: FOUND }, { id: "bundle", see: "js.bundle" }),
    ruleOf({ contains: FOUND }, { id: "robots", see: "file.robots" }),
    ruleOf({ host: "widget.test" }, { id: "script", see: "html.script" }),
    ruleOf({ name: "x-widget" }, { id: "header", see: "http.header" }),
    ruleOf({ prefix: "widget-" }, { id: "txt", see: "dns.txt" }),
  ]),
);
const builtIn = loadBuiltInCatalogue();
const DOMAIN = "acme.example";

function reportOf(signals: readonly Signal[], with_ = catalogue): Report {
  const store = createEvidenceStore(with_);
  const raw = createRawSignalCollector({ name: DOMAIN });
  for (const signal of signals) {
    store.add("website", signal);
    raw.add(signal);
  }
  return {
    ...{ domain: DOMAIN, detections: store.detections(), possible: store.possible(), raw_signals: raw.list() },
    ...{ sources: [], scanned_at: "2026-01-01T00:00:00.000Z", duration_ms: 1 },
  };
}

/** Everything that may leave the service, as one text. */
async function outputsOf(report: Report, signals: readonly Signal[]): Promise<string> {
  const unmatched = createUnmatchedCollector({ name: DOMAIN });
  for (const signal of signals) unmatched.add(signal, false);
  const enrich = (each: Detection) => ({ ...each, first_seen: "", last_seen: "", product_of: null, roles: [] });
  const result = { ...report, detections: report.detections.map(enrich), cached: false };
  const view = enrichmentView(result, { evidence: true, sources: true, third_parties: true });
  const item = { number: 1, input: DOMAIN, cells: {}, domain: DOMAIN, state: "done", error: null, result } as const;
  const rows = await Array.fromAsync(tableOf([item].values() as never, [], "tools").rows);
  const observation = observationOf(report);
  const history = observation.detections.map(createDetectionRedaction());
  return JSON.stringify([view, rows, observation, history, redactReport(report), unmatched.list()]);
}

const signal = (kind: SignalKind, value: string): Signal => ({ kind, value, location: `https://${DOMAIN}/` });

/** Code with a secret so many characters before or after the text that the rule finds. */
function codeWith({ text }: Planted, distance: number, isBefore: boolean): string {
  const gap = "; a = b".repeat(30).slice(0, distance);
  const code = isBefore ? `'${text}' ${gap}${FOUND}` : `${FOUND}${gap} '${text}'`;
  return `${"(c, d) ".repeat(60)}${code}${" (e, f)".repeat(60)}`;
}

const planted = fc.constantFrom(...Object.entries(SECRETS));

test("no excerpt of a text shows a secret, wherever it is cut", async () => {
  for (const [name, secret] of Object.entries(SECRETS))
    for (const kind of ["html.inline", "js.bundle", "file.robots"] as const)
      for (const isBefore of [true, false])
        for (let distance = 0; distance <= 130; distance += kind === "html.inline" ? 1 : 7) {
          const signals = [signal(kind, codeWith(secret, distance, isBefore))];
          const report = reportOf(signals);
          expect(report.detections).toHaveLength(1);
          // A stored value is read as it was written.
          expect(redactReport(report).detections).toEqual(report.detections);
          const output = await outputsOf(report, signals);
          if (isShown(output, secret.secret)) throw new Error(`${name} ${kind} ${isBefore} ${distance}: ${output}`);
        }
});

test("no value that is cut at its limit shows a secret", async () => {
  const before: Readonly<Record<string, (length: number) => string>> = {
    "html.script": (length) => `https://widget.test/${"a/".repeat(200).slice(0, length)}?a=`,
    "http.header": (length) => `x-widget: ${"a, ".repeat(200).slice(0, length)} `,
    "dns.txt": (length) => `widget-${"a b ".repeat(200).slice(0, length)} `,
  };
  await fc.assert(
    fc.asyncProperty(
      planted,
      fc.constantFrom(...Object.keys(before)),
      fc.integer({ min: 0, max: 310 }),
      async ([, { text, secret }], kind, length) => {
        const signals = [signal(kind as SignalKind, `${before[kind]?.(length)}${text} and more`)];
        const report = reportOf(signals);
        expect(report.detections).toHaveLength(1);
        expect(isShown(await outputsOf(report, signals), secret)).toBe(false);
      },
    ),
    { numRuns: 3_000 },
  );
});

test("a value that its name makes secret is not shown, whatever its length", async () => {
  const words = "lovelace-of-the-engine.";
  const places: Readonly<Record<string, (value: string, gap: string) => Signal>> = {
    before: (value, gap) => signal("html.inline", `(a, b) '${value}'${gap}${FOUND} (c, d)`),
    after: (value, gap) => signal("html.inline", `(a, b) ${FOUND}${gap}'${value}' (c, d)`),
    around: (value) => signal("html.inline", `(a, b) '${value}${INSIDE}${words.repeat(100)}' (c, d)`),
    address: (value, gap) => signal("html.script", `https://widget.test/?a=${gap.length}&${value}`),
    location: (value, gap) => ({
      ...signal("html.inline", FOUND),
      location: `https://${DOMAIN}/?a=${gap.length}&${value}#end`,
    }),
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("visitor_id=", "q=1%26user_id%3D", "api_key="),
      fc.constantFrom(...Object.values(places)),
      fc.integer({ min: 40, max: 9_000 }),
      fc.integer({ min: 0, max: 60 }),
      async (name, place, length, distance) => {
        const signals = [place(`${name}${words.repeat(400).slice(0, length)}`, "; a = b".repeat(9).slice(0, distance))];
        const report = reportOf(signals);
        expect(report.detections).toHaveLength(1);
        expect(redactReport(report).detections).toEqual(report.detections);
        // It repeats after so many characters.
        expect(isShown(await outputsOf(report, signals), words.repeat(2))).toBe(false);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("a secret whose name ends a long value is not shown", () => {
  const code = `${"a/".repeat(2_000)}${INSIDE}visitor_id="lovelace-of-the-engine"; b`;
  const shown = reportOf([signal("html.inline", code)]).detections[0]?.evidence[0]?.value;
  expect(shown).toBe('…/visitor_id="…"; b');
});

test("tools that name themselves show no secret next to their name", async () => {
  const named: Readonly<Record<string, (code: string) => string>> = {
    called: (code) => `${code} $(".post").fitVids(); ${code}`,
    configured: (code) => `${code} var hubspotConfig = { hubspot: { portalId: 1 } }; ${code}`,
    extension: (code) => `${code} /wp-content/plugins/contact-form-7/includes/js/index.js ${code}`,
    banner: (code) => `${code} /*! normalize.css v8.0.1 */ ${code}`,
  };
  await fc.assert(
    fc.asyncProperty(
      planted,
      fc.constantFrom(...Object.keys(named)),
      fc.integer({ min: 0, max: 90 }),
      fc.boolean(),
      async ([, { text, secret }], name, distance, isBefore) => {
        const gap = "; a = b".repeat(20).slice(0, distance);
        const code = isBefore ? `'${text}' ${gap}` : `${gap} '${text}'`;
        const signals = [signal("html.inline", named[name]?.(code) ?? "")];
        expect(isShown(await outputsOf(reportOf(signals, builtIn), signals), secret)).toBe(false);
      },
    ),
    { numRuns: 600 },
  );
});

test("what an earlier release cut in the middle of a token is not shown", () => {
  const redact = createDetectionRedaction();
  const shownOf = (value: string, signal: SignalKind = "html.inline", location = "") =>
    redact({
      ...{ id: "widget", tool: "Widget", category: "Analytics", vendor: "", website: "", version: null },
      ...{ confidence: 0.8, means: "runs" },
      evidence: [{ source: "website", signal, value, location, rule: "widget/rule", strength: "strong" }],
    }).evidence[0]?.value;
  expect(shownOf("…81884c7d659a2f7e; widget.boot(); load(c, d)…")).toBe("…81884c…; widget.boot(); load(c, d)…");
  expect(shownOf("…(c, d); widget.boot('9f86d081884c7d659a2f…")).toBe("…(c, d); widget.boot('9f86d0……");
  expect(shownOf("…lovelace.byron@acme.example; widget.boot() mailto:ada.love…")).toBe(
    "……@acme.example; widget.boot() mailto:…",
  );
  expect(shownOf("…window.load; widget.boot(); window.dataLayer…")).toBe(
    "…window.load; widget.boot(); window.dataLayer…",
  );
  // Also when a location that was read before has the same text.
  shownOf("", "html.inline", "mailto:lovelace.by…");
  expect(shownOf("mailto:lovelace.by…", "html.anchor")).toBe("mailto:…");
});

test("no name of a tool and no host has a secret or an id that the page wrote", async () => {
  const secret = "secretsecret1234567890";
  const signals = [
    signal("html.meta", `generator: Portal of ghp_${secret}`),
    signal("html.meta", "generator: Session 0f8fad5b-d9cb-469f-a165-70867728950e"),
    signal("html.script", `https://unpkg.com/ghp_${secret}@1.2.3/x.js`),
    signal("html.path", `/wp-content/plugins/ghp_${secret}/x.js`),
    signal("html.script", `https://a.ghp_${secret}.cdn.widget-vendor.com/x.js`),
    signal("dns.cname", `ghp_${secret}.cdn.widget-vendor.com`),
    signal("html.path", "/wp-content/plugins/overlapping-marker-spiderfier-2024/x.js"),
  ];
  const report = reportOf(signals, builtIn);
  expect(await outputsOf(report, signals)).not.toMatch(/secretsecret|d9cb/i);
  expect(report.raw_signals?.scripts).toContain("cdn.widget-vendor.com");
  expect(report.raw_signals?.cnames).toEqual(["cdn.widget-vendor.com"]);
  expect(report.detections.map(({ tool }) => tool)).toContain("Overlapping Marker Spiderfier 2024");

  const third = createThirdPartyCollector({ name: DOMAIN });
  for (const each of signals) third.add(each, false);
  expect(third.list().map(({ domain, hosts }) => [domain, hosts])).toContainEqual([
    "widget-vendor.com",
    ["cdn.widget-vendor.com"],
  ]);
});
