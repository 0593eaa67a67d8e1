import { describe, expect, test } from "bun:test";
import { createIcons, fetchIcon, iconIn } from "../../src/detection/icon.ts";
import type { HttpExchange, Snapshot } from "../../src/net/snapshot.ts";
import { EXAMPLE_PATH } from "../box/example.ts";
import { fakeVisit } from "./scanners/fake-visit.ts";

const exchange = (url: string, body: string, more: Partial<HttpExchange> = {}): HttpExchange => ({
  ...{ method: "GET", url, status: "ok", code: 200, headers: [], body },
  ...more,
});
const file = (url: string, bytes: Uint8Array, more: Partial<HttpExchange> = {}): HttpExchange =>
  exchange(url, Buffer.from(bytes).toString("base64"), { encoding: "base64", ...more });

/** The beginning of a PNG of a size; decoders need more, the check does not. */
function png(width: number, height = width, bytes = 64): Buffer {
  const image = Buffer.alloc(bytes);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(image);
  image.writeUInt32BE(width, 16);
  image.writeUInt32BE(height, 20);
  return image;
}

/** An icon file with one image in it. */
function ico(image: Buffer, claimed = image.length): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt32LE(0x00_01_00_00, 0);
  head.writeUInt16LE(1, 4);
  head.writeUInt32LE(claimed, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, image]);
}

function bitmap(width: number, height: number): Buffer {
  const image = Buffer.alloc(64);
  image.writeUInt32LE(40, 0);
  image.writeUInt32LE(width, 4);
  image.writeUInt32LE(height, 8);
  return image;
}

const HOME = "https://www.acme.test/";
const FAVICON = "https://acme.test/favicon.ico";
const snapshotOf = (...http: readonly HttpExchange[]): Snapshot => ({
  ...{ format: "casefile-snapshot", version: 1, domain: "acme.test", captured_at: "2026-01-02T03:04:05Z" },
  ...{ origin: "casefile 1", dns: [], certificates: [], requests: [], zone: false, http },
});

describe("the icon in a snapshot", () => {
  test("is the one that the home page declares, before /favicon.ico", () => {
    const home = exchange(
      HOME,
      '<link rel="icon" type="image/svg+xml" href="/i.svg"><link rel="shortcut icon" href="/small.png" sizes="16x16"><link rel="apple-touch-icon" href="https://cdn.test/touch.png">',
    );
    const touch = file("https://cdn.test/touch.png", png(180));
    const icons = [file(FAVICON, png(32)), file("https://www.acme.test/small.png", png(16)), touch];
    expect(iconIn(snapshotOf(home, ...icons))?.bytes).toEqual(png(180));
    expect(iconIn(snapshotOf(home, ...icons.slice(0, 2)))?.bytes).toEqual(png(16));
    expect(iconIn(snapshotOf(...icons))).toEqual({ type: "image/png", bytes: png(32) });
  });

  test.each([
    ["a bitmap with a mask", ico(bitmap(32, 64))],
    ["a PNG", ico(png(256))],
  ])("may be an icon file with %s in it", (_, bytes) => {
    expect(iconIn(snapshotOf(file(FAVICON, bytes)))?.type).toBe("image/x-icon");
  });

  test.each([
    ["a page", exchange(FAVICON, "<p>Gone")],
    ["SVG", file(FAVICON, Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"))],
    ["another image", file(FAVICON, Buffer.from("GIF89a, and more than twenty bytes of it"))],
    ["a file that is too large", file(FAVICON, png(32, 32, 32_769))],
    ["an incomplete file", file(FAVICON, png(32), { truncated: true })],
    ["an error", file(FAVICON, png(32), { code: 404 })],
    ["a small file that unpacks to a gigabyte", file(FAVICON, png(20_000))],
    ["such a file inside an icon file", file(FAVICON, ico(png(8, 20_000)))],
    ["a bitmap of such a size", file(FAVICON, ico(bitmap(60_000, 64)))],
    ["an icon file that claims more than it has", file(FAVICON, ico(png(32), 4_000_000_000))],
    ["nothing", file(FAVICON, Buffer.alloc(0))],
    ["the icon of another company", file("https://other.test/favicon.ico", png(32))],
  ])("is not %s", (_, answer) => {
    expect(iconIn(snapshotOf(answer))).toBeUndefined();
  });

  test("is in the included example, which needs no network", async () => {
    expect(iconIn(await Bun.file(EXAMPLE_PATH).json())?.type).toBe("image/png");
  });
});

test("a visit requests at most two declared icons, until one is usable", async () => {
  const visit = fakeVisit({
    http: {
      "https://acme.example/":
        '<link rel="icon" href="/a.png" sizes="96x96"><link rel="icon" href="/b.png" sizes="64x64"><link rel="icon" href="/c.png" sizes="48x48">',
    },
  });
  await fetchIcon(visit);
  expect(visit.asked.filter((asked) => asked.endsWith(".png"))).toEqual([
    "GET https://acme.example/a.png",
    "GET https://acme.example/b.png",
  ]);
});

test("stored icons are read once for each new snapshot of a company", async () => {
  let newest = 7;
  const read: string[] = [];
  const icons = createIcons({
    newestSnapshots: async (domains) =>
      new Map(domains.filter((domain) => domain !== "none.test").map((domain) => [domain, newest])),
    smallSnapshots: async (domain) => {
      read.push(domain);
      return [snapshotOf(), snapshotOf(file(FAVICON, png(32)))];
    },
  });
  expect([...(await icons(["acme.test", "none.test"])).keys()]).toEqual(["acme.test"]);
  await icons(["acme.test"]);
  expect(read).toEqual(["acme.test"]);
  newest = 8;
  await icons(["acme.test"]);
  expect(read).toEqual(["acme.test", "acme.test"]);
});
