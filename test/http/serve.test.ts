import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import { type Serving, serveHttp } from "../../src/http/server.ts";
import { fakeVerbs } from "../services/fake-app.ts";
import { jsonOf, type Opened, open, problemOf } from "./opened.ts";

const opened: Serving[] = [];
afterEach(async () => {
  for (const serving of opened.splice(0)) await serving.stop(0);
});

/** The service on a free port. */
async function serve(service: Opened): Promise<Serving> {
  const serving = serveHttp(service.handler, { host: "127.0.0.1", port: 0 }, service.lifecycle);
  opened.push(serving);
  return serving;
}

/** The port's response to these bytes. */
async function raw(url: string, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let heard = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(url).port),
    socket: {
      data(_, bytes) {
        heard += bytes.toString();
      },
      close: () => resolve(heard),
    },
  });
  socket.write(text);
  return promise;
}

/** A promise that a test settles. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

/** A service whose scans wait until the test releases them. */
async function withGate() {
  const { verbs } = fakeVerbs();
  const began = gate();
  const through = gate();
  const enrich: typeof verbs.enrich = async (input, options) => {
    began.open();
    await through.promise;
    return verbs.enrich(input, options);
  };
  return { service: await open({ verbs: { ...verbs, enrich } }), began, through };
}

describe("over a port", () => {
  test("a slow answer is sent, however short the idle timeout", async () => {
    const { service, began, through } = await withGate();
    const listen = { host: "127.0.0.1", port: 0, idleSeconds: 1 };
    const serving = serveHttp(service.handler, listen, service.lifecycle);
    opened.push(serving);
    const headers = { "x-api-key": await service.key() };
    const answer = fetch(`${serving.url}/v1/enrich/brightpine.test`, { headers });
    await began.promise;
    // A later connection, idle again after its answer, ends: the one that waits has been idle for longer.
    const closed = Promise.withResolvers<void>();
    const socket = { data() {}, close: () => closed.resolve() };
    const connection = await Bun.connect({ hostname: "127.0.0.1", port: serving.port, socket });
    connection.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await closed.promise;
    through.open();
    expect((await answer).status).toBe(200);
  });

  // A start that follows listens on the same port.
  test.each([80, 443, 8_080])("the port is known where its URL leaves it out: %d", async (port) => {
    const { handler, lifecycle } = await open();
    // Ports below 1024 need rights that a test may lack.
    const listening = spyOn(Bun, "serve").mockReturnValueOnce(Object.assign(Object.create(null), { port }));
    try {
      expect(serveHttp(handler, { host: "127.0.0.1", port }, lifecycle).port).toBe(port);
    } finally {
      listening.mockRestore();
    }
  });

  test("a list may have 16 MiB; a longer one is refused with a problem", async () => {
    const service = await open();
    const { url } = await serve(service);
    const send = async (bytes: number) =>
      fetch(`${url}/v1/enrich/batches`, {
        method: "POST",
        headers: { "x-api-key": await key, "content-type": "application/json" },
        body: `{"domains":["acme.test"]}${" ".repeat(bytes - 25)}`,
      });
    const key = service.key("ana@brightpine.test");
    expect((await send(16 * 1_048_576)).status).toBe(202);
    const refused = await send(17 * 1_048_576);
    expect(refused.headers.get("content-type")).toContain("application/problem+json");
    expect((await problemOf(refused)).status).toBe(413);
  });

  test.each(["CONNECT example.com:443", "CONNECT /", "TRACE /"])("%s is refused", async (line) => {
    const { url } = await serve(await open());
    const heard = await raw(url, `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    expect(heard).toStartWith("HTTP/1.1 405 ");
    expect(heard).toContain('"code":"route.method"');
  });

  test.each([
    ["another request", "\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"],
    ["trailers", "X-Trailer: 1\r\n\r\n"],
    ["trailers like a request", "X: 1\r\n\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"],
  ])("%s after a chunked body are not answered", async (_, rest) => {
    const { url } = await serve(await open());
    const head =
      "POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n";
    const heard = await raw(url, head + rest);
    expect(heard).toStartWith("HTTP/1.1 405 ");
    expect(heard.toLowerCase()).toContain("connection: close");
    expect(heard).not.toContain("HTTP/1.1 200");
  });

  test("a second service on the same port is refused", async () => {
    const { url } = await serve(await open());
    const second = await open();
    const again = () =>
      opened.push(serveHttp(second.handler, { host: "127.0.0.1", port: Number(new URL(url).port) }, second.lifecycle));
    expect(again).toThrow(
      `Cannot listen on 127.0.0.1 port ${new URL(url).port}: the port is in use. Choose another with --port.`,
    );
  });

  test("an address that is not local is refused as such after another port was in use", async () => {
    const { url } = await serve(await open());
    const { handler, lifecycle } = await open();
    const listening = (host: string, port: number) => opened.push(serveHttp(handler, { host, port }, lifecycle));
    for (const host of ["999.1.1.1", "192.0.2.1", "nosuchhost.invalid"]) {
      expect(() => listening("127.0.0.1", Number(new URL(url).port))).toThrow("the port is in use");
      expect(() => listening(host, Number(new URL(url).port))).toThrow("not an address of this machine");
    }
  });

  // The first two and the last are not valid names or addresses; the third is reserved for documentation (RFC 5737).
  test.each(["999.1.1.1", "nosuchhost.invalid", "192.0.2.1", "::zz"])(
    "an address that is not local is refused: %s",
    async (host) => {
      const { handler, lifecycle } = await open();
      const listening = () => opened.push(serveHttp(handler, { host, port: 0 }, lifecycle));
      expect(listening).toThrow(
        `Cannot listen on ${host}: not an address of this machine. Choose another with --host.`,
      );
    },
  );

  test("any other system error for a port is reported in a sentence", async () => {
    const { handler, lifecycle } = await open();
    const listening = () => opened.push(serveHttp(handler, { host: "127.0.0.1", port: 65_536 }, lifecycle));
    expect(listening).toThrow("Cannot listen on 127.0.0.1 port 65536: ERR_OUT_OF_RANGE. Choose");
  });

  test("a stream sends events when they happen, and a disconnect stops it", async () => {
    const service = await open();
    const { url } = await serve(service);
    const client = new AbortController();
    const answer = await fetch(`${url}/v1/enrich-stream/stalling.test`, {
      headers: { "x-api-key": await service.key(), accept: "text/event-stream" },
      signal: client.signal,
    });
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const { value } = await answer.body!.getReader().read();
    expect(new TextDecoder().decode(value)).toStartWith("id: 1\ndata: {");
    const gone = new Promise((resolve) => service.calls[0]?.options.signal?.addEventListener("abort", resolve));
    client.abort();
    await gone;
    expect(await (await fetch(`${url}/metrics`)).text()).toContain("casefile_streams_open 0");
  });

  test("a disconnect stops the request's scan", async () => {
    const service = await open();
    const { url } = await serve(service);
    const client = new AbortController();
    const headers = { "x-api-key": await service.key() };
    const answer = fetch(`${url}/v1/enrich/hanging.test`, { headers, signal: client.signal }).catch(() => "gone");
    while (service.calls.length === 0) await new Promise(setImmediate);
    const gone = new Promise((resolve) => service.calls[0]?.options.signal?.addEventListener("abort", resolve));
    client.abort();
    await gone;
    expect(await answer).toBe("gone");
  });

  test("a scan that fails during a stream sends no done after its events", async () => {
    const service = await open();
    const { url } = await serve(service);
    const headers = { "x-api-key": await service.key() };
    const answer = await fetch(`${url}/v1/enrich-stream/breaking.test`, { headers });
    const heard = await answer.text();
    expect(heard).toContain('"phase":"identity"');
    expect(heard).not.toContain('"done":true');
    expect(heard).not.toContain("sqlite");
  });

  test("a body with an excessive declared length, or an endless chunked body, is 413", async () => {
    const service = await open();
    const { url } = await serve(service);
    const head =
      "POST /v1/keys HTTP/1.1\r\nHost: casefile.test\r\nConnection: close\r\nContent-Type: application/json\r\n";
    expect(await raw(url, `${head}Content-Length: 70000\r\n\r\n${" ".repeat(70_000)}`)).toStartWith("HTTP/1.1 413");
    const piece = `2000\r\n${" ".repeat(8_192)}\r\n`;
    const answer = await raw(url, `${head}Transfer-Encoding: chunked\r\n\r\n${piece.repeat(10)}0\r\n\r\n`);
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(answer).toContain("application/problem+json");
  });

  test.each([
    ["no host", "GET /v1/stats HTTP/1.0\r\n\r\n", 200],
    ["an empty host", "GET /v1/stats HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 200],
    ["an invalid host", "GET /v1/stats HTTP/1.1\r\nHost: <>\r\nConnection: close\r\n\r\n", 421],
    ["a short host", "GET /v1/stats HTTP/1.1\r\nHost: cf\r\nConnection: close\r\n\r\n", 200],
    ["two hosts", "GET /v1/stats HTTP/1.1\r\nHost: cf\r\nHost: evil.test\r\nConnection: close\r\n\r\n", 421],
    ["a whole address", "GET http://other.test/v1/stats HTTP/1.1\r\nHost: cf\r\nConnection: close\r\n\r\n", 200],
    ["HEAD and no host", "HEAD /v1/stats HTTP/1.0\r\n\r\n", 200],
  ])("a request with %s is answered", async (_, text, status) => {
    const service = await open({ settings: { addresses: { host: "cf", origins: [] } } });
    const { url } = await serve(service);
    expect(await raw(url, text)).toStartWith(`HTTP/1.1 ${status}`);
  });

  test("the peer's address is the one of the connection", async () => {
    const service = await open({ keylessPerHour: 1 });
    const { url } = await serve(service);
    const issue = (email: string) =>
      fetch(`${url}/v1/keys`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email }),
      });
    expect((await issue("a@b.test")).status).toBe(201);
    expect((await issue("b@b.test")).status).toBe(429);
    expect(await jsonOf(await service.ask("/v1/keys", { json: { email: "b@b.test" } }))).toMatchObject({ status: 429 });
  });
});

describe("stopping", () => {
  test("an open request completes, and new ones are refused", async () => {
    const { service, began, through } = await withGate();
    const serving = await serve(service);
    const headers = { "x-api-key": await service.key() };
    const answer = fetch(`${serving.url}/v1/enrich/brightpine.test`, { headers });
    await began.promise;
    const stopped = serving.stop(60_000);
    const refused = await fetch(`${serving.url}/v1/stats`).then(problemOf, () => ({ code: "no connection" }));
    expect(["no connection", "service.unready"]).toContain(refused.code);
    through.open();
    expect((await answer).status).toBe(200);
    await stopped;
  });

  test("requests that are open when the grace period ends get 503 with Retry-After", async () => {
    const { service, began } = await withGate();
    const drained = new AbortController();
    Object.assign(service.lifecycle, { drained: drained.signal });
    const serving = await serve(service);
    const headers = { "x-api-key": await service.key() };
    const answers = ["one", "two", "three"].map((name) => fetch(`${serving.url}/v1/enrich/${name}.test`, { headers }));
    await began.promise;
    await serving.stop(50, () => drained.abort(new Failure("service.draining", "The service is stopping.")));
    const codes: string[] = [];
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      codes.push(String((await problemOf(answer)).code));
    }
    // A request that was not read when the stop began is refused.
    expect(new Set(codes).difference(new Set(["service.draining", "service.unready"])).size).toBe(0);
    expect(codes).toContain("service.draining");
  }, 10_000);

  test("a stream is cut off when the grace period ends", async () => {
    const service = await open();
    const serving = await serve(service);
    const headers = { "x-api-key": await service.key() };
    const answer = await fetch(`${serving.url}/v1/enrich-stream/stalling.test`, { headers });
    const rest = answer.text().catch(() => "cut");
    // The stream never ends; a stop that waited for it would exceed this test's time limit.
    await serving.stop(50);
    await rest;
    expect(service.calls[0]?.options.signal?.aborted).toBe(true);
  }, 10_000);

  test("an idle keep-alive connection does not delay the stop", async () => {
    const service = await open();
    const serving = await serve(service);
    await (await fetch(`${serving.url}/healthz`, { keepalive: true })).text();
    // Long before the grace period ends, which is longer than this test's time limit.
    await serving.stop(600_000);
  }, 10_000);
});
