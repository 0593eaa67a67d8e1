import { afterEach, expect, test } from "bun:test";
import { readCapture } from "../../src/detection/captures/read-capture.ts";
import { joinSnapshots } from "../../src/detection/visit/join.ts";
import type { Snapshot } from "../../src/net/snapshot.ts";
import { createStackService } from "../../src/stack/service.ts";
import { fernhill } from "../services/fernhill.ts";
import { type Boxed, openBoxed } from "./boxed.ts";

const [MARCH, APRIL, MAY] = ["2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z", "2026-05-01T00:00:00.000Z"];

const read = (text: string, capturedAt: string, name = "acme.example") => readCapture(text, { name, capturedAt });
const zone = (mx: string, at: string) => read(`$ORIGIN acme.example.\n@ 300 IN MX 10 ${mx}\n`, at);
const page = (script: string, at: string) =>
  read(`<html><link rel="canonical" href="https://acme.example/"><script src="${script}"></script>`, at);
const har = (script: string, at: string) =>
  read(
    JSON.stringify({
      log: {
        entries: ["https://acme.example/", script].map((url) => ({
          startedDateTime: at,
          request: { method: "GET", url },
          response: { status: 200, headers: [], content: { text: "", mimeType: "text/html" } },
        })),
      },
    }),
    at,
  );

const GOOGLE = "aspmx.l.google.com.";
const MICROSOFT = "acme-example.mail.protection.outlook.com.";
const HOTJAR = "https://static.hotjar.com/c/hotjar-1.js";
const STRIPE = "https://js.stripe.com/v3/";

let boxed: Boxed;
afterEach(() => boxed.close());

async function viewOf(...recordings: readonly Snapshot[]) {
  boxed = await openBoxed(fernhill(""));
  for (const recording of recordings) await boxed.analyse(recording, { keep: true });
  return boxed.enrich("acme.example", { maxAgeSeconds: Number.POSITIVE_INFINITY });
}
const toolsOf = ({ detections }: { readonly detections: readonly { readonly tool: string }[] }) =>
  detections.map(({ tool }) => tool);

test("a zone, a HAR file and a page become one view, with the age of each source", async () => {
  const view = await viewOf(zone(GOOGLE, MARCH), har(STRIPE, APRIL), page(HOTJAR, MAY));
  expect(toolsOf(view)).toEqual(expect.arrayContaining(["Google Workspace", "Stripe", "Hotjar"]));
  expect(view.scanned_at).toBe(MAY);
  const at = new Map(view.sources.map(({ source, observed_at }) => [source, observed_at]));
  expect([at.get("mail-dns"), at.get("home-page")]).toEqual([MARCH, MAY]);
  const seen = new Map(view.detections.map(({ tool, last_seen }) => [tool, last_seen]));
  expect([seen.get("Google Workspace"), seen.get("Stripe"), seen.get("Hotjar")]).toEqual([MARCH, APRIL, MAY]);
});

test("a newer recording replaces what an older one of the same kind said, in whatever order they arrive", async () => {
  const view = await viewOf(zone(MICROSOFT, MAY), page(HOTJAR, APRIL), zone(GOOGLE, MARCH));
  expect(toolsOf(view)).toContain("Hotjar");
  expect(toolsOf(view)).not.toContain("Google Workspace");
  expect(toolsOf(view).some((tool) => tool.startsWith("Microsoft"))).toBe(true);
});

test("a zone without name servers, as one kept as configuration is, leaves those of an older zone", async () => {
  const older = read(`$ORIGIN acme.example.\n@ IN NS ada.ns.cloudflare.com.\n@ IN MX 10 ${GOOGLE}\n`, MARCH);
  const view = await viewOf(older, zone(MICROSOFT, MAY));
  expect(toolsOf(view)).toContain("Cloudflare");
  expect(toolsOf(view)).not.toContain("Google Workspace");
  const newer = read("$ORIGIN acme.example.\n@ IN NS ns-1.awsdns-01.org.\n", "2026-06-01T00:00:00.000Z");
  await boxed.analyse(newer, { keep: true });
  const after = await boxed.enrich("acme.example", { maxAgeSeconds: Number.POSITIVE_INFINITY });
  expect(toolsOf(after)).not.toContain("Cloudflare");
});

test("each recording stays a dated observation of its own, and one that is stored twice counts once", async () => {
  await viewOf(zone(GOOGLE, MARCH), page(HOTJAR, MAY), page(HOTJAR, MAY));
  const stored = await boxed.store.scans.history("acme.example", 10);
  expect(stored.map(({ origin, scanned_at }) => [origin, scanned_at])).toEqual([
    ["page", MAY],
    ["records", MARCH],
  ]);
  expect(toolsOf(stored[1]?.report ?? { detections: [] })).toContain("Google Workspace");
});

test("a recording that arrives later renews the view", async () => {
  const before = await viewOf(zone(GOOGLE, MARCH), page(HOTJAR, APRIL));
  expect(toolsOf(before)).not.toContain("Stripe");
  await boxed.analyse(page(STRIPE, MAY), { keep: true });
  const after = await boxed.enrich("acme.example", { maxAgeSeconds: Number.POSITIVE_INFINITY });
  expect(toolsOf(after)).toEqual(expect.arrayContaining(["Google Workspace", "Stripe"]));
  expect(toolsOf(after)).not.toContain("Hotjar");
});

test("all stored recordings are read again with the present fingerprints", async () => {
  await viewOf(zone(GOOGLE, MARCH), page(HOTJAR, MAY));
  const replayed = await boxed.replay("acme.example");
  expect(toolsOf(replayed)).toEqual(expect.arrayContaining(["Google Workspace", "Hotjar"]));
  expect(await boxed.store.scans.history("acme.example", 10)).toHaveLength(2);
});

test("many pages never displace a zone", async () => {
  const pages = Array.from({ length: 8 }, (_, day) => page(HOTJAR, `2026-05-0${day + 1}T00:00:00.000Z`));
  expect(toolsOf(await viewOf(zone(GOOGLE, MARCH), ...pages))).toContain("Google Workspace");
});

test("an answer that failed replaces none", async () => {
  boxed = await openBoxed(fernhill(""));
  const failed: Snapshot = {
    ...page(HOTJAR, MAY),
    http: [{ method: "GET", url: "https://acme.example/", status: "timeout", code: 0, headers: [], body: "" }],
  };
  const { http } = joinSnapshots([failed, page(STRIPE, MARCH)]);
  expect(http).toMatchObject([{ status: "ok", at: MARCH }]);
});

test("a search counts the tools that the joined result has, at once and before anything joined the recordings", async () => {
  boxed = await openBoxed(fernhill(""));
  const { store, catalogue } = boxed;
  const stack = createStackService({
    ...{ stack: store.stack, scans: store.scans, feedback: store.feedback, catalogue, minConfidence: 0.5 },
    allowedReservedTlds: ["example"],
    onError(_, error) {
      throw error;
    },
  });
  const counted = async () => (await stack.search({ all: ["stripe"] })).domains[0]?.tools_detected;
  const recordings = [zone(GOOGLE, MARCH), page(STRIPE, MAY)];
  // As an archive is stored: without a report on all recordings.
  for (const snapshot of recordings)
    await store.scans.save({ domain: "acme.example", report: await boxed.analyse(snapshot), snapshot });
  expect(await store.scans.view("acme.example")).toBeUndefined();
  expect(await counted()).toBe(2);
  for (const snapshot of recordings) await boxed.analyse(snapshot, { keep: true });
  expect(await store.scans.view("acme.example")).toBeDefined();
  expect(await counted()).toBe(2);
  const { detections } = await boxed.enrich("acme.example", { maxAgeSeconds: Number.POSITIVE_INFINITY });
  expect(detections).toHaveLength(2);
  await boxed.renew("acme.example");
  expect(await store.scans.view("acme.example")).toBeDefined();
});
