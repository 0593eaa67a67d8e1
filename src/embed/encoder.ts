import { Failure } from "../vocabulary/failure.ts";
import type { Manifest } from "./manifest.ts";
import type { ModelFiles } from "./model-files.ts";
import { createQueue, type Job } from "./queue.ts";
import { startThread } from "./thread-link.ts";

/** Turns texts into vectors that lie near each other when the texts mean the like. */
export interface Encoder {
  /** Of the model: vectors of encoders with different ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /** Longer texts are cut. */
  readonly maxTokens: number;
  /**
   * Tokens of each text, special ones not counted and nothing cut.
   *
   * @throws Failure as `encode` does
   */
  countTokens(texts: readonly string[]): Promise<number[]>;
  /**
   * One vector per text, in order. Equal texts give equal vectors to within 1e-6, whatever they are encoded with. A
   * blank text gives the zero vector, which is like no other.
   *
   * @throws Failure `service.overloaded` when too many callers wait, `model.unavailable` when the encoder is closed or
   *   its thread has ended; the signal's reason when it aborts
   */
  encode(texts: readonly string[], kind: "query" | "passage", signal?: AbortSignal): Promise<Float32Array[]>;
  /**
   * How much of a question each passage says, 0–1, token by token (late interaction): finer than vectors, and dearer, so
   * for the few passages that a search has found. Absent where the model cannot.
   *
   * @throws Failure as `encode` does
   */
  readonly interact?: (query: string, passages: readonly string[], signal?: AbortSignal) => Promise<number[]>;
  /**
   * Counts how common each token is in these passages, a sample of what is searched, in place of what was counted before:
   * `interact` then weighs the question's tokens by how rare they are there. Present where `interact` is.
   *
   * @throws Failure as `encode` does
   */
  readonly observe?: (passages: readonly string[]) => Promise<void>;
  /** Ends the thread. Who still waits gets `model.unavailable`. */
  close(): Promise<void>;
}

export interface EncoderSource {
  readonly manifest: Manifest;
  readonly files: ModelFiles;
  /** A folder of the operator's own, in which an executable unpacks its native parts. */
  readonly unpackDir: string;
  /** Threads within one run; 1 unless told. */
  readonly threads?: number;
  /** Callers that may wait at once; 256 unless told. */
  readonly maxWaiting?: number;
}

/** Texts that go to the thread at once: a query never waits for more than these. */
const CHUNK = 32;

/**
 * Opens a model in a thread of its own, after its files were held against the manifest.
 *
 * @throws Failure `model.invalid` or `model.unavailable`
 */
export async function openEncoder(source: EncoderSource): Promise<Encoder> {
  const { manifest, files, unpackDir, threads = 1, maxWaiting = 256 } = source;
  const thread = startThread();
  try {
    await thread.ask({ ask: "open", request: { manifest, files, unpackDir, threads } });
  } catch (error) {
    thread.end();
    throw error;
  }
  const queue = createQueue(maxWaiting);
  let closed = false;
  const run = async <T>(job: Job<T>): Promise<T[]> => {
    if (closed) throw new Failure("model.unavailable", "The model is closed; open it again.");
    return await queue.run(job);
  };
  return {
    id: manifest.id,
    dimensions: manifest.dimensions,
    maxTokens: manifest.max_tokens,
    countTokens: (texts) =>
      run({
        urgent: false,
        signal: undefined,
        steps: chunksOf(texts).map(
          (part) => async () => (await thread.ask({ ask: "count", texts: part })).counts ?? [],
        ),
      }),
    encode: (texts, kind, signal) =>
      run({
        urgent: kind === "query",
        signal,
        steps: chunksOf(texts).map(
          (part) => async () => (await thread.ask({ ask: "encode", texts: part, kind })).vectors ?? [],
        ),
      }),
    ...(manifest.late_interaction
      ? {
          interact: (query, passages, signal) =>
            run({
              urgent: true,
              signal,
              steps: [async () => (await thread.ask({ ask: "interact", query, passages })).likenesses ?? []],
            }),
          async observe(passages) {
            await run({
              urgent: true,
              signal: undefined,
              steps: [
                async () => {
                  await thread.ask({ ask: "observe", passages });
                  return [];
                },
              ],
            });
          },
        }
      : {}),
    async close() {
      if (closed) return;
      closed = true;
      await queue.drain(new Failure("model.unavailable", "The model was closed."));
      await thread.ask({ ask: "close" }).catch(() => undefined);
      thread.end();
    },
  };
}

function chunksOf(texts: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(texts.length / CHUNK) }, (_, at) => texts.slice(at * CHUNK, (at + 1) * CHUNK));
}
