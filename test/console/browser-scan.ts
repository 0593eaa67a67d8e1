import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "../box/company.ts";
import { type Boxed, idsOf, openBoxed, statusesOf } from "../detection/boxed.ts";

/** The browser scanner in Debian's Chromium, on a test internet of which only 127.0.0.1 is allowed. */

const SLOW = 60_000;
/** Local addresses that the policy forbids. A connection to one of them is a fault. */
const FORBIDDEN = ["127.0.0.2", "::1"];

interface Chromium {
  /** WebSocket address of the browser. */
  readonly url: string;
  stop(): Promise<void>;
}

const NO_SOCKETS = "--webrtc-ip-handling-policy=disable_non_proxied_udp";

async function startChromium(...more: string[]): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), "casefile-chromium-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
  const chromium = Bun.spawn(
    [
      "/usr/bin/chromium",
      ...flags,
      ...more,
      "--disable-sync",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
    ],
    { stderr: "pipe", stdout: "ignore" },
  );
  let said = "";
  const decoder = new TextDecoder();
  for await (const piece of chromium.stderr) {
    said += decoder.decode(piece);
    const url = /DevTools listening on (ws:\/\/\S+)/.exec(said)?.[1];
    if (url === undefined) continue;
    return {
      url,
      async stop() {
        chromium.kill();
        await chromium.exited;
        await rm(profile, { recursive: true, force: true });
      },
    };
  }
  throw new Error(`Chromium did not start: ${said}`);
}

/** Servers on the forbidden addresses, and one for datagrams, that count what reaches them. */
async function startCanaries() {
  const reached: string[] = [];
  const servers = await Promise.all(
    FORBIDDEN.map(
      (host) =>
        new Promise<Server>((resolve) => {
          const server = createServer((socket) => {
            socket.on("error", () => undefined);
            socket.once("data", (data) => {
              reached.push(`${host}: ${data.toString("latin1").split("\r\n")[0]}`);
              socket.end("HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 6\r\n\r\nsecret");
            });
          }).listen(0, host, () => resolve(server));
        }),
    ),
  );
  const datagrams = createSocket("udp4", () => reached.push("datagram"));
  await new Promise<void>((resolve) => datagrams.bind(0, "127.0.0.2", resolve));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  return {
    reached,
    ports: [ports[0] ?? 0, ports[1] ?? 0] as const,
    datagramPort: datagrams.address().port,
    async stop() {
      datagrams.close();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Tools whose names are in no source: scripts make them while the page runs. */
const LATE = `<script>
window["_h" + "sq"] = [];
setTimeout(() => {
  const tag = document.createElement("script");
  tag.src = ["https://js.str", "ipe.com/v3/"].join("");
  document.head.append(tag);
  document.cookie = "_hj" + "SessionUser_123=1; path=/";
}, 200);
</script>`;

/** Asks a server for its own address over UDP, as calls do, and sends packets to a peer that it makes up. */
const datagramTo = (port: number) =>
  `const c = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.2:${port}" }] });
   c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o)).then(() => {
     const of = (name) => c.localDescription.sdp.match(new RegExp("a=" + name + ":(.*)"))[1];
     return c.setRemoteDescription({ type: "answer", sdp: ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
       "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", "a=mid:0", "a=ice-ufrag:abcd",
       "a=ice-pwd:abcdefghijklmnopqrstuvwx", "a=fingerprint:" + of("fingerprint"), "a=setup:passive", "a=sctp-port:5000",
       "a=candidate:1 1 udp 2113937151 127.0.0.2 ${port} typ host", ""].join(String.fromCharCode(13, 10)) });
   }).catch(() => 0);`;

/** Every way of a page to a forbidden address that we know of. */
function attacks(v4: string, v6: string, named: string, datagramPort: number): string {
  const to = (what: string) => `http://${v4}/${what}`;
  const decimal = `http://${v4.replace("127.0.0.2", "2130706434")}/decimal`;
  const frame = (body: string) => `<iframe srcdoc='${body.replaceAll("'", "&#39;")}'></iframe>`;
  return `
<link rel="preconnect" href="${to("preconnect")}"><link rel="dns-prefetch" href="//${named}">
<link rel="prefetch" href="${to("prefetch")}"><link rel="preload" as="script" href="${to("preload")}">
<link rel="modulepreload" href="${to("modulepreload")}"><link rel="stylesheet" href="${to("style")}">
<link rel="icon" href="${to("icon")}"><link rel="manifest" href="${to("manifest")}">
<style>@import url("${to("import")}"); @font-face { font-family: x; src: url("${to("font")}") } body { background: url("${to("background")}"); font-family: x }</style>
<img src="${to("img")}"><img srcset="${to("srcset")} 2x"><picture><source srcset="${to("source")}"><img></picture>
<video src="${to("video")}" poster="${to("poster")}" autoplay></video><audio src="${to("audio")}" autoplay></audio>
<object data="${to("object")}"></object><embed src="${to("embed")}"><iframe src="${to("iframe")}"></iframe>
<svg><image href="${to("svg")}"/><use href="${to("use")}#x"/></svg>
<script src="${to("script")}"></script><script type="module">import("${to("module")}").catch(() => 0)</script>
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${to("speculation")}"]}],"prerender":[{"source":"list","urls":["${to("prerender")}"]}]}</script>
<img src="https://open.planted.test/to-forbidden"><script src="https://open.planted.test/to-forbidden?script"></script>
<iframe src="https://frame.planted.test/"></iframe><iframe src="https://other-site.test/"></iframe>
<iframe sandbox="allow-scripts" srcdoc='<script>${datagramTo(datagramPort)}</script>'></iframe>
${frame(`<meta http-equiv="refresh" content="0;url=${to("refresh")}">`)}
${frame(`<script>location = "${to("location")}"</script>`)}
${frame(`<form action="${to("form")}" method="post"></form><script>document.forms[0].submit()</script>`)}
<a id="ping" href="#ping" ping="${to("ping")}">p</a><a id="get" href="${to("download")}" download>d</a>
<script>
const tries = [
  () => fetch("${to("fetch")}"), () => fetch("${to("no-cors")}", { mode: "no-cors" }), () => fetch("${decimal}"),
  () => fetch("http://${v6}/v6"), () => fetch("http://${named}/named"), () => fetch("http://localhost:${v4.split(":")[1]}/"),
  () => fetch("${to("post")}", { method: "POST", body: "x" }), () => navigator.sendBeacon("${to("beacon")}", "x"),
  () => { const x = new XMLHttpRequest(); x.open("GET", "${to("xhr")}"); x.send(); },
  () => new WebSocket("ws://${v4}/socket"), () => new WebSocket("ws://${v6}/socket"), () => new EventSource("${to("events")}"),
  () => new Worker("${to("worker")}"),
  () => new Worker(URL.createObjectURL(new Blob(['fetch("${to("in-worker")}"); importScripts("${to("imported")}")']))),
  () => new SharedWorker(URL.createObjectURL(new Blob(['fetch("${to("in-shared")}")']))),
  () => navigator.serviceWorker.register("/worker.js"),
  () => window.open("${to("open")}"), () => document.getElementById("ping").click(), () => document.getElementById("get").click(),
  () => new WebTransport("https://${v4}/transport"),
  () => { ${datagramTo(datagramPort)} },
  () => { const f = document.createElement("iframe"); document.body.append(f);
          new f.contentWindow.RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.2:${datagramPort}" }] }).createDataChannel("y"); },
];
for (const attempt of tries) { try { Promise.resolve(attempt()).catch(() => 0); } catch {} }
</script>`;
}

let chromium: Chromium;
let canaries: Awaited<ReturnType<typeof startCanaries>>;
let boxed: Boxed;

beforeAll(async () => {
  [chromium, canaries] = await Promise.all([startChromium(NO_SOCKETS), startCanaries()]);
  const v4 = `127.0.0.2:${canaries.ports[0]}`;
  const v6 = `[::1]:${canaries.ports[1]}`;
  const forbidden = `http://${v4}/redirect`;
  const hostile = attacks(v4, v6, `inside.planted.test:${canaries.ports[0]}`, canaries.datagramPort);
  const page = (body: string) => ({ "/": body, "www/": body });
  const world: World = {
    companies: [
      { domain: "late.test", pages: page(`<title>Late</title>${LATE}`) },
      {
        domain: "planted.test",
        records: { inside: { A: "127.0.0.2" } },
        pages: {
          ...page(`<!doctype html><title>Planted</title><body>${hostile}`),
          "/worker.js": { body: `fetch("${forbidden}")`, headers: { "content-type": "text/javascript" } },
          "open/to-forbidden": { redirect: forbidden },
          "frame/": `<script>fetch("${forbidden}"); new WebSocket("ws://${v4}/framed"); window.open("${forbidden}")</script>`,
        },
      },
      { domain: "other-site.test", pages: page(`<script>${datagramTo(canaries.datagramPort)}</script>`) },
      { domain: "endless.test", pages: page("<title>Endless</title><script>for (;;);</script>") },
    ],
  };
  boxed = await openBoxed(world, {
    flags: { "scan-browser-url": chromium.url, "net-allow-cidrs": ["127.0.0.1/32"] },
  });
}, SLOW);

afterAll(async () => {
  await boxed.close();
  await chromium.stop();
  await canaries.stop();
});

describe("a scan with a browser", () => {
  test(
    "finds globals, tags and cookies that scripts make, and a replay of its snapshot finds the same",
    async () => {
      const snapshot = await boxed.capture("late.test", { needsBrowser: true });
      const replayed = await boxed.analyse(snapshot);
      expect(idsOf(replayed.detections)).toEqual(expect.arrayContaining(["hotjar", "hubspot", "stripe"]));
      const { browser: _page, ...without } = snapshot;
      expect(idsOf((await boxed.analyse(without)).detections)).not.toContain("stripe");
      expect(boxed.bugs).toEqual([]);
    },
    SLOW,
  );

  test(
    "reaches no address that the policy forbids, whatever the page tries",
    async () => {
      // The canaries count: Chromium itself reaches them without the guard.
      await fetch(`http://127.0.0.2:${canaries.ports[0]}/`);
      expect(canaries.reached.splice(0)).toHaveLength(1);

      const snapshot = await boxed.capture("planted.test", { needsBrowser: true });
      const asked = snapshot.browser?.requests.map(({ url }) => new URL(url).pathname) ?? [];
      // The page ran its attacks to the last.
      expect(asked).toEqual(expect.arrayContaining(["/fetch", "/post", "/xhr", "/iframe", "/script", "/to-forbidden"]));
      expect(canaries.reached).toEqual([]);
    },
    SLOW,
  );

  test(
    "of a page that never ends, the scan does",
    async () => {
      const result = await boxed.enrich("endless.test");
      expect(statusesOf(result)["home-page"]).toBe("ok");
      expect(["ok", "failed", "timeout"]).toContain(statusesOf(result).browser ?? "");
      // The browser serves the next scan.
      expect(statusesOf(await boxed.enrich("late.test", { maxAgeSeconds: 0 })).browser).toBe("ok");
    },
    SLOW,
  );
});

test(
  "a browser that would send packets of its own loads no page",
  async () => {
    const open = await startChromium();
    const alone = await openBoxed(
      { companies: [{ domain: "late.test", pages: { "/": "<title>Late</title>" } }] },
      { flags: { "scan-browser-url": open.url, "net-allow-cidrs": ["127.0.0.1/32"] } },
    );
    try {
      const result = await alone.enrich("late.test");
      expect(statusesOf(result)).toMatchObject({ browser: "failed", "home-page": "ok" });
      expect(JSON.stringify(result)).toContain("disable_non_proxied_udp");
    } finally {
      await alone.close();
      await open.stop();
    }
  },
  SLOW,
);

test(
  "a browser that does not answer fails its source only",
  async () => {
    const alone = await openBoxed(
      { companies: [{ domain: "late.test", pages: { "/": "<title>Late</title>" } }] },
      { flags: { "scan-browser-url": "http://127.0.0.1:9", "net-allow-cidrs": ["127.0.0.1/32"] } },
    );
    try {
      const result = await alone.enrich("late.test");
      expect(statusesOf(result)).toMatchObject({ browser: "failed", "home-page": "ok" });
      expect(alone.capture("late.test", { needsBrowser: true })).rejects.toMatchObject({ code: "browser.unavailable" });
    } finally {
      await alone.close();
    }
  },
  SLOW,
);
