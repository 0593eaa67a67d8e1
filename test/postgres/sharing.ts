import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInstalledRepository, readFolder, unpackInstalled } from "../../src/detection/fingerprints/installed.ts";
import { addModel } from "../../src/embedding/custom/add.ts";
import { removeModel } from "../../src/embedding/custom/model-store.ts";
import { createSharedModels } from "../../src/models/shared-models.ts";
import { openObjectStore } from "../../src/net/object-store.ts";
import { openStore } from "../../src/store.ts";
import { withFolder } from "../detection/fingerprints/custom/folder-of.ts";
import { tinyOther, tinyTransformer, writeFolder } from "../embedding/tiny-models.ts";
import { type ObjectStorage, startObjectStorage, storageSettings } from "../net/object-storage.ts";
import { copyDatabase } from "./server.ts";

/** Nodes of one database that exchange custom models and fingerprints. */
const template = process.env.TEST_DATABASE_URL ?? "";
const signal = new AbortController().signal;

let folder: string;
let sources: string;
let storage: ObjectStorage;
let database: Awaited<ReturnType<typeof copyDatabase>>;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  storage = startObjectStorage();
  sources = await mkdtemp(join(tmpdir(), "casefile-sources-"));
  // Its graph has more than 1 MiB, so that it is stored in two parts.
  await writeFolder(join(sources, "mine"), tinyOther(16, 20_000));
  await writeFolder(join(sources, "next"), tinyTransformer());
  await writeFolder(join(sources, "other"), tinyOther(24));
});
afterAll(async () => {
  await storage.stop();
  await rm(sources, { recursive: true });
});
beforeEach(async () => {
  storage.objects.clear();
  storage.intervene = () => undefined;
  folder = await mkdtemp(join(tmpdir(), "casefile-sharing-"));
  database = await copyDatabase(template);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function node(name: string, hasStorage: boolean, { url } = database) {
  const dir = join(folder, name);
  const store = await openStore({ dataDir: dir, postgres: { url, maxConnections: 4 } });
  const close = () => store.close();
  closing.push(close);
  if (!store.sharedModels || !store.shared) throw new Error("the store is not on PostgreSQL");
  const log: string[] = [];
  const models = join(dir, "models");
  let used: string | undefined;
  let arrivals = 0;
  const settings = { proxy: null, extraCa: null, userAgent: "test" };
  const shared = createSharedModels({
    repository: store.sharedModels,
    objects: hasStorage ? openObjectStore(storageSettings(storage), settings, async () => {}) : undefined,
    claims: store.shared.claims,
    identity: store.identity,
    store: models,
    isUsed: async (model) => model.name === used,
    onArrival() {
      arrivals += 1;
    },
    onError: (what, error) => log.push(`${what}: ${error}`),
    onNote: (note) => log.push(note),
  });
  return {
    ...{ store, shared, models, log, close },
    live: async () => ((await store.sharedModels?.list()) ?? []).filter(({ isRemoved }) => !isRemoved),
    arrivals: () => arrivals,
    parts: async () => (await store.queries.selectFrom("shared_model_parts").select("part").execute()).length,
    add: (model: string, from = model) =>
      addModel(join(sources, from), { store: models, name: model, unpackDir: join(tmpdir(), "casefile-native") }),
    names: async () => (await readdir(models).catch(() => [])).sort(),
    bytes: (model: string) => Bun.file(join(models, model, "model.onnx")).bytes(),
    use(model: string | undefined) {
      used = model;
    },
  };
}

describe.each([
  ["in the database", false],
  ["in object storage", true],
])("a custom model %s", (_where, hasStorage) => {
  test("reaches every node, once, and is removed from every node", async () => {
    const [one, two] = [await node("one", hasStorage), await node("two", hasStorage)];
    const { files } = await one.add("mine");
    expect(files.map(({ bytes }) => Math.ceil(bytes / 1_024 ** 2))).toEqual([2, 1]);
    await Promise.all([one.shared.publish("mine"), one.shared.sync()]);
    expect(storage.objects.size).toBe(hasStorage ? files.length : 0);
    expect(await one.parts()).toBe(hasStorage ? 0 : 3);
    await two.shared.sync();
    expect(await two.names()).toEqual(["mine"]);
    expect(await two.bytes("mine")).toEqual(await one.bytes("mine"));
    expect([two.arrivals(), one.shared.problem(), two.shared.problem()]).toEqual([1, null, null]);
    for (const each of [one, two]) await each.shared.sync();
    expect(two.arrivals()).toBe(1);

    two.use("mine");
    await one.shared.remove("mine");
    await removeModel(one.models, "mine");
    await two.shared.sync();
    expect(two.shared.problem()).toBe("The model mine was removed, but is in use here until another one is.");
    two.use(undefined);
    for (const each of [one, two]) await each.shared.sync();
    expect([await one.names(), await two.names(), two.shared.problem()]).toEqual([[], [], null]);
    expect(storage.objects.size).toBe(0);
    expect(await one.live()).toEqual([]);

    // A node that was away for a month would share it again, so what was removed is known for so long.
    const { queries, databaseClock } = one.store;
    await queries
      .updateTable("shared_models")
      .set({ removed_at: databaseClock(-31 * 86_400) })
      .execute();
    await one.shared.sync();
    expect(await one.store.sharedModels?.list()).toEqual([]);
  });

  test.each([
    ["is complete", false],
    ["fails then", true],
  ])("that is removed while it is being shared leaves nothing stored, when that %s", async (_end, fails) => {
    const [one, two] = [await node("one", hasStorage), await node("two", hasStorage)];
    await one.add("mine");
    let sent = 0;
    const repository = one.store.sharedModels!;
    const { writePart } = repository;
    Object.assign(repository, {
      async writePart(...part: Parameters<typeof writePart>) {
        sent += 1;
        if (sent === 1) await two.shared.remove("mine");
        if (fails && sent > 2) throw new Error("the connection was closed");
        await writePart(...part);
      },
    });
    storage.intervene = (method) => {
      if (method !== "PUT") return undefined;
      sent += 1;
      // It is sent again, after the removal.
      if (sent === 1) return two.shared.remove("mine").then(() => new Response(null, { status: 503 }));
      return fails && sent > 2 ? new Response(null, { status: 400 }) : undefined;
    };
    await one.shared.publish("mine").catch(() => {});
    expect(sent).toBeGreaterThan(2);
    for (const each of [two, one]) await each.shared.sync();
    expect([await one.parts(), storage.objects.size]).toEqual([0, 0]);
    expect([await one.names(), await two.names(), await one.live()]).toEqual([[], [], []]);
  });

  test("whose name has got another model meanwhile is replaced where it is in use", async () => {
    const [one, two] = [await node("one", hasStorage), await node("two", hasStorage)];
    await one.add("mine");
    await one.shared.publish("mine");
    await two.shared.sync();
    two.use("mine");
    await one.shared.remove("mine");
    await removeModel(one.models, "mine");
    await one.add("mine", "next");
    await one.shared.publish("mine");
    await two.shared.sync();
    expect(two.shared.problem()).toBeNull();
    expect(await two.bytes("mine")).toEqual(await one.bytes("mine"));
    expect([await two.names(), two.arrivals()]).toEqual([["mine"], 2]);
  });

  test("whose stored content is damaged is not used, and is stored again by a node that has it", async () => {
    const one = await node("one", hasStorage);
    await one.add("mine");
    await one.shared.publish("mine");
    for (const bytes of storage.objects.values()) bytes[bytes.length >> 1]! ^= 1;
    const { queries } = one.store;
    if (!hasStorage)
      await queries
        .updateTable("shared_model_parts")
        .set({ content: Buffer.from("other") })
        .execute();
    const two = await node("two", hasStorage);
    await two.shared.sync();
    expect(await two.names()).toEqual([]);
    expect(two.shared.problem()).toBe("Fetching the model mine failed: see the log.");
    expect(two.log).toEqual([expect.stringMatching(/another SHA-256|is not in the database/)]);
    await one.shared.sync();
    const late = await node("late", hasStorage);
    await late.shared.sync();
    expect(await late.bytes("mine")).toEqual(await one.bytes("mine"));
  });

  test("is fetched by a node that joins late before it goes on", async () => {
    const one = await node("one", hasStorage);
    await one.add("mine");
    const late = await node("late", hasStorage);
    // Nobody has shared it yet.
    await late.shared.join(
      async () => "mine",
      signal,
      () => {},
    );
    expect(await late.names()).toEqual([]);
    await one.shared.publish("mine");
    const waits: string[] = [];
    await late.shared.join(
      async () => "mine",
      signal,
      (reason) => waits.push(reason),
    );
    expect(await late.names()).toEqual(["mine"]);
    expect(waits[0]).toBe("Fetching the model mine.");
  });
});

test("a node that waits for a model that nobody has goes on when another one is chosen", async () => {
  const [one, two] = [await node("one", false), await node("two", false)];
  await one.add("mine");
  const manifest = await Bun.file(join(one.models, "mine", "manifest.json")).text();
  await one.store.sharedModels?.begin({ id: "gone", name: "mine", manifest, storage: null });
  let chosen = "mine";
  const waits: string[] = [];
  await two.shared.join(
    async () => chosen,
    signal,
    (reason) => {
      waits.push(reason);
      chosen = "built-in";
    },
  );
  expect(waits.at(-1)).toBe("The model mine is lacking: another node is still storing its files.");
});

test("copies that killed fetches left are removed by the next one", async () => {
  const [one, two] = [await node("one", false), await node("two", false)];
  await one.add("mine");
  await one.shared.publish("mine");
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const name of [".adding-killed", ".adding-slow"]) {
    const path = join(two.models, name);
    await Bun.write(join(path, "model.onnx"), "half");
    if (name === ".adding-killed") await utimes(join(path, "model.onnx"), old, old);
    await utimes(path, old, old);
  }
  await two.shared.sync();
  // A file that is still written to belongs to a process that runs.
  expect(await two.names()).toEqual([".adding-slow", "mine"]);
});

test("a marker that a power failure cut off is written again", async () => {
  const one = await node("one", false);
  await one.add("mine");
  await one.shared.publish("mine");
  const marker = join(one.models, "mine", "shared.json");
  const text = await Bun.file(marker).text();
  await Bun.write(marker, text.slice(0, 20));
  await one.shared.sync();
  expect([one.shared.problem(), await Bun.file(marker).text()]).toEqual([null, text]);
  expect((await readdir(join(one.models, "mine"))).sort()).toEqual([
    "manifest.json",
    "model.onnx",
    "shared.json",
    "tokenizer.json",
  ]);
});

test("a node keeps a model of its own that has the name of a shared one, and says so", async () => {
  const [one, two] = [await node("one", false), await node("two", false)];
  await one.add("mine");
  await one.shared.publish("mine");
  await two.add("mine", "other");
  const own = await two.bytes("mine");
  await two.shared.sync();
  expect(two.shared.problem()).toBe(
    "Sharing the model mine failed: This node has another model of that name. Move models/mine out of its data directory; the shared one is then fetched.",
  );
  expect(await two.bytes("mine")).toEqual(own);
});

test("a node says that its copy of a shared model has no manifest, and waits without asking all the time", async () => {
  const [one, two] = [await node("one", false), await node("two", false)];
  await one.add("mine");
  await one.shared.publish("mine");
  await Bun.write(join(two.models, "mine", "model.onnx"), "half");
  const stop = new AbortController();
  const waits: string[] = [];
  const joining = two.shared.join(
    async () => "mine",
    stop.signal,
    (reason) => {
      waits.push(reason);
      stop.abort();
    },
  );
  await expect(joining).rejects.toThrow();
  expect(waits).toEqual([
    "The model mine is damaged on this node. Move models/mine out of its data directory; the shared one is then fetched.",
  ]);
  await rm(join(two.models, "mine"), { recursive: true });
  await two.shared.sync();
  expect([two.shared.problem(), await two.names()]).toEqual([null, ["mine"]]);
});

test("a model that was added before models were shared, or on both nodes, is shared without a copy", async () => {
  const [one, two] = [await node("one", false), await node("two", false)];
  await one.add("mine");
  await two.add("mine");
  await two.add("other");
  await one.shared.sync();
  await two.shared.sync();
  await one.shared.sync();
  expect(await one.names()).toEqual(["mine", "other"]);
  expect([one.arrivals(), two.arrivals()]).toEqual([1, 0]);
});

test("a node without object storage says that it needs it", async () => {
  const [one, two] = [await node("one", true), await node("two", false)];
  await one.add("mine");
  await one.shared.publish("mine");
  await two.shared.sync();
  expect(two.shared.problem()).toBe(
    "Fetching the model mine failed: It is in object storage; set index.snapshot_url on this node, too.",
  );
});

test("a model is not removed while the index of a node has its vectors", async () => {
  const one = await node("one", false);
  const { id } = await one.add("mine");
  await one.shared.publish("mine");
  const { queries, databaseClock } = one.store;
  const row = { id: "two", host: "two.example", index_id: "two", started_at: "", seen_at: databaseClock(0), model: id };
  await queries.insertInto("nodes").values(row).execute();
  await expect(one.shared.remove("mine")).rejects.toThrow(
    "The search index of two.example still uses this model; wait until it has another.",
  );
  await queries.deleteFrom("nodes").execute();
  await one.shared.remove("mine");
  expect(await one.live()).toEqual([]);
});

test("a node keeps and shares a model that the database, restored to an earlier time, does not know", async () => {
  const one = await node("one", false);
  await one.add("mine");
  await one.shared.publish("mine");
  await one.store.queries.deleteFrom("shared_models").execute();
  await one.shared.sync();
  expect(await one.names()).toEqual(["mine"]);
  expect((await one.live()).map(({ name, isStored }) => [name, isStored])).toEqual([["mine", true]]);
});

test("a copy of the database leaves the objects of the original", async () => {
  const one = await node("one", true);
  await one.add("mine");
  await one.shared.publish("mine");
  await one.close();
  const { size } = storage.objects;
  const copy = await copyDatabase(template, new URL(database.url).pathname.slice(1));
  try {
    const other = await node("other", true, copy);
    await other.shared.sync();
    expect(await other.names()).toEqual(["mine"]);
    await other.shared.remove("mine");
    expect([await other.live(), storage.objects.size]).toEqual([[], size]);
    await other.close();
  } finally {
    closing.pop();
    await copy.drop();
  }
});

test("installed fingerprints are copied with their SHA-256 checked, and follow a change", async () => {
  const one = await node("one", false);
  const installed = createInstalledRepository(one.store.queries);
  const data = join(folder, "two");
  expect(await unpackInstalled(installed, data)).toBeUndefined();
  await withFolder({ "a.yaml": "name: A", "b.yaml": "name: B\0" }, async (from) =>
    installed.replace(await readFolder(from)),
  );
  const unpacked = await unpackInstalled(installed, data);
  expect((await readdir(unpacked ?? "")).sort()).toEqual(["a.yaml", "b.yaml"]);
  // A changed copy is written again.
  await Bun.write(join(unpacked ?? "", "a.yaml"), "name: C");
  expect(await unpackInstalled(installed, data)).toBe(unpacked);
  expect(await Bun.file(join(unpacked ?? "", "a.yaml")).text()).toBe("name: A");

  await one.store.queries
    .updateTable("custom_fingerprints")
    .set({ content: Buffer.from("other") })
    .where("file", "=", "a.yaml")
    .execute();
  await rm(unpacked ?? "", { recursive: true });
  await expect(unpackInstalled(installed, data)).rejects.toThrow("do not match their SHA-256");
  await installed.replace([]);
  expect(await unpackInstalled(installed, data)).toBeUndefined();
});
