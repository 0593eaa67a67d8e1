import { afterEach, expect, test } from "bun:test";
import { createPrivateKey, createPublicKey, verify } from "node:crypto";
import { openNetworkClient } from "../../src/net/client.ts";
import { createRequestSigner, signatureBase, signBase } from "../../src/net/request-signer.ts";
import { answerFrom, closeAll, never, response, serveDns, serveRaw, settings } from "./loopback.ts";

afterEach(closeAll);

/** RFC 9421, appendix B.1.4 and B.2.6. */
const PEM = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----`;

test("signs the test vector of RFC 9421, B.2.6", () => {
  const { base, input } = signatureBase(
    [
      { name: "date", value: "Tue, 20 Apr 2021 02:07:55 GMT" },
      { name: "@method", value: "POST" },
      { name: "@path", value: "/foo" },
      { name: "@authority", value: "example.com" },
      { name: "content-type", value: "application/json" },
      { name: "content-length", value: "18" },
    ],
    ';created=1618884473;keyid="test-key-ed25519"',
  );
  expect(input).toBe(
    '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  );
  expect(signBase(base, createPrivateKey(PEM))).toBe(
    "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==",
  );
});

const AGENT = "https://casefile.example";
const NOW = Date.parse("2026-05-04T12:00:00Z");
const signer = createRequestSigner({ pem: PEM, agent: `${AGENT}/`, now: () => NOW });

/** A verifier written from the RFC: it knows the directory and the received head, and nothing of the signer's code. */
function verifies(
  headers: ReadonlyMap<string, string>,
  authority: string,
  directory: { keys: Readonly<Record<string, string>>[] },
): boolean {
  const [, input = ""] = /^sig1=(.+)$/.exec(headers.get("signature-input") ?? "") ?? [];
  const [, names = "", parameters = ""] = /^\(([^)]*)\)(.*)$/.exec(input) ?? [];
  const lines = names.split(" ").map((name) => {
    const plain = name.replaceAll('"', "").replace(/;req$/, "");
    return `${name}: ${plain === "@authority" ? authority : headers.get(plain)}`;
  });
  const base = [...lines, `"@signature-params": (${names})${parameters}`].join("\n");
  const keyid = /;keyid="([^"]+)"/.exec(parameters)?.[1];
  const [created, expires] = ["created", "expires"].map((name) =>
    Number(new RegExp(`;${name}=(\\d+)`).exec(parameters)?.[1]),
  );
  const jwk = directory.keys.find((key) => key.kid === keyid);
  const isInTime = Number(created) * 1_000 <= NOW && NOW < Number(expires) * 1_000;
  const signature = Buffer.from(/^sig1=:(.+):$/.exec(headers.get("signature") ?? "")?.[1] ?? "", "base64");
  if (!jwk || !isInTime) return false;
  return verify(null, Buffer.from(base), createPublicKey({ key: jwk, format: "jwk" }), signature);
}

test("a site verifies each request, also after a redirect, with the key of the directory", async () => {
  const seen: Map<string, string>[] = [];
  const site = await serveRaw((socket, head) => {
    const lines = head.split("\r\n").slice(1);
    seen.push(
      new Map(lines.map((line) => [line.split(": ", 1)[0]?.toLowerCase() ?? "", line.replace(/^[^:]+: /, "")])),
    );
    socket.end(
      head.startsWith("GET /old")
        ? response("", ["Location: http://www.acme.example/new"], "302 Found")
        : response("here"),
    );
  });
  const dns = await serveDns(
    answerFrom([
      { name: "acme.example", type: "A", data: "127.0.0.1" },
      { name: "www.acme.example", type: "A", data: "127.0.0.1" },
    ]),
  );
  const connectPorts = new Map([[80, site.port]]);
  const client = openNetworkClient(settings({ dnsServers: [dns.address], connectPorts, signer }));
  const { final } = await client.http("http://acme.example/old", {}, never);
  client.close();
  expect([final.code, seen.length]).toEqual([200, 2]);

  const { body, headers } = signer.directory();
  const directory = JSON.parse(body);
  // The thumbprint of this key in the drafts' examples.
  expect(directory.keys[0].kid).toBe("poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U");
  expect(seen[0]?.get("signature-agent")).toBe(`"${AGENT}"`);
  expect(seen[0]?.get("signature-input")).toContain(
    '("@authority" "signature-agent");created=1777896000;expires=1777896300;',
  );
  expect(seen[0]?.get("signature-input")).toContain(';tag="web-bot-auth"');
  expect(seen.map((head) => verifies(head, head.get("host") ?? "", directory))).toEqual([true, true]);
  // Sent to another site, or with another agent, the signature is worth nothing.
  const [first = new Map()] = seen;
  expect(verifies(first, "other.example", directory)).toBe(false);
  expect(verifies(new Map([...first, ["signature-agent", '"https://other.example"']]), "acme.example", directory)).toBe(
    false,
  );

  const own = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  expect(own.get("content-type")).toBe("application/http-message-signatures-directory+json");
  expect(own.get("signature-input")).toContain('("@authority";req)');
  expect(verifies(own, "casefile.example", directory)).toBe(true);
  // A cache must not return a signature that has expired.
  const [, created, expires] = /created=(\d+);expires=(\d+)/.exec(own.get("signature-input") ?? "") ?? [];
  const [, kept] = /max-age=(\d+)/.exec(own.get("cache-control") ?? "") ?? [];
  expect(Number(kept)).toBeLessThan(Number(expires) - Number(created));
});

test.each([
  ["no key at all", "-----BEGIN CERTIFICATE-----"],
  ["a key of another kind", "-----BEGIN EC PRIVATE KEY-----\nMHcCAQ==\n-----END EC PRIVATE KEY-----"],
])("%s is refused", (_, pem) => {
  expect(() => createRequestSigner({ pem, agent: AGENT, now: Date.now })).toThrow("Ed25519 private key");
});
