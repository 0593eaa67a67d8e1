import { Readable } from "node:stream";
import type CDP from "chrome-remote-interface";
import type { Protocol } from "devtools-protocol";
import type ProtocolMapping from "devtools-protocol/types/protocol-mapping";
import { createSemaphore, raceAbort, sleep } from "../core/async.ts";
import { describeError, type HttpAnswer, type HttpOptions, readBody } from "./exchange.ts";
import type { BrowserAnswer, ObservedRequest } from "./snapshot.ts";

/** Limits of one page load; requests beyond them are refused. */
export interface BrowserLimits {
  readonly requests: number;
  /** Sum over all bodies that the page loads, decompressed. */
  readonly bodyBytes: number;
  /** Milliseconds until the load event; what is there then is read. */
  readonly loadMs: number;
  /** Milliseconds for late tags after the load event. */
  readonly settleMs: number;
}

export const BROWSER_LIMITS: BrowserLimits = {
  requests: 300,
  bodyBytes: 24 * 1_048_576,
  loadMs: 7_000,
  settleMs: 2_500,
};

/** The part of the network client that answers the browser's requests. */
interface Network {
  http(url: string, options: HttpOptions, signal: AbortSignal): Promise<HttpAnswer>;
}

type Commands = ProtocolMapping.Commands;
type Send = <T extends keyof Commands>(
  method: T,
  params?: Commands[T]["paramsType"][0],
  session?: string,
) => Promise<Commands[T]["returnType"]>;

/** Page loads at a time, for all scans. */
const MAX_LOADS = 2;
/** Without a request for this time, a loaded page is at rest. */
const QUIET_MS = 600;
const COMMAND_MS = 3_000;
/** Of `/json/version`, which has half a kilobyte. */
const MAX_VERSION_BYTES = 65_536;
/** Characters. */
const MAX_HTML = 2 * 1_048_576;
const MAX_URL = 2_048;
const MAX_GLOBALS = 1_500;
const MAX_COOKIES = 200;

/**
 * Loads pages in a browser that speaks the Chrome DevTools Protocol at `address` (`http://127.0.0.1:9222`, or the
 * `ws://` address of the browser itself).
 *
 * The browser opens no connection of its own: every request is paused and answered from `network`, whose policy checks
 * its address; a proxy that does not exist catches what cannot be paused, such as WebSockets. A browser that opens sockets for
 * WebRTC past the proxy ({@link OPENS_SOCKETS}) loads no page. Only GET requests for documents, frames, styles, scripts and data
 * are made; images, fonts and media are listed and answered empty, all other methods are answered 204. Every load has its own context without cookies or storage, which is removed with it.
 */
export function createBrowser(address: string, network: Network, limits: BrowserLimits = BROWSER_LIMITS) {
  const loads = createSemaphore(MAX_LOADS);

  /** Rejects only when `signal` aborts. */
  return async function browse(
    url: string,
    signal: AbortSignal,
    robots?: HttpOptions["robots"],
  ): Promise<BrowserAnswer> {
    const release = await loads.acquire(signal);
    let client: CDP.Client | undefined;
    try {
      client = await opened(address, signal, AbortSignal.any([signal, AbortSignal.timeout(COMMAND_MS)]));
      const limited: Network = { http: (at, options, until) => network.http(at, { ...options, robots }, until) };
      return await loadPage(client, url, limited, limits, signal);
    } catch (error) {
      signal.throwIfAborted();
      const where = client ? "the browser failed" : `the browser does not answer at ${shownAddress(address)}`;
      return { ...NOTHING, url, status: "failed", detail: `${where}: ${describeError(error)}` };
    } finally {
      // It ends the browser context too.
      closeInBackground(client);
      release();
    }
  };
}

/**
 * The product of the browser at an address, such as `HeadlessChrome/140.0.7339.80`.
 *
 * @throws Error whose message says why it does not answer, or that `signal` aborted
 */
export async function browserProduct(address: string, signal: AbortSignal): Promise<string> {
  let client: CDP.Client | undefined;
  try {
    client = await opened(address, signal, signal);
    const { product }: Partial<Protocol.Browser.GetVersionResponse> = await raceAbort(
      client.send("Browser.getVersion"),
      signal,
    );
    if (typeof product !== "string") throw new Error("it states no product");
    return product.slice(0, 100);
  } catch (error) {
    throw new Error(signal.aborted ? "it did not answer in time" : describeError(error));
  } finally {
    closeInBackground(client);
  }
}

/** @param until a connection that opens later is closed */
async function opened(address: string, signal: AbortSignal, until: AbortSignal): Promise<CDP.Client> {
  const opening = connect(address, signal);
  return raceAbort(opening, until).catch((error) => {
    opening.then(closeInBackground).catch(() => undefined);
    throw error;
  });
}

/** A browser that does not close its end holds nobody up. */
function closeInBackground(client: CDP.Client | undefined): void {
  client?.close().catch(() => undefined);
}

/** Callers of the API read it: an address of this machine says nothing about the network, and a path may be a token. */
function shownAddress(address: string): string {
  const { hostname, host } = new URL(address);
  return /^(?:127\.[\d.]+|localhost|\[::1\])$/.test(hostname) ? host : "the address of --browser-url";
}

const NOTHING = { requests: [], cookies: [], globals: [], html: "" } as const;

async function connect(address: string, signal: AbortSignal): Promise<CDP.Client> {
  const given = new URL(address);
  const target = /^wss?:$/.test(given.protocol) ? address : await debuggerAddress(given, signal);
  // The library calls url.parse; users of the executable would see the runtime's warning about it.
  process.noDeprecation = true;
  // Most processes never load a page.
  const { default: open } = await import("chrome-remote-interface");
  // An empty protocol description: commands are sent by name, and nothing is fetched.
  return open({ target, protocol: { version: { major: "1", minor: "3" }, domains: [] } });
}

/** The WebSocket address of a browser, on the host and port that were configured: the browser may know others. */
async function debuggerAddress(base: URL, signal: AbortSignal): Promise<string> {
  const late = AbortSignal.timeout(COMMAND_MS);
  const version = await statedVersion(new URL("/json/version", base), AbortSignal.any([signal, late])).catch(
    (error) => {
      signal.throwIfAborted();
      throw late.aborted ? new Error("it did not answer in time") : error;
    },
  );
  const stated =
    typeof version === "object" && version !== null && "webSocketDebuggerUrl" in version
      ? URL.parse(String(version.webSocketDebuggerUrl))
      : null;
  if (!stated) throw new Error("it states no webSocketDebuggerUrl");
  const protocol = base.protocol === "https:" ? "wss:" : "ws:";
  return `${protocol}//${base.host}${stated.pathname}${stated.search}`;
}

async function statedVersion(url: URL, signal: AbortSignal): Promise<unknown> {
  const { body } = await fetch(url, { signal, redirect: "error" });
  const chunks: Buffer[] = [];
  const { complete, detail = "" } = await readBody(
    Readable.from(body ?? []),
    undefined,
    { maxBytes: MAX_VERSION_BYTES, rawBytes: MAX_VERSION_BYTES, reserve: (bytes) => bytes },
    (chunk) => chunks.push(chunk),
    signal,
  );
  if (!complete) throw new Error(`it does not state its version: ${detail}`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new Error("it does not state its version as JSON");
  }
}

async function loadPage(
  client: CDP.Client,
  url: string,
  network: Network,
  limits: BrowserLimits,
  signal: AbortSignal,
): Promise<BrowserAnswer> {
  const send: Send = async (method, params, session) => {
    const late = AbortSignal.timeout(COMMAND_MS);
    try {
      return await raceAbort(client.send(method, params, session), AbortSignal.any([signal, late]));
    } catch (error) {
      throw late.aborted ? new Error(`${method} took more than ${COMMAND_MS} ms`) : error;
    }
  };
  const { browserContextId } = await send("Target.createBrowserContext", {
    disposeOnDetach: true,
    // Nothing listens on the discard port. Loopback addresses are not exempt.
    proxyServer: "http://127.0.0.1:9",
    proxyBypassList: "<-loopback>",
  });
  try {
    await send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
    const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId: session } = await send("Target.attachToTarget", { targetId, flatten: true });
    const { result } = await send(
      "Runtime.evaluate",
      { expression: OPENS_SOCKETS, awaitPromise: true, returnByValue: true },
      session,
    );
    if (result.value !== false)
      throw new Error(
        "it would let a page send WebRTC packets to any address: start it with --webrtc-ip-handling-policy=disable_non_proxied_udp",
      );
    const load = new PageLoad(client, send, network, limits, session, signal, url);
    await load.prepare(session, "page");
    const navigation = await raceAbort(
      client.send("Page.navigate", { url }, session),
      AbortSignal.any([signal, AbortSignal.timeout(limits.loadMs)]),
    ).catch((error: unknown) => {
      signal.throwIfAborted();
      return { errorText: describeError(error) };
    });
    if (navigation.errorText !== undefined && load.documentUrl === undefined)
      return {
        ...NOTHING,
        url,
        status: "failed",
        detail: load.pageFault ?? load.refusal ?? `the page did not load: ${navigation.errorText}`,
      };
    await load.settled();
    const cookies = await send("Storage.getCookies", { browserContextId });
    // A script that never ends keeps the document from being read; the requests were made all the same.
    const loaded = await load.read().catch((error: unknown) => {
      signal.throwIfAborted();
      return {
        url: load.documentUrl ?? url,
        html: "",
        globals: [],
        detail: `it could not be read: ${describeError(error)}`,
      };
    });
    if (loaded.url === "about:blank")
      return { ...NOTHING, url, status: "failed", detail: load.refusal ?? "the page did not load" };
    const notes = [
      ...(loaded.detail === undefined ? [] : [loaded.detail]),
      ...(load.refused > 0 ? [`${load.refused} requests were refused: ${load.refusal}`] : []),
    ];
    return {
      url: loaded.url,
      status: "ok",
      requests: load.requests,
      cookies: [...new Set(cookies.cookies.map(({ name }) => name.slice(0, 200)))].slice(0, MAX_COOKIES),
      globals: loaded.globals,
      html: loaded.html,
      ...(notes.length > 0 ? { detail: notes.join("; ") } : {}),
    };
  } finally {
    // The connection may be gone; then the context is gone too.
    await client.send("Target.disposeBrowserContext", { browserContextId }).catch(() => undefined);
  }
}

/** Headers of a page's request that are passed on; cookies and all others are not. */
const PASSED = new Set(["accept", "origin", "referer", "x-requested-with"]);
/** Headers that describe the transfer, which is over. */
const TRANSFER = new Set(["connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"]);
const LOADED: ReadonlySet<Protocol.Network.ResourceType> = new Set<Protocol.Network.ResourceType>([
  "Document",
  "Stylesheet",
  "Script",
  "XHR",
  "Fetch",
  "Manifest",
  "Other",
]);
const EMPTY_IMAGE = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/**
 * Whether the browser opens UDP sockets for WebRTC, as a candidate of its own shows. With the policy `disable_non_proxied_udp`
 * there is none: no script and no header stops the packets of every frame. A browser that does not answer counts as one that does.
 */
const OPENS_SOCKETS = `new Promise((resolve) => {
  const connection = new RTCPeerConnection();
  let opens = false;
  const end = (answer) => { connection.close(); resolve(answer); };
  connection.onicecandidate = ({ candidate }) => {
    if (candidate === null) end(opens);
    else opens ||= candidate.candidate !== "";
  };
  connection.createDataChannel("x");
  connection.createOffer().then((offer) => connection.setLocalDescription(offer)).catch(() => end(true));
  setTimeout(() => end(true), 1500);
})`;

/**
 * Lets a document, and the frames that it writes itself, ask for every address and open no WebRTC connection, which needs a
 * parameter of its own. Chromium since 2026; others ignore the header. A second wall: it stops what servers are asked, not the
 * packets between peers.
 *
 * @see https://wicg.github.io/connection-allowlists/
 */
const NO_CALLS: readonly [string, string] = ["connection-allowlist", '("*://*:*/*")'];

/**
 * Runs before any script of every document: closes the ways out that no proxy catches. A sandboxed frame of the page's own
 * text runs in a process that is not paused before its first script, so this comes too late there.
 */
const BEFORE_SCRIPTS = `for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"])
  Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false });`;

/** One page load: answers the requests of the page, of its frames and of its workers. */
class PageLoad {
  readonly requests: ObservedRequest[] = [];
  /** Address of the last answered document of the page itself. */
  documentUrl: string | undefined;
  refused = 0;
  /** Why the first refused request was refused. */
  refusal: string | undefined;
  /** Why the page itself was not answered. */
  pageFault: string | undefined;
  readonly #seen = new Set<string>();
  #count = 0;
  #bytes = 0;
  #open = 0;
  #changedAt = performance.now();
  #isLoaded = false;

  constructor(
    client: CDP.Client,
    private readonly send: Send,
    private readonly network: Network,
    private readonly limits: BrowserLimits,
    private readonly session: string,
    private readonly signal: AbortSignal,
    private readonly wanted: string,
  ) {
    client.on("event", ({ method, params, sessionId }) => {
      // The protocol's own schema; a browser that deviates ends the load with an error.
      if (method === "Fetch.requestPaused")
        this.#do(this.#answer(params as Protocol.Fetch.RequestPausedEvent, sessionId));
      if (method === "Target.attachedToTarget") this.#do(this.#attach(params as Protocol.Target.AttachedToTargetEvent));
      if (method === "Page.loadEventFired" && sessionId === session) this.#isLoaded = true;
      if (method === "Page.javascriptDialogOpening")
        this.#do(this.send("Page.handleJavaScriptDialog", { accept: false }, sessionId));
    });
  }

  /** Work for one event. A frame that is gone answers with an error, which changes nothing. */
  #do(work: Promise<unknown>): void {
    work.catch(() => undefined);
  }

  /** Pauses the requests of a target before its first script runs. */
  async prepare(session: string, type: string): Promise<void> {
    const isDocument = type === "page" || type === "iframe";
    await Promise.all([
      this.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }, session),
      this.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, session),
      ...(isDocument
        ? [
            // Without the first, the second has no effect in a frame of another site.
            this.send("Page.enable", undefined, session),
            this.send("Page.addScriptToEvaluateOnNewDocument", { source: BEFORE_SCRIPTS }, session),
            this.send("Network.enable", undefined, session).then(() =>
              this.send("Network.setBypassServiceWorker", { bypass: true }, session),
            ),
          ]
        : []),
    ]);
  }

  async #attach({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent): Promise<void> {
    // A frame of another site. Workers and pop-ups are not needed: they are closed before they start.
    if (targetInfo.type !== "iframe") {
      await this.send("Target.closeTarget", { targetId: targetInfo.targetId });
      return;
    }
    await this.prepare(sessionId, targetInfo.type);
    await this.send("Runtime.runIfWaitingForDebugger", undefined, sessionId);
  }

  async #answer(event: Protocol.Fetch.RequestPausedEvent, session: string | undefined): Promise<void> {
    const { requestId, request, resourceType } = event;
    const url = URL.parse(request.url);
    const fulfil = (responseCode: number, headers: [string, string][] = [], body = "") =>
      this.send(
        "Fetch.fulfillRequest",
        { requestId, responseCode, responseHeaders: headers.map(([name, value]) => ({ name, value })), body },
        session,
      );
    // No network is needed for these.
    if (url && ["data:", "blob:", "about:"].includes(url.protocol)) {
      await this.send("Fetch.continueRequest", { requestId }, session);
      return;
    }
    if (!url || !/^https?:$/.test(url.protocol)) return this.#refuse(event, session, "not an http address");
    url.hash = "";
    const isPage = resourceType === "Document" && session === this.session && this.documentUrl === undefined;
    // Chromium tries HTTPS first. The caller knows that only HTTP answers.
    if (isPage && url.href !== this.wanted && url.href === this.wanted.replace(/^http:/, "https:"))
      return this.#failPage(event, session, "the page has no HTTPS");
    this.#note(url.href);
    if (++this.#count > this.limits.requests)
      return this.#refuse(event, session, `more than ${this.limits.requests} requests`);
    if (request.method !== "GET") {
      await fulfil(204, corsHeaders(request.headers));
      return;
    }
    if (resourceType === "Image") {
      await fulfil(200, [["content-type", "image/gif"], ...corsHeaders(request.headers)], EMPTY_IMAGE);
      return;
    }
    if (!LOADED.has(resourceType)) {
      await fulfil(204, corsHeaders(request.headers));
      return;
    }
    if (this.#bytes >= this.limits.bodyBytes)
      return this.#refuse(event, session, `more than ${this.limits.bodyBytes} bytes`);
    this.#open += 1;
    try {
      const { final } = await this.network.http(
        url.href,
        { follow: false, binary: true, reserve: this.#reserve, headers: passedHeaders(request.headers) },
        this.signal,
      );
      const body = final.encoding === "base64" ? final.body : Buffer.from(final.body).toString("base64");
      if (final.status !== "ok") {
        const why = final.detail ?? final.status;
        return await (isPage ? this.#failPage(event, session, why) : this.#refuse(event, session, why));
      }
      if (resourceType === "Document" && session === this.session) this.documentUrl = url.href;
      const headers = final.headers.flatMap(([name, value]): [string, string][] =>
        TRANSFER.has(name) || name === NO_CALLS[0] ? [] : [[name, value]],
      );
      await fulfil(final.code, resourceType === "Document" ? [...headers, [...NO_CALLS]] : headers, body);
    } finally {
      this.#open -= 1;
      this.#changedAt = performance.now();
    }
  }

  /** Bodies are read at the same time: each piece is counted before it is kept. */
  readonly #reserve = (wanted: number): number => {
    const granted = Math.min(wanted, this.limits.bodyBytes - this.#bytes);
    this.#bytes += granted;
    return granted;
  };

  #note(url: string): void {
    this.#changedAt = performance.now();
    const kept = url.length > MAX_URL ? url.slice(0, url.indexOf("?") + 1 || MAX_URL).slice(0, MAX_URL) : url;
    if (this.#seen.has(kept) || this.requests.length >= this.limits.requests) return;
    this.#seen.add(kept);
    this.requests.push({ url: kept, cookies: [] });
  }

  /** Fails the first document as an unreachable server does: of an address that it upgraded itself, Chromium then requests the first form. */
  async #failPage({ requestId }: Protocol.Fetch.RequestPausedEvent, session: string | undefined, why: string) {
    this.pageFault = why;
    await this.send("Fetch.failRequest", { requestId, errorReason: "ConnectionRefused" }, session);
  }

  async #refuse(
    { requestId, resourceType }: Protocol.Fetch.RequestPausedEvent,
    session: string | undefined,
    why: string,
  ): Promise<void> {
    this.refused += 1;
    this.refusal ??= why;
    // A navigation without content leaves the present document, where a failed one would replace it by an error page.
    if (resourceType === "Document") await this.send("Fetch.fulfillRequest", { requestId, responseCode: 204 }, session);
    else await this.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" }, session);
  }

  /** Resolves when the page was loaded and is at rest, or its time is over. */
  async settled(): Promise<void> {
    const started = performance.now();
    let loadedAt = 0;
    for (;;) {
      const now = performance.now();
      if (this.#isLoaded) loadedAt ||= now;
      if (loadedAt > 0 && this.#open === 0 && now - this.#changedAt > QUIET_MS) return;
      if (loadedAt > 0 && now - loadedAt > this.limits.settleMs) return;
      if (now - started > this.limits.loadMs) return;
      await sleep(100, this.signal);
    }
  }

  /** The document and its globals after the load. All of this is untrusted: scripts of the page may have replaced any function. */
  async read(): Promise<Pick<BrowserAnswer, "url" | "html" | "globals" | "detail">> {
    const { frameTree } = await this.send("Page.getFrameTree", undefined, this.session);
    const { executionContextId } = await this.send(
      "Page.createIsolatedWorld",
      { frameId: frameTree.frame.id, worldName: "casefile" },
      this.session,
    );
    const evaluate = async (expression: string, contextId?: number): Promise<unknown> => {
      const { result } = await this.send(
        "Runtime.evaluate",
        { expression, returnByValue: true, timeout: 1_500, ...(contextId === undefined ? {} : { contextId }) },
        this.session,
      );
      return result.value;
    };
    const html = await evaluate(`document.documentElement.outerHTML.slice(0, ${MAX_HTML})`, executionContextId);
    const globals = await evaluate(LIST_GLOBALS);
    return {
      url: frameTree.frame.url,
      html: typeof html === "string" ? html.slice(0, MAX_HTML) : "",
      globals: Array.isArray(globals)
        ? globals
            .filter((each): each is string => typeof each === "string" && each.length > 0 && each.length <= 300)
            .slice(0, MAX_GLOBALS)
        : [],
    };
  }
}

function passedHeaders(headers: Protocol.Network.Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => PASSED.has(name.toLowerCase()) && /^[\x20-\x7e]{1,1000}$/.test(value),
    ),
  );
}

/** Lets a page read an empty answer of another site, so that its scripts continue. */
function corsHeaders(headers: Protocol.Network.Headers): [string, string][] {
  const origin = Object.entries(headers).find(([name]) => name.toLowerCase() === "origin")?.[1] ?? "*";
  return [
    ["access-control-allow-origin", origin],
    ["access-control-allow-credentials", "true"],
    ["access-control-allow-headers", "*"],
    ["access-control-allow-methods", "*"],
  ];
}

/**
 * Names of the variables that scripts of the page made, three levels deep: `Shopify`, `Shopify.theme`,
 * `Shopify.theme.name: Debut`. A text, number or truth value follows its name.
 */
const LIST_GLOBALS = `(() => {
  const frame = document.createElement("iframe");
  document.documentElement.append(frame);
  const usual = new Set(Object.getOwnPropertyNames(frame.contentWindow));
  frame.remove();
  const found = new Set();
  const visit = (holder, name, path, depth) => {
    if (found.size >= ${MAX_GLOBALS}) return;
    let value;
    try { value = holder[name]; } catch { return; }
    const type = typeof value;
    if (value === undefined || value === null) return;
    const scalar = type === "string" || type === "number" || type === "boolean";
    found.add(scalar ? path + ": " + String(value).slice(0, 120) : path);
    if (depth === 0 || (type !== "object" && type !== "function") || value === window || value.nodeType) return;
    let names = [];
    try { names = Object.keys(value).slice(0, 40); } catch { return; }
    for (const each of names) if (/^[\\w$-]{1,60}$/.test(each)) visit(value, each, path + "." + each, depth - 1);
  };
  const names = Object.getOwnPropertyNames(window).filter((name) => !usual.has(name) && /^[A-Za-z_$][\\w$-]{0,60}$/.test(name)).slice(0, 400);
  // All names before any of their properties, so that one large object does not use up the limit.
  for (const depth of [0, 1, 2]) for (const name of names) visit(window, name, name, depth);
  return [...found];
})()`;
