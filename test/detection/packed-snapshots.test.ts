import { expect, test } from "bun:test";
import { packSnapshot } from "../../src/detection/repository.ts";
import type { Snapshot } from "../../src/net/snapshot.ts";
import { snapshotOf } from "../store/examples.ts";

const DAY = "2026-05-01T00:00:00.000Z";
const withBodies = (...bodies: readonly string[]): Snapshot => ({
  ...snapshotOf(DAY),
  http: bodies.map((body, at) => ({
    method: "GET",
    url: `https://acme.example/${at}`,
    status: "ok",
    code: 200,
    headers: [["content-type", "text/html"]],
    body,
  })),
});

// A recording that is read again must have the digest under which an earlier release stored it.
test.each([
  ["no response", withBodies(), "01d391629e1bd38fc409a3e149fc4f8e405dda8795d010570b39d84ef39b20dc"],
  [
    "short bodies",
    withBodies("", '<p title="a\\b">\n\u0001é☃'),
    "1bbdce2bc78cef8e69e9b7da242c364c6b626265e5218176a9578fe30f368aa7",
  ],
  [
    "a lone half of a surrogate pair",
    withBodies("\ud83d", "\ude00a"),
    "d7a78122505a1964aa48eca93ea24b044881eb1eb1d466196296bc31add0ce68",
  ],
  [
    "surrogate pairs at each border",
    withBodies(`a${"😀".repeat(140_000)}`, "😀".repeat(140_000)),
    "a9bf23d00010d0af739e62a5bd1b6873601d15b38ab16333dd86381c12dcd988",
  ],
  [
    "more than is packed at once",
    withBodies(`"a${"😀é".repeat(400_000)}`),
    "4af457e8f2e168b74f72114b2f1c6a10f1c0a24d9ed6f9ecdae327f94c384ad7",
  ],
  [
    "more bytes than there is memory at hand",
    withBodies("\u0001".repeat(900_000)),
    "5aef133b5683ddb88f358dbf710caaa514a8617c54f1b08d781a72e7de99e34a",
  ],
])("%s: the text and its digest stay the same", async (_, snapshot, digest) => {
  const packed = await packSnapshot(snapshot);
  const text = Buffer.from(await Bun.zstdDecompress(Uint8Array.from(packed.content ?? []))).toString();
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(snapshot)));
  expect(packed.digest).toBe(digest);
});

test("snapshots that are packed at the same time do not mix", async () => {
  const bodies = ["a".repeat(50_000), "b".repeat(60_000), "c".repeat(10)];
  const digests = async () =>
    (await Promise.all(bodies.map((body) => packSnapshot(withBodies(body))))).map((one) => one.digest);
  const apart: string[] = [];
  for (const body of bodies) apart.push((await packSnapshot(withBodies(body))).digest);
  expect(await digests()).toEqual(apart);
});
