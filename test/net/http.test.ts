import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { openNetworkClient } from "../../src/net/client.ts";
import { dialTcp, dialTunnel } from "../../src/net/dial.ts";
import { exchange, type HttpOptions } from "../../src/net/exchange.ts";
import { openAuthority } from "../box/authority.ts";
import { encodeReply } from "../box/dns-wire.ts";
import { answerFrom, closeAll, HASTY, never, type Raw, response, serveDns, serveRaw, settings } from "./loopback.ts";

afterEach(closeAll);

const authority = openAuthority();
const PAGE = "<p>Plain words, and an umlaut: ü</p>";

/** A client for which `site` serves `acme.example` and `www.acme.example`, on both ports. */
async function doorTo(site: Raw | null, more: Parameters<typeof settings>[0] = {}) {
  const dns = await serveDns(
    answerFrom([
      { name: "acme.example", type: "A", data: "127.0.0.1" },
      { name: "www.acme.example", type: "A", data: "127.0.0.1" },
      { name: "inside.example", type: "A", data: "10.0.0.7" },
      { name: "metadata.example", type: "A", data: "169.254.169.254" },
      { name: "mapped.example", type: "AAAA", data: "::ffff:169.254.169.254" },
      { name: "half.example", type: "A", data: "10.0.0.7" },
      { name: "half.example", type: "A", data: "127.0.0.1" },
    ]),
  );
  const port = site?.port ?? 1;
  const connectPorts = new Map([
    [80, port],
    [443, port],
  ]);
  return openNetworkClient(settings({ dnsServers: [dns.address], connectPorts, extraCa: authority.root, ...more }));
}

async function ask(answer: Parameters<typeof serveRaw>[0], options: HttpOptions = {}, more = {}) {
  const site = await serveRaw(answer);
  const door = await doorTo(site, more);
  const { final, hops } = await door.http("http://acme.example/", options, never);
  return { final, hops, site };
}

test("a page is fetched with the user agent, and its headers are kept in order", async () => {
  const { final, site } = await ask(
    (socket) => socket.end(response(PAGE, ["X-B: 1", "Server: acme", "X-B: 2", "Content-Type: text/html"])),
    {},
    { userAgent: "Casefile/1.0 (+https://casefile.example/why)" },
  );
  expect(final).toEqual({
    method: "GET",
    url: "http://acme.example/",
    status: "ok",
    code: 200,
    headers: [
      ["content-length", String(Buffer.byteLength(PAGE))],
      ["x-b", "1"],
      ["server", "acme"],
      ["x-b", "2"],
      ["content-type", "text/html"],
    ],
    body: PAGE,
  });
  expect(site.heads[0]).toMatch(/^GET \/ HTTP\/1\.1\r\nHost: acme\.example\r\n/);
  expect(site.heads[0]).toContain("User-Agent: Casefile/1.0 (+https://casefile.example/why)\r\n");
});

test("a POST sends its JSON", async () => {
  const { final, site } = await ask((socket) => socket.end(response("{}")), { method: "POST", body: '{"a":"ü"}' });
  expect([final.method, final.body]).toEqual(["POST", "{}"]);
  expect(site.heads[0]).toMatch(/Content-Type: application\/json\r\nContent-Length: 10\r\n/);
});

test("an HTTP error status is an answer", async () => {
  const { final } = await ask((socket) => socket.end(response("gone", [], "404 Not Found")));
  expect([final.status, final.code, final.body]).toEqual(["ok", 404, "gone"]);
});

test("a binary body is kept as base64", async () => {
  const { final } = await ask((socket) => socket.end(response(new Uint8Array([0, 255, 1]))), { binary: true });
  expect([final.body, final.encoding]).toEqual(["AP8B", "base64"]);
});

test("secrets are not recorded", async () => {
  const { final } = await ask((socket) =>
    socket.end(
      response("", [
        "Set-Cookie: session=hunter2; Path=/; HttpOnly",
        "Set-Cookie: hunter2",
        "Authorization: Bearer hunter2",
        "Proxy-Authenticate: Basic hunter2",
        "X-CSRF-Token: hunter2",
      ]),
    ),
  );
  expect(final.headers.slice(1)).toEqual([
    ["set-cookie", "session=…; Path=/; HttpOnly"],
    ["set-cookie", "=…"],
    ["x-csrf-token", "…"],
  ]);
});

describe("content codings", () => {
  test.each([
    ["gzip", gzipSync(PAGE)],
    ["X-GZIP", gzipSync(PAGE)],
    ["deflate", deflateSync(PAGE)],
    ["deflate", deflateRawSync(PAGE)],
    ["br", brotliCompressSync(PAGE)],
    ["zstd", zstdCompressSync(PAGE)],
    ["identity", Buffer.from(PAGE)],
    ["gzip, br", brotliCompressSync(gzipSync(PAGE))],
  ])("%s is decoded", async (coding, bytes) => {
    const { final } = await ask((socket) => socket.end(response(bytes, [`Content-Encoding: ${coding}`])));
    expect([final.status, final.body, final.truncated]).toEqual(["ok", PAGE, undefined]);
  });

  test.each([
    ["an unknown coding", "rot13", Buffer.from("uryyb"), "the content coding rot13 is not supported"],
    ["too many codings", "gzip, gzip, gzip", gzipSync("x"), "the body has too many content codings"],
    ["bytes that are not what they claim", "gzip", Buffer.from("plain text"), "the compressed body is damaged"],
    ["bytes that are not what they claim", "br", Buffer.from("plain text"), "the compressed body is damaged"],
    ["bytes that are not what they claim", "zstd", Buffer.from("plain text"), "the compressed body is damaged"],
    ["bytes that are not what they claim", "deflate", Buffer.from("plain text"), "the compressed body is damaged"],
  ])("%s fail the exchange with a reason: %s", async (_, coding, bytes, detail) => {
    const { final } = await ask((socket) => socket.end(response(bytes, [`Content-Encoding: ${coding}`])));
    expect([final.status, final.code, final.detail]).toEqual(["failed", 0, detail]);
  });

  test("the bytes before the damage are kept", async () => {
    const whole = gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, i) => `${i * 7919} `).join("")));
    const cut = whole.subarray(0, whole.length / 2);
    const { final } = await ask((socket) => socket.end(response(cut, ["Content-Encoding: gzip"])));
    expect(final.status).toBe("ok");
    expect(final.body.startsWith("0 7919 15838 ")).toBe(true);
  });
});

describe("character sets", () => {
  const latin = Buffer.from("caf\xe9", "latin1");
  test.each([
    ["the content type's", "text/html; charset=ISO-8859-1", latin, "café"],
    ["quoted", 'text/html; charset="windows-1251"', Buffer.from([0xcf, 0xf0]), "Пр"],
    ["the page's own", "text/html", Buffer.concat([Buffer.from('<meta charset="latin1">'), latin]), "café"],
    ["a byte-order mark's, over all", "text/html; charset=latin1", Buffer.from("\ufeffé"), "é"],
    ["UTF-16 by its mark", "text/html", Buffer.from("\ufeffé", "utf16le"), "é"],
    ["UTF-8 when nothing is said", "text/html", Buffer.from("é"), "é"],
    ["UTF-8 when the name is unknown", "text/html; charset=klingon", Buffer.from("é"), "é"],
    ["UTF-8 with broken bytes marked", "text/html", Buffer.from([0x61, 0xff, 0xc3, 0x62]), "a\ufffd\ufffdb"],
  ])("a body is decoded by the charset with priority: %s", async (_, type, bytes, text) => {
    const { final } = await ask((socket) => socket.end(response(bytes, [`Content-Type: ${type}`])));
    expect(final.body.endsWith(text)).toBe(true);
  });
});

describe("limits", () => {
  test("a gzip bomb ends at the limit, with bounded memory", async () => {
    const zeros = Buffer.alloc(1_048_576);
    const before = process.memoryUsage().rss;
    // 1 GiB after decompression, produced on demand.
    let left = 1_024;
    const { final, site } = await ask((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
      const bomb = createGzip({ level: 1 });
      bomb.on("error", () => {});
      socket.on("close", () => bomb.destroy());
      bomb.pipe(socket);
      const feed = () => {
        while (left > 0 && !bomb.destroyed) {
          left -= 1;
          if (!bomb.write(zeros)) return void bomb.once("drain", feed);
        }
        bomb.end();
      };
      feed();
    });
    expect([final.status, final.truncated, final.body.length]).toEqual(["ok", true, 100_000]);
    expect(final.detail).toBe("the body is longer than the limit");
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
    await closed(site);
    expect(left).toBeGreaterThan(900);
  });

  test("an endless body ends at the limit of the caller", async () => {
    const { final } = await ask(
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        const more = () => {
          while (socket.writable && socket.write("x".repeat(65_536)));
        };
        socket.on("drain", more);
        more();
      },
      { maxBytes: 5_000 },
    );
    expect([final.status, final.truncated, final.body.length]).toEqual(["ok", true, 5_000]);
  });

  test("an endless stream that decompresses to nothing ends at the limit on received bytes", async () => {
    const nothing = gzipSync("");
    const { final } = await ask((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
      const block = Buffer.concat(Array(2_000).fill(nothing));
      const more = () => {
        while (socket.writable && socket.write(block));
      };
      socket.on("drain", more);
      more();
    });
    expect([final.status, final.detail]).toEqual(["failed", "the body is longer than the limit of received bytes"]);
  });

  test("a slow body is cut off at the time limit, and the bytes so far are kept", async () => {
    const drips = (socket: Socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nxx");
      const drip = setInterval(() => socket.write("x"), 50);
      socket.on("close", () => clearInterval(drip));
    };
    const { final, site } = await ask(drips, {}, { exchangeMs: 1_500 });
    expect([final.status, final.truncated, final.detail]).toEqual([
      "ok",
      true,
      "the body was cut off by the time limit",
    ]);
    expect(final.body).toMatch(/^x{2,32}$/);
    await closed(site);
  });

  test.each([
    ["silence", () => {}],
    [
      "headers that drip",
      (socket: { write(text: string): void }) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const drip = setInterval(() => socket.write("X: y\r\n"), 50);
        setTimeout(() => clearInterval(drip), 600);
      },
    ],
    [
      "a head without a body",
      (socket: { write(text: string): void }) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n");
      },
    ],
  ])("%s is a timeout", async (_, answer) => {
    const { final, site } = await ask(answer, {}, HASTY);
    expect([final.status, final.code]).toEqual(["timeout", 0]);
    await closed(site);
  });

  test("headers over the limits are dropped with a note", async () => {
    const many = Array.from({ length: 900 }, (_, i) => `X-${i}: y`);
    const { final } = await ask((socket) => socket.end(response("ok", many)));
    expect([final.status, final.headers.length, final.body]).toEqual(["ok", 200, "ok"]);
    expect(final.detail).toBe("701 headers over the limit were dropped");
    const long = Array.from({ length: 20 }, (_, i) => `X-${i}: ${"y".repeat(5_000)}`);
    const { final: wide } = await ask((socket) => socket.end(response("ok", long)));
    expect([wide.status, wide.headers.length]).toEqual(["ok", 14]);
  });

  test("endless headers fail", async () => {
    const { final, site } = await ask((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const more = () => {
        while (socket.writable && socket.write(`X: ${"y".repeat(60_000)}\r\n`));
      };
      socket.on("drain", more);
      more();
    });
    expect([final.status, final.detail]).toEqual(["failed", "the answer is not valid HTTP (HPE_HEADER_OVERFLOW)"]);
    await closed(site);
  });

  test("no more connections than allowed are open at a time", async () => {
    let now = 0;
    let most = 0;
    const reached = Promise.withResolvers<void>();
    const site = await serveRaw(async (socket) => {
      now += 1;
      most = Math.max(most, now);
      if (now === 3) reached.resolve();
      await reached.promise;
      // A connection over the limit would arrive meanwhile.
      await Bun.sleep(20);
      now -= 1;
      socket.end(response("ok"));
    });
    const door = await doorTo(site, { connectionsPerHost: 2, connections: 3 });
    const urls = ["http://acme.example", "http://www.acme.example"].flatMap((host) =>
      Array.from({ length: 4 }, (_, i) => `${host}/${i}`),
    );
    const answers = await Promise.all(urls.map((url) => door.http(url, {}, never)));
    expect(answers.every(({ final }) => final.body === "ok")).toBe(true);
    expect(most).toBe(3);
  });
});

describe("broken servers", () => {
  test.each([
    ["garbage", "garbage\r\n\r\n", "failed"],
    ["nothing", "", "failed"],
    ["half a head", "HTTP/1.1 200 OK\r\nX-", "failed"],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "failed"],
    ["a chunk size that is none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\nabc", "failed"],
    ["a bare line feed", "HTTP/1.0 200 OK\nServer: x\n\nbody", "ok"],
    ["early hints first", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nok", "ok"],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
      "ok",
    ],
  ])("%s is a status and no crash", async (_, bytes, status) => {
    const { final } = await ask((socket) => socket.end(Buffer.from(bytes, "latin1")));
    expect(final.status).toBe(status as "ok");
  });

  test.each([
    ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"],
    ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"],
    ["chunks that turn to garbage", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZZ\r\n"],
  ])("the bytes before an early end are kept: %s", async (_, bytes) => {
    const { final } = await ask((socket) => socket.end(bytes));
    expect([final.status, final.body, final.truncated]).toEqual(["ok", "hello", true]);
    expect(final.detail).toBe("the connection ended inside the body");
  });

  test("a refused connection is a failure with its code", async () => {
    const door = await doorTo(null);
    const { final } = await door.http("http://acme.example/", {}, never);
    expect([final.status, final.detail]).toEqual(["failed", "the connection failed (ECONNREFUSED)"]);
  });

  test("a host without an address is a failure, and silent DNS a timeout", async () => {
    const site = await serveRaw((socket) => socket.end(response("ok")));
    const door = await doorTo(site);
    const gone = await door.http("http://gone.example/", {}, never);
    expect([gone.final.status, gone.final.detail]).toEqual(["failed", "gone.example has no address"]);
    const silent = await serveDns(() => {});
    const deaf = openNetworkClient(settings({ dnsServers: [silent.address], ...HASTY }));
    expect((await deaf.http("http://acme.example/", {}, never)).final.status).toBe("timeout");
  });
});

describe("redirects", () => {
  const to = (location: string, code = 302) => response("", [`Location: ${location}`], `${code} Elsewhere`);
  const pathOf = (head: string) => head.split(" ")[1] ?? "";

  test("are followed, including relative ones, and each is an exchange", async () => {
    const { final, hops } = await ask((socket, head) => {
      const next: Record<string, string> = { "/": "/a?b=1", "/a?b=1": "//www.acme.example/c#d" };
      const location = next[pathOf(head)];
      socket.end(location ? to(location) : response(PAGE));
    });
    expect(hops.map(({ url, code }) => `${code} ${url}`)).toEqual([
      "302 http://acme.example/",
      "302 http://acme.example/a?b=1",
      "200 http://www.acme.example/c",
    ]);
    expect(final.body).toBe(PAGE);
  });

  test.each([
    [301, "GET"],
    [302, "GET"],
    [303, "GET"],
    [307, "POST"],
    [308, "POST"],
  ] as const)("after %i a POST becomes %s", async (code, method) => {
    const { final, site } = await ask(
      (socket, head) => socket.end(pathOf(head) === "/" ? to("/next", code) : response("ok")),
      { method: "POST", body: "{}" },
    );
    expect([final.method, site.heads[1]?.split(" ")[0]]).toEqual([method, method]);
  });

  test("end after five", async () => {
    const { final, hops, site } = await ask((socket, head) => socket.end(to(`${pathOf(head)}x`)));
    expect([hops.length, site.heads.length, final.code, final.detail]).toEqual([6, 6, 302, "more than 5 redirects"]);
  });

  test.each(["http://[broken", "https://", "http://a b.example/"])("to an invalid URL end: %s", async (location) => {
    const { final, hops } = await ask((socket) => socket.end(to(location)));
    expect([hops.length, final.status, final.code]).toEqual([1, "ok", 302]);
    expect(final.detail).toBe("the Location is not a URL");
  });

  test.each([
    ["a private address", "http://10.0.0.1/"],
    ["the metadata address", "http://169.254.169.254/latest/meta-data/"],
    ["loopback in disguise", "http://[::ffff:7f00:1]:22/"],
    ["a name with a private address", "http://inside.example/"],
    ["a name with the metadata address", "http://metadata.example/"],
    ["a name with a wrapped address", "http://mapped.example/"],
    ["another port", "http://acme.example:22/"],
    ["another scheme", "file:///etc/passwd"],
    ["credentials", "http://user:pass@acme.example/"],
  ])("to %s are refused, and no request is sent there", async (_, location) => {
    const { final, hops, site } = await ask((socket) => socket.end(to(location)));
    expect([hops.length, final.status, final.code, final.headers, final.body]).toEqual([2, "refused", 0, [], ""]);
    expect(site.heads).toHaveLength(1);
  });
});

test("only allowed addresses of a host are used", async () => {
  const site = await serveRaw((socket) => socket.end(response("ok")));
  const door = await doorTo(site);
  expect((await door.http("http://half.example/", {}, never)).final.body).toBe("ok");
});

test("a second lookup cannot redirect a connection (DNS rebinding)", async () => {
  const site = await serveRaw((socket) => socket.end(response("harmless")));
  const secret = createServer(() => {
    throw new Error("the rebound address was reached");
  }).listen(site.port, "127.0.0.2");
  // Short-lived records: the first address is allowed, the later ones belong to the victim.
  let asked = 0;
  const dns = await serveDns(({ query, reply }) => {
    const data = query.question.type === "A" ? [asked++ === 0 ? "127.0.0.1" : "127.0.0.2"] : [];
    reply(
      encodeReply(
        query,
        "ok",
        data.map((ip) => ({ name: query.question.name, type: "A", data: ip })),
        { ttl: 0 },
      ),
    );
  });
  const connectPorts = new Map([[80, site.port]]);
  const door = openNetworkClient(settings({ dnsServers: [dns.address], allowCidrs: ["127.0.0.1/32"], connectPorts }));
  const first = await door.http("http://acme.example/", {}, never);
  const second = await door.http("http://acme.example/", {}, never);
  expect([first.final.body, first.final.status]).toEqual(["harmless", "ok"]);
  expect([second.final.status, second.final.detail]).toEqual(["refused", "the address 127.0.0.2 is not allowed"]);
  expect(site.heads).toHaveLength(1);
  secret.close();
});

describe("TLS", () => {
  const good = authority.issue({ names: ["acme.example"] });

  test.each([
    ["the right name and a known authority", good, {}, "ok", undefined],
    ["another name", authority.issue({ names: ["other.example"] }), {}, "failed", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["an unknown authority", openAuthority().issue({ names: ["acme.example"] }), {}, "failed", undefined],
    ["no extra authority configured", good, { extraCa: null }, "failed", undefined],
    [
      "an end in the past",
      authority.issue({ names: ["acme.example"], from: new Date(0), to: new Date(86_400_000) }),
      {},
      "failed",
      "CERT_HAS_EXPIRED",
    ],
  ] as const)("a certificate with %s", async (_, identity, more, status, code) => {
    const site = await serveRaw((socket) => socket.end(response("secret")), identity);
    const door = await doorTo(site, more);
    const { final } = await door.http("https://acme.example/", {}, never);
    expect(final.status).toBe(status);
    if (code) expect(final.detail).toBe(`the certificate is not valid (${code})`);
    expect(site.heads).toHaveLength(status === "ok" ? 1 : 0);
  });

  test("a handshake that never ends is a timeout", async () => {
    const site = await serveRaw(() => {});
    const door = await doorTo(site, HASTY);
    expect((await door.http("https://acme.example/", {}, never)).final.status).toBe("timeout");
    await closed(site);
  });
});

describe("a configured proxy", () => {
  test("gets the whole URL and the proxy credentials, and resolves the name itself", async () => {
    const proxy = await serveRaw((socket) => socket.end(response("by proxy")));
    const door = await doorTo(null, { proxy: `http://user:p%40ss@127.0.0.1:${proxy.port}` });
    const { final } = await door.http("http://anything.example/a?b", {}, never);
    expect(final.body).toBe("by proxy");
    expect(proxy.heads[0]).toStartWith("GET http://anything.example/a?b HTTP/1.1\r\nHost: anything.example\r\n");
    expect(proxy.heads[0]).toContain(`Proxy-Authorization: Basic ${btoa("user:p@ss")}`);
    expect((await door.http("http://169.254.169.254/", {}, never)).final.status).toBe("refused");
    expect(proxy.heads).toHaveLength(1);
  });

  test("is asked for a tunnel to an https host, whose certificate is still checked", async () => {
    const { connect } = await import("node:net");
    const site = await serveRaw(
      (socket) => socket.end(response("tunnelled")),
      authority.issue({ names: ["a.example"] }),
    );
    const proxy = await serveRaw((socket) => {
      socket.removeAllListeners("data");
      const on = connect(site.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(on).pipe(socket);
      });
      on.on("error", () => socket.destroy());
    });
    const door = await doorTo(null, { proxy: `http://127.0.0.1:${proxy.port}` });
    expect((await door.http("https://a.example/", {}, never)).final.body).toBe("tunnelled");
    expect(proxy.heads[0]).toStartWith("CONNECT a.example:443 HTTP/1.1\r\n");
    expect((await door.http("https://b.example/", {}, never)).final.status).toBe("failed");
    expect((await door.certificate("a.example", never)).names).toEqual(["a.example"]);
  });

  test("with https receives nothing before it has presented a valid certificate", async () => {
    const { connect } = await import("node:net");
    const site = await serveRaw(
      (socket) => socket.end(response("tunnelled")),
      authority.issue({ names: ["a.example"] }),
    );
    const answer = (socket: Socket, head: string) => {
      if (!head.startsWith("CONNECT")) return socket.end(response("by proxy"));
      socket.removeAllListeners("data");
      const on = connect(site.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(on).pipe(socket);
      });
      on.on("error", () => socket.destroy());
    };
    const proxy = await serveRaw(answer, authority.issue({ names: ["localhost"] }));
    const door = await doorTo(null, { proxy: `https://user:word@localhost:${proxy.port}` });
    expect((await door.http("http://anything.example/", {}, never)).final.body).toBe("by proxy");
    expect((await door.http("https://a.example/", {}, never)).final.body).toBe("tunnelled");
    expect(proxy.heads.map((head) => head.split(" ", 2).join(" "))).toEqual([
      "GET http://anything.example/",
      "CONNECT a.example:443",
    ]);

    const other = await serveRaw(answer, authority.issue({ names: ["other.example"] }));
    const wary = await doorTo(null, { proxy: `https://user:word@localhost:${other.port}` });
    expect((await wary.http("http://anything.example/", {}, never)).final.status).toBe("failed");
    const plain = await serveRaw(answer);
    const deaf = await doorTo(null, { ...HASTY, proxy: `https://user:word@localhost:${plain.port}` });
    expect((await deaf.http("http://anything.example/", {}, never)).final.status).toBe("timeout");
    expect([...other.heads, ...plain.heads]).toEqual([]);
  });

  test.each(["HTTP/1.1 403 Forbidden\r\n\r\n", "x".repeat(10_000), ""])("that refuses is a failure", async (reply) => {
    const proxy = await serveRaw((socket) => socket.end(reply));
    const door = await doorTo(null, { proxy: `http://127.0.0.1:${proxy.port}` });
    expect((await door.http("https://a.example/", {}, never)).final.status).toBe("failed");
  });
});

test("an abort ends everything in flight at once", async () => {
  const site = await serveRaw(() => {});
  const silent = await serveDns(() => {});
  const door = await doorTo(site, { firstByteMs: 60_000, exchangeMs: 60_000, connectionsPerHost: 1 });
  const deaf = openNetworkClient(settings({ dnsServers: [silent.address], dnsTimeoutMs: 60_000 }));
  const visit = new AbortController();
  const asked = [
    door.http("http://acme.example/talking", {}, visit.signal),
    door.http("http://acme.example/waiting", {}, visit.signal),
    door.http("https://www.acme.example/handshaking", {}, visit.signal),
    door.certificate("acme.example", visit.signal),
    deaf.http("http://acme.example/looking", {}, visit.signal),
    deaf.dns("acme.example", "MX", visit.signal),
  ];
  while (site.sockets.size < 3) await Bun.sleep(1);
  visit.abort(new Error("over"));
  const ends = await Promise.allSettled(asked);
  expect(ends.map((end) => end.status === "rejected" && end.reason.message)).toEqual(Array(6).fill("over"));
  await closed(site);
});

describe("a signal that aborts at the moment in which a connection opens", () => {
  const outgoing = {
    url: new URL("http://acme.example/"),
    method: "GET",
    headers: { Host: "acme.example" },
    body: undefined,
    maxBytes: 1_000,
    reserve: (bytes: number) => bytes,
    binary: false,
  } as const;
  const silent = async () => {
    const site = await serveRaw(() => {});
    return { site, target: { address: "127.0.0.1", port: site.port } };
  };

  test("ends a request", async () => {
    const { site, target } = await silent();
    const visit = new AbortController();
    const opened = async () => {
      const socket = await dialTcp(target, never);
      visit.abort(new Error("over"));
      return { socket, path: "/" };
    };
    await expect(exchange(outgoing, opened, settings({}), visit.signal)).rejects.toThrow("over");
    await closed(site);
  });

  test("ends a request that has used its time", async () => {
    const { site, target } = await silent();
    const opened = async (signal: AbortSignal) => {
      const socket = await dialTcp(target, never);
      while (!signal.aborted) await Bun.sleep(1);
      return { socket, path: "/" };
    };
    const answer = await exchange(outgoing, opened, settings({ firstByteMs: 20 }), never);
    expect([answer.status, answer.detail]).toEqual(["timeout", "no complete answer within 20 ms"]);
    await closed(site);
  });

  test("ends the wait for the answer of a proxy", async () => {
    const { site } = await silent();
    const visit = new AbortController();
    const proxy = new URL(`http://127.0.0.1:${site.port}`);
    // It is read between the connection and the request.
    Object.defineProperty(proxy, "username", { get: () => visit.abort(new Error("over")) });
    await expect(dialTunnel(proxy, "a.example:443", undefined, visit.signal)).rejects.toThrow("over");
    await closed(site);
  });
});

test("closing the client ends everything in flight and sends no further request", async () => {
  const site = await serveRaw(() => {});
  const door = await doorTo(site, { firstByteMs: 60_000, exchangeMs: 60_000 });
  const asked = door.http("http://acme.example/", {}, never);
  while (site.sockets.size < 1) await Bun.sleep(1);
  door.close();
  await expect(asked).rejects.toThrow("closed");
  await expect(door.http("http://acme.example/", {}, never)).rejects.toThrow("closed");
  await expect(door.certificate("acme.example", never)).rejects.toThrow("closed");
  await closed(site);
});

/** Waits until the server has no connection; the timeout of the test is the limit. */
async function closed(site: Raw): Promise<void> {
  while (site.sockets.size > 0) await Bun.sleep(1);
}
