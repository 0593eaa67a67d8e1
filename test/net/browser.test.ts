import { expect, test } from "bun:test";
import { BROWSER_LIMITS, browserProduct, createBrowser } from "../../src/net/browser.ts";
import type { HttpAnswer, HttpOptions } from "../../src/net/exchange.ts";

const PAGE = "https://acme.example/";

interface Command {
  readonly id: number;
  readonly method: string;
  readonly sessionId?: string;
}

const RESULTS: Readonly<Record<string, object>> = {
  "Target.createBrowserContext": { browserContextId: "c" },
  "Target.createTarget": { targetId: "t" },
  "Target.attachToTarget": { sessionId: "s" },
  "Storage.getCookies": { cookies: [] },
  "Page.getFrameTree": { frameTree: { frame: { id: "f", url: PAGE } } },
  "Page.createIsolatedWorld": { executionContextId: 1 },
  "Runtime.evaluate": { result: { value: false } },
};

/** A browser that loads a page with scripts, of which it requests all at the same time. */
function fakeBrowser(scripts: number) {
  const urls = [PAGE, ...Array.from({ length: scripts }, (_, at) => `${PAGE}${at}.js`)];
  const paused = urls.map((url, at) => ({
    method: "Fetch.requestPaused",
    sessionId: "s",
    params: {
      requestId: String(at),
      resourceType: at === 0 ? "Document" : "Script",
      request: { url, method: "GET", headers: {} },
    },
  }));
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      message(socket, text) {
        const { id, method, sessionId }: Command = JSON.parse(String(text));
        socket.send(JSON.stringify({ id, sessionId, result: RESULTS[method] ?? {} }));
        if (method !== "Page.navigate") return;
        for (const event of paused) socket.send(JSON.stringify(event));
        socket.send(JSON.stringify({ method: "Page.loadEventFired", sessionId: "s", params: {} }));
      },
    },
  });
}

test("requests at the same time share the limit of bytes of one page load", async () => {
  const scripts = 5;
  using server = fakeBrowser(scripts);
  const bodyBytes = 10_000;
  const started = Promise.withResolvers<void>();
  let requests = 0;
  let kept = 0;
  const network = {
    async http(url: string, { reserve = (bytes: number) => bytes, maxBytes = bodyBytes }: HttpOptions) {
      requests += 1;
      if (requests === scripts + 1) started.resolve();
      await started.promise;
      const size = reserve(Math.min(8_000, maxBytes));
      kept += size;
      const body = Buffer.alloc(size).toString("base64");
      const final = { method: "GET", url, status: "ok", code: 200, headers: [], body, encoding: "base64" } as const;
      return { hops: [final], final } satisfies HttpAnswer;
    },
  };
  const browse = createBrowser(`ws://127.0.0.1:${server.port}/`, network, { ...BROWSER_LIMITS, bodyBytes });
  const { status, requests: seen } = await browse(PAGE, new AbortController().signal);
  expect(status).toBe("ok");
  expect(seen.length).toBe(scripts + 1);
  expect(kept).toBe(bodyBytes);
});

test("a page that only HTTP serves is loaded, although the browser tries HTTPS first", async () => {
  const http = "http://acme.example/";
  const page = (url: string, requestId: string) => ({
    method: "Fetch.requestPaused",
    sessionId: "s",
    params: { requestId, resourceType: "Document", request: { url, method: "GET", headers: {} } },
  });
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      message(socket, text) {
        const { id, method, sessionId }: Command = JSON.parse(String(text));
        const send = (message: object) => socket.send(JSON.stringify(message));
        send({ id, sessionId, result: RESULTS[method] ?? {} });
        if (method === "Page.navigate") send(page(PAGE, "upgraded"));
        // As Chromium does after a failed connection.
        if (method === "Fetch.failRequest") send(page(http, "plain"));
        if (method === "Fetch.fulfillRequest") send({ method: "Page.loadEventFired", sessionId: "s", params: {} });
      },
    },
  });
  const requested: string[] = [];
  const network = {
    async http(url: string) {
      requested.push(url);
      const final = { method: "GET", url, status: "ok", code: 200, headers: [], body: "", encoding: "base64" } as const;
      return { hops: [final], final } satisfies HttpAnswer;
    },
  };
  const browse = createBrowser(`ws://127.0.0.1:${server.port}/`, network);
  const { status, detail, requests } = await browse(http, new AbortController().signal);
  expect([status, detail, requests.map(({ url }) => url)]).toEqual(["ok", undefined, [http]]);
  expect(requested).toEqual([http]);
});

test("a connection to the browser that opens too late is closed", async () => {
  const asked = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request, self) {
      asked.resolve();
      await given.promise;
      return self.upgrade(request) ? undefined : new Response(null, { status: 400 });
    },
    websocket: { message() {}, close: () => closed.resolve() },
  });
  const network = { http: () => expect.unreachable() };
  const over = new AbortController();
  const load = createBrowser(`ws://127.0.0.1:${server.port}/`, network)(PAGE, over.signal);
  await asked.promise;
  over.abort(new Error("the visit is over"));
  await expect(load).rejects.toThrow("the visit is over");
  given.resolve();
  await closed.promise;
});

test.each([
  ["http://127.0.0.1:9/", "the browser does not answer at 127.0.0.1:9: "],
  ["ws://127.0.0.1:9/devtools/secret", "the browser does not answer at 127.0.0.1:9: "],
  ["ws://[::ffff:127.0.0.1]:9/devtools/secret", "the browser does not answer at the address of --browser-url: "],
])("a browser at %s that does not answer is named, without what may be secret", async (address, start) => {
  const network = { http: () => expect.unreachable() };
  const { status, detail } = await createBrowser(address, network)(PAGE, new AbortController().signal);
  expect([status, detail]).toEqual(["failed", expect.stringContaining(start)]);
  expect(detail).not.toContain("secret");
});

test.each<[string, () => Response, string]>([
  ["without an end", endless, "it does not state its version: the body is longer than the limit of received bytes"],
  ["that is no JSON", () => new Response("<html>"), "it does not state its version as JSON"],
  ["without an address", () => Response.json({ webSocketDebuggerUrl: 8 }), "it states no webSocketDebuggerUrl"],
])("a version of the browser %s is refused", async (_, answer, reason) => {
  using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  const network = { http: () => expect.unreachable() };
  const browse = createBrowser(`http://127.0.0.1:${server.port}/`, network);
  const { status, detail } = await browse(PAGE, new AbortController().signal);
  expect([status, detail]).toEqual(["failed", `the browser does not answer at 127.0.0.1:${server.port}: ${reason}`]);
});

/** Ends when the reader does. */
function endless(): Response {
  const blanks = Buffer.alloc(65_536, " ");
  return new Response(new ReadableStream({ pull: (to) => to.enqueue(blanks) }));
}

test("a version of the browser that never ends is no longer read after the time limit", async () => {
  const left = Promise.withResolvers<void>();
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: () => new Response(new ReadableStream({ pull: () => new Promise(() => {}), cancel: () => left.resolve() })),
  });
  const network = { http: () => expect.unreachable() };
  const browse = createBrowser(`http://127.0.0.1:${server.port}/`, network);
  const { status } = await browse(PAGE, new AbortController().signal);
  expect(status).toBe("failed");
  await left.promise;
});

test("a product of the browser that is no text is refused", async () => {
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      message(socket, text) {
        const { id }: Command = JSON.parse(String(text));
        socket.send(JSON.stringify({ id, result: { product: { a: 1 } } }));
      },
    },
  });
  const asked = browserProduct(`ws://127.0.0.1:${server.port}/`, new AbortController().signal);
  await expect(asked).rejects.toThrow("it states no product");
});
