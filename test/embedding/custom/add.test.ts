import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../../src/core/errors.ts";
import { type AddOptions, addModel } from "../../../src/embedding/custom/add.ts";
import { checkModel, getModel, listModels, removeModel } from "../../../src/embedding/custom/model-store.ts";
import { openEncoder } from "../../../src/embedding/encoder.ts";
import { tinyOther, tinyStatic, tinyTransformer, writeFolder } from "../tiny-models.ts";

const roots: string[] = [];
let root = "";
let store = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "casefile-models-"));
  store = join(root, "models");
  roots.push(root);
});
afterAll(async () => {
  for (const dir of roots) await rm(dir, { recursive: true, force: true });
});

const add = (options: Partial<AddOptions> = {}) =>
  addModel(join(root, "Tiny Model"), { store, unpackDir: join(root, "native"), ...options });
const lay = (...given: Parameters<typeof writeFolder> extends [string, ...infer Rest] ? Rest : never) =>
  writeFolder(join(root, "Tiny Model"), ...given);

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error: unknown) =>
      error instanceof Failure
        ? [error.code, error.message, ...(error.details.problems ?? []).map(({ detail }) => detail)].join(" | ")
        : String(error),
  );

describe("an added model", () => {
  test("is configured from its files", async () => {
    await lay(tinyTransformer(), {
      "1_Pooling/config.json": { pooling_mode_cls_token: false, pooling_mode_mean_tokens: true },
      "sentence_bert_config.json": { max_seq_length: 12 },
      "config_sentence_transformers.json": { prompts: { query: "query: ", passage: "passage: " } },
      "config.json": { max_position_embeddings: 512, model_type: "bert" },
      "README.md": "---\nlicense: apache-2.0\n---\n",
    });
    const manifest = await add();
    expect(manifest).toMatchObject({
      name: "tiny-model",
      inputs: { ids: "input_ids", mask: "attention_mask", types: "token_type_ids" },
      output: "last_hidden_state",
      pooling: "mean",
      normalise: true,
      query_prefix: "query: ",
      passage_prefix: "passage: ",
      dimensions: 8,
      max_tokens: 12,
      licence: "apache-2.0",
    });
    expect((await getModel(store, "tiny-model")).manifest).toEqual(manifest);
    expect((await readdir(join(store, "tiny-model"))).sort()).toEqual([
      "manifest.json",
      "model.onnx",
      "tokenizer.json",
    ]);
    expect(await readdir(store)).toEqual(["tiny-model"]);
  });

  test("uses mean pooling by default, and returns the vectors of its graph", async () => {
    const tiny = tinyTransformer();
    await lay(tiny);
    await add({ name: "mine" });
    const { manifest, files } = await getModel(store, "mine");
    expect([manifest.pooling, manifest.max_tokens]).toEqual(["mean", 512]);
    const unpackDir = join(root, "native");
    const [own, known] = [
      await openEncoder({ manifest, files, unpackDir }),
      await openEncoder({ ...tiny, manifest: { ...tiny.manifest, max_tokens: 512 }, unpackDir }),
    ];
    const texts = ["cut cloud cost", "bank"];
    expect(await own.encode(texts, "passage")).toEqual(await known.encode(texts, "passage"));
    await own.close();
    await known.close();
  });

  test("may return pooled vectors itself", async () => {
    await lay(tinyStatic());
    expect(await add()).toMatchObject({
      output: "embedding",
      pooling: "none",
      dimensions: 8,
      normalise: true,
      late_interaction: true,
    });
  });

  test("has the same id when it is added again, and another when its vectors would differ", async () => {
    await lay(tinyTransformer());
    const first = await add({ name: "mine" });
    await removeModel(store, "mine");
    expect((await add({ name: "mine" })).id).toBe(first.id);
    await removeModel(store, "mine");
    expect((await add({ name: "mine", queryPrefix: "query: " })).id).not.toBe(first.id);
  });

  test("is the quantised one of two graphs, and must be named among more", async () => {
    await lay(tinyTransformer(), {}, "onnx/model.onnx");
    await writeFolder(join(root, "Tiny Model"), tinyOther(6), {}, "onnx/model_quantized.onnx");
    expect((await add({ name: "one" })).dimensions).toBe(6);
    await writeFolder(join(root, "Tiny Model"), tinyOther(5), {}, "onnx/model_qint8.onnx");
    expect(await refusal(add({ name: "two" }))).toBe(
      "model.invalid | The folder has several .onnx files; choose one with --file. | onnx/model.onnx | onnx/model_qint8.onnx | onnx/model_quantized.onnx",
    );
    expect((await add({ name: "two", file: "model_qint8.onnx" })).dimensions).toBe(5);
    expect(await refusal(add({ name: "three", file: "../model.onnx" }))).toContain("The folder has no ../model.onnx");
  });

  test("fails with a remedy when its files were changed", async () => {
    await lay(tinyTransformer());
    await add({ name: "mine" });
    const model = await getModel(store, "mine");
    await checkModel(store, model);
    const bytes = await Bun.file(join(store, "mine/model.onnx")).bytes();
    bytes[bytes.length >> 1]! ^= 1;
    await Bun.write(join(store, "mine/model.onnx"), bytes);
    expect(await refusal(checkModel(store, model))).toBe(
      "model.invalid | The files of the model mine have changed since it was added; use another (casefile model use built-in), then remove it and add it again.",
    );
  });

  test("is listed though its manifest is damaged", async () => {
    await lay(tinyTransformer());
    await add({ name: "mine" });
    await Bun.write(join(store, "mine/manifest.json"), "{");
    expect(await listModels(store)).toEqual([{ name: "mine" }]);
    expect(await refusal(getModel(store, "../models/mine"))).toContain("model.not_found");
  });
});

describe("a model that cannot run is refused with the reason, and nothing is left behind", () => {
  const shape = tinyTransformer();
  const cases: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    ["no folder", async () => {}, "no such folder. Give the folder of the model."],
    ["no graph", () => Bun.write(join(root, "Tiny Model/tokenizer.json"), "{}"), "has no .onnx file"],
    ["no tokenizer", () => Bun.write(join(root, "Tiny Model/model.onnx"), shape.files.model), "has no tokenizer.json"],
    [
      "a graph that is none",
      () => lay({ ...shape, files: { ...shape.files, model: Buffer.from("hello") } }),
      "is not an ONNX model",
    ],
    ["an empty graph", () => lay({ ...shape, files: { ...shape.files, model: new Uint8Array() } }), "is empty"],
    [
      "a cut graph",
      () => lay({ ...shape, files: { ...shape.files, model: shape.files.model.slice(0, -40) } }),
      "is not an ONNX model",
    ],
    [
      "a tokenizer that is none",
      () => lay({ ...shape, files: { ...shape.files, tokenizer: Buffer.from("{}") } }),
      "has no vocabulary",
    ],
    ["the tokenizer of a larger model", () => lay(tinyOther(8, 9)), "does not run with the"],
    [
      "pooling that is not known",
      () => lay(shape, { "1_Pooling/config.json": { pooling_mode_max_tokens: true } }),
      "unsupported pooling",
    ],
    // This graph ignores context, so its first token is the same in every text.
    [
      "pooling by a first token that tells nothing",
      () => lay(shape, { "1_Pooling/config.json": { pooling_mode_cls_token: true } }),
      "returns the same vector for different texts",
    ],
    [
      "a layer that the graph lacks",
      () => lay(shape, { "modules.json": [{ type: "sentence_transformers.models.Dense" }] }),
      "The graph lacks the layer Dense",
    ],
    ["settings that are no JSON", () => lay(shape, { "config.json": "{" }), "config.json is not a JSON object"],
    ["a folder whose name is none", () => lay(shape).then(() => add({ name: "../up" })), "A model's name consists of"],
  ];
  test.each(cases)("%s", async (_, prepare, reason) => {
    const given = await refusal(prepare().then(() => add()));
    expect(given).toStartWith("model.invalid");
    expect(given).toContain(reason);
    expect(await readdir(store).catch(() => [])).toEqual([]);
  });

  test("a symbolic link to any target", async () => {
    await lay(shape);
    await rm(join(root, "Tiny Model/tokenizer.json"));
    await Bun.write(join(root, "elsewhere.json"), shape.files.tokenizer);
    await symlink(join(root, "elsewhere.json"), join(root, "Tiny Model/tokenizer.json"));
    expect(await refusal(add())).toContain("tokenizer.json is a symbolic link");
  });

  test("a name that is in use", async () => {
    await lay(shape);
    await add({ name: "mine" });
    expect(await refusal(add({ name: "mine" }))).toStartWith("model.conflict");
  });
});
