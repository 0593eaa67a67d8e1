import { expect, test } from "bun:test";
import { loadBundle } from "../../src/console/packed.ts";
import { POLICY } from "../../src/console/pages.ts";
import { jsonOf } from "../http/opened.ts";
import { served } from "./served.ts";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test.each([
  "/",
  "/lookup/acme.com",
  "/studies",
  "/studies/tidewell-brightpine",
  "/companies/tidewell/",
  "/compare?c=a,b",
  "/tools",
  "/tools/stripe",
  "/lists",
  "/lists/bat_1",
  "/query",
  "/key",
  "/submit",
  "/operator",
  "/operator/submissions/sub_1",
])("%s is a page", async (path) => {
  const { answered } = await served();
  const page = await answered(path);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toBe(POLICY);
});

test("the policy allows nothing from other origins and nothing inline", () => {
  expect(POLICY).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
});

test("an unknown path is a 404 page for a browser and an API error for a program", async () => {
  const { ask, answered } = await served();
  expect((await answered("/nowhere", HTML)).status).toBe(404);
  expect((await ask("/nowhere")).response).toBeUndefined();
});

test.each(["/v1/stats", "/admin/keys", "/mcp", "/llms.txt", "/openapi.json", "/healthz", "/readyz", "/metrics"])(
  "%s is not a page, even for a browser",
  async (path) => {
    expect((await (await served()).ask(path, HTML)).response).toBeUndefined();
  },
);

test("a page is only served to GET", async () => {
  expect((await (await served()).ask("/", HTML, "POST")).response).toBeUndefined();
});

test("the files of a page come from the service, are named by their content, are compressed and contain no eval", async () => {
  const { answered, ask } = await served();
  const text = await (await answered("/")).text();
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=")|<style|\sstyle=|\son\w+=/);
  const files = [...text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? "");
  expect(files.length).toBeGreaterThan(2);
  for (const path of files) {
    const plain = await answered(path);
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const content = await plain.text();
    const packed = await answered(path, { "accept-encoding": "br, gzip" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(new TextDecoder().decode(Bun.gunzipSync(await packed.arrayBuffer()))).toBe(content);
    expect(content).not.toMatch(/\beval\(|new Function\(|@import|url\(["']?(?:https?|data):/);
  }
  const font = await answered(/href="([^"]+\.woff2)"/.exec(text)?.[1] ?? "", { "accept-encoding": "gzip" });
  expect(font.headers.get("content-encoding")).toBeNull();
  expect(new TextDecoder().decode((await font.bytes()).slice(0, 4))).toBe("wOF2");
  const icons = await jsonOf(await answered(files[0]?.replace(/[^/]+$/, "icons.json") ?? ""));
  expect(icons.icons[icons.tools.Stripe]).toEqual(["635BFF", expect.stringMatching(/^M/)]);
  await expect(ask("/console/files/old/console.js")).rejects.toMatchObject({ code: "route.not_found" });
}, 20_000);

test("all scripts together have at most 120 KB, compressed", () => {
  const scripts = loadBundle().files.filter(({ name }) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(20);
  const bytes = scripts.reduce((sum, { text = "" }) => sum + Bun.gzipSync(text).byteLength, 0);
  expect(bytes).toBeLessThan(120 * 1024);
});

test("the style sheet has no copies of rules for old browsers", () => {
  const [style] = loadBundle().files.filter(({ name }) => name.endsWith(".css"));
  expect(style?.text).toContain(":is(");
  expect(style?.text).not.toMatch(/-(?:webkit|moz)-any\(/);
});
