import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openObjectStore } from "../../src/net/object-store.ts";

/**
 * The requests that snapshots and models make, against a real server: `TEST_S3_URL` is `http://HOST:PORT/BUCKET/FOLDER`, with
 * `TEST_S3_REGION`, `TEST_S3_KEY_ID` and `TEST_S3_SECRET`. The bucket exists.
 */
const { TEST_S3_URL: url, TEST_S3_REGION: region = "us-east-1", TEST_S3_KEY_ID, TEST_S3_SECRET } = process.env;
const settings = { url: url ?? "", region, keyId: TEST_S3_KEY_ID ?? null, secret: TEST_S3_SECRET ?? null };
const network = { proxy: null, extraCa: null, userAgent: "Casefile/test" };
const signal = new AbortController().signal;
const onServer = test.if(url !== undefined);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-s3-"));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => Bun.write(join(folder, "file"), content(12_000_001)));

const content = (bytes: number) => Uint8Array.from({ length: bytes }, (_, at) => (at * 7919) % 251);
const opened = (more = {}) => openObjectStore({ ...settings, ...more }, network, async () => {});

onServer("a file of 12 MB is stored, read back with its hash, replaced and removed", async () => {
  const store = opened();
  const name = `${crypto.randomUUID()}/0`;
  const stored = await store.put(name, join(folder, "file"), signal);
  expect(stored.bytes).toBe(12_000_001);
  await store.get(name, join(folder, `copy-${stored.sha256}`), stored, signal);
  expect(await Bun.file(join(folder, `copy-${stored.sha256}`)).bytes()).toEqual(content(12_000_001));

  await Bun.write(join(folder, "file"), content(3));
  const replaced = await store.put(name, join(folder, "file"), signal);
  const wrong = await store.get(name, join(folder, "wrong"), stored, signal).catch((error: unknown) => error);
  expect(wrong).toBeInstanceOf(Error);
  await store.get(name, join(folder, "replaced"), replaced, signal);
  await store.remove(name, signal);
  await store.remove(name, signal);
  const gone = await store.get(name, join(folder, "gone"), replaced, signal).catch((error: unknown) => error);
  expect(String(gone)).toContain("it answered 404 NoSuchKey");
  expect(store.isLost(gone)).toBe(true);
});

onServer("an empty file and a name with every kind of character are stored", async () => {
  const store = opened();
  await Bun.write(join(folder, "file"), "");
  const name = `${crypto.randomUUID()}/a (1)+b=c&d'e*f!g~h é`;
  const stored = await store.put(name, join(folder, "file"), signal);
  await store.get(name, join(folder, "empty"), stored, signal);
  await store.remove(name, signal);
});

onServer("a wrong secret and a bucket that does not exist are named", async () => {
  const put = (more: object) => opened(more).put("x", join(folder, "file"), signal);
  await expect(put({ secret: "wrong" })).rejects.toThrow("403 SignatureDoesNotMatch");
  await expect(put({ url: new URL("/no-such-bucket/x", url).href })).rejects.toThrow("404 NoSuchBucket");
});
