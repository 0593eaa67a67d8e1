import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openObjectStore } from "../../src/net/object-store.ts";
import { presign } from "../../src/net/presign.ts";
import { type ObjectStorage, startObjectStorage, storageSettings } from "./object-storage.ts";

const NETWORK = { proxy: null, extraCa: null, userAgent: "Casefile/test" };
const signal = new AbortController().signal;
const large = Buffer.alloc(3_000_000, "a line of the index\n");
const recorded = { bytes: large.length, sha256: createHash("sha256").update(large).digest("hex") };

let folder: string;
let storage: ObjectStorage;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-objects-"));
  storage = startObjectStorage();
  await Bun.write(join(folder, "file"), large);
});
afterEach(async () => {
  await storage.stop();
  await rm(folder, { recursive: true });
});
const open = (more = {}) => openObjectStore({ ...storageSettings(storage), ...more }, NETWORK, async () => {});

test("a file is stored under the folder of the URL, read back with its hash, and removed", async () => {
  const store = open();
  expect(await store.put("snapshot/0", join(folder, "file"), signal)).toEqual(recorded);
  expect([...storage.objects.keys()]).toEqual(["index/snapshot/0"]);
  await store.get("snapshot/0", join(folder, "copy"), recorded, signal);
  expect(await Bun.file(join(folder, "copy")).bytes()).toEqual(new Uint8Array(large));
  await store.remove("snapshot/0", signal);
  await store.remove("snapshot/0", signal);
  expect(storage.objects.size).toBe(0);
});

test("the signature is that of Bun's client", () => {
  const keys = { region: "eu-test-1", keyId: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG" };
  const client = new Bun.S3Client({
    ...{ endpoint: "https://s3.test:9000", bucket: "b", region: keys.region },
    ...{ accessKeyId: keys.keyId, secretAccessKey: keys.secret },
  });
  const theirs = new URL(client.presign("folder/name-1_2.txt", { method: "PUT", expiresIn: 3_600 }));
  const time = theirs.searchParams.get("X-Amz-Date") ?? "";
  const at = new Date(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const path = ["b", "folder", "name-1_2.txt"];
  const own = new URL(presign({ ...keys, method: "PUT", host: "s3.test:9000", path, at, expires: 3_600 }), theirs);
  expect(Object.fromEntries(own.searchParams)).toEqual(Object.fromEntries(theirs.searchParams));
});

test("what is not the recorded object is refused at once and leaves no file", async () => {
  const store = open();
  const get = () => store.get("0", join(folder, "copy"), recorded, signal);
  const damaged = Buffer.from(large);
  damaged[1_000_000]! ^= 1;
  for (const [body, reason] of [
    [damaged, "another SHA-256"],
    [Buffer.concat([large, Buffer.from("x")]), `more than the recorded ${large.length} bytes`],
  ] as const) {
    storage.objects.set("index/0", body);
    storage.requests.length = 0;
    await expect(get()).rejects.toThrow(reason);
    expect([storage.requests.length, existsSync(join(folder, "copy"))]).toEqual([1, false]);
  }
  storage.objects.delete("index/0");
  await expect(get()).rejects.toThrow("it answered 404 NoSuchKey");
});

test("a busy store and an answer that ends in the middle are tried again", async () => {
  const store = open();
  storage.objects.set("index/0", large);
  let failures = 0;
  storage.intervene = () => {
    failures += 1;
    if (failures === 1) return new Response(null, { status: 503 });
    return failures === 2 ? new Response(large.subarray(0, 1_000_000)) : undefined;
  };
  await store.get("0", join(folder, "copy"), recorded, signal);
  expect(await Bun.file(join(folder, "copy")).bytes()).toEqual(new Uint8Array(large));
});

test("an answer that stops in the middle holds nobody up, and one before the end of a file does not count", async () => {
  let answer = "";
  const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.write(answer)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = Object(server.address());
  const store = open({ url: `http://127.0.0.1:${port}/casefile` });
  for (const status of ["200 OK", "403 Forbidden"]) {
    answer = `HTTP/1.1 ${status}\r\nContent-Length: ${large.length}\r\n\r\n<Code>`;
    await expect(store.get("0", join(folder, "copy"), recorded, AbortSignal.timeout(200))).rejects.toThrow("timed out");
  }
  answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  await Bun.write(join(folder, "larger"), Buffer.alloc(40_000_000));
  await expect(store.put("0", join(folder, "larger"), signal)).rejects.toThrow(/200 after \d+ of 40000000 bytes/);
  server.close();
});

test("messages name the cause and neither key nor signature", async () => {
  const wrong = open({ secret: "another-secret-key" });
  const error = await wrong.put("0", join(folder, "file"), signal).catch((reason: Error) => reason);
  expect(String(error)).toContain("it answered 403 SignatureDoesNotMatch");
  expect(`${error} ${(error as Error).stack}`).not.toMatch(/AKID|another-secret|X-Amz/);
  expect(() => open({ keyId: null })).toThrow("index.snapshot_key_id and index.snapshot_secret");
  expect(() => open({ url: "https://s3.example/" })).toThrow("names no bucket");
  expect(() => open({ url: "https://s3.example/bucket/%ff" })).toThrow("is not an address");
  expect(() => open({ url: "https://user:secret@s3.example/bucket" })).toThrow("without user");
});
