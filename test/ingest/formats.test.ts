import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { CAPTURED_AT, pageAt, readFileAt, summaryOf, writeRecord } from "./reading.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-formats-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(content: string | Uint8Array, name = "file") {
  const path = join(folder, name);
  await writeFile(path, content);
  return readFileAt(path);
}
const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

const A = pageAt("https://www.acme.example/", "https://a.test/a.js");
const B = pageAt("https://other.test/about", "https://b.test/b.js");

describe("WARC as warcio writes it", () => {
  test("responses are pages of their companies, with the date of the record", async () => {
    const { snapshots, counts } = await read(Buffer.concat([await writeRecord(A), await writeRecord(B)]));
    expect(snapshots.map(summaryOf)).toEqual([
      "acme.example warc: 200 https://www.acme.example/",
      "other.test warc: 200 https://other.test/about",
    ]);
    expect(snapshots[0]?.captured_at).toBe("2026-03-04T05:06:07.000Z");
    expect(snapshots[0]?.http[0]?.body).toContain("https://a.test/a.js");
    expect(counts).toMatchObject({ records: 2, pages: 2 });
  });

  test.each([
    ["plain", (records: Uint8Array) => records],
    ["as one gzip member", (records: Uint8Array) => gzipSync(records)],
  ])("%s", async (_, pack) => {
    const records = [await writeRecord(A, { gzip: false }), await writeRecord(B, { gzip: false })];
    expect((await read(pack(Buffer.concat(records)))).snapshots).toHaveLength(2);
  });

  test("records that are no page are counted by reason", async () => {
    const records = await Promise.all([
      writeRecord({ ...A, type: "request" }),
      writeRecord({ ...A, headers: { "Content-Type": "image/png" } }),
      writeRecord({ ...A, url: "https://192.0.2.7/" }),
      writeRecord({ ...A, type: "resource" }),
    ]);
    const { counts } = await read(Buffer.concat(records));
    expect(counts).toEqual({
      records: 4,
      pages: 1,
      skipped: { other_record: 1, not_text: 1, no_company: 1 },
      refused: {},
    });
  });

  test.each([
    ["gzip", (body: string) => gzipSync(body)],
    ["br", (body: string) => brotliCompressSync(body)],
  ])("a body compressed with %s", async (coding, pack) => {
    const headers = { "Content-Type": "text/html", "Content-Encoding": coding };
    const { snapshots } = await read(await writeRecord({ ...A, body: pack("<p>größe"), headers }));
    expect(snapshots[0]?.http[0]?.body).toBe("<p>größe");
  });

  test("a chunked body, and one that was joined although the header says chunked", async () => {
    const headers = { "Content-Type": "text/html", "Transfer-Encoding": "chunked" };
    const records = await Promise.all([
      writeRecord({ ...A, headers, body: "4\r\n<p>h\r\n3;x=y\r\ney!\r\n0\r\n\r\n" }),
      writeRecord({ ...A, headers, body: "<p>hey!" }),
    ]);
    const { snapshots } = await read(Buffer.concat(records));
    expect(snapshots.map(({ http }) => http[0]?.body)).toEqual(["<p>hey!", "<p>hey!"]);
  });

  test("every split of a file yields each record once", async () => {
    for (const gzip of [true, false]) {
      const path = join(folder, `split-${gzip}.warc`);
      const pages = Array.from({ length: 12 }, (_, at) => pageAt(`https://c${at}.test/`, "https://a.test/a.js"));
      const records = await Promise.all(pages.map((page) => writeRecord(page, { gzip })));
      await writeFile(path, Buffer.concat(records));
      const { size } = Bun.file(path);
      for (const cut of [1, Math.floor(size / 3), Math.floor(size / 2), size - 3]) {
        const parts = [await readFileAt(path, { end: cut }), await readFileAt(path, { start: cut, from: cut })];
        expect(parts.flatMap(({ snapshots }) => snapshots.map(({ domain }) => domain))).toEqual(
          pages.map((_, at) => `c${at}.test`),
        );
      }
    }
  });

  test("reading resumes behind any record", async () => {
    const path = join(folder, "resume.warc.gz");
    await writeFile(path, Buffer.concat([await writeRecord(A), await writeRecord(B)]));
    const [end = 0] = (await readFileAt(path)).ends;
    expect((await readFileAt(path, { from: end })).snapshots.map(({ domain }) => domain)).toEqual(["other.test"]);
  });
});

test("a WAT record is the page that it describes", async () => {
  const envelope = {
    Envelope: {
      "WARC-Header-Metadata": { "WARC-Target-URI": "https://acme.example/" },
      "Payload-Metadata": {
        "HTTP-Response-Metadata": {
          "Response-Message": { Status: "200" },
          Headers: { Server: "nginx" },
          "HTML-Metadata": {
            Head: {
              Title: "A & B",
              Metas: [{ name: "generator", content: 'x"y' }],
              Scripts: [{ path: "SCRIPT@/src", url: "https://a.test/a.js" }],
            },
            Links: [{ path: "A@/href", url: "https://b.test/" }],
          },
        },
      },
    },
  };
  const headers = { "Content-Type": "application/json" };
  const record = await writeRecord({
    url: "https://acme.example/",
    body: JSON.stringify(envelope),
    headers,
    type: "metadata",
  });
  const [snapshot] = (await read(record)).snapshots;
  expect(snapshot?.origin).toBe("wat");
  expect(snapshot?.http[0]?.headers).toEqual([["server", "nginx"]]);
  const { body = "" } = snapshot?.http[0] ?? {};
  for (const part of [
    '<script src="https://a.test/a.js">',
    '<meta name="generator" content="x&#34;y">',
    '<a href="https://b.test/">',
  ])
    expect(body).toContain(part);
});

describe("documents", () => {
  test("a HAR file of pages of two companies is one recording of each", async () => {
    const entry = (pageref: string, url: string) => ({
      pageref,
      startedDateTime: "2026-01-01T00:00:00Z",
      request: { method: "GET", url },
      response: { status: 200, headers: [], content: { text: "", mimeType: "text/html" } },
    });
    const har = { log: { entries: [entry("p1", "https://acme.example/"), entry("p2", "https://other.test/")] } };
    expect((await read(JSON.stringify(har))).snapshots.map(({ domain }) => domain)).toEqual([
      "acme.example",
      "other.test",
    ]);
  });

  const report = {
    lighthouseVersion: "12.0.0",
    requestedUrl: "https://acme.example/",
    fetchTime: "2026-01-02T00:00:00.000Z",
    audits: { "network-requests": { details: { items: [{ url: "https://a.test/a.js" }] } } },
  };
  test.each([
    ["Lighthouse", report],
    ["PageSpeed", { kind: "pagespeedonline#result", lighthouseResult: report }],
  ])("a %s report lists the requests of its page", async (_, document) => {
    const [snapshot] = (await read(JSON.stringify(document, null, 2))).snapshots;
    expect(snapshot && summaryOf(snapshot)).toBe(
      "acme.example lighthouse: request https://acme.example/, request https://a.test/a.js",
    );
    expect(snapshot?.captured_at).toBe("2026-01-02T00:00:00.000Z");
  });

  test.each([
    [
      "acme.example.yaml",
      "'':\n  - type: MX\n    value: {exchange: mx.a.test., preference: 10}\n",
      "acme.example records: MX acme.example mx.a.test",
    ],
    ["zone", "$ORIGIN acme.example.\n@ 300 IN MX 10 mx.a.test.\n", "acme.example records: MX acme.example mx.a.test"],
    [
      "acme.example",
      "acme.example. 300 IN SOA ns.a.test. x.a.test. 1 2 3 4 5\nacme.example. 300 IN MX 10 mx.a.test.\n",
      "acme.example records: SOA acme.example ns.a.test x.a.test, MX acme.example mx.a.test",
    ],
    [
      "page.html",
      '<link rel="canonical" href="https://acme.example/"><p>',
      "acme.example page: 200 https://acme.example/",
    ],
    ["acme.example.html", "<p>", "acme.example page: 200 https://acme.example/"],
    [
      "acme.example.txt",
      "HTTP/1.1 404 Not Found\r\nserver: x\r\n\r\n",
      "acme.example response: 404 https://acme.example/",
    ],
  ])("%s", async (name, content, expected) => {
    expect((await read(content, name)).snapshots.map(summaryOf)).toEqual([expected]);
    expect((await read(gzipSync(content), `${name}.gz`)).snapshots.map(summaryOf)).toEqual([expected]);
  });
});

describe("lines", () => {
  test.each([
    [
      "zdns",
      [
        {
          name: "acme.example",
          results: {
            MX: {
              status: "NOERROR",
              timestamp: "2026-01-02T03:04:05Z",
              data: { answers: [{ type: "MX", name: "acme.example", answer: "mx.a.test.", preference: 10 }] },
            },
          },
        },
        { name: "other.test", class: "IN", status: "NXDOMAIN", timestamp: "2026-01-02T03:04:05Z", data: {} },
        { name: "late.test", results: { A: { status: "TIMEOUT", data: {} } } },
      ],
      ["acme.example zdns: MX acme.example mx.a.test", "other.test zdns: A other.test nxdomain"],
    ],
    [
      "massdns",
      [
        {
          name: "www.acme.example.",
          type: "A",
          class: "IN",
          status: "NOERROR",
          rx_ts: 1767323045000000000,
          data: {
            answers: [
              { ttl: 1, type: "CNAME", class: "IN", name: "www.acme.example.", data: "x.a.test." },
              { ttl: 1, type: "A", class: "IN", name: "x.a.test.", data: "192.0.2.1" },
            ],
          },
          resolver: "192.0.2.53:53",
        },
      ],
      ["acme.example massdns: A www.acme.example x.a.test|192.0.2.1"],
    ],
    [
      "dnsx",
      [
        {
          host: "acme.example",
          ttl: 300,
          resolver: ["192.0.2.53:53"],
          mx: ["mx.a.test"],
          txt: ["v=spf1 -all"],
          status_code: "NOERROR",
          timestamp: "2026-01-02T03:04:05Z",
        },
      ],
      ["acme.example dnsx: MX acme.example mx.a.test, TXT acme.example v=spf1 -all"],
    ],
    [
      "httpx",
      [
        {
          timestamp: "2026-01-02T03:04:05Z",
          url: "https://acme.example",
          input: "acme.example",
          host: "192.0.2.1",
          webserver: "nginx",
          status_code: 200,
          header: { content_type: "text/html", x_powered_by: "PHP" },
          a: ["192.0.2.1"],
        },
      ],
      ["acme.example httpx: 200 https://acme.example/, A acme.example 192.0.2.1"],
    ],
    [
      "tlsx",
      [
        {
          timestamp: "2026-01-02T03:04:05Z",
          host: "acme.example",
          ip: "192.0.2.1",
          port: "443",
          probe_status: true,
          tls_version: "tls13",
          issuer_org: ["A Trust"],
          issuer_cn: "R1",
          subject_cn: "acme.example",
          subject_an: ["acme.example"],
        },
      ],
      ["acme.example tlsx: cert acme.example A Trust"],
    ],
  ])("of %s", async (_, values, expected) => {
    const { snapshots } = await read(lines(...values));
    expect(snapshots.map(summaryOf)).toEqual(expected);
    expect(snapshots[0]?.captured_at).toMatch(/^2026-01-02T03:04:05/);
  });

  test.each([
    ["massdns", "acme.example. MX 10 mx.a.test.\nother.test. NS ns.a.test.\n"],
    ["dnsx", "acme.example [MX] [mx.a.test]\nother.test [NS] [ns.a.test]\n"],
  ])("of text of %s", async (origin, text) => {
    expect((await read(text)).snapshots.map(summaryOf)).toEqual([
      `acme.example ${origin}: MX acme.example mx.a.test`,
      `other.test ${origin}: NS other.test ns.a.test`,
    ]);
  });

  test("a part starts at its first whole line", async () => {
    const path = join(folder, "parts.jsonl");
    await writeFile(path, lines(...[1, 2, 3].map((at) => ({ host: `c${at}.test`, resolver: [], a: ["192.0.2.1"] }))));
    const { size } = Bun.file(path);
    for (const cut of [1, Math.floor(size / 3), Math.floor(size / 3) + 1, size - 1]) {
      const parts = [await readFileAt(path, { end: cut }), await readFileAt(path, { start: cut, from: cut })];
      expect(parts.flatMap(({ snapshots }) => snapshots.map(({ domain }) => domain))).toEqual([
        "c1.test",
        "c2.test",
        "c3.test",
      ]);
    }
  });
});

test("a record without a date has that of its file", async () => {
  expect((await read(lines({ host: "acme.example", resolver: [], a: ["192.0.2.1"] }))).snapshots[0]?.captured_at).toBe(
    CAPTURED_AT,
  );
});
