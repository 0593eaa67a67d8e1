import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArchivedFile, createArchive } from "../../src/backup/create.ts";
import { restoreArchive, verifyArchive } from "../../src/backup/restore.ts";
import { SCHEMA_VERSION } from "../../src/db/migrate.ts";
import { inDirectory, refusalOf } from "../store/examples.ts";
import { backUp, everyFile, manifestOf, packed, unpacked, write } from "./archives.ts";

const LATER = new Date("2026-05-05T12:00:00.000Z");
const GRAPH = Buffer.alloc(2_500_000, "graph");

let folder: string;
let source: string;
/** An archive with the two files of the model `mine`, but without `half`, which lacks a file. */
let archive: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-models-"));
  [source, archive] = [join(folder, "source"), join(folder, "saved.tar.zst")];
  await write(source, "saved");
  await Bun.write(join(source, "models/mine/manifest.json"), "{}");
  await Bun.write(join(source, "models/mine/model.onnx"), GRAPH);
  await Bun.write(join(source, "models/half/manifest.json"), "{}");
  const files = (model: string) =>
    ["manifest.json", "model.onnx"].map((name): ArchivedFile => {
      const path = `models/${model}/${name}`;
      return { from: join(source, path), path };
    });
  await backUp(source, archive, [files("half"), files("mine")]);
});
afterAll(() => rm(folder, { recursive: true }));

const sum = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

test("each file of a model is listed with path, size and hash; a model with a missing file is skipped", async () => {
  const { manifest } = await unpacked(archive);
  expect(manifest).toMatchObject({
    format_version: 2,
    parts: [
      { name: "casefile.sqlite" },
      { name: "model-file-1", path: "models/mine/manifest.json", size: 2, sha256: sum(Buffer.from("{}")) },
      { name: "model-file-2", path: "models/mine/model.onnx", size: GRAPH.length, sha256: sum(GRAPH) },
    ],
  });
});

test("a restore writes them to their former paths, readable by this user only", async () => {
  await inDirectory(async (parent) => {
    const dataDir = join(parent, "data");
    await restoreArchive(archive, dataDir, { now: LATER });
    const restored = await everyFile(join(dataDir, "models"));
    expect(Object.keys(restored)).toEqual(["/mine/manifest.json", "/mine/model.onnx"]);
    expect(sum(await Bun.file(join(dataDir, "models/mine/model.onnx")).bytes())).toBe(sum(GRAPH));
    expect((await Bun.file(join(dataDir, "models/mine")).stat()).mode & 0o777).toBe(0o700);
  });
});

test("a model that is removed during the backup is still archived", async () => {
  await inDirectory(async (parent) => {
    const [from, file] = [join(parent, "model.onnx"), join(parent, "a.tar.zst")];
    await Bun.write(from, GRAPH);
    const removed: string[] = [];
    await createArchive(file, {
      copy: async (path) => void (await Bun.write(path, (await unpacked(archive)).database)),
      groups: [[{ from, path: "models/mine/model.onnx" }]],
      version: "1.2.3",
      now: LATER,
      onProgress(step) {
        if (step === "check" && removed.push(from) === 1) rmSync(from);
      },
    });
    expect(removed).not.toEqual([]);
    expect((await verifyArchive(file, {})).parts.at(-1)?.sha256).toBe(sum(GRAPH));
  });
});

test.each([
  ["upwards", "models/../casefile.sqlite"],
  ["beside the models", "index/mine/model.onnx"],
  ["of an absolute path", "/models/mine/model.onnx"],
  ["deeper than a model's folder", "models/mine/more/model.onnx"],
  ["of no path", ""],
  ["of a hidden folder", "models/.mine/model.onnx"],
])("a path %s is refused, and nothing is written there", async (_, path) => {
  const { database } = await unpacked(archive);
  const parts = [
    { name: "casefile.sqlite", size: database.length, sha256: sum(database) },
    { name: "model-file-1", path, size: 1, sha256: sum(Buffer.from("x")) },
  ];
  const bytes = await packed([
    ["manifest.json", manifestOf(database, { schema_version: SCHEMA_VERSION, format_version: 2, parts })],
    ["casefile.sqlite", database],
    ["model-file-1", "x"],
  ]);
  await inDirectory(async (parent) => {
    await Bun.write(join(parent, "bad.tar.zst"), bytes);
    const refusal = await refusalOf(restoreArchive(join(parent, "bad.tar.zst"), join(parent, "data"), { now: LATER }));
    expect(refusal).toMatchObject({ code: "backup.invalid", message: expect.stringContaining("unknown parts") });
    expect(await readdir(parent)).toEqual(["bad.tar.zst"]);
  });
});

test("two files with one path, a changed byte and too little free space are refused", async () => {
  const { database } = await unpacked(archive);
  const model = { path: "models/mine/model.onnx", size: 1, sha256: sum(Buffer.from("x")) };
  const told = (...models: object[]) =>
    manifestOf(database, {
      schema_version: SCHEMA_VERSION,
      format_version: 2,
      parts: [{ name: "casefile.sqlite", size: database.length, sha256: sum(database) }, ...models],
    });
  const refusedFor = (text: string, content: string, room?: number) =>
    inDirectory(async (parent) => {
      const file = join(parent, "a.tar.zst");
      const files = [1, 2].map((at) => [`model-file-${at}`, content] as const);
      await Bun.write(file, await packed([["manifest.json", text], ["casefile.sqlite", database], ...files]));
      return (await refusalOf(restoreArchive(file, join(parent, "data"), { now: LATER, room }))).message;
    });
  const twice = told(
    { name: "model-file-1", ...model },
    { name: "model-file-2", ...model, path: "models/mine/MODEL.onnx" },
  );
  expect(await refusedFor(twice, "x")).toContain("unknown parts");
  const once = told({ name: "model-file-1", ...model }, { name: "model-file-2", ...model, path: "models/mine/b" });
  expect(await refusedFor(once, "y")).toContain("the hash of models/mine/model.onnx");
  const large = told({ name: "model-file-1", ...model, size: 1_000_000_000 });
  expect(await refusedFor(large, "x", 500_000_000)).toContain("has no room for 97");
});
