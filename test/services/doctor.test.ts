import { expect, test } from "bun:test";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check, checkUp } from "../../src/health/doctor.ts";
import { openBox } from "../box/box.ts";
import type { World } from "../box/company.ts";
import { openBoxedApp } from "./boxed-app.ts";

const SERVICES: World = {
  services: {
    "www.googletagmanager.com": { "/gtm.js": { status: 404 } },
    "boards-api.greenhouse.io": { "/v1/boards/example/jobs": { status: 503 } },
  },
  zone: { "origin.asn.cymru.com": { SOA: "ns.cymru.test admin.cymru.test" } },
};

/** The checks of a temporary installation, by id. */
async function checked(
  options: {
    offline?: boolean;
    prepare?: (dataDir: string) => Promise<unknown>;
    flags?: Record<string, unknown>;
    world?: World;
  } = {},
): Promise<Map<string, Check>> {
  const dataDir = await mkdtemp(join(tmpdir(), "casefile-doctor-"));
  const box = await openBox(options.world ?? SERVICES);
  try {
    await options.prepare?.(dataDir);
    const open = () => openBoxedApp(box, dataDir, options.flags);
    const checks = await Array.fromAsync(checkUp(dataDir, open, { offline: options.offline ?? false }));
    return new Map(checks.map((check) => [check.id, check]));
  } finally {
    await box.close();
    await rm(dataDir, { recursive: true });
  }
}

test("a new installation passes, and each data source is checked separately", async () => {
  const checks = await checked({ flags: { "sources-microsoft-realm": "off" } });
  for (const id of [
    "data-directory",
    "open-files",
    "room",
    "memory",
    "database",
    "native-parts",
    "model",
    "search-index",
    "jobs",
    "dns",
    "clock",
  ]) {
    expect([id, checks.get(id)?.status]).toEqual([id, "ok"]);
  }
  for (const { remedy } of checks.values()) expect(remedy ?? "Do it now, please.").toMatch(/^[A-Z][a-z]+ .{10,}\.$/);
  expect(checks.get("source-asn-zone")?.status).toBe("ok");
  // "No such container" is an answer.
  expect(checks.get("source-tag-manager")?.status).toBe("ok");
  expect(checks.get("source-job-board-greenhouse")).toMatchObject({
    status: "warning",
    detail: "boards-api.greenhouse.io answers 503.",
    remedy: expect.stringContaining("sources.job_boards.greenhouse"),
  });
  expect(checks.get("source-job-board-lever")?.status).toBe("warning");
  expect(checks.get("source-microsoft-realm")).toMatchObject({ status: "skipped", remedy: null });
}, 60_000);

test("DNS servers that know no public name give a warning", async () => {
  const checks = await checked({ world: {} });
  expect(checks.get("dns")).toMatchObject({
    status: "warning",
    detail: expect.stringContaining("no public top-level domain is known there"),
    remedy: expect.stringContaining("net.resolvers"),
  });
  // "No such name" is no answer of the zone there.
  for (const [id, zone] of [
    ["asn", "origin"],
    ["asn6", "origin6"],
  ])
    expect(checks.get(`source-${id}-zone`)).toMatchObject({
      status: "warning",
      detail: `${zone}.asn.cymru.com: the DNS server does not know the top-level domain.`,
      remedy: expect.stringContaining(`sources.${id}_zone`),
    });
}, 60_000);

test("a configured browser is checked, and a token in its address is not shown", async () => {
  using browser = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      message(socket, text) {
        const { id, method } = JSON.parse(String(text));
        socket.send(JSON.stringify({ id, result: method === "Browser.getVersion" ? { product: "Chrome/140" } : {} }));
      },
    },
  });
  const at = `127.0.0.1:${browser.port}`;
  const answers = await checked({ flags: { "scan-browser-url": `ws://${at}/secret` } });
  expect(answers.get("browser")).toMatchObject({ status: "ok", detail: `Chrome/140 answers at ${at}.` });
  const silent = await checked({ flags: { "scan-browser-url": "http://127.0.0.1:9/" } });
  expect(silent.get("browser")).toMatchObject({
    status: "warning",
    detail: expect.stringMatching(/^It does not answer at 127\.0\.0\.1:9: the connection failed \(\w+\)\.$/),
  });
}, 60_000);

test("offline, no data source is checked", async () => {
  const checks = await checked({ offline: true });
  expect([...checks.keys()]).toEqual([
    "data-directory",
    "open-files",
    "room",
    "memory",
    "database",
    "native-parts",
    "model",
    "search-index",
    "jobs",
    "contact",
    "sources",
    "clock",
  ]);
});

test("a directory that other users can read gives a warning with the command that fixes it", async () => {
  const checks = await checked({ offline: true, prepare: (dataDir) => chmod(dataDir, 0o755) });
  expect(checks.get("data-directory")).toMatchObject({
    status: "warning",
    remedy: expect.stringContaining("chmod 700"),
  });
});

test("a database that cannot be opened fails with a remedy, and later checks do not run", async () => {
  const checks = await checked({
    offline: true,
    prepare: (dataDir) => Bun.write(join(dataDir, "casefile.sqlite"), "this is no database".repeat(100)),
  });
  expect(checks.get("database")).toMatchObject({ status: "failed", remedy: expect.stringContaining("restore") });
  expect(checks.has("model")).toBe(false);
});
