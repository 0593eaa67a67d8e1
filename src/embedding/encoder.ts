import { Failure } from "../core/errors.ts";
import type { Manifest, ModelFiles } from "./manifest.ts";
import type { ModelRequest } from "./model.ts";

/** Work in steps that give parts of one list. Between two steps, another's may run. */
interface Job<T> {
  /** Goes before all that is not. */
  readonly urgent: boolean;
  readonly signal: AbortSignal | undefined;
  readonly steps: readonly (() => Promise<readonly T[]>)[];
}

interface Queue {
  /**
   * @returns the parts, joined in order
   * @throws Failure `service.overloaded` when too many jobs wait; the signal's reason when it aborts; a step's own error
   */
  run<T>(job: Job<T>): Promise<T[]>;
  /** Refuses all jobs with `reason`, and waits for the step that runs. */
  drain(reason: Failure): Promise<void>;
}

interface Waiting {
  readonly urgent: boolean;
  /** Runs one step; tells whether there is another. */
  step(): Promise<boolean>;
  refuse(reason: unknown): void;
}

/** Runs one step at a time: urgent jobs first, else in turn. */
export function createQueue(maxWaiting: number): Queue {
  let waiting: Waiting[] = [];
  let current: Waiting | undefined;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (;;) {
      const next = waiting.find(({ urgent }) => urgent) ?? waiting[0];
      if (!next) {
        // In the same breath as the look: a job that comes after must start the work anew.
        running = undefined;
        return;
      }
      waiting = waiting.filter((job) => job !== next);
      // The rest of a long job goes to the end: the others have their turn.
      current = next;
      if (await next.step()) waiting.push(next);
      current = undefined;
    }
  }

  return {
    run<T>({ urgent, signal, steps }: Job<T>): Promise<T[]> {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (steps.length === 0) return Promise.resolve([]);
      if (waiting.length >= maxWaiting)
        return Promise.reject(
          new Failure("service.overloaded", "Too much is being read at once; try again in a moment.", {
            retryAfterSeconds: 2,
          }),
        );
      return new Promise((resolve, reject) => {
        const parts: T[] = [];
        let at = 0;
        let over = false;
        const end = (settle: () => void) => {
          over = true;
          signal?.removeEventListener("abort", onAbort);
          settle();
        };
        const job: Waiting = {
          urgent,
          async step() {
            try {
              const part = await steps[at]!();
              if (over) return false;
              for (const item of part) parts.push(item);
              at += 1;
              if (at === steps.length) end(() => resolve(parts));
            } catch (error) {
              if (!over) end(() => reject(error));
            }
            return !over;
          },
          refuse: (reason) => end(() => reject(reason)),
        };
        function onAbort(): void {
          waiting = waiting.filter((other) => other !== job);
          job.refuse(signal?.reason);
        }
        signal?.addEventListener("abort", onAbort);
        waiting.push(job);
        running ??= work();
      });
    },
    async drain(reason) {
      const refused = current ? [current, ...waiting] : waiting;
      waiting = [];
      for (const job of refused) job.refuse(reason);
      await running;
    },
  };
}

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

interface ThreadLink {
  /** @throws Failure as the thread tells it; `model.unavailable` when the thread has ended */
  ask(question: WithoutId<Question>): Promise<Answer>;
  end(): void;
}

/** An executable holds each entry point under its place in `src`; its program is one bundle at the root. */
const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);
const ENTRY = new URL(IN_EXECUTABLE ? "./embedding/encoder-thread.ts" : "./encoder-thread.ts", import.meta.url).href;

/** Starts the thread that holds a model. */
function startThread(): ThreadLink {
  const worker = new Worker(ENTRY);
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(reason: Failure): void }>();
  let asked = 0;
  let ended = false;

  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const asker = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failure) asker?.reject(new Failure(data.failure.code, data.failure.advice, data.failure.details));
    else asker?.resolve(data);
  };
  const fail = () => {
    ended = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  };
  worker.addEventListener("error", fail);
  worker.addEventListener("close", fail);
  // An idle encoder does not keep the program alive; a question that is being answered does.
  worker.unref();

  return {
    async ask(question) {
      if (ended) throw gone();
      const id = asked;
      asked += 1;
      worker.ref();
      try {
        return await new Promise<Answer>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          worker.postMessage({ id, ...question } satisfies Question);
        });
      } finally {
        if (waiting.size === 0) worker.unref();
      }
    },
    end() {
      fail();
      worker.terminate();
    },
  };
}

const gone = () => new Failure("model.unavailable", "The model's thread has ended; open the model again.");

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

/** What an encoder asks its thread; one question at a time. */
export type Question = { readonly id: number } & (
  | { readonly ask: "open"; readonly request: ModelRequest }
  | { readonly ask: "count"; readonly texts: readonly string[] }
  | { readonly ask: "encode"; readonly texts: readonly string[]; readonly kind: "query" | "passage" }
  | { readonly ask: "interact"; readonly query: string; readonly passages: readonly string[] }
  | { readonly ask: "observe"; readonly passages: readonly string[] }
  | { readonly ask: "close" }
);

/** What comes back for the question of the same id. An error loses its class between threads, so its parts are sent. */
export interface Answer {
  readonly id: number;
  readonly vectors?: readonly Float32Array[];
  readonly counts?: readonly number[];
  readonly likenesses?: readonly number[];
  readonly failure?: Pick<Failure, "code" | "advice" | "details">;
}
