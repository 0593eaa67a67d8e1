import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCrawler } from "../../src/casestudies/crawl/crawler.ts";
import type { CrawlSummary } from "../../src/casestudies/crawl/types.ts";
import { contactReason, UnreadableSite, unreadableText } from "../../src/casestudies/intake/unreadable.ts";
import { networkSettings } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { PermanentError } from "../../src/jobs/runner.ts";
import { type NetworkClient, openNetworkClient } from "../../src/net/client.ts";
import { type Box, openBox } from "../box/box.ts";
import { flagsInto } from "./boxed-app.ts";

const HTML = "<!doctype html><title>Customers</title><p>Stories";

/** `brightpine.com` makes the resolver one that knows `com`. */
const WORLD = {
  companies: [
    { domain: "brightpine.com", pages: { "/": HTML } },
    {
      domain: "brightpine.test",
      pages: {
        "/": HTML,
        "/down": { status: 503, body: "" },
        "/gone": { status: 404, body: "" },
        "/picture": { body: "\x89PNG", headers: { "Content-Type": "image/png" } },
        "/away": { redirect: "https://brightpine.com/" },
      },
    },
    { domain: "silent.test", pages: { "/": HTML } },
    { domain: "closed.test", pages: { "/": HTML } },
    { domain: "garbled.test", pages: { "/": HTML } },
    { domain: "misnamed.test", pages: { "/": HTML }, certificate: { names: ["other.test"] } },
    { domain: "lonely.test", records: { "": { MX: "1 mx.lonely.test" } } },
    { domain: "private.test", records: { "": { A: "10.1.2.3" } } },
    { domain: "broken.test", pages: { "/": HTML } },
    {
      domain: "shy.test",
      pages: {
        "/": HTML,
        "/robots.txt": { body: "User-agent: *\nDisallow: /", headers: { "Content-Type": "text/plain" } },
      },
    },
  ],
  faults: [
    { host: "silent.test", fault: "hang" },
    { host: "closed.test", fault: "refuse" },
    { host: "garbled.test", fault: "garbage" },
    { name: "broken.test", fault: "servfail" },
  ],
} as const;

describe("a site that cannot be read is described by its real reason", () => {
  let box: Box;
  let client: NetworkClient;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "casefile-unreadable-"));
    box = await openBox(WORLD);
    const flags = { ...(await flagsInto(box, folder)), "net-dns-timeout-ms": 200, "net-http-timeout-ms": 1_000 };
    client = openNetworkClient(networkSettings(loadConfig({ flags, env: {}, readFile: () => undefined }), "1.2.3"));
  });
  afterAll(async () => {
    client.close();
    await box.close();
    await rm(folder, { recursive: true });
  });

  async function summaryOf(url: string): Promise<CrawlSummary> {
    const crawler = createCrawler({
      http: client.http,
      now: () => performance.now(),
      sleep: async () => {},
      userAgentToken: "casefile",
    });
    const events = crawler.crawl({ url, limits: { perHostMs: 0 }, signal: AbortSignal.timeout(20_000) });
    let next = await events.next();
    while (!next.done) next = await events.next();
    return next.value;
  }

  test.each([
    ["https://nobody.test/customers", "reserved_name", "the name is reserved and has no public address"],
    ["https://quayline.com/customers", "no_such_name", "the name does not exist in DNS"],
    ["https://quayline.de/customers", "dns_failed", "DNS did not answer"],
    ["https://broken.test/", "dns_failed", "DNS did not answer"],
    ["https://lonely.test/", "no_address", "the name has no address in DNS"],
    ["https://silent.test/", "timeout", "no answer in time"],
    ["https://closed.test/", "connection_refused", "the connection was refused"],
    [
      "https://misnamed.test/",
      "tls",
      "the secure connection failed: the TLS certificate is not valid or TLS is not supported",
    ],
    ["https://garbled.test/", "not_http", "the answer is not valid HTTP"],
    ["https://private.test/", "forbidden", "the address may not be requested"],
    ["https://brightpine.test/down", "http", "the site answers 503"],
    ["https://brightpine.test/gone", "not_found", "not found (404)"],
    ["https://brightpine.test/picture", "not_a_page", "not a page (image/png)"],
    ["https://brightpine.test/away", "redirect", "redirects to another site, brightpine.com"],
    ["https://shy.test/", "robots", "robots.txt forbids it"],
  ])("%s: %s", async (url, code, reason) => {
    const summary = await summaryOf(url);
    expect(summary.unreadable?.code).toBe(code as never);
    expect(unreadableText({ ...summary, listing_url: url })).toBe(`${url} cannot be read: ${reason}.`);
    expect(summary.ended).toBe(code === "robots" ? "robots" : "unreachable");
  });
});

test("a contact gets no text of an internal error", () => {
  expect(contactReason(new UnreadableSite("It cannot be read."))).toBe("It cannot be read.");
  expect(contactReason(new PermanentError("No case studies were found on this page."))).toStartWith("No case studies");
  const internal = [new Error("SQLITE_BUSY: /var/lib/casefile"), new TypeError("x of undefined"), "text", undefined];
  for (const error of internal)
    expect(contactReason(error)).toBe("An internal error occurred; the operator has been informed.");
});
