import { isUnitLength, lengthOf } from "./passage-table.ts";

/** A model that embeds passages. */
export interface PassageEncoder {
  readonly id: string;
  readonly dimensions: number;
  encode(texts: readonly string[], kind: "passage", signal?: AbortSignal): Promise<readonly Float32Array[]>;
}

/** Any model embeds it: if it fails, the model is broken, not the text before it. */
const SAMPLE = "A bank moved its payments to another platform.";

/**
 * Embeds texts together. Where the model throws, each half is embedded on its own, so that a text that it cannot embed
 * fails alone.
 *
 * @returns for each text its vector, of unit length or zero, or the error of a text that this model cannot embed
 * @throws the model's error when it cannot embed anything, and the signal's reason
 */
export async function embedEach(
  encoder: PassageEncoder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<(Float32Array | Error)[]> {
  let vectors: (Float32Array | Error)[];
  try {
    vectors = (await encoder.encode(texts, "passage", signal)).map((vector) => checked(encoder, vector));
  } catch (error) {
    signal?.throwIfAborted();
    if (texts.length > 1) {
      const middle = Math.ceil(texts.length / 2);
      const first = await embedEach(encoder, texts.slice(0, middle), signal);
      return [...first, ...(await embedEach(encoder, texts.slice(middle), signal))];
    }
    vectors = [error instanceof Error ? error : new Error(String(error))];
  }
  const fault = vectors.find((vector) => vector instanceof Error);
  if (fault) await assertWorks(encoder, fault, signal);
  return vectors;
}

/** @throws `fault` when the model cannot embed the sample either */
async function assertWorks(encoder: PassageEncoder, fault: unknown, signal: AbortSignal | undefined): Promise<void> {
  const [vector] = await encoder.encode([SAMPLE], "passage", signal).catch(() => []);
  signal?.throwIfAborted();
  if (!vector || checked(encoder, vector) instanceof Error) throw fault;
}

function checked({ id, dimensions }: PassageEncoder, vector: Float32Array): Float32Array | Error {
  if (vector.length !== dimensions)
    return new RangeError(`The model ${id} returned ${vector.length} dimensions instead of ${dimensions}.`);
  const length = lengthOf(vector, dimensions);
  if (length === 0 || isUnitLength(length)) return vector;
  return new RangeError(`The model ${id} returned a vector of length ${length} instead of 1.`);
}
