import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../../src/core/errors.ts";
import { addModel } from "../../../src/embedding/custom/add.ts";
import { externalFiles } from "../../../src/embedding/custom/model-folder.ts";
import { checkModel, getModel } from "../../../src/embedding/custom/model-store.ts";
import { openEncoder } from "../../../src/embedding/encoder.ts";
import { TINY_TOKENS, tinyRow, tinyTransformer, writeFolder } from "../tiny-models.ts";

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);
const number = (field: number, value: number) => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, content: readonly number[]) => [
  ...varint((field << 3) | 2),
  ...varint(content.length),
  ...content,
];
const text = (field: number, content: string) => bytes(field, [...Buffer.from(content)]);

/** The tiny transformer with its rows in a file of this name. */
function apart(location: string, columns = 8): Uint8Array {
  const value = (name: string, type: number, shape: readonly (string | number)[]) => [
    ...text(1, name),
    ...bytes(
      2,
      bytes(1, [
        ...number(1, type),
        ...bytes(
          2,
          shape.flatMap((size) => bytes(1, typeof size === "number" ? number(1, size) : text(2, size))),
        ),
      ]),
    ),
  ];
  const entry = (key: string, given: string) => bytes(13, [...text(1, key), ...text(2, given)]);
  const tensor = [
    ...number(1, TINY_TOKENS.length),
    ...number(1, columns),
    ...number(2, 1),
    ...text(8, "table"),
    ...entry("location", location),
    ...entry("offset", "0"),
    ...entry("length", String(TINY_TOKENS.length * columns * 4)),
    ...number(14, 1),
  ];
  const gather = [
    ...text(1, "table"),
    ...text(1, "input_ids"),
    ...text(2, "last_hidden_state"),
    ...text(4, "Gather"),
    ...bytes(5, [...text(1, "axis"), ...number(3, 0), ...number(20, 2)]),
  ];
  const graph = [
    ...bytes(1, gather),
    ...text(2, "tiny"),
    ...bytes(5, tensor),
    ...["input_ids", "attention_mask"].flatMap((name) => bytes(11, value(name, 7, ["batch", "tokens"]))),
    ...bytes(12, value("last_hidden_state", 1, ["batch", "tokens", columns])),
  ];
  return Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ""), ...number(2, 17)])]);
}

const WEIGHTS = Buffer.from(Float32Array.from(TINY_TOKENS.flatMap(tinyRow)).buffer);
const tiny = tinyTransformer();
const root = await mkdtemp(join(tmpdir(), "casefile-models-"));
afterAll(() => rm(root, { recursive: true }));
const options = (name: string) => ({ store: join(root, "models"), unpackDir: join(root, "native"), name });
const lay = (location: string, further: Readonly<Record<string, unknown>> = {}) =>
  writeFolder(join(root, crypto.randomUUID()), { ...tiny, files: { ...tiny.files, model: apart(location) } }, further);

describe("weights in an external file", () => {
  test("are copied from the graph's folder, verified by hash, and loaded", async () => {
    const dir = await lay("model.onnx_data");
    await Bun.write(join(dir, "model.onnx_data"), WEIGHTS);
    const manifest = await addModel(dir, options("apart"));
    expect(manifest.files.map(({ name }) => name)).toEqual(["model.onnx", "model.onnx_data", "tokenizer.json"]);
    const model = await getModel(join(root, "models"), "apart");
    const unpackDir = join(root, "native");
    const encoder = await openEncoder({ ...model, unpackDir });
    const whole = await openEncoder({ ...tiny, unpackDir });
    expect(await encoder.encode(["cut cost"], "passage")).toEqual(await whole.encode(["cut cost"], "passage"));
    await encoder.close();
    await whole.close();

    const changed = Buffer.from(WEIGHTS);
    changed[40]! ^= 1;
    await Bun.write(join(root, "models/apart/model.onnx_data"), changed);
    expect(await codeOf(openEncoder({ ...model, unpackDir }))).toBe("model.invalid");
    expect(await codeOf(checkModel(join(root, "models"), model))).toBe("model.invalid");
  });

  test.each([
    "../secret.bin",
    "/etc/hostname",
    "a/../../b",
    "..",
    "",
    "tokenizer.json",
    "manifest.json",
    "a\\b",
    "x\u0000y",
  ])("are refused at %j, even if the file exists", async (location) => {
    const dir = await lay(location);
    await Bun.write(join(root, "secret.bin"), WEIGHTS);
    expect(await codeOf(addModel(dir, options("hostile")))).toBe("model.invalid");
    expect(await readdir(join(root, "models"))).not.toContain("hostile");
  });

  test("are refused when the file is missing", async () => {
    expect(await codeOf(addModel(await lay("absent.bin"), options("hostile")))).toBe("model.invalid");
  });
});

describe("a graph's bytes", () => {
  test("are never trusted: any content results in a refusal or a list", () => {
    const whole = apart("weights.bin");
    expect(externalFiles(whole)).toEqual(["weights.bin"]);
    for (let at = 0; at < whole.length; at += 1)
      for (const value of [0, 127, 255]) {
        const changed = Uint8Array.from(whole);
        changed[at] = value;
        const cut = whole.slice(0, at);
        for (const content of [changed, cut]) {
          try {
            expect(Array.isArray(externalFiles(content))).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(Failure);
          }
        }
      }
  });

  test("may not be nested without a limit", () => {
    let inner: number[] = [];
    for (let depth = 0; depth < 500; depth += 1) inner = bytes(1, bytes(5, bytes(6, inner)));
    expect(() => externalFiles(Uint8Array.from(bytes(7, inner)))).toThrow(Failure);
  });
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );
