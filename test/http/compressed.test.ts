import { expect, test } from "bun:test";
import { type Coding, codingFor } from "../../src/http/content-coding.ts";
import { filled } from "./filled.ts";

const takes = (coding: string) => ({ headers: { "accept-encoding": coding } });
const UNPACK: Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array> = {
  gzip: Bun.gunzipSync,
  zstd: Bun.zstdDecompressSync,
};
const CODINGS: readonly Coding[] = ["zstd", "gzip"];

const service = await filled();
const LONG = ["/openapi.json", "/llms.txt", "/v1/casestudies?limit=100"];

test.each(LONG.flatMap((path) => Object.keys(UNPACK).map((coding) => [path, coding] as const)))(
  "%s is compressed for clients that accept %s, with the same content",
  async (path, coding) => {
    const plain = await service.get(path);
    const packed = await service.get(path, takes(`br, ${coding}`));
    const same = ["content-type", "cache-control", "etag", "vary", "content-security-policy"];
    for (const name of same) expect([name, packed.headers.get(name)]).toEqual([name, plain.headers.get(name)]);
    expect([plain.headers.get("content-encoding"), packed.headers.get("content-encoding")]).toEqual([null, coding]);
    expect(plain.headers.get("vary")).toBe("accept-encoding");
    const [text, bytes] = [await plain.text(), new Uint8Array(await packed.arrayBuffer())];
    expect(bytes.length).toBeLessThan(text.length * 0.6);
    expect(new TextDecoder().decode(UNPACK[coding]?.(bytes))).toBe(text);
  },
);

test.each([
  ["a short answer", "/healthz", {}],
  ["a stream of events", "/v1/enrich-stream/brightpine.test", { accept: "text/event-stream" }],
  ["a refusal", "/v1/casestudies?limit=900", {}],
])("%s is sent uncompressed", async (_what, path, more) => {
  const answer = await service.get(path, { headers: { "accept-encoding": "gzip, zstd", ...more } });
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(await answer.text()).toMatch(/^(?:\{|id: 1\n)/);
});

test("a cached response is 304 without a body, by an ETag that is valid for all encodings", async () => {
  for (const path of LONG.filter((one) => one !== "/llms.txt")) {
    const etag = (await service.get(path, takes("gzip"))).headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"/);
    const again = await service.get(path, { headers: { "accept-encoding": "zstd", "if-none-match": etag } });
    expect([again.status, again.headers.get("vary"), again.headers.get("content-encoding")]).toEqual([
      304,
      "accept-encoding",
      null,
    ]);
  }
});

test.each([
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate", "gzip"],
  ["GZIP;Q=0.5", "gzip"],
  ["gzip;q=1.0, zstd; q=0.2", "gzip"],
  ["zstd;q=0, gzip;q=0", undefined],
  ["*", "zstd"],
  ["*;q=0.1, zstd;q=0", "gzip"],
  ["identity", undefined],
  ["xgzip, zstandard", undefined],
  ["", undefined],
  ["gzip;q=nonsense", undefined],
])("Accept-Encoding %p is answered with %p", (header, coding) => {
  expect(codingFor(new Request("http://casefile.test", takes(header)), CODINGS)).toBe(coding as Coding);
});
