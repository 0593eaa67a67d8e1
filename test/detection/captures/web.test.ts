import { describe, expect, test } from "bun:test";
import { parseSnapshot, stringifySnapshot } from "../../../src/detection/visit/snapshot-file.ts";
import { capture, refusalOf } from "./read.ts";

const har = (...entries: unknown[]) => JSON.stringify({ log: { version: "1.2", entries } });
const entry = (url: string, response: object = {}, rest: object = {}) => ({
  startedDateTime: "2026-03-04T05:06:07.000Z",
  request: { method: "GET", url },
  response: { status: 200, headers: [], content: {}, ...response },
  ...rest,
});

describe("a HAR file", () => {
  const home = entry("https://www.acme.example/", {
    headers: [
      { name: "Content-Type", value: "text/html" },
      { name: "Set-Cookie", value: "session=topsecret; Path=/\n_wgt=1" },
      { name: ":status", value: "200" },
      { name: "X-Csrf-Token", value: "topsecret" },
    ],
    content: { mimeType: "text/html", text: "<p>hello" },
  });

  test("contains no identifier of the visitor who recorded it, and each request once", () => {
    const hit = (cid: string) => entry(`https://widget.test/collect?tid=G-ABC1234&cid=${cid}&_ga=2.1.${cid}`);
    const landing = entry("https://www.acme.example/?gclid=Cj0KCQjw&page=2");
    const { requests, http } = capture(har(landing, hit("111.1700000000"), hit("222.1700000001")));
    expect(requests.map(({ url }) => url)).toEqual([
      "https://www.acme.example/?gclid=…&page=2",
      "https://widget.test/collect?tid=G-ABC1234&cid=…&_ga=…",
    ]);
    expect(http.map(({ url }) => url)).toEqual(["https://www.acme.example/?gclid=…&page=2"]);
  });

  test("contains the company's responses, and every request once", () => {
    const script = entry("https://js.widget.test/a.js", { content: { text: "theirs" } });
    const snapshot = capture(har(home, script, script), { name: "recording.har" });
    expect(snapshot).toMatchObject({
      domain: "acme.example",
      origin: "har",
      captured_at: "2026-03-04T05:06:07.000Z",
      zone: false,
      dns: [],
    });
    expect(snapshot.http.map(({ url, code, body }) => [url, code, body])).toEqual([
      ["https://www.acme.example/", 200, "<p>hello"],
    ]);
    expect(snapshot.requests).toEqual([
      { url: "https://www.acme.example/", cookies: ["session", "_wgt"] },
      { url: "https://js.widget.test/a.js", cookies: [] },
    ]);
  });

  test("keeps no secret of the browser that recorded it", () => {
    const snapshot = capture(har(home));
    expect(JSON.stringify(snapshot)).not.toContain("topsecret");
    expect(snapshot.http[0]?.headers).toEqual([
      ["content-type", "text/html"],
      ["set-cookie", "session=…; Path=/"],
      ["set-cookie", "_wgt=…"],
      ["x-csrf-token", "…"],
    ]);
  });

  test("has its texts decoded and its images unchanged", () => {
    const text = { mimeType: "text/html", encoding: "base64", text: btoa("<p>hello") };
    const picture = { mimeType: "image/png", encoding: "base64", text: "AAAA" };
    const { http } = capture(
      har(entry("https://acme.example/", { content: text }), entry("https://acme.example/a.png", { content: picture })),
    );
    expect(http.map(({ body, encoding }) => [body, encoding])).toEqual([
      ["<p>hello", undefined],
      ["AAAA", "base64"],
    ]);
  });

  test("reports an aborted request", () => {
    const given = capture(har(entry("https://acme.example/", { status: 0 }))).http[0];
    expect([given?.status, given?.code]).toEqual(["failed", 0]);
  });

  test("is truncated where a page is too long", () => {
    const text = "x".repeat(4 * 1024 * 1024);
    const page = capture(har(entry("https://acme.example/", { content: { mimeType: "text/html", text } }))).http[0];
    expect([page?.body.length, page?.truncated]).toEqual([3 * 1024 * 1024, true]);
  });

  test("with missing values and wrong types is read as far as possible", () => {
    const odd = { toString: 1, valueOf: 1 };
    const bad = [null, {}, { request: null }, { request: { url: odd }, response: null }, 7, "x", []];
    const holes = entry("https://acme.example/", {
      headers: [null, odd, { name: odd, value: odd }],
      content: null,
      status: odd,
    });
    const { http, requests } = capture(har(...bad, holes, ...bad));
    expect(http).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  test("with a byte order mark is read", () => {
    expect(capture(`\uFEFF${har(home)}`).origin).toBe("har");
  });

  test("without an address is refused with advice", () => {
    expect(refusalOf(har())).toMatchObject({ code: "snapshot.invalid", message: expect.stringContaining("--url") });
  });

  test("with a given address that is none is refused, and the address is named", () => {
    for (const url of ["not a url", "ftp://acme.example/"])
      expect(refusalOf("<p>hello", { url }).message).toBe(
        `"${url}" is not an address; give one such as https://acme.com/ with --url.`,
      );
  });

  test("whose address belongs to no company is refused", () => {
    expect(refusalOf(har(entry("http://127.0.0.1:3000/"))).code).toBe("domain.invalid");
  });
});

describe("a saved page", () => {
  const page = (head: string) => `<!doctype html>\n<html><head>${head}</head><p>hello`;

  test.each([
    [
      "its canonical link",
      page('<link rel="canonical" href="https://www.acme.example/about?a=1&amp;b=2">'),
      {},
      "https://www.acme.example/about?a=1&b=2",
    ],
    [
      "a canonical link written the other way",
      page("<link href='https://acme.example/' rel=canonical>"),
      {},
      "https://acme.example/",
    ],
    [
      "its social address",
      page('<meta property="og:url" content="https://acme.example/x">'),
      {},
      "https://acme.example/x",
    ],
    [
      "the address that is given",
      page('<link rel="canonical" href="https://other.example/">'),
      { url: "https://acme.example/" },
      "https://acme.example/",
    ],
    ["the name that is given", page(""), { url: "acme.example" }, "https://acme.example/"],
    ["its file's name", page(""), { name: "www.acme.example.html" }, "https://www.acme.example/"],
  ])("has the address %s", (_, html, hints, url) => {
    const snapshot = capture(html, { name: "page.html", ...hints });
    expect(snapshot).toMatchObject({ domain: "acme.example", origin: "page", captured_at: "2026-01-02T03:04:05.000Z" });
    expect(snapshot.http).toEqual([
      { method: "GET", url, status: "ok", code: 200, headers: [["content-type", "text/html"]], body: html },
    ]);
  });

  test("that is too long is truncated", () => {
    const { body, truncated } = capture(page("x".repeat(4 * 1024 * 1024))).http[0] ?? {};
    expect([body?.length, truncated]).toEqual([3 * 1024 * 1024, true]);
  });
});

describe("a raw response", () => {
  const response = [
    "HTTP/1.1 503 Service Unavailable",
    "Server: widget",
    "Set-Cookie: a=secret; Secure",
    "set-cookie: b=secret",
    "no header",
    "",
    "<p>down",
  ];

  test.each([
    ["\n", "HTTP/1.1"],
    ["\r\n", "HTTP/2"],
  ])("with lines that end in %j is read, without secrets", (end, protocol) => {
    const snapshot = capture(response.join(end).replace("HTTP/1.1", protocol), { name: "acme.example.response" });
    expect(snapshot).toMatchObject({ domain: "acme.example", origin: "response" });
    expect(snapshot.http).toEqual([
      {
        method: "GET",
        url: "https://acme.example/",
        status: "ok",
        code: 503,
        headers: [
          ["server", "widget"],
          ["set-cookie", "a=…; Secure"],
          ["set-cookie", "b=…"],
        ],
        body: "<p>down",
      },
    ]);
  });

  test("without a body is read", () => {
    expect(capture("HTTP/2 204\r\nserver: widget", { url: "acme.example" }).http[0]).toMatchObject({
      code: 204,
      body: "",
    });
  });
});

describe("a snapshot", () => {
  test("is read back unchanged", () => {
    const snapshot = capture(har(entry("https://acme.example/")));
    expect(capture(stringifySnapshot(snapshot))).toEqual(parseSnapshot(stringifySnapshot(snapshot)));
  });

  test("is none without the format: other JSON is refused in one sentence", () => {
    for (const text of ['{"name": "casefile", "version": "1.0.0", "scripts": {}}', "[1, 2]"])
      expect(refusalOf(text)).toMatchObject({
        message: "The JSON is not a snapshot of `casefile capture`, HAR file or record list.",
        details: {},
      });
  });

  test("with an error is refused, and the error is located", () => {
    const text = JSON.stringify({ ...capture(har(entry("https://acme.example/"))), version: 2 });
    expect(refusalOf(text).details.problems?.map(({ pointer }) => pointer)).toEqual(["/version"]);
  });
});
