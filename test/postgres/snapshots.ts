import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIndexer } from "../../src/casestudies/index/indexer.ts";
import { openPassageIndex } from "../../src/casestudies/index/passage-index.ts";
import { createIndexSnapshots, LEAST_WAITING } from "../../src/casestudies/index/snapshots.ts";
import { raceAbort } from "../../src/core/async.ts";
import { createWriterLock } from "../../src/db/locks.ts";
import { openObjectStore } from "../../src/net/object-store.ts";
import { openStore } from "../../src/store.ts";
import { DIMENSIONS, vectors } from "../casestudies/index/passage-examples.ts";
import { studyOf } from "../casestudies/study-examples.ts";
import { type ObjectStorage, startObjectStorage, storageSettings } from "../net/object-storage.ts";
import { copyDatabase } from "./server.ts";

/** Nodes of one database, each with an index of its own, and an object storage. */
const template = process.env.TEST_DATABASE_URL ?? "";
const signal = new AbortController().signal;
const STUDIES = LEAST_WAITING + 44;

let folder: string;
let storage: ObjectStorage;
let database: Awaited<ReturnType<typeof copyDatabase>>;
let time = Date.parse("2026-03-01T00:00:00Z");
const closing: (() => Promise<void>)[] = [];
beforeAll(() => {
  storage = startObjectStorage();
});
afterAll(() => storage.stop());
beforeEach(async () => {
  storage.objects.clear();
  storage.intervene = () => undefined;
  folder = await mkdtemp(join(tmpdir(), "casefile-snapshots-"));
  database = await copyDatabase(template);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const study = (number: number, title = `Report ${number}`) =>
  studyOf({
    ...{ id: `study-${number}`, title, url: `https://vendor.example/${number}` },
    passages: [{ heading: null, text: title }],
  });

/** @param isSlow its model embeds nothing before `hurry` */
async function node(name: string, isSlow = false, { url } = database) {
  const dir = join(folder, name);
  const clock = () => new Date(time);
  const store = await openStore({ dataDir: dir, postgres: { url, maxConnections: 4 }, clock });
  const index = await openPassageIndex({ dir: join(dir, "index"), dimensions: DIMENSIONS, model: "a", clock });
  closing.push(async () => {
    await index.close();
    await store.close();
  });
  const log: string[] = [];
  let embedded = 0;
  const ready = Promise.withResolvers<void>();
  if (!isSlow) ready.resolve();
  const encode = async (texts: readonly string[], _kind: "passage", until?: AbortSignal) => {
    await raceAbort(ready.promise, until);
    embedded += texts.length;
    return vectors(texts.length, texts[0]?.length ?? 1);
  };
  const indexer = createIndexer({
    lock: createWriterLock(join(dir, "writer.sqlite"), async () => {}),
    outbox: store.outbox,
    caseStudies: store.caseStudies,
    encoder: async () => ({ id: "a", dimensions: DIMENSIONS, encode }),
    index: async () => index,
    onError: (what, error) => log.push(`${what}: ${error}`),
  });
  const shared = store.shared;
  if (!shared) throw new Error("the store is not on PostgreSQL");
  const snapshots = createIndexSnapshots({
    dir: join(dir, "index"),
    store: openObjectStore(storageSettings(storage), { proxy: null, extraCa: null, userAgent: "test" }, async () => {}),
    records: store.indexSnapshots,
    claims: shared.claims,
    indexer,
    index: async () => index,
    outbox: store.outbox,
    everyMs: 3_600_000,
    clock,
    onError: (what, error) => log.push(`${what}: ${error}`),
    onNote: (note) => log.push(note),
  });
  await store.outbox.join();
  const found = async (query: string) => (await index.keyword(query, { limit: 5 })).map(({ study: id }) => id).sort();
  return {
    ...{ dir, store, index, indexer, snapshots, log, found },
    embedded: () => embedded,
    fill: () => snapshots.fill({ signal }, false, (work) => indexer.drain(work)),
    /** From here on its model works. */
    hurry: () => ready.resolve(),
    leftovers: async () => (await readdir(join(dir, "index"))).filter((file) => file.startsWith("snapshot-")),
  };
}

async function withSnapshot() {
  const first = await node("first");
  await first.store.caseStudies.save(numbers(STUDIES).map((number) => study(number)));
  await first.fill();
  await first.snapshots.keep(signal);
  expect(first.log).toEqual([`A snapshot of the search index with ${STUDIES} passages was stored.`]);
  return first;
}

test("a node that joins late loads a snapshot and indexes only what has changed since", async () => {
  const first = await withSnapshot();
  await first.store.caseStudies.save([study(1, "Zebra one"), study(STUDIES + 1, "Zebra new")]);
  await first.store.caseStudies.remove(["study-2"]);
  await first.fill();

  const late = await node("late", true);
  await late.fill();
  expect(late.snapshots.state()).toMatchObject({ built_from: "snapshot", snapshot_error: null });
  expect(await late.store.outbox.depth()).toBe(2);
  late.hurry();
  // Its first answer to a change, and not another look at the snapshot.
  await late.fill();
  expect(late.embedded()).toBe(2);
  for (const { index, found } of [first, late]) {
    expect((await index.counts()).passages).toBe(STUDIES);
    expect(await found("Zebra")).toEqual(["study-1", `study-${STUDIES + 1}`]);
    expect(await found("Report 2")).not.toContain("study-2");
  }
  expect(await late.store.outbox.requeueAll("a")).toBe(0);
  expect(await late.leftovers()).toEqual([]);
});

test("where the database is quicker, the index is complete before the snapshot", async () => {
  await withSnapshot();
  storage.intervene = (method) => (method === "GET" ? new Promise<Response>(() => {}) : undefined);
  const late = await node("late");
  expect(await late.fill()).toBe(STUDIES);
  expect(late.snapshots.state()).toMatchObject({ built_from: "database", snapshot_error: null });
  expect([late.embedded(), late.log, await late.leftovers()]).toEqual([STUDIES, [], []]);
});

const faults: Record<string, [damage: (first: Awaited<ReturnType<typeof node>>) => unknown, reason: string]> = {
  "the storage stops in the middle": [
    () => {
      storage.intervene = (method, name) =>
        method === "GET" && !name.endsWith("/0") ? new Response(null, { status: 503 }) : undefined;
    },
    "it answered 503",
  ],
  "a file is damaged": [
    () => {
      for (const bytes of storage.objects.values()) bytes[bytes.length >> 1]! ^= 1;
    },
    "another SHA-256",
  ],
  "a file is gone": [() => storage.objects.clear(), "it answered 404 NoSuchKey"],
  "a name leaves the folder": [
    (first) => rewrite(first, (text) => text.replace(/"name":"[^"]+"/, '"name":"../../../escaped"')),
    "one of its files has an invalid name",
  ],
  "a number of passages is wrong": [
    (first) => rewrite(first, (text) => text.replace(/"passages":\d+/, '"passages":7')),
    `the table has ${STUDIES} passages instead of 7`,
  ],
  "the model is another one": [
    (first) => rewrite(first, (text) => text.replace('"model":"a"', '"model":"b"')),
    "it has another model or format",
  ],
};

async function rewrite({ store }: Awaited<ReturnType<typeof node>>, change: (text: string) => string) {
  const text = (await store.settings.find("index.snapshots")) ?? "";
  expect(change(text)).not.toBe(text);
  await store.settings.set("index.snapshots", change(text));
}

test.each(Object.entries(faults))(
  "when %s, the index is built from the database and the cause is logged",
  async (_name, [damage, reason]) => {
    await damage(await withSnapshot());
    const late = await node("late", true);
    const filling = late.fill();
    // The model works when the snapshot has failed.
    while (!late.log.some((line) => line.includes(reason))) await Bun.sleep(5);
    late.hurry();
    expect(await filling).toBe(STUDIES);
    expect(late.snapshots.state().built_from).toBe("database");
    expect((await late.index.counts()).passages).toBe(STUDIES);
    expect([await late.store.outbox.depth(), await late.leftovers()]).toEqual([0, []]);
    expect(await Bun.file(join(folder, "escaped")).exists()).toBe(false);
  },
);

test("what changes while a snapshot is sent is in the next one", async () => {
  const first = await node("first");
  await first.store.caseStudies.save(numbers(STUDIES).map((number) => study(number)));
  await first.fill();
  let isSending = false;
  storage.intervene = (method) => {
    if (method !== "PUT" || isSending) return undefined;
    isSending = true;
    return first.store.caseStudies.save([study(1, "Zebra")]).then(() => {
      time += 60_000;
      return new Response(null, { status: 503 });
    });
  };
  await first.snapshots.keep(signal);
  await first.fill();
  const before = await first.store.indexSnapshots.current();
  time += 2 * 3_600_000;
  const second = await node("second");
  // From the snapshot, and then what it lacks.
  for (let round = 0; round < 2; round += 1) await second.fill();
  await second.snapshots.keep(signal);
  expect((await second.store.indexSnapshots.current())?.id).not.toBe(before?.id);
});

test("a failure is no longer reported when another node has stored a snapshot since", async () => {
  const first = await withSnapshot();
  storage.objects.clear();
  const late = await node("late");
  await late.fill();
  expect(late.snapshots.state().snapshot_error).toContain("NoSuchKey");
  time += 2 * 3_600_000;
  await first.store.caseStudies.save([study(1, "Zebra")]);
  const other = await node("other");
  for (const { fill } of [other, late]) await fill();
  await other.snapshots.keep(signal);
  await late.snapshots.keep(signal);
  expect(late.snapshots.state().snapshot_error).toBeNull();
});

test("a snapshot that the storage has lost is made again, once an hour at most", async () => {
  const first = await withSnapshot();
  storage.objects.clear();
  // A damaged way to one node, as a proxy, would fail as often as it looks.
  storage.intervene = (method) =>
    method === "GET" ? new Response("<Code>NoSuchKey</Code>", { status: 404 }) : undefined;
  const rejecting = await node("rejecting", true);
  const filling = rejecting.fill();
  while (!rejecting.log.some((line) => line.includes("a new one is made"))) await Bun.sleep(5);
  rejecting.hurry();
  await filling;
  expect(await first.store.indexSnapshots.current()).toBeUndefined();
  time += 60_000;
  const publisher = await node("publisher");
  await publisher.fill();
  await publisher.snapshots.keep(signal);
  const current = await first.store.indexSnapshots.current();
  expect(current).toBeDefined();

  const again = await node("again");
  await again.fill();
  expect((await first.store.indexSnapshots.current())?.id).toBe(current?.id);
  storage.intervene = () => undefined;
  const late = await node("late", true);
  await late.fill();
  expect(late.snapshots.state().built_from).toBe("snapshot");
});

test("the index is built from the database although the loss of a snapshot cannot be recorded", async () => {
  await withSnapshot();
  storage.objects.clear();
  const late = await node("late", true);
  Object.assign(late.store.indexSnapshots, {
    reject: () => Promise.reject(new Error("the connection was closed")),
  });
  const filling = late.fill();
  while (!late.log.some((line) => line.includes("NoSuchKey"))) await Bun.sleep(5);
  // An unhandled rejection would end the process while the index is being built.
  await Bun.sleep(50);
  late.hurry();
  expect(await filling).toBe(STUDIES);
  expect(late.snapshots.state().built_from).toBe("database");
  expect(late.log.at(-1)).toContain("the connection was closed");
});

test("a copy of the database neither uses nor removes the snapshots of the original", async () => {
  const first = await withSnapshot();
  const names = [...storage.objects.keys()];
  // A database with connections cannot be copied.
  for (const close of closing.splice(0).reverse()) await close();
  const copy = await copyDatabase(template, new URL(database.url).pathname.slice(1));
  try {
    const other = await node("other", false, copy);
    expect(await other.store.indexSnapshots.current()).toBeUndefined();
    await other.fill();
    expect(other.snapshots.state().built_from).toBe("database");
    await other.snapshots.keep(signal);
    time += 5 * 3_600_000;
    await other.store.caseStudies.save([study(1, "Zebra")]);
    const next = await node("next", false, copy);
    for (let round = 0; round < 2; round += 1) await next.fill();
    await next.snapshots.keep(signal);
    time += 5 * 3_600_000;
    await (await node("last", false, copy)).snapshots.keep(signal);
    expect([...storage.objects.keys()]).toEqual(expect.arrayContaining(names));
    for (const close of closing.splice(0).reverse()) await close();
  } finally {
    await copy.drop();
  }
  const again = await node("again", true);
  await again.fill();
  expect([first.log.length, again.snapshots.state().built_from]).toEqual([1, "snapshot"]);
});

test("what an interrupted write left next to the table is in no snapshot", async () => {
  const first = await node("first");
  await first.store.caseStudies.save(numbers(STUDIES).map((number) => study(number)));
  await first.fill();
  await Bun.write(join((await first.index.files()).folder, "data/1.lance#1"), "half");
  await first.snapshots.keep(signal);
  const late = await node("late", true);
  await late.fill();
  expect(late.snapshots.state().built_from).toBe("snapshot");
});

test("one node stores the next snapshot when something has changed, and the last one is removed an hour later", async () => {
  const first = await withSnapshot();
  const before = [...storage.objects.keys()];
  const second = await node("second");
  await second.fill();
  time += 2 * 3_600_000;
  await second.snapshots.keep(signal);
  expect([...storage.objects.keys()]).toEqual(before);
  await first.store.caseStudies.save([study(1, "Zebra")]);
  const [late, other] = [await node("third"), await node("fourth")];
  for (const { fill } of [late, other, late, other]) await fill();
  await Promise.all([late.snapshots.keep(signal), other.snapshots.keep(signal)]);
  const ids = new Set([...storage.objects.keys()].map((name) => name.split("/")[1]));
  expect(ids.size).toBe(2);
  time += 2 * 3_600_000;
  await (await node("fifth")).snapshots.keep(signal);
  expect([...storage.objects.keys()].some((name) => before.includes(name))).toBe(false);
  expect(storage.objects.size).toBeGreaterThan(0);
  const models = await first.store.queries.selectFrom("embeddings").select("model").distinct().execute();
  expect(models).toHaveLength(5);
});
