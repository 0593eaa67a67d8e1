import type { InferenceSession } from "onnxruntime-node";
import { Failure } from "../../vocabulary/failure.ts";
import { nothingToCompare } from "../interaction.ts";
import type { Manifest } from "../manifest.ts";
import { openSession } from "../model.ts";
import { loadRuntime, type Runtime } from "../native.ts";

/** How a graph is to be run, as a run of it has shown. */
export type GraphShape = Pick<Manifest, "output" | "pooling" | "dimensions" | "late_interaction"> & {
  readonly inputs: readonly string[];
};

const TEXTS = 2;
const TOKENS = 7;
const INPUT = /^(?:input_?ids|.*ids?|.*mask.*|.*(?:type|segment).*)$/i;
/** Numbers of places: this program has no use of them, and a graph that asks for them must be given right ones. */
const PLACES = /position/i;
/** What sentence encoders call the vector of a text; others of that shape are a classifier's. */
const SENTENCE = /sentence|embed/i;
const TOKEN = /last_hidden|token|hidden_state/i;

/**
 * Runs a graph once on two texts of made-up tokens and tells which output is the texts' vectors.
 *
 * @param highestId the tokenizer's: a graph that has fewer tokens refuses it
 * @param pooling what the settings say
 * @throws Failure `model.invalid` with the reason when the graph cannot be run as a sentence encoder
 */
export async function tryGraph(
  model: Uint8Array | string,
  { highestId, pooling, unpackDir }: { highestId: number; pooling: "mean" | "cls" | undefined; unpackDir: string },
): Promise<GraphShape> {
  const runtime = await loadRuntime(unpackDir);
  const session = await openSession(runtime, model, 1).catch((error: unknown) => {
    throw unfit("It cannot be opened", error);
  });
  try {
    const late_interaction = comparesTokens(session);
    const inputs = session.inputNames.filter((name) => !COMPARED.has(name));
    const strange = inputs.filter((name) => !INPUT.test(name) || PLACES.test(name));
    if (strange.length > 0 || inputs.length === 0 || inputs.length > 3)
      throw unfit(`It wants ${inputs.slice(0, 5).join(", ") || "nothing"}; a text encoder takes token ids and masks`);
    const outputs = await session
      .run({ ...(late_interaction ? nothingToCompare(runtime) : {}), ...feedsFor(runtime, inputs, highestId) })
      .catch((error: unknown) => {
        throw unfit(`It does not run with the ${highestId + 1} tokens of its tokenizer`, error);
      });
    const shaped = Object.entries(outputs).flatMap(([name, { data, dims }]) => {
      const dimensions = dims.at(-1) ?? 0;
      if (!(data instanceof Float32Array) || dimensions < 2) return [];
      if (dims.join() === [TEXTS, dimensions].join()) return [{ name, dimensions, isText: true }];
      return dims.join() === [TEXTS, TOKENS, dimensions].join() ? [{ name, dimensions, isText: false }] : [];
    });
    const texts = shaped.filter(({ isText }) => isText);
    const tokens = shaped.filter(({ isText }) => !isText);
    const whole = texts.find(({ name }) => SENTENCE.test(name));
    const each = tokens.find(({ name }) => TOKEN.test(name)) ?? tokens[0];
    const chosen = whole ?? each ?? (texts.length === 1 ? texts[0] : undefined);
    if (!chosen) throw unfit("No output is one vector a text or one a token, in 32-bit floats");
    return {
      inputs,
      output: chosen.name,
      pooling: chosen.isText ? "none" : (pooling ?? "mean"),
      dimensions: chosen.dimensions,
      late_interaction,
    };
  } finally {
    await session.release();
  }
}

const COMPARED = new Set(["query_tokens", "passage_tokens"]);

const comparesTokens = ({ inputNames, outputNames }: InferenceSession) =>
  [...COMPARED].every((name) => inputNames.includes(name)) &&
  ["likeness", "share"].every((name) => outputNames.includes(name));

function feedsFor({ Tensor }: Runtime, inputs: readonly string[], highestId: number) {
  const cells = (value: (at: number) => number) =>
    new Tensor(
      "int64",
      BigInt64Array.from({ length: TEXTS * TOKENS }, (_, at) => BigInt(value(at))),
      [TEXTS, TOKENS],
    );
  return Object.fromEntries(
    inputs.map((name) => {
      if (/mask/i.test(name)) return [name, cells(() => 1)];
      if (/type|segment/i.test(name)) return [name, cells(() => 0)];
      return [name, cells((at) => (at % 2 === 0 ? highestId : Math.min(at, highestId)))];
    }),
  );
}

const unfit = (what: string, cause?: unknown) =>
  new Failure("model.invalid", "The model cannot be used as a sentence encoder; choose another.", {
    problems: [
      {
        pointer: "",
        detail:
          cause === undefined
            ? `${what}.`
            : `${what}: ${cause instanceof Error ? cause.message : String(cause)}`.slice(0, 500),
      },
    ],
  });
